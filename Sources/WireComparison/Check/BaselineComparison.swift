import WireAccuracy
import WireCore
import WireLogs
import WireStatistics

/// Finds the figures that a rule compares with a baseline.
struct BaselineComparison {
    /// A figure, or why there is none.
    struct Entry {
        var figure: BaselineFigure?
        var nothing: CheckOutcome?

        func outcome(_ level: ChanceLevel, _ path: String, _ tolerance: Double) -> CheckOutcome {
            if let figure { return level.outcome(figure, path, tolerance) }
            return nothing ?? CheckPlace(rule: 0).outcome(.notApplicable, .nothing("nothing to compare"))
        }
    }

    let evaluation: PolicyEvaluation
    let rule: PolicyRule
    let baseline: AccuracyBaseline
    private let path: String
    /// What the baseline calls each source.
    let names: [String]

    typealias Pair = (now: AccuracyRow, then: AccuracyRow)

    init(
        _ evaluation: PolicyEvaluation, _ rule: PolicyRule, _ baseline: AccuracyBaseline, _ path: String,
        names: [String]
    ) {
        self.names = names
        self.evaluation = evaluation
        self.rule = rule
        self.baseline = baseline
        self.path = path
    }

    private var result: AccuracyResult { evaluation.result }

    private var directions: [Direction] { rule.direction.map { [$0] } ?? Direction.allCases }

    private func pair(_ source: Int, _ api: Int?, _ direction: Direction) -> Pair? {
        guard let now = evaluation.row(source, api, direction),
            let then = baseline.row(names[source], api.map { result.apis[$0] }, direction)
        else { return nil }
        return (now, then)
    }

    private func isLargeEnough(_ row: AccuracyRow, _ api: Int?) -> Bool {
        api == nil || row.coverage.calls >= rule.minimumCalls
    }

    /// Both runs' rows of all APIs that both have: what a total is judged by.
    func parts(_ source: Int, _ direction: Direction) -> [Pair] {
        result.apis.indices.compactMap { pair(source, $0, direction) }
    }
}

// MARK: Errors and coverage

extension BaselineComparison {
    func errors(_ source: Int, _ apis: [Int?], _ place: CheckPlace) -> [Entry] {
        var entries: [Entry] = []
        for api in apis {
            for direction in directions {
                var place = place
                place.source = result.sources[source].id
                place.api = api.map { result.apis[$0] }
                place.direction = direction
                if let open = openCalls(source, api, direction, place) { entries.append(Entry(figure: open)) }
                guard let now = evaluation.row(source, api, direction) else { continue }
                guard isLargeEnough(now, api) else {
                    let why = evaluation.tooFewCalls(now.coverage.calls, rule)
                    entries.append(Entry(nothing: place.outcome(.notApplicable, .nothing(why))))
                    continue
                }
                guard let pair = pair(source, api, direction) else {
                    let why = "not in the baseline \(quoted(path))"
                    entries.append(Entry(nothing: place.outcome(.notApplicable, .nothing(why))))
                    continue
                }
                entries += figures(pair, source, place).map { Entry(figure: $0) }
            }
        }
        return entries
    }

    private func figures(_ pair: Pair, _ source: Int, _ place: CheckPlace) -> [BaselineFigure] {
        var oldRow = pair.now
        (oldRow.coverage, oldRow.message, oldRow.wire) = (pair.then.coverage, pair.then.message, pair.then.wire)
        var figures: [BaselineFigure] = []
        let calls = rule.truth == .message ? callParts(pair, source) : []
        for metric in [PolicyRule.Metric.bias, .error, .coverage] {
            guard let now = CheckFigure.measured(metric, .percent, rule.truth, in: pair.now),
                let then = CheckFigure.measured(metric, .percent, rule.truth, in: oldRow)
            else { continue }
            let test =
                metric == .coverage
                ? lost(pair, source, place)
                : calls.isEmpty
                    ? errorTest(metric, pair, source, oldRow) : errorTest(metric, calls, isTotal: place.api == nil)
            if case .tooFew = test, metric == .error { continue }
            var figure = BaselineFigure(
                place: place, figure: now, before: then.value, test: test,
                explanation: evaluation.explanation(now, pair.now, before: pair.then))
            if metric != .coverage, place.api != nil, let part = calls.first { figure.takeCompleted(part) }
            figures.append(figure)
        }
        return figures + failures(calls, place)
    }

