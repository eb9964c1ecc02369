import WireComparison
import WireRecords

/// Outcomes of a check in plain words.
struct CheckWords {
    let report: CheckReport

    /// API and source: `POST api.example.com /v1/orders (sdk.sqlite)`.
    func subject(_ outcome: CheckOutcome) -> String {
        if case .reading = outcome.finding { return outcome.source.map { displayText($0) } ?? "the traffic" }
        let rule = report.rules.indices.contains(outcome.rule) ? report.rules[outcome.rule] : nil
        if case .bound(let metric, _)? = rule?.demand, metric.isOfFleet { return "the fleet" }
        let api = outcome.api.map { displayText($0) } ?? "all APIs"
        return outcome.source.map { "\(api) (\(displayText($0)))" } ?? api
    }

    /// The subject where the finding does not say the direction.
    func subjectAndSide(_ outcome: CheckOutcome) -> String {
        let side = outcome.direction.map { $0 == .up ? ", requests" : ", responses" } ?? ""
        return subject(outcome) + side
    }

    /// Subject and finding.
    func sentence(_ outcome: CheckOutcome) -> String {
        switch outcome.finding {
        case .nothing: return "\(subjectAndSide(outcome)): \(finding(outcome))"
        case .obstructed: return "\(outcome.source.map { displayText($0) } ?? "all APIs"): \(finding(outcome))"
        default: break
        }
        return "\(subject(outcome)): \(finding(outcome))"
    }

    func rule(_ outcome: CheckOutcome) -> String {
        report.rules.indices.contains(outcome.rule) ? displayText(report.rules[outcome.rule].text) : "?"
    }

    /// What was found, and for a violation where it comes from: `request error -32.9 % exceeds 5 %; 68 % of it: …`.
    func finding(_ outcome: CheckOutcome) -> String {
        let side = outcome.direction.map { $0 == .up ? "request " : "response " } ?? ""
        let text =
            switch outcome.finding {
            case .measured(let figure, let bound): side + measured(figure, bound, outcome.verdict)
            case .compared(let figure, let before, let baseline, let tolerance, let run):
                side + compared(figure, before, displayText(baseline)) + "; " + allowance(run, tolerance, figure)
            case .newAPI(let baseline): "not in \(displayText(baseline)): new"
            case .nothing(let why): displayText(why)
            case .reading(let share, let bound): reading(share, bound)
            case .obstructed(let obstacle): obstructed(obstacle)
            }
        return ([text] + expectation(outcome) + (outcome.explanation.map(explanation) ?? [])).joined(separator: "; ")
    }

    /// `expected 203 B to add to each call (n=10), found 196 B (n=12); allowance ±0.4 %`
    private func expectation(_ outcome: CheckOutcome) -> [String] {
        guard let found = outcome.calibration, case .measured(let figure, _) = outcome.finding else { return [] }
        let whose = found.fitted.map { " (n=\($0))" } ?? ""
        let calls = found.calls == found.allCalls ? "\(found.calls)" : "\(found.calls) of \(found.allCalls) calls"
        let allowance = found.allowance.isFinite ? amount(found.allowance, figure.unit, unlike: 0) : "any"
        return [
            "expected \(amount(found.expected, .bytes, unlike: found.found)) missing in each call\(whose), found "
                + "\(amount(found.found, .bytes, unlike: found.expected)) (n=\(calls)); "
                + "allowance ±\(allowance) from the spread of calls"
        ]
    }

    private func measured(
        _ figure: CheckFigure, _ bound: PolicyRule.Bound, _ verdict: CheckOutcome.Verdict
    ) -> String {
        let limit = amount(bound.value, figure.unit, unlike: nil)
        if let range = figure.range { return measured(range, figure, limit, verdict) }
        guard figure.value.isFinite else {
            return "\(name(figure)) cannot be a share of 0 bytes, so it \(relation(figure, .violated)) \(limit)"
        }
        let value = amount(figure.value, figure.unit, unlike: verdict == .violated ? bound.value : nil)
        let share = figure.metric == .coverage ? " of \(figure.unit == .percentOfBytes ? "bytes" : "calls")" : ""
        let range = figure.interval.map(words)
        // The interval decides, not the figure.
        let isOpen = verdict != .violated && figure.interval != nil && figure.value > bound.value
        let relation = isOpen ? "is not significantly above" : relation(figure, verdict)
        return "\(name(figure)) \(value)\(share)\(range ?? "") \(relation) \(limit)"
    }

