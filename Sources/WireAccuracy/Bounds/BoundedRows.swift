import WireCore
import WireJoin
import WireLogs

/// Bounds the figures of those rows of a log whose calls nobody could read.
struct BoundedRows {
    let log: SDKLog
    let hidden: HiddenConnections
    private let template: PathTemplate
    private(set) var timelines: [HostTimeline] = []
    /// The numbers of the connections of each.
    private(set) var numbersOfTimeline: [[Int]] = []
    /// Index of the timeline by host of the log and client's port; -1: no connection named the host.
    private var timelineOfTarget: [Target: Int] = [:]
    /// The same by the numbers of the connections: hosts may share them.
    private var timelineOfConnections: [[Int]: Int] = [:]
    private(set) var rows: [Row] = []
    /// Rows of which it is not known when their call went on.
    private(set) var untimed: [(index: Int, timeline: Int, reason: LogBounds.Reason)] = []
    /// Rows of which neither call nor connection is known, and whether some have no time. They have no timeline.
    private(set) var strangers: [Row] = []
    private(set) var hasUntimedStrangers = false
    /// How far the log's clock may be ahead of the capture's; nil: not known.
    private(set) var offsets: ClosedRange<Int64>?

    private struct Target: Hashable {
        var host: Int32
        /// 0: not known.
        var clientPort: UInt16
    }

    struct Row {
        var index: Int
        var window: ContainmentClock.Window
    }

    /// - Parameter rows: indices of rows of hosts that were not read.
    init(_ log: SDKLog, rows indices: [Int], _ hidden: HiddenConnections, _ template: PathTemplate) {
        (self.log, self.hidden, self.template) = (log, hidden, template)
        let windows = RowWindows(log, indices)
        let hasPorts = hidden.knowsPorts(of: indices.map { log.rows[$0].clientPort })
        for index in indices {
            guard let timeline = timeline(of: log.rows[index], hasPorts ? log.rows[index].clientPort : 0) else {
                continue
            }
            guard let window = windows[index] else {
                untimed.append((index, timeline, windows.reason(index)))
                continue
            }
            rows.append(
                Row(
                    index: index,
                    window: ContainmentClock.Window(
                        start: window.lowerBound, end: window.upperBound, timeline: timeline)))
        }
    }

    /// - Parameter indices: of rows that were not found, and are of no host that TLS hides: its connections may have carried
    /// their calls.
    mutating func addStrangers(_ indices: [Int]) {
        let windows = RowWindows(log, indices)
        for index in indices {
            guard let window = windows[index] else {
                hasUntimedStrangers = true
                continue
            }
            guard log.rows[index].kind != .response else { continue }
            strangers.append(
                Row(
                    index: index,
                    window: ContainmentClock.Window(start: window.lowerBound, end: window.upperBound, timeline: -1)))
        }
    }

    private mutating func timeline(of row: LogRow, _ clientPort: UInt16) -> Int? {
        guard row.host >= 0 else { return nil }
        let target = Target(host: row.host, clientPort: clientPort)
        if let known = timelineOfTarget[target] { return known < 0 ? nil : known }
        let numbers = hidden.connections(of: HostTotal.plain(log.texts[row.host]), clientPort: clientPort)
        guard !numbers.isEmpty else {
            timelineOfTarget[target] = -1
            return nil
        }
        let place = timelineOfConnections[numbers] ?? timelines.count
        if place == timelines.count {
            timelines.append(hidden.timeline(of: numbers))
            numbersOfTimeline.append(numbers)
        }
        timelineOfConnections[numbers] = place
        timelineOfTarget[target] = place
        return place
    }

    struct Result {
        /// Nil where there is no such row.
        var summary: LogBounds?
        /// By index of the row.
        var rows: [Int: Directions<LogBounds.Figure?>] = [:]
    }

    /// How far the log's clock is ahead of the capture's.
    ///
    /// - Parameter known: by rows whose calls were read, as far as there are any.
    /// - Returns: the same, or what rows whose calls were not read tell; nil where neither is known.
    mutating func findClock(_ known: ClockFit) -> ClockFit? {
        let search = ContainmentClock(rows.map(\.window), timelines)
        offsets = search.offsets(around: known.pairs > 0 ? known.offset : nil)
        if known.pairs > 0 { return known }
        return offsets.map { offsets in
            let half = (offsets.upperBound - offsets.lowerBound) / 2
            return ClockFit(offset: offsets.lowerBound + half, drift: 0, origin: 0, pairs: 0, spread: half)
        }
    }

