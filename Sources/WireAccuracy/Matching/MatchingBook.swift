/// What is matched so far. An exchange has a place for the row of its request and one for the row of its response; a
/// row for the whole exchange takes both.
struct MatchingBook {
    private(set) var matching: LogMatching
    /// By place among the exchanges as given: the exchange's number, -1 if it has none that can be booked.
    private let numbers: [Int32]

    init(rows: Int, _ calls: [WireCall], _ clock: ClockFit) {
        matching = LogMatching(rows: rows, exchanges: calls.count, clock: clock)
        var isTaken = [Bool](repeating: false, count: calls.count)
        numbers = calls.map { call in
            guard calls.indices.contains(call.number), !isTaken[call.number] else { return -1 }
            isTaken[call.number] = true
            return Int32(truncatingIfNeeded: call.number)
        }
    }

    mutating func setClock(_ clock: ClockFit) { matching.clock = clock }

    func isMatched(row: Int32) -> Bool { matching.exchanges[Int(row)] >= 0 }

    func isFree(call: Int32, for kind: LogRow.Kind) -> Bool {
        let number = Int(numbers[Int(call)])
        guard number >= 0 else { return false }
        return (kind == .response || matching.requestRows[number] < 0)
            && (kind == .request || matching.responseRows[number] < 0)
    }

    mutating func pair(row: Int32, call: Int32, _ kind: LogRow.Kind, isAmbiguous: Bool) {
        let number = Int(numbers[Int(call)])
        matching.exchanges[Int(row)] = Int32(truncatingIfNeeded: number)
        matching.fates[Int(row)] = isAmbiguous ? .ambiguous : .matched
        if kind != .response { matching.requestRows[number] = row }
        if kind != .request { matching.responseRows[number] = row }
    }

    /// Tells why the other rows have no exchange.
    mutating func settle(_ log: [LogRow], _ calls: [WireCall], _ duplicates: DuplicateRows, _ clock: ClockModel) {
        let hosts = Set(calls.map(\.host))
        let span = MatchingBook.span(calls).map { (clock.logTime($0.lowerBound), clock.logTime($0.upperBound)) }
        for (index, row) in log.enumerated() where matching.exchanges[index] < 0 {
            if duplicates.originals[index] >= 0 {
                matching.fates[index] = .duplicate
            } else if row.host >= 0, !hosts.contains(row.host) {
                matching.fates[index] = .foreignHost
            } else if let channel = row.kind.channels.first(where: { $0.time(of: row) != .min }) {
                let noise = clock.noise[channel.rawValue]
                let time = channel.time(of: row).saturatingSubtract(noise.lag)
                guard let (first, last) = span else { continue }
                if time < first.saturatingSubtract(noise.limit) || time > last.saturatingAdd(noise.limit) {
                    matching.fates[index] = .outsideCapture
                }
            }
        }
    }

    /// From the first to the last time of any exchange; nil where none has any.
    private static func span(_ calls: [WireCall]) -> ClosedRange<Int64>? {
        var span: ClosedRange<Int64>?
        for call in calls {
            for time in [call.start, call.end] where UsableTime.contains(time) {
                span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
            }
        }
        return span
    }
}
