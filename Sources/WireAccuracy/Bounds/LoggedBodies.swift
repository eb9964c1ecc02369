import WireLogs

/// What other rows leave of the records in a row's time, given the body bytes that the log has of them: a claim of the log, which
/// is kept apart from what the capture alone tells.
struct LoggedBodies {
    /// A row of one timeline and direction whose call may have been at the time of others.
    private struct Row {
        var demand: RecordSums.Demand
        /// Rows that are the same in all have the same number: a log may have a call twice.
        var call: Int
    }

    /// Most rows that are taken into account for one.
    private static let rowLimit = 32
    private var calls: [Call: Int] = [:]
    /// By the beginning of their windows.
    private var rows: [Row] = []
    /// The latest end of the window of a row or of one before it.
    private var ends: [Int64] = []

    private struct Call: Hashable {
        var host: Int32
        var path: Int32
        var method: Int32
        var window: ClosedRange<Int64>
        var up: LoggedBytes
        var down: LoggedBytes

        init(_ row: LogRow, _ window: ClosedRange<Int64>) {
            (host, path, method, self.window, up, down) = (row.host, row.path, row.method, window, row.up, row.down)
        }
    }

    /// Adds a row that has a body of so many bytes. One that is there twice has it once.
    mutating func add(_ row: LogRow, _ window: ClosedRange<Int64>, bytes: Int) {
        let call = Call(row, window)
        guard calls[call] == nil else { return }
        calls[call] = rows.count
        rows.append(Row(demand: RecordSums.Demand(window: window, bytes: bytes), call: rows.count))
    }

    /// After the last row, and before the first question.
    mutating func finish() {
        rows.sort { $0.demand.window.lowerBound < $1.demand.window.lowerBound }
        ends.reserveCapacity(rows.count)
        for row in rows { ends.append(max(ends.last ?? .min, row.demand.window.upperBound)) }
    }

    /// Bytes of the records in a row's window that must be of other rows.
    func bytes(of row: LogRow, _ window: ClosedRange<Int64>, _ records: RecordSums) -> Int {
        let own = calls[Call(row, window)]
        let others = neighbours(window).lazy.filter { $0.call != own }.map(\.demand)
        return records.bytes(in: window, demandedBy: Array(others))
    }

    /// Rows whose windows are linked with a window by others that overlap; where these are many, the latest that overlap it.
    private func neighbours(_ window: ClosedRange<Int64>) -> [Row] {
        var first = rows.firstIndexFromWhichAll { $0.demand.window.lowerBound >= window.lowerBound }
        var (end, start, reach, count) = (first, window.lowerBound, window.upperBound, -1)
        while count < end - first, end - first <= LoggedBodies.rowLimit {
            count = end - first
            if end < rows.count, rows[end].demand.window.lowerBound <= reach {
                reach = max(reach, rows[end].demand.window.upperBound)
                end += 1
            }
            if first > 0, ends[first - 1] >= start {
                first -= 1
                start = min(start, rows[first].demand.window.lowerBound)
                reach = max(reach, rows[first].demand.window.upperBound)
            }
        }
        if end - first <= LoggedBodies.rowLimit { return Array(rows[first..<end]) }
        let last = rows.firstIndexFromWhichAll { $0.demand.window.lowerBound > window.upperBound }
        return rows[max(last - LoggedBodies.rowLimit, 0)..<last].filter { $0.demand.window.overlaps(window) }
    }
}
