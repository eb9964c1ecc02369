/// Which clients have had a connection to which host: whoever comes again could have used the one before.
struct HostClients {
    private struct Pair: Hashable {
        var host: Int
        var client: IPAddress

        func hash(into hasher: inout Hasher) {
            hasher.combine(UInt64(truncatingIfNeeded: host) &* 0x9E37_79B9_7F4A_7C15 ^ client.low &+ client.high)
        }
    }

    /// Most pairs remembered. Connections of further ones count as first each time, so that nothing is said to be savable
    /// that may not be.
    private let limit: Int
    /// The last connection was of a pair that there was no room for.
    private(set) var isFull = false

    init(limit: Int) { self.limit = limit }

    /// The first connection of each pair by its first frame, and what it cost to open and close.
    private var pairs: [Pair: (connection: Int, cost: Int)] = [:]

    /// What the sum of savings grows by when a connection ends: its own cost, unless it is the client's first to the
    /// host. Connections may end in another order than they began in: when an earlier one than the first known ends, it
    /// takes that one's place, and the cost of that one is what could be saved.
    mutating func saving(host: Int, client: IPAddress, connection: Int, cost: Int) -> Int {
        let pair = Pair(host: host, client: client)
        isFull = false
        guard let first = pairs[pair] else {
            isFull = pairs.count >= limit
            if !isFull { pairs[pair] = (connection, cost) }
            return 0
        }
        guard connection < first.connection else { return cost }
        pairs[pair] = (connection, cost)
        return first.cost
    }
}
