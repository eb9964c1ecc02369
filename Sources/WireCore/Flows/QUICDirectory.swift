/// By which connection IDs and addresses QUIC's datagrams find their connection.
///
/// Connections are named by their place in the store. Invariants: an entry's place has a connection, whose `knownIDs` hold
/// the ID, and whose `knownPairs` the address pair.
struct QUICDirectory: ~Copyable {
    /// Whose a datagram is.
    struct Found {
        var place: Int
        /// The connection's direction that the datagram went.
        var direction: Direction
        /// Length of the connection ID in a short header, where that found it.
        var shortIDLength: Int?
    }

    /// This and the next are not private: a debug build fails at private types in a generic one that cannot be copied.
    struct IDEntry {
        var place: Int32
        /// The direction of packets to it.
        var to: Direction
        /// Several connections have it, as of different servers: addresses tell them apart.
        var isShared = false
    }

    struct PairEntry {
        var place: Int32
        /// The connection's direction that direction 0 of the pair is.
        var zero: Direction
    }

    private var byID = SeededTable<QUICConnectionID, IDEntry>()
    private var byPair = SeededTable<QUICPair, PairEntry>()
    /// Lengths of IDs that were given out, in the order they were met.
    private var idLengths: [Int] = []
    /// How often addresses that led to one connection came to lead to another.
    private(set) var takeovers = 0

    /// Most address pairs of one connection that are remembered.
    private static let pairLimit = 64

    // MARK: Finding

    /// The connection of a datagram that begins with a short header.
    func find(short payload: RawSpan, _ key: ConnectionKey) -> Found? {
        guard payload.u8(0) & 0x80 == 0 else { return find(addresses: key) }
        for length in idLengths where length > 0 && payload.byteCount > length {
            if let found = find(QUICConnectionID(payload, 1..<1 + length), key, shortIDLength: length) { return found }
        }
        return find(addresses: key)
    }

    /// The connection of a datagram that is sent to an ID.
    func find(_ id: QUICConnectionID, _ key: ConnectionKey, shortIDLength: Int? = nil) -> Found? {
        guard let entry = byID[id] else { return nil }
        if entry.isShared, var found = find(addresses: key) {
            found.shortIDLength = shortIDLength
            return found
        }
        return Found(place: Int(entry.place), direction: entry.to, shortIDLength: shortIDLength)
    }

    func find(addresses key: ConnectionKey) -> Found? {
        guard let entry = byPair[QUICPair(key: key)] else { return nil }
        return Found(
            place: Int(entry.place), direction: key.sender.index == 0 ? entry.zero : entry.zero.opposite)
    }

    /// The direction of packets to an ID of the connection at this place; nil where the ID is not its own.
    func direction(to id: QUICConnectionID, of place: Int) -> Direction? {
        byID[id].flatMap { Int($0.place) == place ? $0.to : nil }
    }

    /// The direction of the connection at this place that direction 0 of the pair is; nil where others use the pair.
    func zero(of pair: QUICPair, _ place: Int) -> Direction? {
        byPair[pair].flatMap { Int($0.place) == place ? $0.zero : nil }
    }

    /// The connection's direction that a datagram goes in. Addresses tell where they are known: endpoints may choose the same
    /// connection ID, or send to one that their peer did not choose.
    @inline(__always)
    mutating func direction(of key: ConnectionKey, _ found: Found, _ connection: QUICConnection) -> Direction {
        if let latest = connection.latestPair, latest.takeovers == takeovers, latest.pair.key == key {
            return key.sender.index == 0 ? latest.zero : latest.zero.opposite
        }
        return recordPath(key, found, connection)
    }

    @inline(never)
    private mutating func recordPath(_ key: ConnectionKey, _ found: Found, _ connection: QUICConnection) -> Direction {
        let pair = QUICPair(key: key)
        let (sender, receiver) = (key.sender(of: key.sender), key.sender(of: key.sender.opposite))
        var direction = found.direction
        if let zero = zero(of: pair, found.place) {
            direction = key.sender.index == 0 ? zero : zero.opposite
        } else {
            // One endpoint of a path that was not met before is mostly where it was (RFC 9000 §9).
            for known in Direction.both {
                let endpoint = connection.facts.key.sender(of: known)
                if endpoint == sender { direction = known }
                if endpoint == receiver { direction = known.opposite }
            }
        }
        let zero = key.sender.index == 0 ? direction : direction.opposite
        remember(pair, of: connection, found.place, zero: zero)
        connection.latestPair = (pair, takeovers, zero)
        return direction
    }

    // MARK: Entries

    /// `limit`: most IDs of one connection. Returns whether one that is still used had to be forgotten for it.
    mutating func register(_ known: QUICKnownID, of connection: QUICConnection, _ place: Int, limit: Int) -> Bool {
        let entry = byID[known.id]
        if let entry {
            if Int(entry.place) == place { return false }
            if entry.isShared, connection.knownIDs.contains(where: { $0.id == known.id }) { return false }
        }
        let isForgetting = connection.knownIDs.count >= limit && forgetID(of: connection, place)
        connection.knownIDs.append(known)
        byID.set(known.id, IDEntry(place: Int32(place), to: known.to, isShared: entry != nil))
        if !idLengths.contains(known.id.count) { idLengths.append(known.id.count) }
        return isForgetting
    }

    /// Makes room for an ID: one that was retired goes first, then the oldest. Packets to it go by their addresses. Returns
    /// whether it is still used.
    private mutating func forgetID(of connection: QUICConnection, _ place: Int) -> Bool {
        let retired = connection.knownIDs.firstIndex { $0.isRetired }
        guard connection.knownIDs.count > 0 else { return true }
        let id = connection.knownIDs.remove(at: retired ?? 0).id
        if byID[id]?.place == Int32(place) { byID.remove(id) }
        return retired == nil
    }

    /// Of two connections that use a pair, the later one is found by it.
    mutating func remember(_ pair: QUICPair, of connection: QUICConnection, _ place: Int, zero: Direction) {
        let entry = byPair[pair]
        if let entry, Int(entry.place) == place { return }
        guard connection.knownPairs.count < QUICDirectory.pairLimit else { return }
        connection.knownPairs.append(pair)
        byPair.set(pair, PairEntry(place: Int32(place), zero: zero))
        if entry != nil { takeovers += 1 }
    }

    /// The connection leaves its place.
    mutating func remove(_ connection: QUICConnection, _ place: Int) {
        for known in connection.knownIDs where byID[known.id]?.place == Int32(place) { byID.remove(known.id) }
        for pair in connection.knownPairs where byPair[pair]?.place == Int32(place) { byPair.remove(pair) }
    }
}