    /// All that a figure of calls can be which were not read.
    private func measured(
        _ range: ClosedRange<Double>, _ figure: CheckFigure, _ limit: String, _ verdict: CheckOutcome.Verdict
    ) -> String {
        let low = amount(range.lowerBound, figure.unit, unlike: range.upperBound)
        let high = amount(range.upperBound, figure.unit, unlike: range.lowerBound)
        let what =
            range.upperBound.isFinite
            ? low == high ? "\(name(figure)) \(low)" : "\(name(figure)) between \(low) and \(high)"
            : "\(name(figure)) \(low) or more"
        guard verdict == .unjudged else { return "\(what) without keys \(relation(figure, verdict)) \(limit)" }
        return
            "\(what) without keys: whether it exceeds \(limit) cannot be judged; TLS keys would tell, and of HTTP/1.1 "
            + "often the client's port in the log (localPort)"
    }

    /// A 95 % interval. Too few sessions have no upper end, or none at all.
    private func words(_ interval: ClosedRange<Double>) -> String {
        let low = number(interval.lowerBound, 2)
        guard !interval.upperBound.isFinite else { return " (95 %: \(low) % to \(number(interval.upperBound, 2)) %)" }
        return interval.lowerBound > 0 ? " (95 %: at least \(low) %)" : " (too few sessions for an interval)"
    }

    private func compared(_ figure: CheckFigure, _ before: Double, _ baseline: String) -> String {
        let now = figure.value.isFinite ? amount(figure.value, figure.unit, unlike: before) : "of 0 bytes"
        let then = before.isFinite ? amount(before, figure.unit, unlike: figure.value) : "of 0 bytes"
        return "\(name(figure)) \(now), was \(then) in \(baseline)"
    }

    func name(_ figure: CheckFigure) -> String {
        let name =
            switch figure.metric {
            case .bias: "error"
            case .error: "mean |error|"
            case .p50Error: "median |error|"
            case .p90Error: "p90 of |error|"
            case .p99Error: "p99 of |error|"
            case .maximumError: "largest |error|"
            case .p50SessionError: "median |error| of sessions"
            case .p90SessionError: "p90 of |error| of sessions"
            case .p99SessionError: "p99 of |error| of sessions"
            case .failedSessions: "failed sessions"
            case .coverage: "coverage"
            case .read: "read"
            case .wire: "wire bytes"
            case .wirePerCall: "wire bytes per call"
            }
        if figure.metric == .coverage, figure.calls == .failed { return "share of failed calls" }
        if figure.calls == .open { return "share of calls without an unambiguous row" }
        let calls =
            switch figure.calls {
            case .all: ""
            case .completed: " of completed calls"
            case .failed: " of failed calls"
            case .open: ""
            }
        let against = figure.truth == .wire ? " against wire bytes" : ""
        return name + calls + against + (figure.isApproximate ? " of about" : "")
    }

    private func relation(_ figure: CheckFigure, _ verdict: CheckOutcome.Verdict) -> String {
        if verdict != .violated { return figure.metric.isMinimum ? "is not below" : "is within" }
        return figure.metric.isMinimum ? "is below" : "exceeds"
    }

    /// With one decimal, or as many as it takes to look different from the other value.
    func amount(_ value: Double, _ unit: PolicyRule.Unit, unlike other: Double?) -> String {
        var places = other == nil ? 6 : 1
        while places < 6, let other, number(value, places) == number(other, places), value != other { places += 1 }
        return number(value, places) + (unit == .bytes ? " B" : " %")
    }

    private func number(_ value: Double, _ places: Int) -> String {
        guard let text = decimalText(value, places: places) else { return "?" }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard let first = parts.first, let whole = Int(first), !(whole == 0 && value < 0) else { return text }
        return ([grouped(whole)] + parts.dropFirst().map(String.init)).joined(separator: ".")
    }
}
