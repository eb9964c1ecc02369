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
    /// By row: it has no time, and an earlier row without time is of its class. It may be a copy of that one.
    private(set) var isUntimedTwin: [Bool] = []
    /// By row that others repeat: how many are equal in all columns, itself included.
    private var equals: [Int32: Int] = [:]

    init(_ rows: [LogRow]) {
        var classes: [Key: Int32] = [:]
        var moments: [Moment: Int32] = [:]
        var untimed = Set<Int32>()
        numbers.reserveCapacity(rows.count)
        originals.reserveCapacity(rows.count)
        isUntimedTwin.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            let number = classes[Key(row)] ?? Int32(truncatingIfNeeded: classes.count)
            if Int(number) == classes.count { classes[Key(row)] = number }
            numbers.append(number)
            let isUntimed = row.time == .min && row.end == .min
            isUntimedTwin.append(isUntimed && !untimed.insert(number).inserted)
            guard !isUntimed else {
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
