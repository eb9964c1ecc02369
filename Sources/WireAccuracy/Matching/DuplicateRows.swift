/// Rows that are in the log more than once, equal in all columns. One of them, the first, stands for all.
struct DuplicateRows {
    /// By row: index of the row that it repeats, -1 for none.
    private(set) var originals: [Int32]
    /// By row that stands for others: those others.
    private(set) var copies: [Int32: [Int32]] = [:]

    init(rows: Int) { originals = Array(repeating: -1, count: rows) }

    /// Takes the repetitions out of a table. Rows without a time are not told apart from repetitions, so none of them
    /// counts as one.
    mutating func remove(from table: inout TimeTable, of log: [LogRow]) {
        var found: [(copy: Int32, original: Int32)] = []
        table.removeRows { entries in
            var removed = [Bool](repeating: false, count: entries.count)
            var first = entries.startIndex
            while first < entries.endIndex {
                var end = first + 1
                while end < entries.endIndex, entries[end].time == entries[first].time { end += 1 }
                if end - first > 1 {
                    DuplicateRows.find(in: entries[first..<end], of: log) { place, original in
                        removed[place - entries.startIndex] = true
                        found.append((entries[place].index, original))
                    }
                }
                first = end
            }
            return removed
        }
        for (copy, original) in found where originals[Int(copy)] < 0 {
            originals[Int(copy)] = original
            copies[original, default: []].append(copy)
        }
    }

    /// Among entries of one time, by a hash of the columns: a pair by pair comparison would take too long where all
    /// times of a log are equal.
    private static func find(
        in entries: ArraySlice<TimedEntry>, of log: [LogRow], report: (_ place: Int, _ original: Int32) -> Void
    ) {
        var hashed = entries.indices.map { (hash: hash(log[Int(entries[$0].index)]), place: $0) }
        hashed.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        var original = entries.startIndex
        for (position, item) in hashed.enumerated() {
            let (row, candidate) = (log[Int(entries[item.place].index)], log[Int(entries[original].index)])
            if position > 0, hashed[position - 1].hash == item.hash, isSame(row, candidate) {
                report(item.place, entries[original].index)
            } else {
                original = item.place
            }
        }
    }

    private static func hash(_ row: LogRow) -> Int {
        var hasher = Hasher()
        hasher.combine(row.end)
        hasher.combine(row.method)
        hasher.combine(row.status)
        for bytes in [row.up, row.down] {
            hasher.combine(bytes.startLine)
            hasher.combine(bytes.headers)
            hasher.combine(bytes.body)
            hasher.combine(bytes.total)
            hasher.combine(bytes.decodedBody)
        }
        return hasher.finalize()
    }

    /// All columns but the row number are equal.
    static func isSame(_ left: LogRow, _ right: LogRow) -> Bool {
        left.kind == right.kind && left.host == right.host && left.path == right.path && left.method == right.method
            && left.status == right.status && left.clientPort == right.clientPort
            && left.serverPort == right.serverPort && left.time == right.time && left.end == right.end
            && left.up == right.up && left.down == right.down
    }
}