    /// - Parameter isIncluded: tells of the index of a row whether it lies in the time of the capture.
    func bounds(where isIncluded: (Int) -> Bool) -> Result {
        var result = Result()
        let (rows, untimed) = (rows.filter { isIncluded($0.index) }, untimed.filter { isIncluded($0.index) })
        guard !rows.isEmpty || !untimed.isEmpty else { return result }
        var bounds = LogBounds()
        bounds.clock = offsets
        var unbounded: [LogBounds.Reason: Int] = [:]
        let calls = callsInOrder()
        var lone = loneRows()
        let bodies = loggedBodies()
        var apis = BoundsByAPI()
        for (index, _, reason) in untimed {
            let name = apiName(log.rows[index])
            apis.addRow(name)
            apis.addUnbounded(name)
            unbounded[reason, default: 0] += 1
        }
        for row in rows {
            let name = apiName(log.rows[row.index])
            apis.addRow(name)
            let reachable = offsets.map { window(row, $0) }
            let obstacle = reachable.map { reason(row, $0, timelines[row.window.timeline]) } ?? .clockUnknown
            guard let window = reachable, obstacle == nil else {
                if let obstacle { unbounded[obstacle, default: 0] += 1 }
                apis.addUnbounded(name)
                continue
            }
            let figures: Directions<LogBounds.Figure?>
            if let call = calls[row.index] {
                figures = Directions(up: figure(row, .up, call.up), down: figure(row, .down, call.down))
            } else {
                let least = least(row, window, &lone)
                figures = Directions(
                    up: bodies.limit(figure(row, .up, message(row, .up, least.up, window)), row, .up, window),
                    down: bodies.limit(figure(row, .down, message(row, .down, least.down, window)), row, .down, window))
            }
            result.rows[row.index] = figures
            if let up = figures.up { apis.add(up, window, row.window.timeline, .up, name) }
            if let down = figures.down { apis.add(down, window, row.window.timeline, .down, name) }
        }
        bounds.apis = apis.finish(timelines)
        bounds.unbounded = LogBounds.Reason.allCases.compactMap { reason in unbounded[reason].map { (reason, $0) } }
        result.summary = bounds
        return result
    }

    /// The row's time by the capture's clock, as wide as the offset is unknown.
    func window(_ row: Row, _ offsets: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let start = row.window.start.saturatingSubtract(offsets.upperBound).saturatingSubtract(LogBounds.jitter)
        let end = row.window.end.saturatingSubtract(offsets.lowerBound).saturatingAdd(LogBounds.jitter)
        return start...max(start, end)
    }

    func reason(_ row: Row, _ window: ClosedRange<Int64>, _ timeline: HostTimeline) -> LogBounds.Reason? {
        if log.rows[row.index].tellsFailure { return .failed }
        guard timeline.isComplete(window) else { return .incompleteCapture }
        return timeline.hasReply(window) ? nil : .nothingSent
    }

    private func figure(_ row: Row, _ direction: Direction, _ message: ClosedRange<Int>) -> LogBounds.Figure? {
        guard let logged = log.rows[row.index][direction].sum, logged >= 0 else { return nil }
        return LogBounds.Figure(logged: logged, message: message)
    }

    /// What a message in the window can have taken.
    private func message(
        _ row: Row, _ direction: Direction, _ least: Int, _ window: ClosedRange<Int64>
    ) -> ClosedRange<Int> {
        let most = timelines[row.window.timeline].most(direction, window)
        return min(least, most)...most
    }

    private func least(_ row: Row, _ window: ClosedRange<Int64>, _ lone: inout LoneRows) -> Directions<Int> {
        let timeline = timelines[row.window.timeline]
        guard timeline.calls == nil else {
            return Directions(up: timeline.least(.up, window) ?? 0, down: timeline.least(.down, window) ?? 0)
        }
        return lone.least(window, timeline: row.window.timeline) ?? Directions(up: 0, down: 0)
    }

    /// The calls of rows that name their connection by the client's port, by index of the row: where there are as many rows as
    /// calls, they are of each other in the order of their ends, if each row's time holds its call.
    func callsInOrder() -> [Int: UnnamedCall] {
        guard let offsets else { return [:] }
        var found: [Int: UnnamedCall] = [:]
        let named = rows.filter { log.rows[$0.index].clientPort != 0 && log.rows[$0.index].kind == .exchange }
        for (number, rows) in Dictionary(grouping: named, by: \.window.timeline) {
            let timeline = timelines[number]
            guard timeline.isOfOneConnection, let calls = timeline.calls, calls.count == rows.count else { continue }
            let pairs = zip(rows.sorted { ($0.window.end, $0.index) < ($1.window.end, $1.index) }, calls)
            guard pairs.allSatisfy({ window($0, offsets).contains($1.time) }) else { continue }
            for (row, call) in pairs { found[row.index] = call }
        }
        return found
    }

    func apiName(_ row: LogRow) -> APIName {
        var host = row.host < 0 ? [] : log.texts[row.host]
        if ![0, 80, 443].contains(row.serverPort) { host += Array(":\(row.serverPort)".utf8) }
        let path = row.path < 0 ? [] : log.texts[row.path]
        let method = row.method < 0 ? [] : log.texts[row.method]
        let name = template.apiName(method: method, host: host, path: Array(path.prefix { $0 != 0x3F }))
        // Rows of some formats do not tell the method.
        return APIName(name: Array(method.isEmpty ? name.dropFirst() : name[...]), host: host)
    }
}
