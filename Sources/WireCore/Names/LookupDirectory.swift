/// The DNS lookups that no connection has paid for yet (ByteLedger.md §5.6).
///
/// Lookups of one name by one client that follow each other closely are one round: what asks for A, AAAA and HTTPS records
/// at a time, or asks again. The first connection that the client then opens to an address that a lookup of the name gave
/// pays for the round, answered or not.
struct LookupDirectory {
    struct QueryKey: Hashable {
        var client: IPAddress
        var server: IPAddress
        var port: UInt16
        var identifier: UInt16
        /// The row in which its datagrams are counted.
        var row: Int32
    }

    /// A message, as it may be taken back.
    struct Message {
        let query: QueryKey
        let counts: DatagramCounts
        let seat: DatagramTable.Seat
    }

    private struct NameKey: Hashable {
        var client: IPAddress
        var name: [UInt8]
    }

    /// The lookups of one name by one client.
    private struct Resolution {
        /// Of the current round.
        var cost: LookupCost
        var gaveAddress = false
        /// Of a round before, which gave an address; no later one has.
        var former: LookupCost?
        var round = 0
        /// When the latest message of the current round came: nanoseconds.
        var lastTime: Int64 = 0
        /// The round that was paid for last, by whom, and the number of its cost.
        var paid: (round: Int, payer: LookupPayer, serial: Int)?

        var isOwed: Bool { !cost.isEmpty || former != nil }
    }

    /// Messages further apart are not of one round, nanoseconds: clients wait five seconds for an answer, and go on with
    /// another server.
    static let patience: Int64 = 10_000_000_000
    /// Most clients that can owe for one address.
    private static let owedLimit = 8

    private let limit: Int
    /// Of each address, the lookups that gave it, newest last: who asked, and the index in `resolutions`.
    private var given: [IPAddress: [(client: IPAddress, resolution: Int)]] = [:]
    private var queries: [QueryKey: (resolution: Int, round: Int)] = [:]
    private var places: [NameKey: Int] = [:]
    private var resolutions: [Resolution] = []
    private var nextSerial = 1
    /// Resolutions that are owed.
    private var owedCount = 0
    /// Number of the cost that the latest message is part of; nil where nobody will pay it, or it is late.
    private(set) var latest: Int?
    /// The latest message is of a round that was paid for: what it cost, and who pays.
    private(set) var late: (cost: LookupCost, payer: LookupPayer)?

    /// The latest message that is of a lookup.
    var latestMessage: Message?

    /// - Parameter limit: most addresses, and most lookups, kept; beyond that all are forgotten.
    init(limit: Int = 65_536) { self.limit = limit }

    /// No lookup is owed.
    var isEmpty: Bool { owedCount == 0 }

    // MARK: Messages

    /// Takes a DNS message over UDP. `packet` is its packet, and `counts` what it cost. Returns whether the directory was
    /// full and forgot all it had.
    mutating func receive(
        _ message: DNSMessage, _ packet: DecodedPacket, _ counts: DatagramCounts, at seat: DatagramTable.Seat,
        time: Int64
    ) -> Bool {
        (latest, late) = (nil, nil)
        guard !message.name.isEmpty, message.asksForAddress || !message.addresses.isEmpty else { return false }
        let isFull = given.count >= limit || queries.count >= limit || resolutions.count >= limit
        if isFull { forget() }
        let key = QueryKey(
            client: message.isResponse ? packet.destination : packet.source,
            server: message.isResponse ? packet.source : packet.destination,
            port: message.isResponse ? packet.destinationPort : packet.sourcePort, identifier: message.identifier,
            row: seat.row)
        let place = place(of: NameKey(client: key.client, name: message.name))
        latestMessage = Message(query: key, counts: counts, seat: seat)
        let wasOwed = resolutions[place].isOwed
        let round = round(of: key, isResponse: message.isResponse, place, time)
        charge(counts, seat, round, place, time)
        if !message.addresses.isEmpty { note(message.addresses, from: key.client, round, place) }
        if resolutions[place].isOwed != wasOwed { owedCount += wasOwed ? -1 : 1 }
        return isFull
    }

    private mutating func place(of key: NameKey) -> Int {
        if let place = places[key] { return place }
        places[key] = resolutions.count
        resolutions.append(Resolution(cost: newCost()))
        return resolutions.count - 1
    }

