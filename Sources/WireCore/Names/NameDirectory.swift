/// Bytes of one DNS lookup: a query with its answer and their retransmissions, IP bytes and link bytes.
struct LookupCost: Sendable {
    var up = 0
    var down = 0
    var upLink = 0
    var downLink = 0
}

/// Names of addresses, and the DNS lookups that no connection has paid for yet (ledger §5, rule 6).
struct NameDirectory {
    private struct QueryKey: Hashable {
        var client: IPAddress
        var server: IPAddress
        var port: UInt16
        var identifier: UInt16
    }

    private struct Entry {
        var name: [UInt8]
        /// Lookups that gave the address and are not paid for, newest last: who asked, and the index in `lookups`.
        var owed: [(client: IPAddress, lookup: Int)] = []
    }

    /// Most clients that can owe for one address.
    private static let owedLimit = 8

    /// Most names, and most lookups, kept; beyond that the older ones are forgotten.
    private static let limit = 65_536

    private var entries: [IPAddress: Entry] = [:]
    private var queries: [QueryKey: Int] = [:]
    /// Nil when a connection has paid.
    private var lookups: [LookupCost?] = []

    var isEmpty: Bool { entries.isEmpty }

    mutating func add(_ address: IPAddress, name: [UInt8]) {
        guard entries[address] == nil, entries.count < NameDirectory.limit, !name.isEmpty else { return }
        entries[address] = Entry(name: name.map(\.lowercasedASCII))
    }

    func name(of address: IPAddress) -> [UInt8]? { entries[address]?.name }

    /// Takes a DNS message over UDP. `packet` is its packet.
    mutating func receive(_ message: DNSMessage, _ packet: DecodedPacket) {
        forgetIfFull()
        let key = QueryKey(
            client: message.isResponse ? packet.destination : packet.source,
            server: message.isResponse ? packet.source : packet.destination,
            port: message.isResponse ? packet.destinationPort : packet.sourcePort, identifier: message.identifier)
        let index = lookup(key, isNew: !message.isResponse)
        if lookups[index] != nil {
            if message.isResponse {
                lookups[index]!.down += packet.internetBytes
                lookups[index]!.downLink += packet.linkBytes
            } else {
                lookups[index]!.up += packet.internetBytes
                lookups[index]!.upLink += packet.linkBytes
            }
        }
        for address in message.addresses where !message.name.isEmpty {
            var owed = entries[address]?.owed ?? []
            owed.removeAll { $0.client == key.client }
            if owed.count >= NameDirectory.owedLimit { owed.removeFirst() }
            owed.append((key.client, index))
            entries[address] = Entry(name: message.name, owed: owed)
        }
    }

    private mutating func lookup(_ key: QueryKey, isNew: Bool) -> Int {
        if let index = queries[key], !isNew || lookups[index] != nil { return index }
        lookups.append(LookupCost())
        queries[key] = lookups.count - 1
        return lookups.count - 1
    }

    /// The lookup that gave this address to this client, once: its first connection to one of its addresses pays. A
    /// client asks over one version of IP and may connect over the other; then nobody else is known to have asked.
    mutating func takeLookup(for address: IPAddress, client: IPAddress) -> LookupCost? {
        guard let owed = entries[address]?.owed,
            let place = owed.lastIndex(where: { $0.client == client || $0.client.isVersion6 != client.isVersion6 })
        else { return nil }
        let index = owed[place].lookup
        entries[address]?.owed.remove(at: place)
        guard let cost = lookups[index] else { return nil }
        lookups[index] = nil
        return cost
    }

    private mutating func forgetIfFull() {
        guard entries.count >= NameDirectory.limit || lookups.count >= NameDirectory.limit else { return }
        entries.removeAll(keepingCapacity: true)
        queries.removeAll(keepingCapacity: true)
        lookups.removeAll(keepingCapacity: true)
    }
}
