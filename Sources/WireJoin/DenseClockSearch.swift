/// Finds the clock's offset where calls of each API come so close that no row can be told from its neighbours: by how
/// well the density of rows follows the density of calls. Only for offsets of some seconds.
struct DenseClockSearch {
    /// The offset in one slice of the time, from how often rows and calls are so far apart.
    private struct Peak {
        var middle: Int64
        var offset: Double
        /// Pairs more than chance gives.
        var pairs: Double
        /// Of the offset, in bins.
        var width: Int
    }

    private let groups: [(rows: ArraySlice<TimedEntry>, calls: ArraySlice<TimedEntry>)]
    /// Width of the bins that times are counted in.
    private let bin: Int64
    private static let reach: Int64 = 8_000_000_000
    private static let binsInSlice = 4096
    private static let slices = 9
    private static let groupLimit = 4
    /// A peak stands out by so many times the usual scatter.
    private static let significance = 9.0

    init(_ tables: [TimeTable], resolution: Int64) {
        var found: [(rows: ArraySlice<TimedEntry>, calls: ArraySlice<TimedEntry>)] = []
        for table in tables {
            for group in 0..<table.groupCount
            where min(table.rowRange(group).count, table.callRange(group).count) >= 100 {
                found.append((table.rows[table.rowRange(group)], table.calls[table.callRange(group)]))
            }
        }
        found.sort { min($0.rows.count, $0.calls.count) > min($1.rows.count, $1.calls.count) }
        groups = Array(found.prefix(DenseClockSearch.groupLimit))
        bin = max(2_000_000, resolution)
    }

    func estimate(origin: Int64, _ work: inout MatchingWork) -> ClockModel? {
        guard let calls = groups.first?.calls else { return nil }
        let starts = (0..<DenseClockSearch.slices).map { slice in
            calls[calls.startIndex + calls.count * slice / DenseClockSearch.slices].time
        }
        let reach = max(DenseClockSearch.reach, 64 * bin)
        var found: Peak?
        for start in starts where found == nil { found = peak(start, around: 0, reach, &work) }
        guard let first = found else { return nil }
        var peaks = [first]
        for start in starts {
            let apart = start.saturatingAdd(length / 2).distance(from: first.middle)
            if apart == 0 { continue }
            let near = min(reach, apart / OffsetSearch.driftDivisor + 64 * bin)
            if let peak = peak(start, around: Int64(nearest: first.offset), near, &work) { peaks.append(peak) }
        }
        guard peaks.count > DenseClockSearch.slices / 2 else { return nil }
        let line = RobustLine(peaks.map { (Double($0.middle.saturatingSubtract(origin)), $0.offset) })
        let width = Int64(peaks.map(\.width).max() ?? 0) * bin
        let fit = ClockFit(
            offset: Int64(nearest: line.height), drift: line.slope * 1e6, origin: origin,
            pairs: min(calls.count, Int(peaks.reduce(0) { $0 + $1.pairs })), spread: width / 2)
        let limit = min(2 * width + 2 * bin, TimeNoise.largest)
        let noise = TimeNoise(lag: 0, slack: min(width + bin, limit), limit: limit)
        return ClockModel(fit: fit, noise: TimeChannel.allCases.map { _ in noise })
    }

    private var length: Int64 { bin * Int64(DenseClockSearch.binsInSlice) }

    private func peak(_ start: Int64, around offset: Int64, _ reach: Int64, _ work: inout MatchingWork) -> Peak? {
        let lags = Int(reach / bin)
        var sums = [Double](repeating: 0, count: 2 * lags + 1)
        var seen = 0.0
        for group in groups {
            let left = (group.calls.last?.time ?? start).saturatingSubtract(start) / bin
            let length = min(DenseClockSearch.binsInSlice, Int(max(0, left)))
            let calls = counts(group.calls, from: start, length)
            let first = start.saturatingAdd(offset).saturatingSubtract(Int64(lags) * bin)
            let rows = counts(group.rows, from: first, length + 2 * lags)
            seen += calls.reduce(0, +)
            addCovariance(calls, rows, &sums, &work)
        }
        let middle = RobustLine.median(sums)
        let scatter = RobustLine.median(sums.map { abs($0 - middle) }) * 1.5
        guard let top = sums.indices.max(by: { sums[$0] < sums[$1] }),
            sums[top] - middle > DenseClockSearch.significance * max(scatter, 3)
        else { return nil }
        var (low, high) = (top, top)
        let half = middle + (sums[top] - middle) / 2
        while low > 0, sums[low - 1] > half { low -= 1 }
        while high + 1 < sums.count, sums[high + 1] > half { high += 1 }
        let weights = (low...high).map { ($0, sums[$0] - middle) }
        let total = weights.reduce(0) { $0 + $1.1 }
        // A few bursts that happen to meet are not a pattern.
        guard seen >= 100, total >= 0.3 * seen else { return nil }
        let lag = weights.reduce(0) { $0 + Double($1.0 - lags) * $1.1 } / total
        return Peak(
            middle: start.saturatingAdd(length / 2), offset: Double(offset) + lag * Double(bin),
            pairs: min(total, seen), width: high - low + 1)
    }

    /// Adds, for each lag, how much more often calls and rows meet than their numbers alone make them.
    private func addCovariance(
        _ calls: [Double], _ rows: [Double], _ sums: inout [Double], _ work: inout MatchingWork
    ) {
        guard !calls.isEmpty else { return }
        for (place, count) in calls.enumerated() where count > 0 {
            work.comparedPairs &+= sums.count
            for lag in sums.indices { sums[lag] += count * rows[place + lag] }
        }
        let mean = calls.reduce(0, +) / Double(calls.count)
        var inWindow = rows.prefix(calls.count).reduce(0, +)
        for lag in sums.indices {
            sums[lag] -= mean * inWindow
            if lag + calls.count < rows.count { inWindow += rows[lag + calls.count] - rows[lag] }
        }
    }

    /// How many times fall into each bin.
    private func counts(_ entries: ArraySlice<TimedEntry>, from start: Int64, _ bins: Int) -> [Double] {
        var counts = [Double](repeating: 0, count: bins)
        var (low, length) = (entries.startIndex, entries.count)
        while length > 0 {
            let isBelow = entries[low + length / 2].time < start
            low = isBelow ? low + length / 2 + 1 : low
            length = isBelow ? length - length / 2 - 1 : length / 2
        }
        for entry in entries[low...] {
            let place = Int(entry.time.saturatingSubtract(start) / bin)
            guard place < bins else { break }
            counts[place] += 1
        }
        return counts
    }
}
