import WireCore
import WireLogs

/// Finds rows in whose time no other row's call went on, and what their messages have at least.
struct LoneRows {
    private let hidden: HiddenConnections
    private let numbersOfTimeline: [[Int]]
    /// By number of the connection.
    private var timelinesOfConnection: [Int: [Int]] = [:]
    /// Times of rows by timeline, and when the first call of a row began that failed.
    private var windows: [[ClosedRange<Int64>]]
    private var failures: [Int: Int64] = [:]
    /// The same of rows of which no connection is known: HTTP/2 may carry calls of hosts that it did not name.
    private var strangers: [ClosedRange<Int64>] = []
    private var strangerFailure: Int64?
    /// Timelines of rows of which nobody knows when their call went on: it may be in any row's time. Nil: all.
    private let unknown: Set<Int>?
    private var clusters: [[Int]: [LoneCalls.Cluster]] = [:]
    private var calls: [Int: LoneCalls] = [:]

    /// - Parameters:
    ///   - numbersOfTimeline: the connections of each.
    ///   - unknown: timelines of rows of which no time is known; nil: all.
    init(_ hidden: HiddenConnections, _ numbersOfTimeline: [[Int]], unknown: Set<Int>?) {
        (self.hidden, self.numbersOfTimeline, self.unknown) = (hidden, numbersOfTimeline, unknown)
        windows = Array(repeating: [], count: numbersOfTimeline.count)
        for (timeline, numbers) in numbersOfTimeline.enumerated() {
            for number in numbers { timelinesOfConnection[number, default: []].append(timeline) }
        }
    }

    /// Before the first question.
    ///
    /// - Parameter timeline: nil: not known.
    mutating func add(_ window: ClosedRange<Int64>, timeline: Int?, hasFailed: Bool) {
        guard let timeline else {
            strangers.append(window)
            if hasFailed { strangerFailure = min(strangerFailure ?? .max, window.lowerBound) }
            return
        }
        windows[timeline].append(window)
        if hasFailed { failures[timeline] = min(failures[timeline] ?? .max, window.lowerBound) }
    }

    /// Nil where nothing is known.
    mutating func least(_ window: ClosedRange<Int64>, timeline: Int) -> Directions<Int>? {
        var found: LoneCalls.Least?
        for number in numbersOfTimeline[timeline] where hidden[number].span.overlaps(window) {
            guard isLone(window, on: number) else { return nil }
            let least = calls(on: number).least(window)
            guard least.hasCall else { continue }
            // A row is one call.
            guard least.isCertain, found == nil else { return nil }
            found = least
        }
        return found.map { Directions(up: $0.up, down: $0.down) }
    }

    private mutating func isLone(_ window: ClosedRange<Int64>, on number: Int) -> Bool {
        let timelines = timelinesOfConnection[number] ?? []
        guard unknown?.isDisjoint(with: timelines) == true else { return false }
        return LoneCalls.isLone(window, in: clusters(of: timelines))
    }

    private mutating func calls(on number: Int) -> LoneCalls {
        if let known = calls[number] { return known }
        let timelines = timelinesOfConnection[number] ?? []
        let doubt = (timelines.map { failures[$0] } + [strangerFailure]).compactMap(\.self).min()
        let found = LoneCalls(hidden[number], clusters(of: timelines), doubt: doubt)
        calls[number] = found
        return found
    }

    private mutating func clusters(of timelines: [Int]) -> [LoneCalls.Cluster] {
        if let known = clusters[timelines] { return known }
        var found: [LoneCalls.Cluster] = []
        for window in (timelines.flatMap { windows[$0] } + strangers).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = found.last, last.window.upperBound >= window.lowerBound {
                let end = max(last.window.upperBound, window.upperBound)
                found[found.count - 1] = LoneCalls.Cluster(
                    window: last.window.lowerBound...end, rows: last.rows + 1)
            } else {
                found.append(LoneCalls.Cluster(window: window, rows: 1))
            }
        }
        clusters[timelines] = found
        return found
    }
}
