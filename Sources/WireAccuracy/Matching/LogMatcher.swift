/// Finds the exchange of each row of a log.
///
/// Rows are held against exchanges that agree in host, path, method, status and ports, as far as the row has them, and
/// then by time: never by size, as sizes are what is to be checked. Within a group the total of time differences is
/// the least there is; a row and an exchange are left out before a pair is made that is too far apart.
public struct LogMatcher {
    let log: SDKLog
    let calls: [WireCall]
    var clock: ClockModel
    var duplicates: DuplicateRows
    var groupMatcher = GroupMatcher()
    var book: MatchingBook
    var work = MatchingWork()

    /// So many kinds of rows, the most frequent ones, tell the clock.
    private static let clockClasses = 4
    /// From this on, equal times do not make equal rows the same row.
    private static let coarseResolution: Int64 = 1_000_000

    /// - Parameter calls: the exchanges, in the order of their starts.
    public static func match(_ log: SDKLog, _ calls: [WireCall]) -> LogMatching {
        counted(log, calls).matching
    }

    static func counted(_ log: SDKLog, _ calls: [WireCall]) -> (matching: LogMatching, work: MatchingWork) {
        var matcher = LogMatcher(log, calls)
        matcher.matchAll()
        var work = matcher.work
        work.heapSteps += matcher.groupMatcher.assignment.work.heapSteps
        return (matcher.book.matching, work)
    }

    private init(_ log: SDKLog, _ calls: [WireCall]) {
        self.log = log
        self.calls = calls
        clock = ClockModel(fit: ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0), noise: [])
        duplicates = DuplicateRows(rows: log.rows.count)
        book = MatchingBook(rows: log.rows.count, calls, clock.fit)
    }

    private mutating func matchAll() {
        let classes = RowClass.classes(of: log.rows)
        var tables: [Int: [TimeTable]] = [:]
        for index in classes.indices.sorted(by: { classes[$0].rows.count > classes[$1].rows.count })
            .prefix(LogMatcher.clockClasses)
        {
            tables[index] = makeTables(classes[index])
        }
        let resolution = log.timeResolution
        clock = ClockEstimator(tables.sorted { $0.key < $1.key }.flatMap(\.value), resolution: resolution)
            .estimate(&work)
        book.setClock(clock.fit)
        for (index, rowClass) in classes.enumerated() {
            let own = tables.removeValue(forKey: index) ?? makeTables(rowClass)
            if resolution >= LogMatcher.coarseResolution {
                groupMatcher.resolution = min(resolution, TimeNoise.largest)
                groupMatcher.copies = duplicates.copies
            }
            matchTimed(own)
            for rule in StatusRule.allCases where rule != .equal { matchOtherStatus(rowClass, rule) }
            matchUntimed(rowClass)
        }
        book.settle(log.rows, calls, duplicates, clock)
    }

    private mutating func makeTables(_ rowClass: RowClass) -> [TimeTable] {
        let groups = MatchingGroups(rowClass.rows, of: log.rows, rowClass.kind, rowClass.columns, calls)
        return rowClass.kind.channels.map { channel in
            var table = TimeTable(groups, channel, log.rows, calls)
            duplicates.remove(from: &table, of: log.rows)
            return table
        }
    }

    /// Rows whose status is another one for a known reason.
    private mutating func matchOtherStatus(_ rowClass: RowClass, _ rule: StatusRule) {
        guard rowClass.columns.contains(.status), calls.contains(where: { rule.status(of: $0) != nil }) else { return }
        let rows = rowClass.rows.filter { !book.isMatched(row: $0) && duplicates.originals[Int($0)] < 0 }
        if rows.isEmpty { return }
        let groups = MatchingGroups(rows, of: log.rows, rowClass.kind, rowClass.columns, calls, rule: rule) {
            book.isFree(call: Int32(truncatingIfNeeded: $0), for: rowClass.kind)
        }
        matchTimed(rowClass.kind.channels.map { TimeTable(groups, $0, log.rows, calls) })
    }
}
