import WireJoin
import WireLogs

/// From when to when the call of a row went on, by the log's clock.
///
/// A row of a whole exchange tells it. Rows of requests and of responses tell one end each: the other is that of the period in
/// which requests of the same host and path were open, because nothing tells which response was whose.
struct RowWindows {
    private let log: SDKLog
    /// Times are cut or rounded to what the log resolves.
    private let resolution: Int64
    private var windows: [Int: ClosedRange<Int64>] = [:]
    /// Rows of targets with more requests than responses, or fewer.
    private var unpaired: Set<Int> = []

    private struct Target: Hashable {
        var host: Int32
        var path: Int32
    }

    init(_ log: SDKLog, _ rows: [Int]) {
        self.log = log
        resolution = max(log.timeResolution, 0)
        var parts: [Target: [Int]] = [:]
        for index in rows {
            let row = log.rows[index]
            if row.kind != .exchange {
                parts[Target(host: row.host, path: row.path), default: []].append(index)
            } else if UsableTime.contains(row.time), UsableTime.contains(row.end), row.time <= row.end {
                windows[index] = row.time.saturatingSubtract(resolution)...row.end.saturatingAdd(resolution)
            }
        }
        for rows in parts.values { addPeriods(rows) }
    }

    /// Nil where that is not known.
    subscript(index: Int) -> ClosedRange<Int64>? { windows[index] }

    /// Why it is not known.
    func reason(_ index: Int) -> LogBounds.Reason { unpaired.contains(index) ? .unpaired : .noTimes }

    /// The earliest that a request began, and the latest that a response ended.
    private func edge(_ index: Int) -> Int64 {
        let row = log.rows[index]
        return row.kind == .request ? row.time.saturatingSubtract(resolution) : row.time.saturatingAdd(resolution)
    }

    private mutating func addPeriods(_ rows: [Int]) {
        // With a row lost or twice a period would end before its calls do.
        guard rows.count(where: { log.rows[$0].kind == .request }) * 2 == rows.count else {
            unpaired.formUnion(rows)
            return
        }
        let timed = rows.filter { UsableTime.contains(log.rows[$0].time) }
        let sorted = timed.sorted { left, right in
            let (one, other) = (log.rows[left].kind == .request ? 0 : 1, log.rows[right].kind == .request ? 0 : 1)
            return (edge(left), one, left) < (edge(right), other, right)
        }
        var (open, start, requests) = (0, Int64.min, [Int]())
        for index in sorted {
            let time = edge(index)
            if log.rows[index].kind == .request {
                if open == 0 { start = time }
                open += 1
                requests.append(index)
            } else if open > 0 {
                windows[index] = start...time
                open -= 1
                guard open == 0 else { continue }
                for request in requests { windows[request] = edge(request)...time }
                requests.removeAll()
            }
        }
    }
}
