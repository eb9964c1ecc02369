/// How near rows lie to exchanges of their names under an assumed difference of the clocks.
struct ClockCloseness {
    /// Rows that fall into the capture's time and have an exchange of their names.
    private(set) var rows = 0
    /// Mean of ln(distance in nanoseconds) to the nearest exchange, what rows lag in the middle taken off.
    private(set) var meanLogarithm = 0.0

    /// An offset larger than this is rarer than rows of another time in a log, nanoseconds.
    private static let rareOffset: Int64 = 60_000_000_000
    /// ln 2: half as far from their exchanges.
    private static let clearly = 0.7
    private static let leastRows = 4
    private static let sampleSize = 2048
    private static let leastShare = 20

    init(_ tables: [TimeTable], _ fit: ClockFit, resolution: Int64, _ work: inout MatchingWork) {
        let floor = Double(500_000 + resolution / 2)
        var (sum, looked) = (0.0, 0)
        for table in tables {
            let rests = ClockCloseness.rests(table, ClockModel(fit: fit, noise: []), &work)
            guard !rests.isEmpty else { continue }
            let lag = rests.sorted()[rests.count / 2]
            looked += rests.count
            for rest in rests { sum += (Double(rest.distance(from: lag)) + floor).naturalLogarithm }
            rows += rests.count * ClockCloseness.step(table)
        }
        meanLogarithm = looked > 0 ? sum / Double(looked) : 0
    }

    /// Of large logs some rows are looked at, evenly spread.
    private static func step(_ table: TimeTable) -> Int { max(1, table.rows.count / sampleSize) }

    /// Whether these, of equal clocks, speak against a fit: a log is most often written by the capture's own clock or by one
    /// that a time server keeps near it. That another session's rows have the capture's pattern too, since the same test was
    /// run, must not outweigh rows that lie clearly nearer to their exchanges.
    func refute(_ fitted: ClockCloseness, _ fit: ClockFit, of total: Int) -> Bool {
        guard rows >= max(ClockCloseness.leastRows, total / ClockCloseness.leastShare) else { return false }
        let isRare = fit.offset.magnitude > ClockCloseness.rareOffset.magnitude
        let allowed = isRare ? ClockCloseness.clearly : -ClockCloseness.clearly
        return meanLogarithm <= fitted.meanLogarithm + allowed
    }

    /// By row in the capture's time, how much later it is than the nearest exchange of its names.
    private static func rests(_ table: TimeTable, _ model: ClockModel, _ work: inout MatchingWork) -> [Int64] {
        guard let first = table.calls.lazy.map(\.time).min(), let last = table.calls.lazy.map(\.time).max() else {
            return []
        }
        let span = first.saturatingSubtract(1_000_000_000)...last.saturatingAdd(1_000_000_000)
        let step = ClockCloseness.step(table)
        var rests: [Int64] = []
        for group in 0..<table.groupCount {
            let calls = table.callRange(group)
            if calls.isEmpty { continue }
            let rows = table.rowRange(group)
            for place in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                let row = table.rows[place]
                let time = model.captureTime(row.time)
                guard span.contains(time) else { continue }
                let after = table.calls.position(of: time, in: calls)
                let near = (after - 1...after).filter { calls.contains($0) }
                    .map { time.saturatingSubtract(table.calls[$0].time) }
                if let rest = near.min(by: { $0.distance(from: 0) < $1.distance(from: 0) }) { rests.append(rest) }
            }
            work.searchSteps &+= (1 + rows.count / step) * (Int.bitWidth - calls.count.leadingZeroBitCount)
        }
        return rests
    }
}
