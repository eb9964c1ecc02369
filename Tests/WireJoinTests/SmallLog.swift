import WireJoin
import WireLogs

/// A log and its exchanges, made by hand; times are milliseconds.
struct SmallLog {
    static let epoch: Int64 = 1_795_000_000_000_000_000
    var log = SDKLog(path: "small", format: .dmNDJSON, pathForm: .decoded)
    var calls: [WireCall] = []

    init(resolution: Int64 = 1_000_000) { log.timeResolution = resolution }

    static func time(_ milliseconds: Double) -> Int64 { epoch + Int64((milliseconds * 1_000_000).rounded()) }

    /// Returns the number of the exchange.
    @discardableResult
    mutating func call(
        _ path: String, _ start: Double, _ end: Double?, status: Int16 = 200, host: String = "api",
        _ change: (inout WireCall) -> Void = { _ in }
    ) -> Int32 {
        var call = WireCall(
            number: calls.count, host: number(host), path: number(path), method: number("GET"), status: status,
            clientPort: 40_000, serverPort: 443, start: SmallLog.time(start), end: end.map(SmallLog.time) ?? .min)
        call.isFailed = end == nil
        change(&call)
        calls.append(call)
        return Int32(calls.count - 1)
    }

    /// Returns the index of the row.
    @discardableResult
    mutating func row(
        _ kind: LogRow.Kind, _ path: String, _ time: Double, status: Int16 = 0, host: String = "api",
        _ change: (inout LogRow) -> Void = { _ in }
    ) -> Int {
        var row = LogRow(kind: kind, number: log.rows.count + 1)
        (row.host, row.path, row.method) = (number(host), number(path), number("GET"))
        row.status = status
        row.time = SmallLog.time(time)
        change(&row)
        log.rows.append(row)
        return log.rows.count - 1
    }

    /// Calls of other paths, each with its rows: they tell the clock and the usual delays.
    ///
    /// - Parameter whole: one row for both directions.
    mutating func addUsual(_ count: Int = 40, whole: Bool = false) {
        for index in 0..<count {
            let start = Double(index) * 1000 + Double(index % 7) * 13
            let end = start + 90 + Double(index % 5) * 20
            let path = "/usual/\(index % 4)"
            call(path, start, end)
            let (asked, told) = (start - 1 - Double(index % 2), end + 1 + Double(index % 3))
            if whole {
                row(.exchange, path, asked, status: 200) { $0.end = SmallLog.time(told) }
            } else {
                row(.request, path, asked)
                row(.response, path, told, status: 200)
            }
        }
    }

    /// Six redirected calls, each logged as its first URL with the last status: they tell how the log records redirections.
    mutating func addUsualRedirections() {
        for index in 0..<6 {
            let time = 2500 + Double(index) * 5000
            let first = call("/start", time, time + 80, status: 302)
            call("/end", time + 90, time + 150) { $0.redirectedFrom = first }
            row(.exchange, "/start", time - 1, status: 200) { $0.end = SmallLog.time(time + 151) }
        }
    }

    mutating func number(_ text: String) -> Int32 { log.texts.number(Array(text.utf8)) }

    var matching: LogMatching { LogMatcher.match(log, calls) }
}
