import WireCore
import WireJoin

/// Content of the records of one direction by time, and how rows can share it.
struct RecordSums {
    /// What a row must have of the records in its window.
    struct Demand {
        var window: ClosedRange<Int64>
        var bytes: Int
    }

    /// Most records that are looked at for one row; where there are more, nothing is known of what others leave of them.
    private static let recordLimit = 256
    private var times: [Int64] = []
    /// Content of the records before each, and of all.
    private var sums = [0]

    init() {}

    init(_ pieces: some Sequence<HiddenPiece>) {
        for piece in pieces {
            times.append(piece.time)
            sums.append(sums[sums.count - 1] + Int(piece.content))
        }
    }

    private func range(_ window: ClosedRange<Int64>) -> Range<Int> {
        let end = times.firstIndexFromWhichAll { $0 > window.upperBound }
        return min(end, times.firstIndexFromWhichAll { $0 >= window.lowerBound })..<end
    }

    func total(_ window: ClosedRange<Int64>) -> Int {
        let range = range(window)
        return sums[range.upperBound] - sums[range.lowerBound]
    }

    func count(_ window: ClosedRange<Int64>) -> Int { range(window).count }

    /// The same of records of which one counts at most so many bytes, and no more than so many of them.
    func total(_ window: ClosedRange<Int64>, ofEach most: Int, count: Int) -> Int {
        let range = range(window)
        // Where there are many nearly all have so much, and sorting them for each row would take long.
        guard range.count <= RecordSums.recordLimit else {
            return min(most * min(count, range.count), sums[range.upperBound] - sums[range.lowerBound])
        }
        let largest = range.map { min(sums[$0 + 1] - sums[$0], most) }.sorted(by: >)
        return largest.prefix(count).reduce(0, +)
    }

    /// Bytes of the records in a window that must be of others, if each of them has what it demands: those that the records
    /// beyond the window cannot give.
    ///
    /// A flow from records to rows. Windows are intervals, so that the most that can flow is found by giving each record, in the order
    /// of time, to those of its rows whose windows end first.
    func bytes(in window: ClosedRange<Int64>, demandedBy others: [Demand]) -> Int {
        let demands = others.sorted { $0.window.lowerBound < $1.window.lowerBound }
        guard let first = demands.first, let last = demands.map(\.window.upperBound).max() else { return 0 }
        let records = range(first.window.lowerBound...last)
        guard records.count <= RecordSums.recordLimit else { return 0 }
        var missing = demands.reduce(0) { $0 + $1.bytes }
        var open: [Demand] = []
        var next = 0
        for record in records where !window.contains(times[record]) {
            let time = times[record]
            while next < demands.count, demands[next].window.lowerBound <= time {
                open.append(demands[next])
                next += 1
            }
            open.removeAll { $0.window.upperBound < time || $0.bytes == 0 }
            var left = sums[record + 1] - sums[record]
            while left > 0,
                let place = open.indices.min(by: { open[$0].window.upperBound < open[$1].window.upperBound })
            {
                let given = min(left, open[place].bytes)
                left -= given
                missing -= given
                open[place].bytes -= given
                if open[place].bytes == 0 { open.remove(at: place) }
            }
        }
        return missing
    }
}
