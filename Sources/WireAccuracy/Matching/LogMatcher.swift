/// Finds the exchange of each row of a log.
///
/// Rows are held against exchanges that agree in host, path, method, status and ports, as far as the row has them, and
/// then by time, with the clocks' difference and the app's usual delays found out from the log itself (`JoinModel`).
/// The assignment is the likeliest one to one, and a pair is certain when every other assignment that would change a
/// figure is at least 150 times less likely. Where times leave several assignments, figures decide between them, if the
/// formula of the log is known from rows that times alone decide; nothing is ever matched by size alone.
public struct LogMatcher {
    /// Whether the log's formula gives a row's figures (by index) for an exchange (by its place among the calls); nil
    /// where that cannot be told.
    public typealias FigureTest = (_ row: Int32, _ call: Int32) -> Bool?

    let log: SDKLog
    let calls: [WireCall]
    var clock: ClockModel
    var book: MatchingBook
    var work = MatchingWork()
    private let classes: RowClasses
    private let rowClasses: [RowClass]

    /// So many kinds of rows, the most frequent ones, tell the clock.
    private static let clockClasses = 4
    private static let rounds = 3

    /// - Parameters:
    ///   - calls: the exchanges, in the order of their starts.
    ///   - judge: makes a test of figures from what times alone decide; nil: figures decide nothing.
    public static func match(
        _ log: SDKLog, _ calls: [WireCall], judge: ((LogMatching) -> FigureTest?)? = nil
    ) -> LogMatching {
        counted(log, calls, judge: judge).matching
    }

    static func counted(
        _ log: SDKLog, _ calls: [WireCall], judge: ((LogMatching) -> FigureTest?)? = nil
    ) -> (matching: LogMatching, work: MatchingWork) {
        var matcher = LogMatcher(log, calls)
        matcher.matchAll(judge)
        return (matcher.book.matching, matcher.work)
    }

    private init(_ log: SDKLog, _ calls: [WireCall]) {
        self.log = log
        self.calls = calls
        clock = ClockModel(fit: ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0), noise: [])
        book = MatchingBook(rows: log.rows.count, calls, clock.fit)
        classes = RowClasses(log.rows)
        rowClasses = RowClass.classes(of: log.rows)
    }

    private mutating func matchAll(_ judge: ((LogMatching) -> FigureTest?)?) {
        clock = estimateClock()
        book.setClock(clock.fit)
        let moments = calls.map { call in
            func known(_ time: Int64) -> Int64 { UsableTime.contains(time) ? clock.logTime(time) : .min }
            return CallMoments(start: known(call.start), end: known(call.end), opened: known(call.opened))
        }
        var joins: [(join: RowJoin, found: [RowJoin.Found])] = []
        for kind in [LogRow.Kind.exchange, .request, .response]
        where rowClasses.contains(where: { $0.kind == kind }) {
            let model = JoinModel(kind, clock, resolution: log.timeResolution, span: MatchingBook.length(calls))
            var join = RowJoin(kind, log.rows, calls, moments, rowClasses, classes, model) {
                book.isFree(call: Int32(truncatingIfNeeded: $0), for: kind)
            }
            let found = join.solve(rounds: LogMatcher.rounds)
            book.enter(found, kind, moments)
            joins.append((join, found))
        }
        for rowClass in rowClasses { matchUntimed(rowClass) }
        if let gives = judge?(book.matching) {
            for index in joins.indices {
                let decided = joins[index].join.decide(joins[index].found, gives: gives)
                book.withdraw(joins[index].found, joins[index].join.kind)
                book.enter(decided, joins[index].join.kind, moments)
            }
        }
        for item in joins {
            work.heapSteps += item.join.work.heapSteps
            work.comparedPairs += item.join.work.comparedPairs
        }
        book.settle(log.rows, calls, classes, clock)
    }

    private mutating func estimateClock() -> ClockModel {
        let largest = rowClasses.indices.sorted { rowClasses[$0].rows.count > rowClasses[$1].rows.count }
            .prefix(LogMatcher.clockClasses).sorted()
        let tables = largest.flatMap { index in makeTables(rowClasses[index]) }
        return ClockEstimator(tables, resolution: log.timeResolution).estimate(&work)
    }

    /// Repeated rows tell nothing of clocks.
    private func makeTables(_ rowClass: RowClass) -> [TimeTable] {
        let rows = rowClass.rows.filter { classes.originals[Int($0)] < 0 }
        let groups = MatchingGroups(rows, of: log.rows, rowClass.kind, rowClass.columns, calls)
        return rowClass.kind.channels.map { TimeTable(groups, $0, log.rows, calls) }
    }
}
