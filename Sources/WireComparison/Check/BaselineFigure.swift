import WireStatistics

/// A figure of this run and what it was in the baseline, before it is judged.
struct BaselineFigure {
    /// By what the two are held against each other.
    enum Test {
        case change(RunChange, RunAllowance.Basis, scaleMean: Double)
        /// The error of calls in several views; the one that stands out most counts.
        case views([(change: RunChange, basis: RunAllowance.Basis)])
        case lost(LostCalls)
        case failed(LostCalls)
        case open(LostCalls)
        /// There is no spread to judge by: the tolerance alone decides. In percentage points, what rounding may add.
        case tolerance(rounding: Double)
        /// Too few calls for a judgement, in this run and in the earlier one.
        case tooFew(Int, Int)
    }

    var place: CheckPlace
    var figure: CheckFigure
    var before: Double
    var test: Test
    /// Of the row that it was measured in.
    var explanation: CheckExplanation?

    /// It can be violated by chance.
    var isByChance: Bool {
        switch test {
        case .change: true
        // The mean |error| is judged only where the error itself has not changed, and shares its chance.
        case .views: figure.metric != .error
        case .lost(let calls), .failed(let calls), .open(let calls): calls.isComparable
        case .tolerance, .tooFew: false
        }
    }
}

/// How much may differ between two runs in which nothing changed.
struct ChanceLevel {
    /// A whole run with all its figures is violated by chance this often at most. Lower than one run in twenty, since
    /// errors do not follow a normal distribution as closely as the limits assume.
    static let ofRun = 0.04

    /// Calls fail in bursts, when a user scrolls or the network is away, so their number varies more than that of
    /// independent events: a change must be so many times less likely.
    private static let burst = 20.0

    /// Of one figure: the chance is shared out evenly (Bonferroni).
    private let ofFigure: Double

    init(figures: Int, rules: Int) { ofFigure = ChanceLevel.ofRun / Double(max(figures, 1)) / Double(max(rules, 1)) }

    /// The outcome of a figure with a tolerance in percentage points.
    func outcome(_ compared: BaselineFigure, _ baseline: String, _ tolerance: Double) -> CheckOutcome {
        let run = allowance(compared.test)
        let isWorse: Bool
        switch compared.test {
        case .tooFew(let now, let before):
            let why =
                "\(now) and \(before) calls in the two runs, \(RunChange.fewestCalls) in each are needed to judge it alone"
            var outcome = compared.place.outcome(.notApplicable, .nothing(why))
            outcome.isOfTooFewCalls = compared.figure.metric == .bias
            return outcome
        case .tolerance(let rounding): isWorse = exceedsTolerance(compared, tolerance, rounding)
        case .change, .views, .lost, .failed, .open:
            guard let run else { return compared.place.outcome(.notApplicable, .nothing("no allowance")) }
            let change = run.basis.isTwoSided ? abs(run.change) : run.change
            isWorse = !(change <= (run.allowance + tolerance) * (1 + 1e-12))
        }
        let finding = CheckOutcome.Finding.compared(
            compared.figure, before: compared.before, baseline: baseline, tolerance: tolerance, run)
        var outcome = compared.place.outcome(isWorse ? .violated : .passed, finding)
        if isWorse { outcome.explanation = compared.explanation }
        return outcome
    }

    private func allowance(_ test: BaselineFigure.Test) -> RunAllowance? {
        switch test {
        case .tolerance, .tooFew: nil
        case .lost(let calls): lost(calls, .lostCalls, oneTail: ofFigure)
        case .failed(let calls): failed(calls)
        // Bursts decide how many rows are left open, so the number varies as that of failed calls does.
        case .open(let calls): lost(calls, .openCalls, oneTail: ofFigure / ChanceLevel.burst)
        case .views(let views): views.map { view($0, of: views.count) }.max { standing($0) < standing($1) }
        case .change(let change, .sizes, let mean):
            RunAllowance(
                .sizes, change: (SizeSpread.factor(change.change, from: mean) - 1) * 100,
                allowance: (SizeSpread.factor(change.allowance(bothTails: 2 * ofFigure), from: mean) - 1) * 100,
                callsNow: change.callsNow, callsBefore: change.callsBefore, sessions: change.sessions)
        case .change(let change, let basis, _): view((change, basis), of: 1)
        }
    }

    /// Views share the chance of their figure.
    private func view(
        _ view: (change: RunChange, basis: RunAllowance.Basis), of count: Int
    ) -> RunAllowance {
        let probability = (view.basis.isTwoSided ? ofFigure : 2 * ofFigure) / Double(max(count, 1))
        var run = RunAllowance(
            view.basis, change: view.change.change * 100,
            allowance: view.change.allowance(bothTails: probability) * 100, callsNow: view.change.callsNow,
            callsBefore: view.change.callsBefore, sessions: view.change.sessions)
        run.visible = view.change.visible(bothTails: probability) * 100
        return run
    }

    /// The change in allowances.
    private func standing(_ run: RunAllowance) -> Double {
        let change = run.basis.isTwoSided ? abs(run.change) : run.change
        return run.allowance > 0 ? change / run.allowance : change > 0 ? .infinity : 0
    }

    /// More failed calls or fewer.
    private func failed(_ calls: LostCalls) -> RunAllowance {
        let more = lost(calls, .failedCalls, oneTail: ofFigure / ChanceLevel.burst / 2)
        guard more.change < 0 else { return more }
        var fewer = lost(calls.complement, .failedCalls, oneTail: ofFigure / ChanceLevel.burst / 2)
        fewer.change = -fewer.change
        return fewer
    }

    /// Lost calls in percent of the calls, against what the earlier run leads to expect.
    private func lost(
        _ calls: LostCalls, _ basis: RunAllowance.Basis, oneTail probability: Double
    ) -> RunAllowance {
        let whole = Double(calls.callsNow)
        let lost = Double(calls.lostNow) - calls.expected
        let allowed = Double(calls.allowed(oneTail: probability)) - calls.expected
        return RunAllowance(
            basis, change: whole > 0 ? lost / whole * 100 : 0, allowance: whole > 0 ? allowed / whole * 100 : 0,
            callsNow: calls.callsNow, callsBefore: calls.callsBefore)
    }

    private func exceedsTolerance(_ compared: BaselineFigure, _ tolerance: Double, _ rounding: Double) -> Bool {
        let (figure, before) = (compared.figure, compared.before)
        if figure.metric.isWire { return figure.exceeds(before * (1 + tolerance / 100)) }
        if figure.metric.isMinimum { return figure.exceeds(before - tolerance) }
        return figure.exceeds(abs(before) + tolerance + rounding)
    }
}
