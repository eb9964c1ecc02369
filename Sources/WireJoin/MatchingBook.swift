import WireLogs

/// What is matched so far. An exchange has a place for the row of its request and one for the row of its response; a
/// row for the whole exchange takes both.
package struct MatchingBook {
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

    mutating func setRedirects(_ convention: RedirectConvention?) {
        if let convention { matching.redirects = convention }
    }

    mutating func forgetRedirects() { matching.redirects = nil }

    /// By place, whether an exchange has a row for its response that is of no other.
    func hasResponseRow(call: Int32) -> Bool {
        let number = Int(numbers[Int(call)])
        guard number >= 0, matching.responseRows[number] >= 0 else { return false }
        return matching.fates[Int(matching.responseRows[number])] == .matched
    }

    func isMatched(row: Int32) -> Bool { matching.exchanges[Int(row)] >= 0 }

    package func isFree(call: Int32, for kind: LogRow.Kind) -> Bool {
        let number = Int(numbers[Int(call)])
        guard number >= 0 else { return false }
        return (kind == .response || matching.requestRows[number] < 0)
            && (kind == .request || matching.responseRows[number] < 0)
    }

    /// By place, whether an exchange has no row for its request. Empty where no exchange has one.
    var callsWithoutRequest: [Bool] {
        guard matching.requestRows.contains(where: { $0 >= 0 }) else { return [] }
        return numbers.map { $0 >= 0 && matching.requestRows[Int($0)] < 0 }
    }

    package mutating func pair(row: Int32, call: Int32, _ kind: LogRow.Kind, isAmbiguous: Bool) {
        let number = Int(numbers[Int(call)])
        matching.exchanges[Int(row)] = Int32(truncatingIfNeeded: number)
        matching.fates[Int(row)] = isAmbiguous ? .ambiguous : .matched
        if kind != .response { matching.requestRows[number] = row }
        if kind != .request { matching.responseRows[number] = row }
    }

    /// Enters what was found of rows of one kind.
    mutating func enter(_ found: [RowJoin.Found], _ kind: LogRow.Kind) {
        for item in found {
            let row = Int(item.row)
            if item.call >= 0 {
                pair(row: item.row, call: item.call, kind, isAmbiguous: item.isAmbiguous)
            } else if item.isAmbiguous {
                matching.fates[row] = .ambiguous
            }
            matching.margins[row] = Int32(truncatingIfNeeded: item.margin)
            matching.isByFigures[row] = item.isByFigures
            matching.hasAlike[row] = item.hasAlike
            let others = item.alternatives.map { numbers[Int($0)] }.filter { $0 >= 0 }
            matching.alternatives[item.row] = others.isEmpty ? nil : others
        }
    }

    /// Takes back what was found.
    mutating func withdraw(_ found: [RowJoin.Found], _ kind: LogRow.Kind) {
        for item in found {
            let row = Int(item.row)
            matching.fates[row] = .withoutExchange
            guard item.call >= 0 else { continue }
            let number = Int(matching.exchanges[row])
            matching.exchanges[row] = -1
            if kind != .response { matching.requestRows[number] = -1 }
            if kind != .request { matching.responseRows[number] = -1 }
        }
    }

    /// Tells why the other rows have no exchange.
    mutating func settle(_ log: [LogRow], _ calls: [WireCall], _ classes: RowClasses, _ clock: ClockModel) {
        let hosts = Set(calls.map(\.host))
        let span = MatchingBook.span(calls).map { (clock.logTime($0.lowerBound), clock.logTime($0.upperBound)) }
        // Which of several equal rows has the exchange does not matter.
        var hasMatchedCopy = Set<Int32>()
        var hasMatchedTwin = Set<Int32>()
        for (index, original) in classes.originals.enumerated() where matching.exchanges[index] >= 0 {
            if original >= 0 { hasMatchedCopy.insert(original) }
            if log[index].isUntimed { hasMatchedTwin.insert(classes.numbers[index]) }
        }
        for (index, row) in log.enumerated() where matching.exchanges[index] < 0 {
            if matching.fates[index] == .ambiguous { continue }
            let original = classes.originals[index] < 0 ? Int32(truncatingIfNeeded: index) : classes.originals[index]
            // Without an exchange for one of them, equal rows may well be calls of their own.
            let isRepeated = hasMatchedCopy.contains(original) || matching.exchanges[Int(original)] >= 0
            let isTwin = row.isUntimed && !classes.isBatched && hasMatchedTwin.contains(classes.numbers[index])
            if isRepeated || isTwin {
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
    static func span(_ calls: [WireCall]) -> ClosedRange<Int64>? {
        var span: ClosedRange<Int64>?
        for call in calls {
            for time in [call.start, call.end] where UsableTime.contains(time) {
                span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
            }
        }
        return span
    }

    /// The same in nanoseconds.
    package static func length(_ calls: [WireCall]) -> Int64 {
        span(calls).map { $0.upperBound.saturatingSubtract($0.lowerBound) } ?? 0
    }
}

extension LogRow {
    fileprivate var isUntimed: Bool { time == .min && end == .min }
}
