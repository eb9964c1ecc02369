/// A connection of one client to one host as calls used it, for those who ask what fewer calls would have needed.
package struct PooledConnection {
    /// In the audit.
    package var number: Int
    package var use: ConnectionUse
    /// When calls went on, where there were pauses.
    package var times: CallTimes

    package init(number: Int, _ use: ConnectionUse, _ times: CallTimes) {
        (self.number, self.use, self.times) = (number, use, times)
    }

    /// The numbers of those that were not needed, as `ConnectionPools` has it.
    package static func needless(_ list: [PooledConnection]) -> [Int] {
        var pools = ConnectionPools(limit: 4, window: list.count)
        for one in list {
            pools.add(
                ConnectionPools.Member(
                    use: one.use, client: IPAddress(), host: 0, port: 0, isSecure: false, isQUIC: false,
                    number: one.number, ordinal: one.number, finding: FindingPlace()))
            pools.add(one.times, ofLatest: one.number)
        }
        let count = pools.prepare(all: true)
        return (0..<count).filter { pools.judge(at: $0) == .needless }.map { pools.waiting[$0].number }
    }
}
