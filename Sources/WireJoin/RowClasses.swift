import WireLogs

/// Rows that a log cannot tell apart but by their times: equal in all columns and figures. Where two of them change
/// places, no figure of the report changes.
package struct RowClasses {
    private struct Key: Hashable {
        var kind: LogRow.Kind
        var host: Int32
        var path: Int32
        var method: Int32
        var status: Int16
        var clientPort: UInt16
        var serverPort: UInt16
        var up: LoggedBytes
        var down: LoggedBytes

        init(_ row: LogRow) {
            kind = row.kind
            (host, path, method, status) = (row.host, row.path, row.method, row.status)
            (clientPort, serverPort, up, down) = (row.clientPort, row.serverPort, row.up, row.down)
        }
    }

    private struct Moment: Hashable {
        var rowClass: Int32
        var time: Int64
        var end: Int64
    }

    /// By row, the number of its class.
    private(set) var numbers: [Int32] = []
    /// By row: the first row that is equal in all columns, times included; -1 where it is that row itself, or has no
    /// time.
    private(set) var originals: [Int32] = []
    /// By row that others repeat: how many are equal in all columns, itself included.
    private var equals: [Int32: Int] = [:]
    /// Equal times are those of a batch, so that equal rows are no copies.
    let isBatched: Bool

    init(_ rows: [LogRow], isBatched: Bool = false) {
        self.isBatched = isBatched
        var classes: [Key: Int32] = [:]
        var moments: [Moment: Int32] = [:]
        numbers.reserveCapacity(rows.count)
        originals.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            let number = classes[Key(row)] ?? Int32(truncatingIfNeeded: classes.count)
            if Int(number) == classes.count { classes[Key(row)] = number }
            numbers.append(number)
            guard !isBatched, row.time != .min || row.end != .min else {
                originals.append(-1)
                continue
            }
            let moment = Moment(rowClass: number, time: row.time, end: row.end)
            if let original = moments[moment] {
                originals.append(original)
                equals[original, default: 1] += 1
            } else {
                moments[moment] = Int32(truncatingIfNeeded: index)
                originals.append(-1)
            }
        }
    }

    /// How many rows are equal to this one in all columns, times included; itself is one of them.
    func numberOfEqual(_ row: Int32) -> Int {
        let original = originals[Int(row)]
        return equals[original < 0 ? row : original] ?? 1
    }
}

/// Whether a log writes its rows in batches: rows of different calls have one time, that of their batch, as far apart as the log's times
/// are not coarse. Equal rows of a batch are no copies.
func hasBatches(_ log: SDKLog) -> Bool {
    var batches: [Int64: (rows: Int, first: LogRow, isMixed: Bool)] = [:]
    for row in log.rows {
        let time = UsableTime.contains(row.end) ? row.end : row.time
        guard UsableTime.contains(time) else { continue }
        let first = batches[time]?.first ?? row
        let isOther = (first.path, first.host) != (row.path, row.host)
        let batch = batches[time] ?? (0, row, false)
        batches[time] = (batch.rows + 1, first, batch.isMixed || isOther)
    }
    let rows = batches.values.reduce(0) { $0 + $1.rows }
    let mixed = batches.values.reduce(0) { $0 + ($1.isMixed ? $1.rows : 0) }
    // Four rows in a batch, and eight of ten rows beside one of another call.
    guard rows >= 20, rows >= 4 * batches.count, 10 * mixed >= 8 * rows else { return false }
    let times = batches.keys.sorted()
    let gaps = zip(times.dropFirst(), times).map { $0.saturatingSubtract($1) }.sorted()
    let resolution = max(1, log.timeResolution)
    return gaps.isEmpty || gaps[gaps.count / 2] >= resolution.saturatingAdd(resolution)
}

extension SDKLog {
    /// Rows by their order alone.
    var withoutTimes: SDKLog {
        var log = self
        for index in log.rows.indices { (log.rows[index].time, log.rows[index].end) = (.min, .min) }
        return log
    }
}
