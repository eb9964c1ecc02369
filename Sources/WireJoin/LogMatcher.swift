import WireLogs

/// Finds the exchange of each row of a log.
///
/// Rows are held against exchanges that agree in host, path, method, status and ports, as far as the row has them, and
/// then by time, with the clocks' difference and the app's usual delays found out from the log itself (`JoinModel`).
/// The assignment is the likeliest one to one. A pair is certain when assignments that give its row or its exchange another
/// partner are less likely by odds of 150 to 1, and leaving both alone by 2 to 1; the search for them has a budget, which
/// very large or dense logs spend. Where times leave several assignments, figures decide between them, if the formula of the
/// log is known from rows that times alone decide; and where a row's figure is not that of the exchange that times tell, it may be of another one near it, or of none.
/// Nothing is ever matched by size alone.
public struct LogMatcher {
    /// By pair of a row (its index) and an exchange that it may have (its place among the calls): −ln of how likely the row's
    /// figures are, against figures that fit the exchange, thousandths; nil where nothing is known. Zeros of a row that tells of
    /// a failure fit.
    public typealias FigureTest = (_ pairs: [(row: Int32, call: Int32)]) -> [Int32?]

    package let log: SDKLog
    package let calls: [WireCall]
    package var clock: ClockModel
    var book: MatchingBook
    var work = MatchingWork()
    let classes: RowClasses
    let rowClasses: [RowClass]
    private let chains: RedirectChains
    private let doubts: RedirectDoubts
    private var conventions: [LogRow.Kind: RedirectConvention] = [:]
    /// Known when the rows of requests are joined.
    private var loneRequests: LoneRequests?
    /// From the first to the last time of any exchange, nanoseconds.
    private let span: Int64
    /// Rows of whole exchanges have finer times beside these.
    private let coarseChannel: TimeChannel?

    /// So many kinds of rows, the most frequent ones, tell the clock.
    private static let clockClasses = 4
    private static let rounds = 3

    /// - Parameters:
    ///   - calls: the exchanges, in the order of their starts.
    ///   - judge: makes a test of figures from what times alone decide; nil: figures decide nothing.
    public static func match(
        _ log: SDKLog, _ calls: [WireCall], judge: ((LogMatching) -> FigureTest?)? = nil
    ) -> LogMatching {
        let isBatched = hasBatches(log)
        let matching = counted(log, calls, isBatched: isBatched, judge: judge).matching
        if isBatched {
            // Times that are late by up to a batch may tell less than the order in which rows were written.
            let ordered = counted(log.withoutTimes, calls, isBatched: true, judge: judge).matching
            if ordered.certainRows > matching.certainRows { return ordered }
        }
        guard var jump = HourJump(log, matching) else { return matching }
        let span = MatchingBook.span(calls)
        for shift in [-HourJump.hour, HourJump.hour]
        where jump.isInCapture(log, span, matching.clock, by: shift) {
            var mended = counted(jump.moved(log, by: shift), calls, judge: judge).matching
            guard jump.isConfirmed(mended) else { continue }
            jump.shift = shift
            mended.jump = jump
            return mended
        }
        return matching
    }

    static func counted(
        _ log: SDKLog, _ calls: [WireCall], isBatched: Bool = false, judge: ((LogMatching) -> FigureTest?)? = nil
    ) -> (matching: LogMatching, work: MatchingWork) {
        var matcher = LogMatcher(log, calls, isBatched)
        matcher.matchAll(judge)
        return (matcher.book.matching, matcher.work)
    }

