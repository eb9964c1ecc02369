import WireCore
import WireEstimates

/// What a calibration expected of calls, beside what was found.
public struct CalibrationFinding: Sendable, Equatable {
    /// What a call was expected to lack, and what it lacks: bytes. Of all APIs together by their calls.
    public var expected: Double
    public var found: Double
    /// Calls that the constant was fitted to; nil of all APIs together.
    public var fitted: Int?
    public var isFallback: Bool
    /// Calls of this run.
    public var calls: Int
    /// What the corrected error may miss by chance, in the unit of the bound: calls spread, and the constants were
    /// fitted to few.
    public var allowance: Double
}

/// Bounds on errors that a calibration corrected. The constants hold in the mean, so the bound is exceeded where the error
/// is beyond it by more than chance: of all figures of a run together in one unchanged run out of 25 at most.
extension PolicyEvaluation {
    func calibrated(
        _ figure: CheckFigure, _ bound: PolicyRule.Bound, _ row: AccuracyRow, _ place: CheckPlace
    ) -> CheckOutcome {
        let parts = result.expectations.filter {
            $0.direction == row.direction && (row.api == nil || $0.api == row.api)
        }
        let calls = parts.reduce(0) { $0 &+ $1.calls }
        guard calls > 0 else { return plain(figure, bound, place) }
        let variance = parts.reduce(0) { $0 + $1.variance }
        // By Welch and Satterthwaite.
        let whole = parts.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom }
        let freedom = whole > 0 ? variance * variance / whole : 2
        let probability = ChanceLevel.ofRun / Double(max(result.expectations.count, 1))
        let limit = StudentT.limit(bothTails: probability, freedom: max(2, freedom))
        // A byte a call is no change: a header field more or less makes it.
        let bytes = limit * variance.squareRoot() + Double(calls)
        let truth = Double(row.message.truthTotal)
        let allowance = bound.unit == .percent ? (truth > 0 ? bytes / truth * 100 : .infinity) : bytes / Double(calls)
        let isExceeded = figure.exceeds(bound.value + allowance)
        var outcome = place.outcome(isExceeded ? .violated : .passed, .measured(figure, bound: bound))
        let expected = parts.reduce(0) { $0 + $1.constant.mean * Double($1.calls) } / Double(calls)
        outcome.calibration = CalibrationFinding(
            expected: expected, found: -Double(row.messageCauses.sum) / Double(calls),
            fitted: row.api == nil ? nil : parts[0].constant.count, isFallback: parts.allSatisfy(\.isFallback),
            calls: calls, allowance: allowance)
        if isExceeded { outcome.explanation = grown(parts, row, calls) }
        return outcome
    }

    private func plain(_ figure: CheckFigure, _ bound: PolicyRule.Bound, _ place: CheckPlace) -> CheckOutcome {
        place.outcome(figure.exceeds(bound.value) ? .violated : .passed, .measured(figure, bound: bound))
    }

    /// The causes that moved the error away from what was expected, in bytes of a call.
    private func grown(_ parts: [CalibrationExpectation], _ row: AccuracyRow, _ calls: Int) -> CheckExplanation? {
        func change(_ cause: ErrorCause) -> Double {
            let expected = parts.reduce(0) { $0 + ($1.causes[cause] ?? 0) * Double($1.calls) }
            return (Double(row.messageCauses[cause]) - expected) / Double(calls)
        }
        let changes = ErrorCause.allCases.map { ($0, change($0)) }
        let sign = changes.reduce(0) { $0 + $1.1 } < 0 ? -1.0 : 1.0
        return CheckExplanation(.change, weights: changes.map { (.error($0.0), $0.1 * sign) })
    }
}