    private func lost(_ pair: Pair, _ source: Int, _ place: CheckPlace) -> BaselineFigure.Test {
        let pairs = place.api == nil ? parts(source, pair.now.direction) : [pair]
        let calls = LostCalls(
            now: pairs.map { LostCalls.Run($0.now.coverage) }, before: pairs.map { LostCalls.Run($0.then.coverage) })
        return .lost(calls)
    }

    private func errorTest(
        _ metric: PolicyRule.Metric, _ pair: Pair, _ source: Int, _ oldRow: AccuracyRow
    ) -> BaselineFigure.Test {
        let line = metric == .bias ? \ErrorSpread.signed : \ErrorSpread.absolute
        let statistics = rule.truth == .message ? pair.now.message : pair.now.wire
        guard pair.now.spread != nil, pair.then.spread != nil, statistics.truthTotal > 0 else {
            return .tolerance(rounding: metric == .error ? rounding(oldRow) : 0)
        }
        let basis = metric == .bias ? RunAllowance.Basis.signedErrors : .absoluteErrors
        guard pair.now.api == nil else {
            let calls = (spread(pair.now.spread)?.calls ?? 0, spread(pair.then.spread)?.calls ?? 0)
            guard let change = change(pair, line), change.hasEnoughCalls else { return .tooFew(calls.0, calls.1) }
            return .change(change, basis, scaleMean: 0)
        }
        let changes = parts(source, pair.now.direction).compactMap { part in
            change(part, line).map { (weight: weight(part), change: $0) }
        }
        guard let change = RunChange.mean(changes), change.freedom >= 2 else {
            return .tooFew(pair.now.message.count, pair.then.message.count)
        }
        return .change(change, basis, scaleMean: 0)
    }

    private func spread(_ spread: RowSpread?) -> ErrorSpread? {
        rule.truth == .message ? spread?.message : spread?.wire
    }

    private func change(_ pair: Pair, _ line: KeyPath<ErrorSpread, ErrorSpread.Line>) -> RunChange? {
        guard let now = spread(pair.now.spread), let then = spread(pair.then.spread) else { return nil }
        let effect = rule.truth == .message ? \SessionSpread.messageEffect : \.wireEffect
        guard var change = RunChange.errors(now, then, line) else { return nil }
        change.blocks = blocks(pair, change)
        return change.between(sessions(pair), effect)
    }

    /// Blocks hold the errors against messages. Other figures of the same calls depend on time as these do.
    private func blocks(_ pair: Pair, _ change: RunChange) -> RunChange.Blocks {
        guard let now = pair.now.spread, let then = pair.then.spread, let nowErrors = now.message,
            let thenErrors = then.message, let errors = RunChange.errors(nowErrors, thenErrors, \.signed),
            errors.variance > 0
        else { return RunChange.Blocks() }
        func residuals(_ blocks: [TimeBlock], _ slope: Double) -> BlockResiduals? {
            BlockResiduals(blocks, { $0.errors - slope * $0.inverses }, per: \.calls)
        }
        let blocks = RunChange.Blocks(
            now: residuals(now.blocks, nowErrors.signed.slope), before: residuals(then.blocks, thenErrors.signed.slope))
        return blocks.scaled(by: (change.variance / errors.variance).squareRoot())
    }

    func sessions(_ pair: Pair) -> RunChange.Sessions {
        RunChange.Sessions(now: pair.now.spread?.sessions, before: pair.then.spread?.sessions)
    }

