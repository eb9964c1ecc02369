import WireCore

/// A baseline that a rule names.
private struct NamedBaseline {
    var path: String
    var content: AccuracyBaseline
    /// In percentage points.
    var tolerance: Double
}

/// What is compared with a baseline is, for each source, API and direction, the bias of the totals and the mean error
/// of a call, both in percent of the truth, and the coverage of calls; and for each API and direction the wire bytes
/// per call. "Worse" is further from zero, and less for a coverage. Of wire bytes the tolerance is percent of what they
/// were.
extension PolicyEvaluation {
    mutating func compare(_ index: Int, _ rule: PolicyRule, _ path: String, _ tolerance: Double) {
        var place = CheckPlace(rule: index, direction: rule.direction)
        guard let baseline = baselines[path] else {
            return addNothing("the baseline \(quoted(path)) was not read", place, .violated)
        }
        let sources = selectedSources(rule)
        guard !sources.isEmpty else { return addNothing(noSource(rule), place, .violated) }
        let apis = rule.api.map { matching($0, result.apis) } ?? [nil] + matching(everything, result.apis)
        if let pattern = rule.api, apis.isEmpty {
            return addNothing(noAPI(pattern, result.apis), place, .violated)
        }
        listNewAPIs(apis, baseline, path, place)
        let named = NamedBaseline(path: path, content: baseline, tolerance: tolerance)
        let before = report.outcomes.count
        compareWire(sources, apis, rule, named, place)
        for source in sources {
            place.source = result.sources[source].id
            guard baseline.sources.contains(result.sources[source].id) else {
                let verdict = result.sources[source].kind == .log ? CheckOutcome.Verdict.violated : .notApplicable
                addNothing("not in the baseline \(quoted(path))", place, verdict)
                continue
            }
            for api in apis {
                for direction in directions(rule) { compareSource(source, api, direction, rule, named, place) }
            }
        }
        place.source = nil
        if report.outcomes[before...].allSatisfy({ $0.verdict == .notApplicable }) {
            addNothing("nothing in the baseline \(quoted(path)) could be compared", place, .violated)
        }
    }

    private func directions(_ rule: PolicyRule) -> [Direction] { rule.direction.map { [$0] } ?? Direction.allCases }

    private var everything: TextPattern { TextPattern("*", anywhere: false) }

    private mutating func listNewAPIs(
        _ apis: [Int?], _ baseline: AccuracyBaseline, _ path: String, _ place: CheckPlace
    ) {
        for case let api? in apis where !baseline.apis.contains(result.apis[api]) {
            var place = place
            place.api = result.apis[api]
            place.direction = nil
            add(place.outcome(.notApplicable, .newAPI(baseline: path)))
        }
    }

    private mutating func compareSource(
        _ source: Int, _ api: Int?, _ direction: Direction, _ rule: PolicyRule, _ baseline: NamedBaseline,
        _ place: CheckPlace
    ) {
        var place = place
        place.api = api.map { result.apis[$0] }
        place.direction = direction
        guard let row = row(source, api, direction) else { return }
        guard api == nil || row.coverage.calls >= rule.minimumCalls else {
            return addNothing(tooFewCalls(row.coverage.calls, rule), place, .notApplicable)
        }
        guard let old = baseline.content.row(result.sources[source].id, place.api, direction) else {
            return addNothing("not in the baseline \(quoted(baseline.path))", place, .notApplicable)
        }
        var oldRow = row
        (oldRow.coverage, oldRow.message, oldRow.wire) = (old.coverage, old.message, old.wire)
        for metric in [PolicyRule.Metric.bias, .error, .coverage] {
            guard let now = CheckFigure.measured(metric, .percent, rule.truth, in: row),
                let then = CheckFigure.measured(metric, .percent, rule.truth, in: oldRow)
            else { continue }
            let limit =
                metric.isMinimum
                ? then.value - baseline.tolerance
                : abs(then.value) + baseline.tolerance + (metric == .error ? rounding(oldRow, rule.truth) : 0)
            add(place, now, now.exceeds(limit), before: then.value, baseline)
        }
    }

    /// Wire bytes per call do not depend on the source: those of the first one that has them.
    private mutating func compareWire(
        _ sources: [Int], _ apis: [Int?], _ rule: PolicyRule, _ baseline: NamedBaseline, _ place: CheckPlace
    ) {
        for api in apis {
            for direction in directions(rule) {
                var place = place
                place.api = api.map { result.apis[$0] }
                place.direction = direction
                for source in sources {
                    guard let row = row(source, api, direction), api == nil || row.coverage.calls >= rule.minimumCalls,
                        let old = baseline.content.row(result.sources[source].id, place.api, direction),
                        let now = wirePerCall(row.coverage), let then = wirePerCall(old.coverage)
                    else { continue }
                    let figure = CheckFigure(.wirePerCall, now, .bytes)
                    let limit = then * (1 + baseline.tolerance / 100)
                    add(place, figure, figure.exceeds(limit), before: then, baseline)
                    break
                }
            }
        }
    }

    private mutating func add(
        _ place: CheckPlace, _ figure: CheckFigure, _ isWorse: Bool, before: Double, _ baseline: NamedBaseline
    ) {
        let finding = CheckOutcome.Finding.compared(
            figure, before: before, baseline: baseline.path, tolerance: baseline.tolerance)
        add(place.outcome(isWorse ? .violated : .passed, finding))
    }

    private func wirePerCall(_ coverage: Coverage) -> Double? {
        coverage.calls > 0 ? Double(coverage.wireBytes) / Double(coverage.calls) : nil
    }

    /// A mean error stands in a baseline with three decimals: a thousandth of a byte, in percent of the mean truth.
    private func rounding(_ row: AccuracyRow, _ truth: Truth) -> Double {
        let statistics = truth == .message ? row.message : row.wire
        let percent = CheckFigure.percent(0.001 * Double(statistics.count), of: Double(statistics.truthTotal))
        return percent.isFinite ? percent : 0
    }
}