    private init(_ log: SDKLog, _ calls: [WireCall], _ isBatched: Bool) {
        self.log = log
        self.calls = calls
        clock = ClockModel(fit: ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0), noise: [])
        book = MatchingBook(rows: log.rows.count, calls, clock.fit)
        classes = RowClasses(log.rows, isBatched: isBatched)
        rowClasses = RowClass.classes(of: log.rows)
        chains = RedirectChains(calls)
        doubts = RedirectDoubts(RedirectReadings(chains, calls), calls)
        span = MatchingBook.length(calls)
        coarseChannel = TimeChannel.coarse(in: log.rows)
    }

    private mutating func matchAll(_ judge: ((LogMatching) -> FigureTest?)?) {
        clock = estimateClock()
        book.setClock(clock.fit)
        var joins: [(join: RowJoin, found: [RowJoin.Found], settled: [RowJoin.Found])] = []
        var crowds: [(kind: LogRow.Kind, crowds: UntimedCrowds)] = []
        for kind in [LogRow.Kind.exchange, .request, .response]
        where rowClasses.contains(where: { $0.kind == kind }) {
            conventions[kind] = redirectConvention(kind)
            if kind != .request { book.setRedirects(conventions[kind]) }
            let (join, found) = joinTimed(kind)
            joins.append((join, found, settled(found, join)))
            book.enter(joins[joins.count - 1].settled, kind)
            if kind == .request { loneRequests = LoneRequests(log.rows, book.matching.fates) }
            guard let untimed = joinUntimed(kind) else { continue }
            joins.append((untimed.join, untimed.found, settled(untimed.found, untimed.join)))
            book.enter(joins[joins.count - 1].settled, kind)
            guard let own = untimed.crowds else { continue }
            crowds.append((kind, own))
            book.enter(own.found(nil), kind)
        }
        if let test = judge?(book.matching) {
            for index in joins.indices {
                let kind = joins[index].join.kind
                let decided = joins[index].join.decide(joins[index].found, test: test)
                book.withdraw(joins[index].settled, kind)
                book.enter(settled(decided, joins[index].join), kind)
            }
            for item in crowds {
                book.withdraw(item.crowds.found(nil), item.kind)
                book.enter(item.crowds.found(test), item.kind)
            }
        }
        for item in joins {
            work.heapSteps += item.join.work.heapSteps
            work.comparedPairs += item.join.work.comparedPairs
        }
        book.settle(log.rows, calls, classes, clock)
        if !hasRedirectedRow { book.forgetRedirects() }
        book.setClock(ClockCausality(log, calls, book.matching, clock, coarseChannel).fit)
    }

    /// Joins rows with times. Where those are whole seconds and the rows are in the order of time, it is done again with
    /// what their order tells.
    private func joinTimed(_ kind: LogRow.Kind) -> (join: RowJoin, found: [RowJoin.Found]) {
        let seen = calls(for: kind)
        var join = makeJoin(kind, rowClasses, seen, clock: clock, rows: log.rows)
        // Where all times are whole seconds, their order is looked at by `RefinedTimes`.
        join.isInOrderOfEnds = kind == .exchange && coarseChannel == .exchangeEnd
        let found = join.solve(rounds: LogMatcher.rounds)
        guard let finer = RefinedTimes(kind, log.rows, found, seen, clock) else { return (join, found) }
        var fineClock = clock
        let end = kind == .response ? TimeChannel.responseEnd : .exchangeEnd
        fineClock.noise[end.rawValue] = TimeNoise(lag: 0, slack: finer.spread, limit: finer.spread)
        var refined = makeJoin(kind, rowClasses, seen, clock: fineClock, rows: finer.rows, isEndRefined: true)
        // Before the pair is made: the join is what it has learned.
        let refinedFound = refined.solve(rounds: LogMatcher.rounds)
        return (refined, refinedFound)
    }

    /// Some row has a hop of a redirected call: without one nothing tells how the log records redirections.
    private var hasRedirectedRow: Bool {
        calls.indices.contains { place in
            chains.isHop(place) && book.hasResponseRow(call: Int32(truncatingIfNeeded: place))
        }
    }

    /// The exchanges under the names and times by which rows of a kind know them.
    package func calls(for kind: LogRow.Kind) -> [WireCall] { chains.calls(as: conventions[kind] ?? .hops, for: kind) }

    /// - Parameter places: of the calls among all; nil: these are all.
    func makeJoin(
        _ kind: LogRow.Kind, _ classes: [RowClass], _ calls: [WireCall], at places: [Int]? = nil, clock: ClockModel,
        rows: [LogRow], resolution: Int64? = nil, timing: RowTiming = .own, isEndRefined: Bool = false
    ) -> RowJoin {
        let model = JoinModel(
            kind, clock, resolution: resolution ?? log.timeResolution, span: span, timing: timing,
            isEndRefined: isEndRefined)
        var lacksRequest = kind == .response ? book.callsWithoutRequest : []
        if let places, !lacksRequest.isEmpty { lacksRequest = places.map { lacksRequest[$0] } }
        func isCandidate(_ index: Int) -> Bool {
            let place = places?[index] ?? index
            return calls[index].number >= 0 && book.isFree(call: Int32(truncatingIfNeeded: place), for: kind)
        }
        var join = RowJoin(
            kind, rows, calls, clock, classes, self.classes, model, lacksRequest: lacksRequest, isCandidate: isCandidate
        )
        if kind == .response, let loneRequests { join.setRequests(loneRequests) }
        return join
    }

    /// How the log records redirections: the convention by which its rows with the names of such calls are likeliest.
    /// Nil where no call was redirected, or no row could tell.
    private func redirectConvention(_ kind: LogRow.Kind) -> RedirectConvention? {
        let conventions = RedirectChains.conventions(kind)
        guard !chains.isEmpty, conventions.count > 1 else { return nil }
        let hops = calls.indices.filter { isKnownHop($0) }
        let affected = rows(kind, of: hops)
        if affected.isEmpty { return nil }
        let isTimed = affected.contains { rowClass in
            rowClass.rows.contains { row in
                kind.channels.contains { UsableTime.contains($0.time(of: log.rows[Int(row)])) }
            }
        }
        guard isTimed else { return untimedConvention(kind, conventions) }
        var best: (cost: Int64, convention: RedirectConvention)?
        for convention in conventions {
            let cost = cost(of: affected, hops, chains, as: convention, kind)
            if cost < best?.cost ?? .max { best = (cost, convention) }
        }
        return best?.convention
    }

    /// The same of rows without times: the convention by which most of them have an exchange, as far as names, statuses and
    /// their order tell; of several, the one that leaves fewest calls without a row.
    private func untimedConvention(
        _ kind: LogRow.Kind, _ conventions: [RedirectConvention]
    ) -> RedirectConvention? {
        var best: (matched: Int, unmatched: Int, convention: RedirectConvention)?
        for convention in conventions {
            var trial = self
            trial.conventions[kind] = convention
            guard let joined = trial.joinUntimed(kind) else { return nil }
            let matched = (joined.found + (joined.crowds?.found(nil) ?? [])).count { $0.call >= 0 }
            let unmatched = trial.calls(for: kind).count { $0.number >= 0 } - matched
            if let best, (best.matched, -best.unmatched) >= (matched, -unmatched) { continue }
            best = (matched, unmatched, convention)
        }
        return best?.convention
    }

    private func settled(_ found: [RowJoin.Found], _ join: RowJoin) -> [RowJoin.Found] {
        let convention = conventions[join.kind]
        guard convention == .task || convention == .firstURLOnLast else { return found }
        return doubts.settle(found, of: join) { book.isFree(call: $0, for: join.kind) }
    }

    /// A hop of a chain that begins with names of the log: other apps' redirections tell nothing of how the log has its own.
    private func isKnownHop(_ place: Int) -> Bool {
        let first = calls[chains.firstHop(of: place)]
        return chains.isHop(place) && first.host >= 0 && first.path >= 0
    }

    /// Rows of a kind with the names of calls; a host that the row lacks is any.
    private func rows(_ kind: LogRow.Kind, of places: [Int]) -> [RowClass] {
        let (paths, hosts) = (Set(places.map { calls[$0].path }), Set(places.map { calls[$0].host }))
        return rowClasses.compactMap { rowClass in
            guard rowClass.kind == kind else { return nil }
            var affected = rowClass
            affected.rows = rowClass.rows.filter { index in
                let row = log.rows[Int(index)]
                return paths.contains(row.path) && (row.host < 0 || hosts.contains(row.host))
            }
            return affected.rows.isEmpty ? nil : affected
        }
    }

    /// −ln(likelihood) of rows and the exchanges with the paths of some places, thousandths.
    private func cost(
        of affected: [RowClass], _ places: [Int], _ chains: RedirectChains, as convention: RedirectConvention,
        _ kind: LogRow.Kind
    ) -> Int64 {
        let paths = Set(places.map { calls[$0].path }).filter { $0 >= 0 }
        var (seen, kept): ([WireCall], [Int]) = ([], [])
        for place in calls.indices {
            var call = chains.call(place, as: convention, for: kind)
            // Calls of names that the log lacks have no row by any convention, but for hops of its own calls.
            let isOne = call.number >= 0 && (isKnownHop(place) || call.host >= 0 && paths.contains(call.path))
            // The first and the last call tell how long the capture is.
            guard isOne || place == 0 || place == calls.count - 1 else { continue }
            if !isOne { call.number = -1 }
            seen.append(call)
            kept.append(place)
        }
        var join = makeJoin(kind, affected, seen, at: kept, clock: clock, rows: log.rows)
        _ = join.solve(rounds: 2)
        return join.totalCost(calls: seen.count { $0.number >= 0 })
    }

    private mutating func estimateClock() -> ClockModel {
        let largest = rowClasses.indices.sorted { rowClasses[$0].rows.count > rowClasses[$1].rows.count }
            .prefix(LogMatcher.clockClasses).sorted()
        let tables = largest.flatMap { index in makeTables(rowClasses[index]) }
        var clock = ClockEstimator(tables, resolution: log.timeResolution).estimate(&work)
        if let channel = coarseChannel?.rawValue { clock.noise[channel].widen(toStep: TimeChannel.second) }
        return clock
    }

    /// Repeated rows tell nothing of clocks, nor do coarse times beside finer ones: how far they lie from their events
    /// depends on where in its second the capture began.
    private func makeTables(_ rowClass: RowClass) -> [TimeTable] {
        let rows = rowClass.rows.filter { classes.originals[Int($0)] < 0 }
        let groups = MatchingGroups(rows, of: log.rows, rowClass.kind, rowClass.columns, calls)
        return rowClass.kind.channels.filter { $0 != coarseChannel }.map { TimeTable(groups, $0, log.rows, calls) }
    }
}
