import WireLogs

/// A time of a row or of an exchange, and whose it is (an index).
struct TimedEntry {
    var time: Int64
    var index: Int32
}

/// Times that arithmetic can be done with: about 146 years before and after 1970.
package enum UsableTime {
    package static let range = -(Int64.max / 2)...Int64.max / 2

    package static func contains(_ time: Int64) -> Bool { range.contains(time) }
}

extension Int64 {
    /// The sum, or the nearest value there is.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest value there is.
    package func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// How far apart two values are.
    package func distance(from other: Int64) -> Int64 {
        let difference = saturatingSubtract(other)
        return difference == .min ? .max : Swift.abs(difference)
    }

    /// The nearest whole number; the nearest there is for what is out of range.
    package init(nearest value: Double) {
        guard value > -9.2e18 else {
            self = value.isNaN ? 0 : .min
            return
        }
        self = value < 9.2e18 ? Int64(value.rounded()) : .max
    }
}

/// Which exchanges could be those of the rows of one class, time apart: rows and exchanges of one group agree in all
/// columns that the rows know.
struct MatchingGroups {
    let kind: LogRow.Kind
    let rows: [Int32]
    /// By place in `rows`.
    let rowGroups: [Int32]
    /// By exchange; -1 for none.
    let callGroups: [Int32]
    let count: Int

    /// - Parameter isCandidate: whether an exchange (by index) is to be had.
    init(
        _ rows: [Int32], of log: [LogRow], _ kind: LogRow.Kind, _ columns: KnownColumns, _ calls: [WireCall],
        isCandidate: (Int) -> Bool = { _ in true }
    ) {
        var numbers: [GroupKey: Int32] = [:]
        rowGroups = rows.map { index in
            let key = GroupKey(log[Int(index)], columns)
            if let number = numbers[key] { return number }
            let number = Int32(truncatingIfNeeded: numbers.count)
            numbers[key] = number
            return number
        }
        callGroups = calls.indices.map { index in
            isCandidate(index) ? numbers[GroupKey(calls[index], columns)] ?? -1 : -1
        }
        self.kind = kind
        self.rows = rows
        count = numbers.count
    }
}

/// Rows and exchanges by group, each group in the order of times. Those without a usable time are not in it.
struct TimeTable {
    let channel: TimeChannel
    let rows: [TimedEntry]
    let calls: [TimedEntry]
    private let rowStarts: [Int32]
    private let callStarts: [Int32]

    var groupCount: Int { callStarts.count - 1 }

    func rowRange(_ group: Int) -> Range<Int> { Int(rowStarts[group])..<Int(rowStarts[group + 1]) }
    func callRange(_ group: Int) -> Range<Int> { Int(callStarts[group])..<Int(callStarts[group + 1]) }

    init(_ groups: MatchingGroups, _ channel: TimeChannel, _ log: [LogRow], _ calls: [WireCall]) {
        self.channel = channel
        var keyed: [(entry: TimedEntry, group: Int32)] = []
        for (place, row) in groups.rows.enumerated() {
            let entry = TimedEntry(time: channel.time(of: log[Int(row)]), index: row)
            if UsableTime.contains(entry.time) { keyed.append((entry, groups.rowGroups[place])) }
        }
        (rows, rowStarts) = TimeTable.grouped(keyed, groups.count)
        keyed.removeAll(keepingCapacity: true)
        for (index, call) in calls.enumerated() where groups.callGroups[index] >= 0 {
            let entry = TimedEntry(time: channel.time(of: call), index: Int32(truncatingIfNeeded: index))
            if UsableTime.contains(entry.time) { keyed.append((entry, groups.callGroups[index])) }
        }
        (self.calls, callStarts) = TimeTable.grouped(keyed, groups.count)
    }

    /// Entries by group and time, and where each group starts.
    private static func grouped(_ keyed: [(entry: TimedEntry, group: Int32)], _ count: Int) -> ([TimedEntry], [Int32]) {
        var starts = [Int32](repeating: 0, count: count + 1)
        for (_, group) in keyed { starts[Int(group) + 1] += 1 }
        for group in 0..<count { starts[group + 1] += starts[group] }
        var next = starts
        var entries = [TimedEntry](repeating: TimedEntry(time: 0, index: 0), count: keyed.count)
        for (entry, group) in keyed {
            entries[Int(next[Int(group)])] = entry
            next[Int(group)] += 1
        }
        for group in 0..<count where starts[group + 1] - starts[group] > 1 {
            entries[Int(starts[group])..<Int(starts[group + 1])].sort { ($0.time, $0.index) < ($1.time, $1.index) }
        }
        return (entries, starts)
    }
}

extension Array where Element == TimedEntry {
    /// Index of the first entry of the range whose time is not below the given one.
    @inline(__always)
    func position(of time: Int64, in range: Range<Int>) -> Int {
        var low = range.lowerBound
        var length = range.count
        while length > 0 {
            let half = length >> 1
            let isBelow = self[low &+ half].time < time
            low = isBelow ? low &+ half &+ 1 : low
            length = isBelow ? length &- half &- 1 : half
        }
        return low
    }
}
