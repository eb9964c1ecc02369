/// Finds the connections of Multipath TCP of a shard that subflows join (RFC 8684 §3.2), and the subflows that have joined.
struct SubflowDirectory {
    /// A connection that may be joined: by the endpoint that the token is not of.
    struct Opened {
        var place: Int
        var number: Int
        /// The direction that the token's endpoint sends.
        var owner: Direction
    }

    /// A subflow that joined.
    struct Member {
        var place: Int
        var number: Int
        /// Its index in the connection.
        var subflow: Int
    }

    private var tokens: [UInt32: Opened] = [:]
    private var members: [UInt64: Member] = [:]
    private let seed = UInt64.random(in: .min ... .max)
    /// Memory taken by data that wait for their mapping, bytes.
    var unmappedBytes = 0

    @inline(__always) var isInUse: Bool { !tokens.isEmpty }
    /// Subflows that have joined.
    var count: Int { members.count }

    mutating func add(_ key: MultipathKey, of owner: Direction, _ connection: borrowing ConnectionFacts) {
        tokens[key.token] = Opened(place: Int(connection.place), number: connection.number, owner: owner)
    }

    func connection(_ token: UInt32) -> Opened? { tokens[token] }

    subscript(key: ConnectionKey) -> Member? {
        get { members[key.hash(seed: seed)] }
        set { members[key.hash(seed: seed)] = newValue }
    }

    /// A connection has ended.
    mutating func remove(_ multipath: MultipathTCP, _ connection: borrowing ConnectionFacts) {
        let number = connection.number
        for direction in Direction.both {
            guard let token = multipath.token(direction), tokens[token]?.number == number else { continue }
            tokens[token] = nil
        }
        for subflow in multipath.subflows where self[subflow.key]?.number == number { self[subflow.key] = nil }
    }
}
