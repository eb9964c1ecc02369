import WireAccuracy

/// Outcomes of a check in plain words.
struct CheckWords {
    let report: CheckReport

    /// Source, direction and API: `sdk.sqlite up, total`.
    func subject(_ outcome: CheckOutcome) -> String {
        let first = [outcome.source.map { displayText($0) }, outcome.direction?.rawValue].compactMap { $0 }
        let second = outcome.api.map { displayText($0) } ?? "total"
        return first.isEmpty ? second : "\(first.joined(separator: " ")), \(second)"
    }

    func rule(_ outcome: CheckOutcome) -> String {
        report.rules.indices.contains(outcome.rule) ? displayText(report.rules[outcome.rule].text) : "?"
    }

    /// What was found: `bias -32.9 % is beyond 5 %`.
    func finding(_ outcome: CheckOutcome) -> String {
        switch outcome.finding {
        case .measured(let figure, let bound): measured(figure, bound, outcome.verdict)
        case .compared(let figure, let before, let baseline, let tolerance):
            compared(figure, before, displayText(baseline), tolerance)
        case .newAPI(let baseline): "not in \(displayText(baseline)): new"
        case .nothing(let why): displayText(why)
        }
    }

    private func measured(
        _ figure: CheckFigure, _ bound: PolicyRule.Bound, _ verdict: CheckOutcome.Verdict
    ) -> String {
        let limit = amount(bound.value, figure, unlike: nil)
        guard figure.value.isFinite else {
            return "\(name(figure)) cannot be a share of 0 bytes, so it is \(relation(figure, .violated)) \(limit)"
        }
        let value = amount(figure.value, figure, unlike: verdict == .violated ? bound.value : nil)
        let share = figure.metric == .coverage ? " of \(figure.unit == .percentOfBytes ? "bytes" : "calls")" : ""
        return "\(name(figure)) \(value)\(share) is \(relation(figure, verdict)) \(limit)"
    }

    private func compared(_ figure: CheckFigure, _ before: Double, _ baseline: String, _ tolerance: Double) -> String {
        let more = figure.metric.isWire ? "more" : "worse"
        let allowed = tolerance == 0 ? "nothing" : (decimalText(tolerance, places: 6) ?? "?") + " %"
        let now = figure.value.isFinite ? amount(figure.value, figure, unlike: before) : "of 0 bytes"
        let then = before.isFinite ? amount(before, figure, unlike: figure.value) : "of 0 bytes"
        return "\(name(figure)) \(now), was \(then) in \(baseline); \(allowed) \(more) is allowed"
    }

    private func name(_ figure: CheckFigure) -> String {
        let name =
            switch figure.metric {
            case .bias: "bias"
            case .error: "mean error"
            case .p50Error: "p50 error"
            case .p90Error: "p90 error"
            case .p99Error: "p99 error"
            case .maximumError: "largest error"
            case .coverage: "coverage"
            case .wire: "wire"
            case .wirePerCall: "wire per call"
            }
        let against = figure.truth == .wire ? " against wire bytes" : ""
        return name + against + (figure.isApproximate ? " of about" : "")
    }

    private func relation(_ figure: CheckFigure, _ verdict: CheckOutcome.Verdict) -> String {
        if verdict != .violated { return figure.metric.isMinimum ? "not below" : "within" }
        return figure.metric.isMinimum ? "below" : figure.metric == .bias ? "beyond" : "above"
    }

    /// With one decimal, or as many as it takes to look different from the other value.
    private func amount(_ value: Double, _ figure: CheckFigure, unlike other: Double?) -> String {
        var places = other == nil ? 6 : 1
        while places < 6, let other, number(value, places) == number(other, places), value != other { places += 1 }
        return number(value, places) + (figure.unit == .bytes ? " B" : " %")
    }

    private func number(_ value: Double, _ places: Int) -> String {
        guard let text = decimalText(value, places: places) else { return "?" }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let whole = Int(first), !(whole == 0 && value < 0) else { return text }
        return ([grouped(whole)] + parts.dropFirst().map(String.init)).joined(separator: ".")
    }
}
