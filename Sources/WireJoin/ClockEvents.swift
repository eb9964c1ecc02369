/// A time of a row or exchange, and the group whose members it is held against.
struct ClockEvent {
    var time: Int64
    var table: Int32
    var group: Int32
}

/// Rows and exchanges as the search for the clock sees them: the events of one side held against those of the other.
/// Rows are the anchors, unless the log is so much longer than the capture that most rows have no exchange.
struct ClockEvents {
    let anchorsAreRows: Bool
    /// In the order of times.
    let anchors: [ClockEvent]
    private let tables: [TimeTable]
    /// First and last time of the other side.
    let others: ClosedRange<Int64>

    /// Nil where no row and no exchange have a group in common.
    init?(_ tables: [TimeTable]) {
        var rows: [ClockEvent] = []
        var calls: [ClockEvent] = []
        for (number, table) in tables.enumerated() {
            for group in 0..<table.groupCount {
                let (rowRange, callRange) = (table.rowRange(group), table.callRange(group))
                if rowRange.isEmpty || callRange.isEmpty { continue }
                let (number, group) = (Int32(truncatingIfNeeded: number), Int32(truncatingIfNeeded: group))
                for entry in table.rows[rowRange] {
                    rows.append(ClockEvent(time: entry.time, table: number, group: group))
                }
                for entry in table.calls[callRange] {
                    calls.append(ClockEvent(time: entry.time, table: number, group: group))
                }
            }
        }
        guard let rowSpan = ClockEvents.span(rows), let callSpan = ClockEvents.span(calls) else { return nil }
        // Rows are the better anchors: nearly all have an exchange, while an app need not log all it does.
        anchorsAreRows =
            rowSpan.upperBound.saturatingSubtract(rowSpan.lowerBound) / 2
            <= callSpan.upperBound.saturatingSubtract(callSpan.lowerBound)
        others = anchorsAreRows ? callSpan : rowSpan
        anchors = (anchorsAreRows ? rows : calls).sorted { $0.time < $1.time }
        self.tables = tables
    }

    private static func span(_ events: [ClockEvent]) -> ClosedRange<Int64>? {
        guard var lowest = events.first?.time else { return nil }
        var highest = lowest
        for event in events {
            lowest = min(lowest, event.time)
            highest = max(highest, event.time)
        }
        return lowest...highest
    }

    /// The other side's events of an anchor's group: entries and where in them.
    @inline(__always)
    func counterparts(_ event: ClockEvent) -> (entries: [TimedEntry], range: Range<Int>) {
        let table = tables[Int(event.table)]
        return anchorsAreRows
            ? (table.calls, table.callRange(Int(event.group))) : (table.rows, table.rowRange(Int(event.group)))
    }

    /// Indices of anchors, evenly spread over a range.
    func sample(_ range: Range<Int>, _ count: Int) -> [Int] {
        guard range.count > count, count > 0 else { return Array(range) }
        return (0..<count).map { range.lowerBound + Int(Double($0) / Double(count) * Double(range.count)) }
    }
}

extension ClockEvents {
    /// What it tells that an event has, or lacks, a counterpart at the expected time.
    struct Evidence {
        /// In bits; above zero it speaks for the clock that was assumed.
        var bits: Double
        /// Place of the counterpart among the entries, -1 for none.
        var counterpart: Int
    }

    /// A true counterpart is there in so many cases; the rest was lost, or is late.
    private static let presence = 0.85

    /// Nil where the other side does not reach so far.
    func evidence(
        _ event: ClockEvent, expected: Int64, tolerance: Int64, _ work: inout MatchingWork
    ) -> Evidence? {
        let (low, high) = (expected.saturatingSubtract(tolerance), expected.saturatingAdd(tolerance))
        if high < others.lowerBound || low > others.upperBound { return nil }
        let (entries, range) = counterparts(event)
        work.searchSteps &+= Int.bitWidth - range.count.leadingZeroBitCount
        let place = entries.position(of: expected, in: range)
        var nearest = -1
        var distance = Int64.max
        if place < range.upperBound {
            nearest = place
            distance = entries[place].time.distance(from: expected)
        }
        if place > range.lowerBound, entries[place - 1].time.distance(from: expected) < distance {
            nearest = place - 1
            distance = entries[nearest].time.distance(from: expected)
        }
        let span = Double(others.upperBound.saturatingSubtract(others.lowerBound)) + 1
        var mean = Double(range.count) * 2 * Double(tolerance) / span
        guard distance <= tolerance else {
            let chance = min(0.85, mean / (1 + mean))
            return Evidence(bits: min(-0.3, log2((1 - ClockEvents.presence) / (1 - chance))), counterpart: -1)
        }
        // Events come in bursts: what is near tells more of the chance of a hit than the average.
        let (wideLow, wideHigh) = (
            expected.saturatingSubtract(tolerance.saturatingMultiply(16)),
            expected.saturatingAdd(tolerance.saturatingMultiply(16))
        )
        let near = entries.position(of: wideHigh, in: range) - entries.position(of: wideLow, in: range)
        work.searchSteps &+= 2 * (Int.bitWidth - range.count.leadingZeroBitCount)
        mean = max(mean, Double(near - 1) / 16)
        let chance = max(0.002, mean / (1 + mean))
        return Evidence(bits: max(0, log2(ClockEvents.presence / chance)), counterpart: nearest)
    }

    /// Bits of evidence for a clock from events over the whole time, and the share of events that have a counterpart.
    func evidence(
        tolerance: Int64, _ work: inout MatchingWork, expected: (Int64) -> Int64
    ) -> (bits: Double, share: Double) {
        var (bits, found, seen) = (0.0, 0, 0)
        let all = anchors.indices
        // The ends are looked at closely: a wrong offset leaves events there without counterparts.
        let inner = all.dropFirst(64).dropLast(64)
        for index in all.prefix(64) + sample(inner, 4096) + all.dropFirst(64).suffix(64) {
            let event = anchors[index]
            guard
                let evidence = evidence(event, expected: expected(event.time), tolerance: tolerance, &work)
            else { continue }
            bits += evidence.bits
            seen += 1
            if evidence.counterpart >= 0 { found += 1 }
        }
        return (bits, seen > 0 ? Double(found) / Double(seen) : 0)
    }

    /// Close to the binary logarithm of a positive number: off by less than a tenth.
    private func log2(_ value: Double) -> Double { Double(value.exponent) + value.significand - 1 }
}

extension Int64 {
    fileprivate func saturatingMultiply(_ factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? .max : product
    }
}
