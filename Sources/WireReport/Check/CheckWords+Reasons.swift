import WireComparison
import WireCore
import WireEstimates
import WireRecords

/// Allowances, and what violated figures are made of.
extension CheckWords {
    /// What changed and what may: `changed by +2 % at equal message sizes; allowance ±0.31 % from the spread of both
    /// runs, n=42/39`.
    func allowance(_ run: RunAllowance?, _ tolerance: Double, _ figure: CheckFigure) -> String {
        guard let run else {
            let allowed = tolerance == 0 ? "nothing" : percent(tolerance)
            return
                "\(allowed) \(figure.metric.isWire ? "more" : "worse") is allowed: the baseline does not contain the spread of the calls"
        }
        let change =
            switch run.basis {
            case .signedErrors: "changed by \(signed(run.change)) at equal message sizes"
            case .signedErrorsWithoutBodies:
                "excluding bodies, it changed by \(signed(run.change)) at equal message sizes"
            case .absoluteErrors: "the spread of its calls changed by \(signed(run.change)) at equal message sizes"
            case .sizes: "a typical call changed by \(signed(run.change))"
            case .lostCalls: "\(signed(run.change)) of calls lost beyond the number expected from both runs"
            case .failedCalls, .openCalls: "\(signed(run.change)) of calls beyond the number expected from both runs"
            }
        let sign = run.basis.isTwoSided ? "±" : "+"
        let more = tolerance == 0 ? "" : " and \(percent(tolerance)) tolerance"
        return "\(change); allowance \(sign)\(percent(run.allowance)) from the spread of both runs\(more), "
            + "n=\(run.callsNow)/\(run.callsBefore)"
            + (run.sessions.map { " calls of \($0.now)/\($0.before) sessions" } ?? "")
            + (CheckWords.visible(run, figure).map { "; cannot detect changes below \(percent($0))" } ?? "")
    }

    /// The smallest change of a source's figures, in percent of them, that 19 of 20 runs show.
    static func visible(_ run: RunAllowance, _ figure: CheckFigure) -> Double? {
        guard let visible = run.visible, figure.metric == .bias, figure.calls != .failed else { return nil }
        // Changes are shares of the message; the figures are this share of it.
        let share = 1 + figure.value / 100
        return share > 0 ? visible / share : .infinity
    }

    private func signed(_ value: Double) -> String {
        let text = percent(value)
        return value > 0 && text != "0 %" ? "+" + text : text
    }

    /// Two digits that count.
    private func percent(_ value: Double) -> String {
        guard value.isFinite else { return "any %" }
        var places = 1
        var size = abs(value)
        while places < 6, size < 1, size > 0 {
            size *= 10
            places += 1
        }
        return (decimalText(value, places: places) ?? "?") + " %"
    }

    /// The clauses that name causes and the API.
    func explanation(_ explanation: CheckExplanation) -> [String] {
        let whole =
            switch explanation.whole {
            case .figure: "of it"
            case .change: "of the change"
            case .missing: "of the missing bytes"
            }
        var clauses = explanation.shares.enumerated().map { index, share in
            "\(share.share == 1 ? "all" : rounded(share.share)) \(index == 0 ? whole + ": " : "")\(name(share.part))"
        }
        if let api = explanation.api {
            clauses.append(
                "\(explanation.apiShare == 1 ? "all" : rounded(explanation.apiShare)) \(whole) in \(displayText(api))")
        }
        return clauses
    }

    /// Never 0 or 100 for what is neither.
    private func rounded(_ share: Double) -> String {
        let percent = (share * 100).rounded()
        if percent < 1 { return "less than 1 %" }
        return percent > 99 && share < 1 ? "more than 99 %" : "\(Int(percent)) %"
    }

    private func name(_ part: CheckExplanation.Part) -> String {
        switch part {
        case .error(let cause): "\(cause.meaning) (\(cause.name))"
        case .bytes(let cause): cause.words
        }
    }
}

extension Cause {
    /// In a sentence on wire bytes.
    fileprivate var words: String { self == .teardown ? "closing of connections" : title }
}
