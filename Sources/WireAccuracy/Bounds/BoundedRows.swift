import WireCore
import WireJoin
import WireLogs

/// Bounds the figures of those rows of a log whose calls nobody could read.
struct BoundedRows {
    private let log: SDKLog
    private let hidden: HiddenConnections
    private let template: PathTemplate
    private var timelines: [HostTimeline] = []
    /// Index of the timeline by host of the log and client's port; -1: no connection named the host.
    private var timelineOfTarget: [Target: Int] = [:]
    private var rows: [Row] = []
    /// Rows that lack a time.
    private var untimed: [Int] = []
    /// How far the log's clock may be ahead of the capture's; nil: not known.
    private var offsets: ClosedRange<Int64>?

    private struct Target: Hashable {
        var host: Int32
        /// 0: not known.
        var clientPort: UInt16
    }

    private struct Row {
        var index: Int
        var window: ContainmentClock.Window
    }

    /// - Parameter rows: indices of rows of hosts that were not read.
    init(_ log: SDKLog, rows indices: [Int], _ hidden: HiddenConnections, _ template: PathTemplate) {
        (self.log, self.hidden, self.template) = (log, hidden, template)
        let windows = RowWindows(log, indices)
        for index in indices {
            guard let timeline = timeline(of: log.rows[index]) else { continue }
            guard let window = windows[index] else {
                untimed.append(index)
                continue
            }
            rows.append(
                Row(
                    index: index,
                    window: ContainmentClock.Window(
                        start: window.lowerBound, end: window.upperBound, timeline: timeline)))
        }
    }

