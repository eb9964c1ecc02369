/// Requests of a Sentry log: breadcrumbs without their repetitions, each joined with the span of the same request.
struct SentryCalls {
    struct Call {
        var row: LogRow
        let unit: LogTime.Unit
        let written: Int64?
        let isSpan: Bool
        /// A breadcrumb whose request has a span.
        var isJoined = false
    }

    private struct Repetition {
        /// The list in which it was met last.
        var list: Int
        /// How often it stands there.
        var count: Int
        /// How often it stands in the list that has it most often.
        var most: Int
    }

    private struct Content: Hashable {
        let target: Target
        let status: Int16
        let time: Int64
        let end: Int64
        let up: LoggedBytes
        let down: LoggedBytes
    }

    private struct Target: Hashable {
        let host: Int32
        let path: Int32
        let port: UInt16
        let method: Int32

        init(_ row: LogRow) { (host, path, port, method) = (row.host, row.path, row.serverPort, row.method) }
    }

    /// What a breadcrumb's time may be outside of its span, nanoseconds: the one is made just before or behind the other.
    private static let slack: Int64 = 50_000_000
    /// Spans of one target that are looked at for one breadcrumb.
    private static let spanLimit = 64

    private(set) var rows: [Call] = []
    private var repetitions: [Content: Repetition] = [:]

    /// False for a breadcrumb that an event repeats: each event has its own list, and in one list nothing is repeated.
    mutating func add(_ row: LogRow, _ unit: LogTime.Unit, _ written: Int64?, isSpan: Bool, list: Int) -> Bool {
        if !isSpan, repeats(row, list) { return false }
        rows.append(Call(row: row, unit: unit, written: written, isSpan: isSpan))
        return true
    }

    private mutating func repeats(_ row: LogRow, _ list: Int) -> Bool {
        let content = Content(
            target: Target(row), status: row.status, time: row.time, end: row.end, up: row.up, down: row.down)
        var repetition = repetitions[content] ?? Repetition(list: list, count: 0, most: 0)
        if repetition.list != list { (repetition.list, repetition.count) = (list, 0) }
        repetition.count += 1
        defer { repetitions[content] = repetition }
        guard repetition.count > repetition.most else { return true }
        repetition.most = repetition.count
        return false
    }

    /// Joins breadcrumbs with spans: the same URL, method and status, and a time within the span. The row has the span's
    /// times, and the breadcrumb's sizes where the span has none.
    mutating func join() {
        repetitions = [:]
        var spans: [Target: [Int]] = [:]
        for place in rows.indices where rows[place].isSpan && rows[place].row.end != .min {
            spans[Target(rows[place].row), default: []].append(place)
        }
        guard !spans.isEmpty else { return }
        for target in spans.keys { spans[target]?.sort { rows[$0].row.end < rows[$1].row.end } }
        let breadcrumbs = rows.indices.filter { !rows[$0].isSpan && rows[$0].row.end != .min }
            .sorted { rows[$0].row.end < rows[$1].row.end }
        // Spans before these ended too early for this breadcrumb and for all later ones.
        var firsts: [Target: Int] = [:]
        var taken: Set<Int> = []
        for place in breadcrumbs {
            let row = rows[place].row
            guard let candidates = spans[Target(row)] else { continue }
            var first = firsts[Target(row)] ?? 0
            while first < candidates.count,
                taken.contains(candidates[first])
                    || LogTime.moved(rows[candidates[first]].row.end, by: SentryCalls.slack) < row.end
            {
                first += 1
            }
            firsts[Target(row)] = first
            let span = candidates[first...].prefix(SentryCalls.spanLimit).first { isOne($0, row, taken) }
            guard let span else { continue }
            taken.insert(span)
            merge(place, into: span)
        }
    }

    private func isOne(_ span: Int, _ breadcrumb: LogRow, _ taken: Set<Int>) -> Bool {
        let row = rows[span].row
        guard !taken.contains(span), row.status == breadcrumb.status || row.status == 0 || breadcrumb.status == 0
        else { return false }
        return row.time == .min || LogTime.moved(row.time, by: -SentryCalls.slack) <= breadcrumb.end
    }

    private mutating func merge(_ breadcrumb: Int, into span: Int) {
        let told = rows[breadcrumb].row
        rows[breadcrumb].isJoined = true
        if rows[span].row.status == 0 { rows[span].row.status = told.status }
        if rows[span].row.up.total == nil { rows[span].row.up = told.up }
        if rows[span].row.down.total == nil { rows[span].row.down = told.down }
    }
}
