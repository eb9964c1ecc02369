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
            return addNothing(noAPI(pattern, result.apis), place, .violated)
        }
        listNewAPIs(apis, baseline, path, place)
        let comparison = BaselineComparison(self, rule, baseline, path)
        let known = sources.filter { baseline.sources.contains(result.sources[$0].id) }
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
                for entry in own.entries { add(entry.outcome(level, path, tolerance)) }
            } else {
                let verdict = result.sources[source].kind == .log ? CheckOutcome.Verdict.violated : .notApplicable
                addNothing("not in the baseline \(quoted(path))", place, verdict)
            }
        }
        place.source = nil
        if report.outcomes[before...].allSatisfy({ $0.verdict == .notApplicable }) {
            addNothing("nothing in the baseline \(quoted(path)) could be compared", place, .violated)
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