    private mutating func timeline(of row: LogRow) -> Int? {
        guard row.host >= 0 else { return nil }
        let target = Target(host: row.host, clientPort: row.clientPort)
        if let known = timelineOfTarget[target] { return known < 0 ? nil : known }
        let host = HostTotal.plain(log.texts[row.host])
        guard let timeline = hidden.timeline(of: host, clientPort: row.clientPort) else {
            timelineOfTarget[target] = -1
            return nil
        }
        timelineOfTarget[target] = timelines.count
        timelines.append(timeline)
        return timelines.count - 1
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
        let (rows, untimed) = (rows.filter { isIncluded($0.index) }, untimed.filter(isIncluded))
        guard !rows.isEmpty || !untimed.isEmpty else { return result }
        var bounds = LogBounds()
        bounds.clock = offsets
        var unbounded: [LogBounds.Reason: Int] = untimed.isEmpty ? [:] : [.noTimes: untimed.count]
        let turns = turnsInOrder()
        var apis = Tally()
        for index in untimed { apis.addRow(apiName(log.rows[index])) }
        for row in rows {
            let name = apiName(log.rows[row.index])
            apis.addRow(name)
            guard let offsets else {
                unbounded[.clockUnknown, default: 0] += 1
                continue
            }
            let window = window(row, offsets)
            if let reason = reason(row, window, timelines[row.window.timeline]) {
                unbounded[reason, default: 0] += 1
                continue
            }
            let turn = turns[row.index]
            let figures = Directions(
                up: figure(row, .up, turn?.up ?? message(row, .up, window)),
                down: figure(row, .down, turn?.down ?? message(row, .down, window)))
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
    private func window(_ row: Row, _ offsets: ClosedRange<Int64>) -> ClosedRange<Int64> {
        let start = row.window.start.saturatingSubtract(offsets.upperBound).saturatingSubtract(LogBounds.jitter)
        let end = row.window.end.saturatingSubtract(offsets.lowerBound).saturatingAdd(LogBounds.jitter)
        return start...max(start, end)
    }

    private func reason(_ row: Row, _ window: ClosedRange<Int64>, _ timeline: HostTimeline) -> LogBounds.Reason? {
        if log.rows[row.index].tellsFailure { return .failed }
        guard timeline.isComplete(window) else { return .incompleteCapture }
        return timeline.hasReply(window) ? nil : .nothingSent
    }

    private func figure(_ row: Row, _ direction: Direction, _ message: ClosedRange<Int>) -> LogBounds.Figure? {
        guard let logged = log.rows[row.index][direction].sum, logged >= 0 else { return nil }
        return LogBounds.Figure(logged: logged, message: message)
    }

    /// What a message in the window can have taken.
    private func message(_ row: Row, _ direction: Direction, _ window: ClosedRange<Int64>) -> ClosedRange<Int> {
        let timeline = timelines[row.window.timeline]
        let most = timeline.most(direction, window)
        return min(timeline.least(direction, window) ?? 0, most)...most
    }

    /// The calls of rows that name their connection by the client's port, by index of the row: where there are as many rows as
    /// calls, they are of each other in the order of their ends, if each row's time holds its call.
    private func turnsInOrder() -> [Int: HiddenConnection.Turn] {
        guard let offsets else { return [:] }
        var found: [Int: HiddenConnection.Turn] = [:]
        let named = rows.filter { log.rows[$0.index].clientPort != 0 && log.rows[$0.index].kind == .exchange }
        for (number, rows) in Dictionary(grouping: named, by: \.window.timeline) {
            let timeline = timelines[number]
            guard timeline.isOfOneConnection, let turns = timeline.turns, turns.count == rows.count else { continue }
            let pairs = zip(rows.sorted { ($0.window.end, $0.index) < ($1.window.end, $1.index) }, turns)
            guard pairs.allSatisfy({ window($0, offsets).contains($1.time) }) else { continue }
            for (row, turn) in pairs { found[row.index] = turn }
        }
        return found
    }

    private func apiName(_ row: LogRow) -> APIName {
        var host = row.host < 0 ? [] : log.texts[row.host]
        if ![0, 80, 443].contains(row.serverPort) { host += Array(":\(row.serverPort)".utf8) }
        let path = row.path < 0 ? [] : log.texts[row.path]
        let method = row.method < 0 ? [] : log.texts[row.method]
        let name = template.apiName(method: method, host: host, path: Array(path.prefix { $0 != 0x3F }))
        // Rows of some formats do not tell the method.
        return APIName(name: Array(method.isEmpty ? name.dropFirst() : name[...]), host: host)
    }
}

/// An API, and its host.
private struct APIName: Hashable {
    var name: [UInt8]
    var host: [UInt8]
}

/// When a row's call went on, and the index of its host's timeline.
private struct Period {
    var window: ClosedRange<Int64>
    var timeline: Int
}

/// Figures by API.
private struct Tally {
    private var apis: [LogBounds.API] = []
    private var places: [APIName: Int] = [:]
    /// Windows of the rows of each API, by direction: what lies in two of them was sent once.
    private var windows: [(up: [Period], down: [Period])] = []

    private mutating func place(_ name: APIName) -> Int {
        if let place = places[name] { return place }
        places[name] = apis.count
        apis.append(
            LogBounds.API(
                name: String(decoding: name.name, as: UTF8.self), host: String(decoding: name.host, as: UTF8.self)))
        windows.append(([], []))
        return apis.count - 1
    }

    mutating func addRow(_ name: APIName) { apis[place(name)].rows += 1 }

    mutating func add(
        _ figure: LogBounds.Figure, _ window: ClosedRange<Int64>, _ timeline: Int, _ direction: Direction,
        _ name: APIName
    ) {
        let place = place(name)
        apis[place][direction].add(figure)
        let period = Period(window: window, timeline: timeline)
        if direction == .up { windows[place].up.append(period) } else { windows[place].down.append(period) }
    }

    func finish(_ timelines: [HostTimeline]) -> [LogBounds.API] {
        var apis = apis
        for place in apis.indices {
            apis[place].up.most = min(apis[place].up.most, Tally.most(windows[place].up, .up, timelines))
            apis[place].down.most = min(apis[place].down.most, Tally.most(windows[place].down, .down, timelines))
        }
        return apis.sorted {
            ($1.up.logged.saturatingSum($1.down.logged), $0.name) < (
                $0.up.logged.saturatingSum($0.down.logged), $1.name
            )
        }
    }

    /// All that was sent in any of the windows, once.
    private static func most(_ periods: [Period], _ direction: Direction, _ timelines: [HostTimeline]) -> Int {
        var sum = 0
        var open: (timeline: Int, window: ClosedRange<Int64>)?
        for period in periods.sorted(by: { ($0.timeline, $0.window.lowerBound) < ($1.timeline, $1.window.lowerBound) })
        {
            guard let last = open, last.timeline == period.timeline,
                last.window.upperBound >= period.window.lowerBound
            else {
                if let open { sum += timelines[open.timeline].most(direction, open.window) }
                open = (period.timeline, period.window)
                continue
            }
            open?.window = last.window.lowerBound...max(last.window.upperBound, period.window.upperBound)
        }
        if let open { sum += timelines[open.timeline].most(direction, open.window) }
        return sum
    }
}

extension LogBounds.Side {
    fileprivate mutating func add(_ figure: LogBounds.Figure) {
        rows += 1
        logged = logged.saturatingSum(figure.logged)
        least = least.saturatingSum(figure.message.lowerBound)
        most = most.saturatingSum(figure.message.upperBound)
        if figure.isExact { exact += 1 }
        if figure.logged > figure.message.upperBound { tooHigh += 1 }
        if figure.logged < figure.message.lowerBound { tooLow += 1 }
    }
}