    private mutating func newCost() -> LookupCost {
        nextSerial += 1
        return LookupCost(serial: nextSerial - 1)
    }

    /// The round that a message is of. A query that is sent again is of the same one, also when that was paid for.
    private mutating func round(of key: QueryKey, isResponse: Bool, _ place: Int, _ time: Int64) -> Int {
        let isNear = (time - resolutions[place].lastTime).magnitude <= LookupDirectory.patience.magnitude
        if let known = queries[key], known.resolution == place {
            let isOpen = known.round == resolutions[place].round
            if isResponse || isOpen || (isNear && known.round == resolutions[place].paid?.round) { return known.round }
        }
        if !isNear, !resolutions[place].cost.isEmpty { beginRound(place) }
        queries[key] = (place, resolutions[place].round)
        return resolutions[place].round
    }

    private mutating func beginRound(_ place: Int) {
        if resolutions[place].gaveAddress { resolutions[place].former = resolutions[place].cost }
        resolutions[place].cost = newCost()
        resolutions[place].gaveAddress = false
        resolutions[place].round += 1
    }

    private mutating func charge(
        _ counts: DatagramCounts, _ seat: DatagramTable.Seat, _ round: Int, _ place: Int, _ time: Int64
    ) {
        if round == resolutions[place].round {
            resolutions[place].cost.add(counts, at: seat)
            resolutions[place].lastTime = time
            latest = resolutions[place].cost.serial
        } else if let paid = resolutions[place].paid, paid.round == round {
            var cost = LookupCost(serial: paid.serial)
            cost.add(counts, at: seat)
            late = (cost, paid.payer)
        }
    }

    private mutating func note(_ addresses: [IPAddress], from client: IPAddress, _ round: Int, _ place: Int) {
        if round == resolutions[place].round {
            resolutions[place].gaveAddress = true
            resolutions[place].former = nil
        }
        for address in addresses {
            var clients = given[address] ?? []
            clients.removeAll { $0.client == client }
            if clients.count >= LookupDirectory.owedLimit { clients.removeFirst() }
            clients.append((client, place))
            given[address] = clients
        }
    }

    // MARK: Copies

    /// Nobody has paid for the lookup of a message.
    func isOwed(_ message: Message) -> Bool {
        queries[message.query].map { $0.round == resolutions[$0.resolution].round } ?? false
    }

    /// A message counts at another place.
    mutating func withdraw(_ message: Message) {
        guard isOwed(message), let place = queries[message.query]?.resolution else { return }
        let wasOwed = resolutions[place].isOwed
        resolutions[place].cost.add(-message.counts, at: message.seat)
        if resolutions[place].cost.isVoid {
            (resolutions[place].cost, resolutions[place].gaveAddress) = (newCost(), false)
            queries[message.query] = nil
        }
        if resolutions[place].isOwed != wasOwed { owedCount += wasOwed ? -1 : 1 }
    }

    // MARK: Payment

    /// What a connection that this client opens to this address now pays: the latest lookups of the name that gave the
    /// address. A client asks over one version of IP and may connect over the other; then nobody else is known to have
    /// asked.
    mutating func take(
        for address: IPAddress, client: IPAddress, at time: Int64, by payer: LookupPayer
    ) -> LookupCost? {
        guard
            let place = given[address]?.last(where: {
                $0.client == client || $0.client.isVersion6 != client.isVersion6
            })?.resolution, resolutions[place].isOwed
        else { return nil }
        var taken = resolutions[place].former
        resolutions[place].former = nil
        let isNear = (time - resolutions[place].lastTime).magnitude <= LookupDirectory.patience.magnitude
        if !resolutions[place].cost.isEmpty, resolutions[place].gaveAddress || isNear {
            var cost = resolutions[place].cost
            if let taken { cost.join(taken) }
            resolutions[place].paid = (resolutions[place].round, payer, cost.serial)
            resolutions[place].gaveAddress = false
            beginRound(place)
            taken = cost
        }
        if !resolutions[place].isOwed { owedCount -= 1 }
        return taken
    }

    private mutating func forget() {
        given.removeAll(keepingCapacity: true)
        queries.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        resolutions.removeAll(keepingCapacity: true)
        owedCount = 0
    }
}
