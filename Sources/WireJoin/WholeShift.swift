/// The offset of a log that was written within moments: its events stand so close together that their pattern tells
/// little, but all of them stand apart from the capture by the same time.
struct WholeShift {
    let tables: [TimeTable]
    let resolution: Int64

    /// A clock farther off than this must show itself by its pattern.
    private static let reach: Int64 = 60_000_000_000
    /// What a row and its exchange may be apart, the log's resolution aside.
    private static let tolerance: Int64 = 5_000_000
    /// Of so many rows, in so many groups, all but a fifth must have an exchange.
    private static let leastRows = 8
    private static let leastGroups = 6
    private static let leastShare = 0.8
    /// Another offset may fit at most so many of them.
    private static let rivalShare = 0.75
    /// Larger logs have a pattern of their own.
    private static let mostRows = 4096

    /// Offset of the log's clock; nil where there is none that nearly all rows agree on, or where the clocks are equal.
    func offset(_ work: inout MatchingWork) -> Int64? {
        var rows = 0
        var rare: [(rows: Range<Int>, calls: Range<Int>, table: Int)] = []
        for (index, table) in tables.enumerated() {
            for group in 0..<table.groupCount {
                let (own, calls) = (table.rowRange(group), table.callRange(group))
                if own.isEmpty || calls.isEmpty { continue }
                rows += own.count
                rare.append((own, calls, index))
            }
        }
        guard rows >= WholeShift.leastRows, rows <= WholeShift.mostRows, rare.count >= WholeShift.leastGroups else {
            return nil
        }
        guard hits(0, &work) * 5 < rows else { return nil }
        rare.sort {
            ($0.rows.count * $0.calls.count, $0.rows.lowerBound) < ($1.rows.count * $1.calls.count, $1.rows.lowerBound)
        }
        var tried: [(hits: Int, offset: Int64)] = []
        for place in rare.prefix(12) {
            for row in tables[place.table].rows[place.rows].prefix(4) {
                for call in tables[place.table].calls[place.calls].prefix(8) {
                    let offset = row.time.saturatingSubtract(call.time)
                    guard offset.magnitude <= WholeShift.reach else { continue }
                    tried.append((hits(offset, &work), offset))
                }
            }
        }
        return clearest(tried, rows)
    }

    /// The offset that most rows agree on. Where calls are so dense that others fit nearly as many, none is known.
    private func clearest(_ tried: [(hits: Int, offset: Int64)], _ rows: Int) -> Int64? {
        guard let best = tried.max(by: { $0.hits < $1.hits }),
            Double(best.hits) >= WholeShift.leastShare * Double(rows)
        else { return nil }
        let apart = 2 * (WholeShift.tolerance.saturatingAdd(resolution)).magnitude
        let rivals = tried.filter { $0.offset.saturatingSubtract(best.offset).magnitude > apart }
        let rival = rivals.map(\.hits).max() ?? 0
        return Double(rival) <= WholeShift.rivalShare * Double(best.hits) ? best.offset : nil
    }

    /// Rows that have an exchange of their group near, if the clock is off by so much.
    private func hits(_ offset: Int64, _ work: inout MatchingWork) -> Int {
        let tolerance = WholeShift.tolerance.saturatingAdd(resolution)
        var hits = 0
        for table in tables {
            for group in 0..<table.groupCount {
                let calls = table.callRange(group)
                if calls.isEmpty { continue }
                work.searchSteps &+= table.rowRange(group).count
                for row in table.rows[table.rowRange(group)] {
                    let time = row.time.saturatingSubtract(offset)
                    let place = table.calls.position(of: time.saturatingSubtract(tolerance), in: calls)
                    guard place < calls.upperBound else { continue }
                    if table.calls[place].time.saturatingSubtract(time) <= tolerance { hits += 1 }
                }
            }
        }
        return hits
    }
}
