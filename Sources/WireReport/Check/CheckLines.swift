import WireComparison
import WireRecords

extension CheckReport {
    /// One line for what could not be judged, by its reason, and for each violation; then APIs that a baseline does not know,
    /// and a summary. With `verbose` all outcomes.
    public func lines(verbose: Bool = false) -> [String] {
        let words = CheckWords(report: self)
        var lines: [String] = []
        var told: [CheckObstacle] = []
        for outcome in outcomes where verbose || outcome.verdict == .violated || outcome.verdict == .unjudged {
            if case .newAPI = outcome.finding { continue }
            if !verbose, case .obstructed(let obstacle) = outcome.finding {
                // What was not read was told as such.
                if case .unread = obstacle { continue }
                if told.contains(obstacle) { continue }
                told.append(obstacle)
            }
            lines.append(words.line(outcome, marked: verbose))
        }
        for outcome in outcomes {
            guard case .newAPI(let baseline) = outcome.finding else { continue }
            lines.append("new since \(displayText(baseline)): \(displayText(outcome.api ?? "?"))")
        }
        blindness.map { lines.append($0) }
        uncalibrated.map { lines.append($0) }
        unseen.map { lines.append($0) }
        lines.append(summary)
        return lines
    }

    private var summary: String {
        let skipped = outcomes.count { $0.verdict == .notApplicable }
        let judged = outcomes.count - skipped
        let checks = counted(judged, "check")
        let rest = skipped == 0 ? "" : ", \(grouped(skipped)) not applicable"
        if judgesNothing { return "nothing could be judged\(rest)\(basis); --verbose says why" }
        let faults = [(violations, "violated"), (unjudged, "not judged")].filter { $0.0 > 0 }
        guard !faults.isEmpty else { return "\(checks) passed\(rest)\(basis)" }
        let first = "\(grouped(faults[0].0)) of \(checks) \(faults[0].1)"
        return first + faults.dropFirst().map { ", \(grouped($0.0)) \($0.1)" }.joined() + rest + basis
    }

    /// A change that this many percent of a source's figures make is expected to be seen.
    private static let expectedChange = 2.0

    /// What the comparison with a baseline cannot see; nil where it sees all.
    private var blindness: String? {
        var (seen, tooFew, limits) = (0, 0, [Double]())
        for outcome in outcomes where outcome.api != nil && outcome.source != nil {
            switch outcome.finding {
            case .compared(let figure, _, _, _, .some(let run)):
                guard let limit = CheckWords.visible(run, figure) else { continue }
                if limit <= CheckReport.expectedChange { seen += 1 } else { limits.append(limit) }
            case .nothing where outcome.isOfTooFewCalls: tooFew += 1
            default: continue
            }
        }
        guard !limits.isEmpty || tooFew > 0 else { return nil }
        let all = seen + limits.count + tooFew
        var parts = tooFew > 0 ? ["\(grouped(tooFew)) with too few calls"] : []
        if let least = limits.min(), let most = limits.max() {
            let range = [least, most].map { $0.isFinite ? "\(decimalText($0, places: 1) ?? "?") %" : "any" }
            let words =
                limits.count == 1 || range[0] == range[1] ? "below \(range[0])" : "below \(range[0]) to \(range[1])"
            parts.append("\(grouped(limits.count)) cannot detect changes \(words)")
        }
        return
            "a change of 2 % in the figures of one API may go undetected in \(grouped(limits.count + tooFew)) of "
            + "\(grouped(all)) APIs and directions: \(parts.joined(separator: ", ")); --verbose names them"
    }

    /// How many APIs and directions the calibration leaves unjudged; nil where it knows all.
    private var uncalibrated: String? {
        let places = outcomes.lazy.filter(\.isUncalibrated).map { "\($0.direction == .up) \($0.api ?? "")" }
        let count = Set(places).count
        guard count > 0 else { return nil }
        let verb = count == 1 ? "has" : "have"
        return
            "\(counted(count, "API and direction", "APIs and directions")) \(verb) no constant in the calibration "
            + "and \(count == 1 ? "was" : "were") not checked; --verbose names them"
    }

    /// That estimators see nothing of calls that were not read; nil where all were, or logs are judged.
    private var unseen: String? {
        guard unreadConnections > 0, !simulated.isEmpty else { return nil }
        let (they, was) = unreadConnections == 1 ? ("it", "was") : ("them", "were")
        return
            "\(listed(simulated.map { displayText($0) }, most: 3)) \(simulated.count == 1 ? "estimates" : "estimate") calls that "
            + "were read: \(counted(unreadConnections, "TLS connection")) \(was) not decrypted, and calls on \(they) are in no "
            + "figure; decrypt \(they) with --keys FILE, or give the log of the SDK (--sdk-log), which is judged without keys as far "
            + "as records tell"
    }

    /// Where allowances come from, where there were any.
    private var basis: String {
        let hasAllowance = outcomes.contains {
            if case .compared(_, _, _, _, .some) = $0.finding { true } else { false }
        }
        return hasAllowance
            ? "; allowances from the spread of both runs: 1 unchanged run in 25 exceeds one by chance" : ""
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
            case .unjudged: "unjudged  "
            case .notApplicable: "skipped   "
            }
        guard case .nothing = outcome.finding else { return mark + sentence(outcome) }
        guard outcome.source != nil || outcome.api != nil else { return "\(mark)\(rule(outcome)): \(finding(outcome))" }
        return "\(mark)\(sentence(outcome)) (\(rule(outcome)))"
    }
}
