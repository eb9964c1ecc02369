/// Breadcrumbs of a Sentry log without their repetitions.
struct SentryRepetitions {
    private struct Repetition {
        /// The list in which it was met last.
        var list: Int
        /// How often it stands there.
        var count: Int
        /// How often it stands in the list that has it most often.
        var most: Int
    }

    private struct Content: Hashable {
        let target: TwiceToldCalls.Target
        let status: Int16
        let time: Int64
        let end: Int64
        let up: LoggedBytes
        let down: LoggedBytes
    }

    private var repetitions: [Content: Repetition] = [:]

    /// True for a breadcrumb that an event repeats: each event has its own list, and in one list nothing is repeated.
    mutating func repeats(_ row: LogRow, list: Int) -> Bool {
        let content = Content(
            target: TwiceToldCalls.Target(row), status: row.status, time: row.time, end: row.end, up: row.up,
            down: row.down)
        var repetition = repetitions[content] ?? Repetition(list: list, count: 0, most: 0)
        if repetition.list != list { (repetition.list, repetition.count) = (list, 0) }
        repetition.count += 1
        defer { repetitions[content] = repetition }
        guard repetition.count > repetition.most else { return true }
        repetition.most = repetition.count
        return false
    }
}
