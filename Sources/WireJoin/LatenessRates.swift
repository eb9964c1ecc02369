/// How often a log that is in the order of ends has a row behind the row of an exchange that ended later, by how much later
/// that one ended. Learned from rows whose exchanges are known.
///
/// Only rows that had the chance count: those near whose end another exchange ended, an eighth of the time up to the whole
/// of it later. The nearer two ends are, the more often their rows change places.
struct LatenessRates {
    /// Octaves, the first of one microsecond.
    private static let bins = 36
    /// So many of the rows are looked at for exchanges that ended near theirs.
    private static let sampleSize = 10_000
    private static let nearBins = 3
    /// So many rows before one are looked at: a single row that stands far too early makes no more rows late.
    private static let window = 16

    /// −ln(share) in thousandths, by bin.
    private var costs: [Int32] = []

    /// - Parameter points: rows and ends of their exchanges, in the order of the log.
    init(_ points: [RowOrder.Point]) {
        var late = [Int](repeating: 0, count: LatenessRates.bins)
        for (place, point) in points.enumerated() {
            let latest = points[max(0, place - LatenessRates.window)..<place].lazy.map(\.time).max() ?? .min
            let lateness = latest.saturatingSubtract(point.time)
            if lateness > 0 { late[LatenessRates.bin(lateness)] += 1 }
        }
        let near = LatenessRates.rowsWithNearEnds(points.map(\.time).sorted())
        var (sum, least) = (late.reduce(0, +), 1.0)
        for bin in 0..<LatenessRates.bins {
            if bin >= LatenessRates.nearBins { sum -= late[bin - LatenessRates.nearBins] }
            // Half a row is supposed to be late everywhere: that none was seen proves little where few had the chance.
            least = min(least, (Double(sum) + 0.5) / (near[bin] + 1))
            costs.append(thousandths(-least.naturalLogarithm))
        }
    }

    /// −ln(likelihood) of a row behind the row of an exchange that ended so much later. Thousandths.
    func cost(_ lateness: Int64) -> Int32 { lateness > 0 ? costs[LatenessRates.bin(lateness)] : 0 }

    private static func bin(_ time: Int64) -> Int {
        let microseconds = UInt64(max(0, time) / 1000)
        return min(bins - 1, UInt64.bitWidth - microseconds.leadingZeroBitCount)
    }

    /// By bin: behind how many ends another lies, no farther than the bin's times and no nearer than an eighth of them.
    private static func rowsWithNearEnds(_ ends: [Int64]) -> [Double] {
        let stride = max(1, ends.count / sampleSize)
        var counts = [Double](repeating: 0, count: bins)
        for place in Swift.stride(from: 0, to: ends.count, by: stride) {
            // The last bin that has an end.
            var (next, last) = (place + 1, -nearBins)
            while next < ends.count {
                let own = bin(ends[next] - ends[place])
                for bin in max(own, last + nearBins)..<min(bins, own + nearBins) { counts[bin] += Double(stride) }
                last = own
                // To the first end of the next bin.
                let reach = ends[place].saturatingAdd(1000 << Int64(own))
                next = firstPlace(in: ends, from: next, notBefore: reach)
            }
        }
        return counts
    }

    private static func firstPlace(in ends: [Int64], from place: Int, notBefore time: Int64) -> Int {
        var (low, high) = (place, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < time { low = middle + 1 } else { high = middle }
        }
        return max(low, place + 1)
    }
}
