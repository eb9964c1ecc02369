/// Reads CFNetwork's lines of a device's console: the summary of each task, with the URL that an earlier line of the
/// same task may have named.
struct CFNetworkLog {
    /// A line longer than this is none of CFNetwork's.
    private static let lineLimit = 1 << 16
    /// Tasks whose URL waits for their summary.
    private static let taskLimit = 1 << 20
    static let mark = Array("summary for task".utf8)
    private static let taskMark = Array("Task <".utf8)
    private static let secureMark = Array("https://".utf8)
    private static let plainMark = Array("http://".utf8)

    private struct Target {
        var url: [UInt8]
        var method: [UInt8]?
    }

    private var lines: LineReader
    private let builder: LogBuilder
    private var targets: [[UInt8]: Target] = [:]
    /// Of the tasks and URLs that wait.
    private var targetBytes = 0
    private var clock = LogLineClock()
    private(set) var summaries = 0

    init(_ builder: LogBuilder, pieces: @escaping () -> [UInt8]?) {
        lines = LineReader(limit: CFNetworkLog.lineLimit, pieces: pieces)
        self.builder = builder
    }

    mutating func read() {
        builder.coarsestResolution = 1_000_000
        var line: [UInt8] = []
        while lines.next(into: &line) {
            guard let (task, behind) = CFNetworkLog.task(line[...]) else { continue }
            if let mark = behind.firstRange(of: CFNetworkLog.mark) {
                summaries += 1
                readSummary(line, behind[mark.upperBound...], task)
            } else {
                keepURL(behind, task)
            }
        }
        if clock.hasNoYear { builder.note("times have no year: only their differences count", row: nil) }
        if clock.hasNoDate { builder.note("times have no date: only their differences count", row: nil) }
    }

    /// The task's mark `<UUID>.<n>`, and what stands behind it.
    private static func task(_ line: ArraySlice<UInt8>) -> ([UInt8], ArraySlice<UInt8>)? {
        guard let mark = line.firstRange(of: taskMark) else { return nil }
        let rest = line[(mark.upperBound - 1)...]
        let end = rest.firstIndex(of: 0x20) ?? rest.endIndex
        return (Array(rest[..<end]), rest[end...])
    }

    private mutating func keepURL(_ text: ArraySlice<UInt8>, _ task: [UInt8]) {
        guard let mark = text.firstRange(of: CFNetworkLog.secureMark) ?? text.firstRange(of: CFNetworkLog.plainMark),
            targets.count < CFNetworkLog.taskLimit || targets[task] != nil
        else { return }
        let ends: Set<UInt8> = [0x09, 0x20, 0x22, 0x27, 0x29, 0x2C, 0x3C, 0x3E, 0x5D, 0x7D]
        let url = text[mark.lowerBound...].prefix { !ends.contains($0) }
        var target = Target(url: Array(url), method: targets[task]?.method)
        let word = text[..<mark.lowerBound].trimmingSpaces
        let method = word.suffix(from: word.lastIndex { $0 == 0x20 }.map { $0 + 1 } ?? word.startIndex)
        if 3...7 ~= method.count, method.allSatisfy({ 0x41...0x5A ~= $0 }) { target.method = Array(method) }
        let (size, before) = (task.count + target.url.count, targets[task].map { task.count + $0.url.count } ?? 0)
        guard targetBytes - before <= builder.textBudget - size else {
            return builder.noteBeyondBudget(row: lines.number)
        }
        targetBytes += size - before
        targets[task] = target
    }

    // MARK: Summaries

    private struct Summary {
        var requestBytes = LogValue.absent
        var responseBytes = LogValue.absent
        var status = LogValue.absent
        var isCacheHit = false
        var duration = LogValue.absent
        var requestStart = LogValue.absent
    }

    private mutating func readSummary(_ line: [UInt8], _ text: ArraySlice<UInt8>, _ task: [UInt8]) {
        let number = lines.number
        guard let begin = text.firstIndex(of: 0x7B) else {
            builder.reject("a summary has no values", row: number)
            return
        }
        if !text.contains(0x7D) { builder.note("a summary is cut", row: number) }
        let summary = CFNetworkLog.values(text[(begin + 1)...])
        let target = targets.removeValue(forKey: task)
        targetBytes -= target.map { task.count + $0.url.count } ?? 0
        var row = LogRow(kind: .exchange, number: number)
        func size(_ value: LogValue, _ name: String) -> Int? {
            if value == .absent { builder.note("is missing", column: name, row: number) }
            return builder.size(value, name, row: number)
        }
        row.up.total = size(summary.requestBytes, "request_bytes")
        row.down.total = size(summary.responseBytes, "response_bytes")
        if summary.isCacheHit, (row.up.total ?? 0) == 0 {
            builder.note("tasks answered from the cache are not on the wire", row: number)
            return
        }
        row.status = builder.status(summary.status, "response_status", row: number)
        if let target {
            _ = builder.setURL(target.url, "URL", of: &row)
            row.method = target.method.map { builder.number($0, "method", row: number) } ?? -1
        } else {
            builder.note("no line names the URL of the task", row: number)
        }
        let written = setTimes(summary, line, &row)
        builder.append(row, unit: written == nil ? .none : .calendar, written: written)
    }

    /// The line is written when the task is done; the summary says how long it took, and when its request began.
    private mutating func setTimes(_ summary: Summary, _ line: [UInt8], _ row: inout LogRow) -> Int64? {
        guard let end = clock.time(line) else {
            builder.note("lines have no time", row: row.number)
            return nil
        }
        row.end = end
        row.time = end
        guard let duration = milliseconds(summary.duration), duration >= 0 else { return end }
        let wait = max(0, min(milliseconds(summary.requestStart) ?? 0, duration))
        let (start, overflow) = end.subtractingReportingOverflow(duration - wait)
        if !overflow { row.time = start }
        return end
    }

    private func milliseconds(_ value: LogValue) -> Int64? {
        value.number?.scaled(by: 6).map { Int64($0) }
    }

    /// Reads `key=value, key="value"` up to the closing brace.
    private static func values(_ text: ArraySlice<UInt8>) -> Summary {
        var summary = Summary()
        var rest = text.prefix { $0 != 0x7D }
        while let equals = rest.firstIndex(of: 0x3D) {
            let key = Array(rest[..<equals].trimmingSpaces)
            rest = rest[(equals + 1)...]
            let end: Int
            if rest.first == 0x22 {
                end = rest.dropFirst().firstIndex(of: 0x22).map { $0 + 1 } ?? rest.endIndex
            } else {
                end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
            }
            set(key, LogValue(text: Array(rest[..<end].trimmingSpaces)), &summary)
            rest = rest[end...]
            _ = rest.consume(0x2C)
        }
        return summary
    }

    private static func set(_ key: [UInt8], _ value: LogValue, _ summary: inout Summary) {
        switch String(decoding: key, as: UTF8.self) {
        case "request_bytes": summary.requestBytes = value
        case "response_bytes": summary.responseBytes = value
        case "response_status": summary.status = value
        case "cache_hit": summary.isCacheHit = value.text.map { $0 == Array("true".utf8) || $0 == [0x31] } ?? false
        case "transaction_duration_ms": summary.duration = value
        case "request_start_ms": summary.requestStart = value
        default: break
        }
    }
}