    /// Bytes of both runs.
    func weight(_ pair: Pair) -> Double {
        rule.truth == .message
            ? Double(pair.now.message.truthTotal) + Double(pair.then.message.truthTotal)
            : Double(pair.now.wire.truthTotal) + Double(pair.then.wire.truthTotal)
    }

    /// A mean error stands in a baseline with three decimals: a thousandth of a byte, in percent of the mean truth.
    private func rounding(_ row: AccuracyRow) -> Double {
        let statistics = rule.truth == .message ? row.message : row.wire
        let percent = CheckFigure.percent(0.001 * Double(statistics.count), of: Double(statistics.truthTotal))
        return percent.isFinite ? percent : 0
    }
}

// MARK: Wire bytes

extension BaselineComparison {
    /// Wire bytes per call do not depend on the source: those of the first one that has them.
    func wire(_ sources: [Int], _ apis: [Int?], _ place: CheckPlace) -> [Entry] {
        var entries: [Entry] = []
        var common: [Direction: Double] = [:]
        for direction in directions { common[direction] = sources.first.map { commonChange($0, direction) } }
        for api in apis {
            for direction in directions {
                let found = sources.lazy.compactMap { source in
                    pair(source, api, direction).flatMap { isLargeEnough($0.now, api) ? (source, $0) : nil }
                }
                guard let (source, pair) = found.first, let now = perCall(pair.now.coverage),
                    let then = perCall(pair.then.coverage)
                else { continue }
                var place = place
                place.api = api.map { result.apis[$0] }
                place.direction = direction
                let test = wireTest(pair, source, common: common[direction] ?? 0)
                if case .tooFew = test, api != nil { continue }
                entries.append(
                    Entry(
                        figure: BaselineFigure(
                            place: place, figure: CheckFigure(.wirePerCall, now, .bytes), before: then, test: test)))
            }
        }
        return entries
    }

    private func perCall(_ coverage: Coverage) -> Double? {
        coverage.calls > 0 ? Double(coverage.wireBytes) / Double(coverage.calls) : nil
    }

    /// By how much the calls of half the APIs changed at least: a cookie that one session has and the other has not is
    /// in all calls of it. No API is violated by what it shares with the others; the total shows that.
    private func commonChange(_ source: Int, _ direction: Direction) -> Double {
        let changes = parts(source, direction).compactMap { part -> Double? in
            guard let now = part.now.spread?.size, let then = part.then.spread?.size else { return nil }
            return RunChange.sizes(now, then).map { abs($0.change) }
        }.sorted()
        return changes.count < RunChange.fewestCalls ? 0 : changes[changes.count / 2]
    }

    private func wireTest(_ pair: Pair, _ source: Int, common: Double) -> BaselineFigure.Test {
        guard let now = pair.now.spread?.size, let then = pair.then.spread?.size else { return .tolerance(rounding: 0) }
        guard pair.now.api == nil else {
            guard var change = sizes(pair), change.hasEnoughCalls else { return .tooFew(now.calls, then.calls) }
            change.resolution = common
            return .change(change, .sizes, scaleMean: then.mean)
        }
        let changes = parts(source, pair.now.direction).compactMap { part -> (weight: Double, change: RunChange)? in
            let weight = Double(part.now.coverage.wireBytes) + Double(part.then.coverage.wireBytes)
            return sizes(part).map { (weight, $0) }
        }
        guard let change = RunChange.mean(changes), change.freedom >= 2 else { return .tooFew(now.calls, then.calls) }
        return .change(change, .sizes, scaleMean: then.mean)
    }

    private func sizes(_ pair: Pair) -> RunChange? {
        guard let now = pair.now.spread, let then = pair.then.spread, let nowSizes = now.size,
            let thenSizes = then.size,
            var change = RunChange.sizes(nowSizes, thenSizes)
        else { return nil }
        change.blocks = RunChange.Blocks(
            now: BlockResiduals(now.blocks, \.sizes, per: \.sizedCalls),
            before: BlockResiduals(then.blocks, \.sizes, per: \.sizedCalls))
        return change.betweenSizes(sessions(pair))
    }
}
