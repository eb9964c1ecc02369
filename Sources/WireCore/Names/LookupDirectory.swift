/// What one DNS lookup cost: a query with its answer and their retransmissions.
struct LookupCost: Sendable {
    /// The row in which its datagrams are counted until a connection pays.
    var row: Int32
    /// Tells it from others.
    var serial: Int
    var counts = Directions<DatagramCounts>()

    var bytes: LookupBytes {
        LookupBytes(
            up: counts.up.internet, down: counts.down.internet, upLink: counts.up.link, downLink: counts.down.link,
            serial: serial)
    }
}

/// Of a lookup, what a connection pays: IP bytes, and link bytes.
struct LookupBytes: Sendable {
    var up: Int
    var down: Int
    var upLink: Int
    var downLink: Int
    /// As in `LookupCost`.
    var serial: Int
}

/// The DNS lookups that no connection has paid for yet (ByteLedger.md §5.6).
struct LookupDirectory {
    struct QueryKey: Hashable {
        var client: IPAddress
        var server: IPAddress
        var port: UInt16
        var identifier: UInt16
        /// The row in which its datagrams are counted.
        var row: Int32
    }

    /// Most clients that can owe for one address.
    private static let owedLimit = 8

    private let limit: Int
    /// Of each address, the lookups that gave it and are not paid for, newest last: who asked, and the index in `lookups`.
    private var owed: [IPAddress: [(client: IPAddress, lookup: Int)]] = [:]
    private var queries: [QueryKey: Int] = [:]
    /// Nil when a connection has paid.
    private var lookups: [LookupCost?] = []
    private var nextSerial = 1
    /// Serial number of the lookup that the latest message is of; nil where it is paid for.
    private(set) var latest: Int?

    /// - Parameter limit: most addresses, and most lookups, kept; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Some lookup may be owed.
    var isEmpty: Bool { owed.isEmpty }

    /// Takes a DNS message over UDP. `packet` is its packet, and `counts` what it cost. Returns whether the directory was
    /// full and forgot all it had.
    mutating func receive(
        _ message: DNSMessage, _ packet: DecodedPacket, _ counts: DatagramCounts, at seat: DatagramTable.Seat
    ) -> Bool {
        let isFull = owed.count >= limit || lookups.count >= limit
        if isFull { forget() }
        let key = QueryKey(
            client: message.isResponse ? packet.destination : packet.source,
            server: message.isResponse ? packet.source : packet.destination,
            port: message.isResponse ? packet.destinationPort : packet.sourcePort, identifier: message.identifier,
            row: seat.row)
        let index = lookup(key, isNew: !message.isResponse)
        latest = lookups[index]?.serial
        if seat.isUp { lookups[index]?.counts.up += counts } else { lookups[index]?.counts.down += counts }
        for address in message.addresses where !message.name.isEmpty {
            var clients = owed[address] ?? []
            clients.removeAll { $0.client == key.client }
            if clients.count >= LookupDirectory.owedLimit { clients.removeFirst() }
            clients.append((key.client, index))
            owed[address] = clients
        }
        return isFull
    }

    private mutating func lookup(_ key: QueryKey, isNew: Bool) -> Int {
        if let index = queries[key], !isNew || lookups[index] != nil { return index }
        lookups.append(LookupCost(row: key.row, serial: nextSerial))
        nextSerial += 1
        queries[key] = lookups.count - 1
        return lookups.count - 1
    }

    /// The lookup that gave this address to this client, once: its first connection to one of its addresses pays. A
    /// client asks over one version of IP and may connect over the other; then nobody else is known to have asked.
    mutating func take(for address: IPAddress, client: IPAddress) -> LookupCost? {
        guard let clients = owed[address],
            let place = clients.lastIndex(where: { $0.client == client || $0.client.isVersion6 != client.isVersion6 })
        else { return nil }
        let index = clients[place].lookup
        owed[address]?.remove(at: place)
        guard let cost = lookups[index] else { return nil }
        lookups[index] = nil
        return cost
    }

    private mutating func forget() {
        owed.removeAll(keepingCapacity: true)
        queries.removeAll(keepingCapacity: true)
        lookups.removeAll(keepingCapacity: true)
    }
}
