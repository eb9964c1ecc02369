/// When the app's queue was busy: late rows that were written together show it. Other rows of events in such a time
/// are late with them, however rare late rows are otherwise.
struct BusyTimes {
    /// A time is part of one that begins before it ends. Ascending, apart from each other; by the log's clock.
    private var spans: [ClosedRange<Int64>] = []
    /// No queue is believed to be busy for longer, nanoseconds.
    private static let longest: Int64 = 10_000_000_000
    /// Rows that waited for the same work are written so shortly behind each other, nanoseconds.
    private static let together: Int64 = 5_000_000
    /// ln 4: one row in four of a busy time is late.
    private static let shareCost: Int32 = 1400

    /// - Parameter late: event and row of pairs that are late.
    init(_ late: [(event: Int64, row: Int64)] = []) {
        let written = late.filter { $0.event < $0.row && $0.row.saturatingSubtract($0.event) <= BusyTimes.longest }
            .sorted { $0.row < $1.row }
        let shared = written.indices.filter { place in
            let own = written[place].row
            let before = place > 0 && own.saturatingSubtract(written[place - 1].row) <= BusyTimes.together
            return before
                || place + 1 < written.count
                    && written[place + 1].row.saturatingSubtract(own) <= BusyTimes.together
        }
        for pair in shared.map({ written[$0] }).sorted(by: { $0.event < $1.event }) {
            if let last = spans.last, pair.event <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound...max(last.upperBound, pair.row)
            } else {
                spans.append(pair.event...pair.row)
            }
        }
    }

    /// −ln(density) of a row so long after an event when both lie in a busy time; nil elsewhere. Thousandths.
    func cost(event: Int64, row: Int64, slack: Int64) -> Int32? {
        if spans.isEmpty || event > row { return nil }
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].upperBound.saturatingAdd(slack) < row { low = middle + 1 } else { high = middle }
        }
        guard low < spans.count, spans[low].lowerBound.saturatingSubtract(slack) <= event,
            spans[low].lowerBound <= row
        else { return nil }
        let length = spans[low].upperBound.saturatingSubtract(spans[low].lowerBound).saturatingAdd(slack)
        return thousandths(Double(max(1, length)).naturalLogarithm) + BusyTimes.shareCost
    }
}
