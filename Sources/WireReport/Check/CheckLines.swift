import WireAccuracy

extension CheckReport {
    /// One line for each violation, then APIs that a baseline does not know, and a summary. With `verbose` all
    /// outcomes.
    public func lines(verbose: Bool = false) -> [String] {
        let words = CheckWords(report: self)
        var lines: [String] = []
        for outcome in outcomes where verbose || outcome.verdict == .violated {
            if case .newAPI = outcome.finding { continue }
            lines.append(words.line(outcome, marked: verbose))
        }
        for outcome in outcomes {
            guard case .newAPI(let baseline) = outcome.finding else { continue }
            lines.append("new since \(displayText(baseline)): \(displayText(outcome.api ?? "?"))")
        }
        lines.append(summary)
        return lines
    }

    private var summary: String {
        let skipped = outcomes.count { $0.verdict == .notApplicable }
        let judged = outcomes.count - skipped
        let checks = judged == 1 ? "1 check" : "\(grouped(judged)) checks"
        let rest = skipped == 0 ? "" : ", \(grouped(skipped)) not applicable"
        if violations == 0 { return "\(checks) passed\(rest)\(basis)" }
        return "\(grouped(violations)) of \(checks) violated\(rest)\(basis)"
    }

    /// Where allowances come from, where there were any.
    private var basis: String {
        let hasAllowance = outcomes.contains {
            if case .compared(_, _, _, _, .some) = $0.finding { true } else { false }
        }
        return hasAllowance
            ? "; allowances from the spread of both runs: 1 unchanged run in 50 exceeds one by chance" : ""
    }
}

extension CheckWords {
    /// Subject and finding; where there was nothing to judge also the rule.
    fileprivate func line(_ outcome: CheckOutcome, marked: Bool) -> String {
        let mark =
            switch outcome.verdict {
            case _ where !marked: ""
            case .passed: "ok        "
            case .violated: "violated  "
            case .notApplicable: "skipped   "
            }
        guard case .nothing = outcome.finding else { return mark + sentence(outcome) }
        guard outcome.source != nil || outcome.api != nil else { return "\(mark)\(rule(outcome)): \(finding(outcome))" }
        return "\(mark)\(sentence(outcome)) (\(rule(outcome)))"
    }
}
