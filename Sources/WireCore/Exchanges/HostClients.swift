/// Which clients have had a connection to which host: whoever comes again could have used the one before.
struct HostClients {
    private struct Pair: Hashable {
        var host: Int
        var client: IPAddress
    }

    /// Most pairs remembered. Further ones count as first each time, so that nothing is said to be savable that may not
    /// be.
    private static let limit = 1 << 18

    private var pairs: Set<Pair> = []

    /// Whether this is the client's first connection to the host.
    mutating func noteFirst(host: Int, client: IPAddress) -> Bool {
        guard pairs.count < HostClients.limit else { return !pairs.contains(Pair(host: host, client: client)) }
        return pairs.insert(Pair(host: host, client: client)).inserted
    }
}
