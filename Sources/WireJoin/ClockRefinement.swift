/// Makes a rough fit exact, with pairs that cannot be anything else: a row and an exchange with no other of their group
/// near. Tells how exact rows are, for each kind of time.
struct ClockRefinement {
    /// A row with the exchange nearest to it.
    private struct Pair {
        var channel: Int
        /// By the capture's clock.
        var call: Int64
        var row: Int64
        /// Distance to the next row or exchange that might be meant.
        var isolation: Int64
    }

    private let tables: [TimeTable]
    private let resolution: Int64
    private var fit: ClockFit
    private var lags = [Int64](repeating: 0, count: TimeChannel.allCases.count)
    private static let sampleSize = 16384
    /// How far apart pairs may be, and how far from others they are then.
    private static let reaches: [Int64] = [
        2_000_000_000, 500_000_000, 125_000_000, 32_000_000, 8_000_000, 2_000_000, 500_000, 125_000,
    ]

    init(_ tables: [TimeTable], resolution: Int64, _ fit: ClockFit) {
        self.tables = tables
        self.resolution = resolution
        self.fit = fit
    }

    /// Nil where no pair supports the fit, or it comes to a drift that no clock has.
    mutating func refine(_ work: inout MatchingWork) -> ClockModel? {
        let times = tables.flatMap { $0.calls.lazy.map { Double($0.time) } }
        if !canShowDrift(times, 0) { fit.drift = 0 }
        for _ in 0..<3 {
            let pairs = pairs(&work)
            guard !pairs.isEmpty else { return nil }
            let reach = self.reach(pairs)
            for channel in lags.indices {
                let rests = pairs.filter { $0.channel == channel && isUsable($0, reach) }.map(rest)
                if !rests.isEmpty { lags[channel] = Int64(nearest: RobustLine.median(rests.map(Double.init))) }
            }
            balanceLags(pairs)
            let near = closestReach(pairs, reach)
            let points = pairs.filter { isUsable($0, near) }.map { pair in
                (x: Double(pair.call.saturatingSubtract(fit.origin)), y: Double(miss(pair)))
            }
            guard !points.isEmpty else { return nil }
            let line = RobustLine(points)
            fit.offset = fit.offset.saturatingAdd(Int64(nearest: line.height))
            // A slope within its own error is no drift.
            if abs(line.slope) > line.slopeError, canShowDrift(points.map(\.x), line.spread) {
                fit.drift += line.slope * 1e6
            }
            guard abs(fit.drift) <= 2e6 / Double(OffsetSearch.driftDivisor) else { return nil }
            fit.pairs = points.count
            fit.spread = Int64(nearest: line.spread)
        }
        let pairs = pairs(&work)
        return ClockModel(fit: fit, noise: lags.indices.map { noise($0, pairs) })
    }

    /// Over a short time even the largest drift is less than what rows are off anyway: a slope is chance then.
    private func canShowDrift(_ times: [Double], _ spread: Double) -> Bool {
        guard let first = times.min(), let last = times.max() else { return false }
        return (last - first) / Double(OffsetSearch.driftDivisor) > max(4 * spread, 1_000_000)
    }

    private func isUsable(_ pair: Pair, _ reach: Int64) -> Bool {
        pair.isolation > 2 * reach && miss(pair).magnitude <= reach.magnitude
    }

    /// How much later the row is than its exchange by the fitted clock.
    private func rest(_ pair: Pair) -> Int64 {
        pair.row.saturatingSubtract(ClockModel(fit: fit, noise: []).logTime(pair.call))
    }

    /// The same, with the usual lag taken off.
    private func miss(_ pair: Pair) -> Int64 { rest(pair).saturatingSubtract(lags[pair.channel]) }

    /// The widest reach that gives many pairs, so that late rows are seen too.
    private func reach(_ pairs: [Pair]) -> Int64 {
        let counts = ClockRefinement.reaches.map { reach in (reach, pairs.count { isUsable($0, reach) }) }
        let most = counts.max { $0.1 < $1.1 }?.1 ?? 0
        return counts.first { $0.1 >= max(1, most / 2) }?.0 ?? 0
    }

