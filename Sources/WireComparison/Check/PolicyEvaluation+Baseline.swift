import Spelling
import WireCore

/// What is compared with a baseline is, for each source, API and direction, the error in total and the mean error of a
/// call, both in percent of the truth, and the coverage of calls; and for each API and direction the wire bytes per
/// call.
///
/// Two runs of the same app differ, so what may differ follows from the spread of their calls (`RunChange`,
/// `LostCalls`): of all figures of a run together, no more than one run in fifty is violated by chance. The error in
/// total must not change in either direction, because an error of the other sign hides one that was there before. The
/// others must not become worse. Totals are judged API by API, so that another mix of APIs is no change.
///
/// Where the baseline holds no spread, "worse" is further from zero by more than the tolerance.
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
            return addNothing(noAPI(pattern, result.apis), place, lacking)
        }
        listNewAPIs(apis, baseline, path, place)
        let names = baselineNames(baseline)
        let comparison = BaselineComparison(self, rule, baseline, path, names: names)
        let known = sources.filter { baseline.sources.contains(names[$0]) }
        if known.isEmpty, let why = noCommonName(sources, baseline, path) { return addNothing(why, place, .violated) }
        let wire = comparison.wire(known, apis, place)
        var entries: [(source: Int, entries: [BaselineComparison.Entry])] = []
        for source in known { entries.append((source, comparison.errors(source, apis, place))) }
        let all = wire + entries.flatMap(\.entries)
        let rules = report.rules.count { if case .baseline = $0.demand { true } else { false } }
        let level = ChanceLevel(figures: all.count { $0.figure?.isByChance == true }, rules: rules)
        let before = report.outcomes.count
        for entry in wire { add(entry.outcome(level, path, tolerance)) }
        for source in sources {
            place.source = result.sources[source].id
            if let own = entries.first(where: { $0.source == source }) {
                for outcome in listedOnce(own.entries.map { $0.outcome(level, path, tolerance) }) { add(outcome) }
            } else {
                let verdict = result.sources[source].kind == .log ? CheckOutcome.Verdict.violated : .notApplicable
                addNothing("not in the baseline \(quoted(path))", place, verdict)
            }
        }
        place.source = nil
        if report.outcomes[before...].allSatisfy({ $0.verdict == .notApplicable }) {
            addNothing("nothing in the baseline \(quoted(path)) could be compared", place, lacking)
        }
    }

    /// What the baseline calls each source of this run: the same; and where each has one log only, these two are held
    /// against each other whatever their files are called.
    private func baselineNames(_ baseline: AccuracyBaseline) -> [String] {
        let logs = result.sources.indices.filter { result.sources[$0].kind == .log }
        var names = result.sources.map(\.id)
        if logs.count == 1, baseline.logs.count == 1 { names[logs[0]] = baseline.logs[0] }
        return names
    }

    /// Nil where the sources are not logs.
    private func noCommonName(_ sources: [Int], _ baseline: AccuracyBaseline, _ path: String) -> String? {
        let logs = sources.filter { result.sources[$0].kind == .log }.map { result.sources[$0].id }
        guard !logs.isEmpty else { return nil }
        func list(_ names: [String]) -> String {
            names.isEmpty ? "no log" : names.map { quoted($0) }.joined(separator: ", ")
        }
        return "no log of this run has the name of one in the baseline \(quoted(path)): here \(list(logs)), there "
            + "\(list(baseline.logs)); give each log file the name that it has there, or compare one log with one"
    }

    /// A change that several figures show is listed with the first: an API's error, then its mean |error|; and what the
    /// APIs show, not their total again.
    private func listedOnce(_ outcomes: [CheckOutcome]) -> [CheckOutcome] {
        let violated = outcomes.filter { $0.verdict == .violated && ($0.isOfErrors(.bias) || $0.isOfErrors(.error)) }
        return outcomes.map { outcome in
            guard violated.contains(outcome) else { return outcome }
            let isListed = violated.contains { first in
                guard first.direction == outcome.direction else { return false }
                if first.api == outcome.api { return first.isOfErrors(.bias) && outcome.isOfErrors(.error) }
                return outcome.api == nil
            }
            var outcome = outcome
            if isListed { outcome.verdict = .notApplicable }
            return outcome
        }
    }

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
}

extension CheckOutcome {
    /// A comparison of errors with those of a baseline, not those of failed calls.
    fileprivate func isOfErrors(_ metric: PolicyRule.Metric) -> Bool {
        guard case .compared(let figure, _, _, _, _) = finding else { return false }
        return figure.metric == metric && figure.calls != .failed
    }
}
