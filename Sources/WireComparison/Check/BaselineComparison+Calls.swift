import WireCore
import WireLogs
import WireStatistics

/// Both runs' calls of one API, one by one.
struct CallPart {
    var now: CallErrors
    var then: CallErrors
    /// Bytes of both runs.
    var weight: Double
    var sessions: RunChange.Sessions
    var blocksNow: [TimeBlock]
    var blocksThen: [TimeBlock]
    /// Each estimate is 0 in both runs: whatever the messages are, all of them is missed, and that is no change.
    var isWithoutEstimate: Bool

    /// Calls seen in one way: their errors one by one, and by time.
    typealias View = (series: KeyPath<CallErrors, ErrorSeries>, errors: KeyPath<TimeBlock, Double>)

    func change(_ view: View, isAbsolute: Bool) -> RunChange? {
        let (now, then) = (now[keyPath: view.series], then[keyPath: view.series])
        let center = then.median
        guard let signed = RunChange.errors(now, then),
            var change = isAbsolute ? RunChange.errors(now, then, isAbsolute: true) : signed
        else { return nil }
        if isWithoutEstimate {
            (change.change, change.variance) = (0, 0)
            return change
        }
        func residuals(_ blocks: [TimeBlock]) -> BlockResiduals? {
            BlockResiduals(blocks, { $0[keyPath: view.errors] - center * $0.inverses }, per: \.calls)
        }
        change.blocks = RunChange.Blocks(now: residuals(blocksNow), before: residuals(blocksThen))
        // Absolute errors depend on time as those with a sign do.
        if isAbsolute { change.blocks = change.blocks.scaled(by: (change.variance / signed.variance).squareRoot()) }
        return change.between(sessions, \.messageEffect)
    }
}

extension BaselineComparison {
    /// The API's calls; of a total those of all APIs. Empty where a run does not hold them.
    func callParts(_ pair: Pair, _ source: Int) -> [CallPart] {
        let pairs = pair.now.api == nil ? parts(source, pair.now.direction) : [pair]
        var calls: [CallPart] = []
        for pair in pairs {
            guard let now = pair.now.spread, let then = pair.then.spread, let nowCalls = now.calls,
                let thenCalls = then.calls
            else { return [] }
            calls.append(
                CallPart(
                    now: nowCalls, then: thenCalls, weight: weight(pair), sessions: sessions(pair),
                    blocksNow: now.blocks, blocksThen: then.blocks,
                    isWithoutEstimate: now.message?.isWithoutEstimate == true
                        && then.message?.isWithoutEstimate == true))
        }
        return calls
    }

    /// Completed calls only: failed ones are judged apart.
    func errorTest(_ metric: PolicyRule.Metric, _ parts: [CallPart], isTotal: Bool) -> BaselineFigure.Test {
        let isAbsolute = metric == .error
        let views: [(basis: RunAllowance.Basis, view: CallPart.View)] =
            isAbsolute
            ? [(.absoluteErrors, (\.completed, \.errors))]
            : [
                (.signedErrors, (\.completed, \.errors)),
                (.signedErrorsWithoutBodies, (\.withoutBodies, \.errorsWithoutBodies)),
            ]
        var found: [(change: RunChange, basis: RunAllowance.Basis)] = []
        for view in views {
            let changes = parts.compactMap { part in
                part.change(view.view, isAbsolute: isAbsolute).map { (weight: part.weight, change: $0) }
            }
            let change = isTotal ? RunChange.mean(changes) : changes.first?.change
            guard let change, change.freedom >= 2, isTotal || change.hasEnoughCalls else { continue }
            // What bodies do not touch is one view, not two.
            if let first = found.first, first.change == change { continue }
            found.append((change, view.basis))
        }
        guard !found.isEmpty else {
            return .tooFew(
                parts.reduce(0) { $0 &+ $1.now.completed.calls }, parts.reduce(0) { $0 &+ $1.then.completed.calls })
        }
        return .views(found)
    }

    /// Failed calls of an API: how many there are, and the error of those.
    func failures(_ parts: [CallPart], _ place: CheckPlace) -> [BaselineFigure] {
        guard place.api != nil, let part = parts.first else { return [] }
        let (now, then) = (part.now.failed.calls, part.then.failed.calls)
        let (allNow, allThen) = (now &+ part.now.completed.calls, then &+ part.then.completed.calls)
        guard now &+ then > 0, allNow > 0, allThen > 0 else { return [] }
        let counts = LostCalls(
            now: [LostCalls.Run(calls: allNow, lost: now)], before: [LostCalls.Run(calls: allThen, lost: then)])
        var figures: [BaselineFigure] = []
        func add(_ metric: PolicyRule.Metric, _ values: (Double, Double), _ test: BaselineFigure.Test) {
            var figure = CheckFigure(metric, values.0 * 100, .percent)
            figure.calls = .failed
            figures.append(BaselineFigure(place: place, figure: figure, before: values.1 * 100, test: test))
        }
        add(
            .coverage, (Double(now) / Double(allNow), Double(then) / Double(allThen)),
            counts.isComparable ? .failed(counts) : .tooFew(allNow, allThen))
        // Such errors have no constant: each is taken as a share of its message.
        let failed = RunChange.errors(part.now.failed, part.then.failed, center: 0)
        if let change = failed?.between(part.sessions, \.messageEffect), change.hasEnoughCalls {
            let means = (
                part.now.failed.moments(around: 0).mean, part.then.failed.moments(around: 0).mean
            )
            add(.bias, means, .views([(change, .signedErrors)]))
        }
        return figures
    }
}

extension BaselineComparison {
    /// Calls of an API that no figure of a log is about, because its rows are ambiguous or state no size. Without it a change
    /// that makes rows fit no exchange any more would be seen by nobody. Nil where the baseline has no figure either.
    func openCalls(
        _ source: Int, _ api: Int?, _ direction: Direction, _ place: CheckPlace
    ) -> BaselineFigure? {
        guard let api, evaluation.result.sources[source].kind == .log, rule.truth == .message,
            evaluation.result.apiCalls.indices.contains(api), evaluation.result.apiCalls[api] >= rule.minimumCalls,
            let before = baseline.apiCalls[evaluation.result.apis[api]],
            let then = baseline.row(names[source], evaluation.result.apis[api], direction)
        else { return nil }
        let calls = evaluation.result.apiCalls[api]
        let covered = evaluation.row(source, api, direction)?.coverage.calls ?? 0
        let counts = LostCalls(
            now: [LostCalls.Run(calls: calls, lost: calls &- covered)],
            before: [LostCalls.Run(calls: before, lost: before &- then.coverage.calls)])
        guard counts.isComparable else { return nil }
        func share(_ run: LostCalls.Run) -> Double { Double(run.lost) / Double(run.calls) * 100 }
        var figure = CheckFigure(.coverage, share(counts.now[0]), .percent)
        figure.calls = .open
        return BaselineFigure(place: place, figure: figure, before: share(counts.before[0]), test: .open(counts))
    }
}

extension BaselineFigure {
    /// The figure of a row without its failed calls: the mean relative error of the completed ones.
    mutating func takeCompleted(_ part: CallPart) {
        guard part.now.failed.calls > 0 || part.then.failed.calls > 0 else { return }
        let isAbsolute = figure.metric == .error
        let now = part.now.completed.moments(around: 0, isAbsolute: isAbsolute)
        let then = part.then.completed.moments(around: 0, isAbsolute: isAbsolute)
        guard now.calls > 0, then.calls > 0 else { return }
        figure.value = now.mean * 100
        figure.calls = .completed
        before = then.mean * 100
    }
}