    /// The reach that gives the most pairs, of those that cut no pair off.
    private func closestReach(_ pairs: [Pair], _ reach: Int64) -> Int64 {
        let rests = pairs.filter { isUsable($0, reach) }.map { Double(miss($0).magnitude) }
        let least = Int64(nearest: 12 * RobustLine.median(rests)).saturatingAdd(2 * resolution)
        let counts = ClockRefinement.reaches.filter { $0 >= least && $0 <= reach }
            .map { reach in (reach, pairs.count { isUsable($0, reach) }) }
        return counts.max { $0.1 < $1.1 }?.0 ?? reach
    }

    /// What rows lag on average is as much the clock's offset; the mean of all kinds of time is taken as that.
    private mutating func balanceLags(_ pairs: [Pair]) {
        let channels = lags.indices.filter { channel in pairs.contains { $0.channel == channel } }
        guard !channels.isEmpty else { return }
        let mean = channels.reduce(Int64(0)) { $0 + lags[$1] } / Int64(channels.count)
        fit.offset = fit.offset.saturatingAdd(mean)
        for channel in channels { lags[channel] -= mean }
    }

    // MARK: Pairs

    private func pairs(_ work: inout MatchingWork) -> [Pair] {
        let total = tables.reduce(0) { $0 + $1.rows.count }
        let stride = max(1, total / ClockRefinement.sampleSize)
        let model = ClockModel(fit: fit, noise: [])
        var pairs: [Pair] = []
        for table in tables {
            var next = 0
            for group in 0..<table.groupCount {
                let (rows, calls) = (table.rowRange(group), table.callRange(group))
                next = max(next, rows.lowerBound)
                while next < rows.upperBound {
                    if !calls.isEmpty, let pair = pair(table, next, rows, calls, model) { pairs.append(pair) }
                    work.searchSteps &+= Int.bitWidth - calls.count.leadingZeroBitCount
                    next += stride
                }
            }
        }
        return pairs
    }

    private func pair(
        _ table: TimeTable, _ place: Int, _ rows: Range<Int>, _ calls: Range<Int>, _ model: ClockModel
    ) -> Pair? {
        let channel = table.channel.rawValue
        let row = table.rows[place].time
        let time = model.captureTime(row.saturatingSubtract(lags[channel]))
        let after = table.calls.position(of: time, in: calls)
        let candidates = (after - 2...after + 1).filter { calls.contains($0) }
            .map { (distance: table.calls[$0].time.distance(from: time), place: $0) }.sorted { $0 < $1 }
        guard let nearest = candidates.first, nearest.distance <= ClockRefinement.reaches[0] else { return nil }
        var isolation = candidates.count > 1 ? candidates[1].distance : .max
        for neighbour in [place - 1, place + 1] where rows.contains(neighbour) {
            isolation = min(isolation, table.rows[neighbour].time.distance(from: row))
        }
        return Pair(channel: channel, call: table.calls[nearest.place].time, row: row, isolation: isolation)
    }

    // MARK: Noise

    private func noise(_ channel: Int, _ pairs: [Pair]) -> TimeNoise {
        var own = pairs.filter { $0.channel == channel }
        if own.count < 4 { own = pairs }
        let reach = self.reach(own)
        let rests = own.filter { isUsable($0, reach) }.map { Int64(clamping: miss($0).magnitude) }.sorted()
        guard !rests.isEmpty else { return TimeNoise.unknown(20_000_000 + 2 * resolution) }
        // Rows that lie far off belong to lost ones, or are late; the limit is not for them.
        let middle = max(rests[rests.count / 2], 500_000, resolution / 4)
        let core = rests.prefix { $0 <= 8 * middle }
        let usual = max(core[core.count * 9 / 10], middle)
        let few = 60_000_000 / Int64(rests.count)
        let limit = min(max(3 * usual, 3_000_000 + resolution) + few, TimeNoise.largest)
        let slack = core[min(core.count - 1, core.count * 97 / 100)] + usual / 4 + min(few / 8, usual)
        return TimeNoise(lag: lags[channel], slack: min(slack, limit), limit: limit)
    }
}
