import WireLogs

/// Times of an exchange by the log's clock; `Int64.min` where there is none.
package struct CallMoments {
    package var start: Int64
    package var end: Int64
    package var opened: Int64

    init(_ call: WireCall, _ clock: ClockModel) {
        func known(_ time: Int64) -> Int64 { UsableTime.contains(time) ? clock.logTime(time) : .min }
        (start, end, opened) = (known(call.start), known(call.end), known(call.opened))
    }
}

/// Where the times of rows come from.
enum RowTiming {
    case own
    /// Rows have no times but those that their order tells.
    case order
    /// Not even that: all have the same time, in the middle.
    case none
}

/// How likely it is that a row of one kind is of an exchange, by its times: costs are −ln(likelihood) in thousandths.
///
/// The app writes the row of a request when it asks for it: before the connection is opened, where one must be, and
/// before it is sent at the latest. It writes the row of a response when its queue gets to it. So the row of a request
/// is held against both moments, and no delay is impossible. See `DelayDensity`.
package struct JoinModel {
    package let kind: LogRow.Kind
    private(set) var sending: DelayDensity
    private(set) var opening: DelayDensity
    private(set) var ending: DelayDensity
    /// Of rows of calls that the app gave up, around the moment when it closed the connection.
    private(set) var closing: DelayDensity
    /// By how much rows of exchanges say that a call took longer than it did on the wire. Only where the clocks'
    /// difference is not known: it may be seconds, and moves both times of a row alike.
    private let lasting: DelayDensity?
    /// Of rows written behind events.
    private var busy = BusyTimes()
    private(set) var failures = FailureRates()
    /// Share of exchanges that have a row.
    private(set) var recorded = 0.9
    /// Shares of rows that have no exchange: calls that were given up before they were sent tell of a failure.
    private(set) var orphaned = OrphanRates()
    /// Share of rows that repeat another one and have no exchange, however far one may be. Nil: not known yet.
    private(set) var repeated: Double?
    private let resolution: Int64
    let timing: RowTiming
    /// From the first to the last exchange, nanoseconds.
    private let span: Double

    /// Where a row may be so far from its exchange, nothing was found out about the clocks.
    private static let blindSlack: Int64 = 1_000_000_000
    /// An app sees the start and the end of a call within about so much of the wire.
    private static let usualLatency: Int64 = 20_000_000
    /// A request that fails does so within two minutes.
    private static let failureReach: Int64 = 120_000_000_000
    /// Log of the range over which failures are spread: one millisecond to two minutes.
    private static let failureRange = 11.7
    /// ln 2, and ln 20: the first request of a connection waited for it in half the cases; another may have.
    private static let firstCost: Int32 = 693
    private static let laterCost: Int32 = 3000
    private static let revalidationCost: Int32 = 2000
    private static let unseenStatusCost: Int32 = 700
    /// −ln(9/10), and ln 10: of calls that were given up, one row in ten is not written when the connection is closed.
    private static let closingCost: Int32 = 105
    private static let unclosedCost: Int32 = 2303
    /// ln 20: the rows around one were written late, so that it seems older than its exchange, or far from it.
    private static let disorderCost: Int32 = 3000
    /// e^6, about 400 to 1.
    private static let earlyCost: Int32 = 6000

    init(
        _ kind: LogRow.Kind, _ clock: ClockModel, resolution: Int64, span: Int64, timing: RowTiming = .own,
        isEndRefined: Bool = false
    ) {
        self.kind = kind
        self.timing = timing
        self.resolution = max(1, resolution)
        self.span = Double(max(span, 1_000_000_000))
        func density(_ channel: TimeChannel, before: Double, after: Double, isFine: Bool = false) -> DelayDensity {
            let noise = clock.noise[channel.rawValue]
            return DelayDensity(
                center: noise.lag, spread: noise.slack, scale: max(isFine ? 0 : resolution / 4, noise.slack / 16),
                rareBefore: before, rareAfter: after)
        }
        let isWhole = kind == .exchange
        sending = density(isWhole ? .exchangeStart : .requestStart, before: 2, after: 0.3)
        opening = density(isWhole ? .exchangeStart : .requestStart, before: 2, after: 0.3)
        let end = isWhole ? TimeChannel.exchangeEnd : .responseEnd
        ending = density(end, before: isEndRefined ? 2 : 0.3, after: 2, isFine: isEndRefined)
        closing = density(end, before: 1, after: 2, isFine: isEndRefined)
        let isBlind = clock.fit.pairs == 0 && clock.noise[end.rawValue].slack >= JoinModel.blindSlack
        lasting =
            isWhole && isBlind
            ? DelayDensity(
                center: 0, spread: JoinModel.usualLatency, scale: resolution / 4, rareBefore: 1, rareAfter: 2)
            : nil
    }

    // MARK: Learning

    /// Learns delays and failures from pairs that are certain, busy times from all, and the share of exchanges that have a
    /// row. A row of zeros at a whole response is hardly ever certain: without the others such rows would look impossible.
    /// So all whole responses count. Other pairs that are not certain confirm nothing: they are what was supposed.
    ///
    /// - Parameters:
    ///   - orphans: how often rows found no exchange.
    ///   - unexplained: rows of zeros among them that could be of whole responses without a row, and no time tells more.
    ///   - calls: exchanges that some row may have.
    mutating func fit(_ samples: [Sample], orphans: OrphanRates, unexplained: Int = 0, calls: Int) {
        learnDelays(samples)
        if kind != .request {
            failures = FailureRates(
                samples.lazy.filter { $0.isCertain || $0.outcome == .whole }
                    .map { (outcome: $0.outcome, tellsFailure: $0.tellsFailure) },
                unexplained: unexplained)
        }
        guard calls > 0 else { return }
        recorded = min(0.99, max(0.05, (Double(samples.count) + 1) / (Double(calls) + 2)))
        orphaned = orphans
    }

    private mutating func learnDelays(_ samples: [Sample]) {
        if timing == .none { return }
        var (sent, opened, ended, closed): ([Int64], [Int64], [Int64], [Int64]) = ([], [], [], [])
        var late: [(event: Int64, row: Int64)] = []
        let lateness = max(20_000_000, ending.core).saturatingAdd(ending.center)
        for sample in samples {
            let (row, moments) = (sample.row, sample.moments)
            if kind != .response, sample.isCertain, let delay = delay(row.time, moments.start) {
                let other = sample.isFirst ? self.delay(row.time, moments.opened) : nil
                if let other, opening.cost(other) < sending.cost(delay) {
                    opened.append(other)
                } else {
                    sent.append(delay)
                }
            }
            let end = kind == .response ? row.time : row.end
            if kind != .request, !sample.isFailed, let delay = delay(end, moments.end) {
                if sample.isCertain { ended.append(delay) }
                if delay > lateness { late.append((moments.end, end)) }
            }
            if kind != .request, sample.isGivenUp, sample.isCertain, let delay = delay(end, moments.end) {
                closed.append(delay)
            }
        }
        sending.fit(sent)
        opening.fit(opened)
        ending.fit(ended)
        closing.fit(closed)
        busy = BusyTimes(late)
    }

    /// Tells how many rows repeat another one and found no exchange, however far one may be. Few are chance.
    mutating func setRepeats(_ repeats: Int, rows: Int) {
        repeated = repeats * 100 >= rows && repeats > 1 ? Double(repeats) / Double(max(1, rows)) : nil
    }

    // MARK: Costs

    private func delay(_ row: Int64, _ event: Int64) -> Int64? {
        guard UsableTime.contains(row), UsableTime.contains(event) else { return nil }
        return row.saturatingSubtract(event)
    }

    /// Of a pair; nil where the two cannot be one.
    func cost(_ row: LogRow, isFailure: Bool, _ call: WireCall, _ moments: CallMoments) -> Int32? {
        guard let status = statusCost(row, call) else { return nil }
        var cost = status
        switch kind {
        case .request:
            guard let start = startCost(row.time, call, moments) else { return nil }
            cost += start
        case .response:
            guard let end = endCost(row.time, isFailure, call, moments) else { return nil }
            cost += end
        case .exchange:
            let start = startCost(row.time, call, moments)
            var end = endCost(row.end, isFailure, call, moments)
            if start == nil, end == nil { return nil }
            if start != nil, let own = end, let lasting = lastingCost(row, call, moments) { end = min(own, lasting) }
            // A time that only one of the two has says nothing: it costs what it would cost a row without exchange.
            cost += (start ?? unknownCost(row.time)) + (end ?? unknownCost(row.end))
        }
        if kind != .request { cost += failures.cost(call.outcome, tellsFailure: isFailure) }
        return cost - recordedCost
    }

    private func unknownCost(_ time: Int64) -> Int32 { UsableTime.contains(time) ? JoinModel.durationCost : 0 }

    func statusCost(_ row: LogRow, _ call: WireCall) -> Int32? {
        if row.status == 0 || kind == .request || row.status == call.status { return 0 }
        if call.status == 304, row.status == 200 { return JoinModel.revalidationCost }
        return call.status == 0 ? JoinModel.unseenStatusCost : nil
    }

    private func startCost(_ time: Int64, _ call: WireCall, _ moments: CallMoments) -> Int32? {
        guard let sent = delay(time, moments.start) else { return nil }
        if timing == .none { return levelCost }
        let cost = sending.cost(sent)
        guard let opened = delay(time, moments.opened) else { return cost }
        if call.isFirst {
            return min(cost + JoinModel.firstCost, opening.cost(opened) + JoinModel.firstCost)
        }
        return min(cost, opening.cost(opened) + JoinModel.laterCost)
    }

    private func endCost(_ time: Int64, _ isFailure: Bool, _ call: WireCall, _ moments: CallMoments) -> Int32? {
        if timing == .none {
            return delay(time, moments.end) ?? delay(time, moments.start) == nil ? nil : levelCost
        }
        var best: Int32?
        // What an aborted exchange still had on its way says nothing of when the app gave up.
        if call.isGivenUp || !(isFailure && call.isFailed), let delay = delay(time, moments.end) {
            let usual = (call.isGivenUp ? closing.cost(delay) : ending.cost(delay)) + earlyCost(time, moments)
            let slack = resolution.saturatingAdd(2_000_000)
            best = min(usual, busy.cost(event: moments.end, row: time, slack: slack) ?? usual)
        }
        if call.isGivenUp, let closed = best {
            let other = delay(time, moments.start).flatMap { failureCost($0) }
            return min(closed + JoinModel.closingCost, other.map { $0 + JoinModel.unclosedCost } ?? .max)
        }
        // A call whose answer comes whole is given up before that: behind its end a row of zeros is as late as others.
        let isOver = !call.isFailed && (delay(time, moments.end) ?? .min) > tolerance
        guard isFailure || call.isFailed, !isOver, let since = delay(time, moments.start) else { return best }
        return failureCost(since).map { min(best ?? $0, $0) } ?? best
    }

    /// How exact most rows are, late ones among them.
    private var tolerance: Int64 { max(resolution, ending.core, sending.core).saturatingAdd(1_000_000) }

    /// Of the end of a row that lies before the exchange has begun, which is not for clocks to explain.
    private func earlyCost(_ time: Int64, _ moments: CallMoments) -> Int32 {
        guard timing == .own, let since = delay(time, moments.start) else { return 0 }
        return since < earliest ? JoinModel.earlyCost : 0
    }

    /// A row that tells of an end is no earlier than so much behind the beginning, as exactly as most rows are written.
    private var earliest: Int64 { min(0, ending.least).saturatingSubtract(resolution).saturatingSubtract(1_000_000) }

    /// Of the end of a row whose start is known, by how long the call took.
    private func lastingCost(_ row: LogRow, _ call: WireCall, _ moments: CallMoments) -> Int32? {
        guard let lasting, let ended = delay(row.end, moments.end) else { return nil }
        let began = [moments.start, call.isFirst ? moments.opened : .min].compactMap { delay(row.time, $0) }
        return began.map { lasting.cost(ended.saturatingSubtract($0)) }.min()
    }

    /// Of a row that was written so long behind the start of its exchange, when the app gave up.
    private func failureCost(_ since: Int64) -> Int32? {
        let isEarly = timing == .own ? since < earliest : since <= -tolerance
        guard timing != .own || !isEarly, since.magnitude < JoinModel.failureReach.magnitude else { return nil }
        let distance = isEarly ? Int64(0).saturatingSubtract(since) : max(0, since)
        let spread = JoinModel.failureRange * Double(distance.saturatingAdd(tolerance))
        return thousandths(spread.naturalLogarithm) + (isEarly ? JoinModel.disorderCost : 0)
    }

    /// An exchange without row costs that; a pair saves it.
    var recordedCost: Int32 { thousandths((recorded / (1 - recorded)).naturalLogarithm) }

    /// Of an exchange that the app did not record, against nothing at all.
    var unrecordedCost: Int32 { thousandths(-(1 - recorded).naturalLogarithm) }

    /// −ln(density) of the end of a row without exchange when its start is known: within about a second.
    private static let durationCost: Int32 = 20_700

    /// Of a row without exchange among so many exchanges that it could be of.
    func leaveCost(_ row: LogRow, candidates: Int) -> Int32 {
        // Where rows have times of their own, those tell which failures were never sent. A row that tells of an answer has
        // an exchange in any case, as nearly all such rows do.
        let isByTimes = timing == .own && row.tellsFailure
        let share = isByTimes ? orphaned.share : orphaned.share(tellsFailure: row.tellsFailure)
        let rate = share * Double(max(1, candidates)) / span
        return thousandths(-rate.naturalLogarithm) + (times(row) > 1 ? JoinModel.durationCost : 0)
            // What order tells of times is no reason to leave a row without an exchange.
            + (timing == .order ? JoinModel.disorderCost : 0)
    }

    /// Of a row that repeats another one in all columns: the finer its times are, the less likely two calls are. Nil
    /// while it is not known how often that happens: rows are repetitions only when they must be.
    func repeatCost(_ row: LogRow) -> Int32? {
        guard let repeated else { return nil }
        let fineness = thousandths(Double(resolution).naturalLogarithm)
        return thousandths(-repeated.naturalLogarithm) + fineness * Int32(max(1, times(row)))
    }

    /// Of any time, where rows have none and every exchange is as near as the other.
    private var levelCost: Int32 { thousandths(span.naturalLogarithm) }

    private func times(_ row: LogRow) -> Int {
        kind == .exchange ? [row.time, row.end].count { UsableTime.contains($0) } : 1
    }
}
