import WireAccuracy
import WireCore
import WireEstimates
import WireStatistics

/// What a calibration expected of calls, beside what was found.
public struct CalibrationFinding: Sendable, Equatable {
    /// What a call was expected to lack, and what it lacks: bytes. Of all APIs together by their calls.
    public var expected: Double
    public var found: Double
    /// Calls that the constant was fitted to; nil of all APIs together.
    public var fitted: Int?
    /// Calls of this run whose API has a constant, and all of them.
    public var calls: Int
    public var allCalls: Int
    /// What the corrected error may miss by chance, in the unit of the bound: calls spread, and the constants were
    /// fitted to few.
    public var allowance: Double
}

/// Bounds on errors that a calibration corrected. The constants hold in the mean, so the bound is exceeded where the error
/// is beyond it by more than chance: of all figures of a run together in one unchanged run out of 25 at most.
///
/// The fallback is a guess at APIs of which nothing is known: how far one lies from it, nobody can tell from other APIs. So an
/// API without a constant of its own is not judged, and all APIs together are those that have one. Where these have less than
/// half of the calls, the calibration says too little of all.
extension PolicyEvaluation {
    /// Nil where the calibration has no constant for the API, or of all for less than half of the calls.
    func calibrated(
        _ metric: PolicyRule.Metric, _ bound: PolicyRule.Bound, _ row: AccuracyRow, _ place: CheckPlace
    ) -> CheckOutcome? {
        let parts = calibratedParts(row)
        let calls = parts.reduce(0) { $0 &+ $1.expectation.calls }
        guard calls > 0, row.api != nil || calls &* 2 >= row.message.count else { return nil }
        let error = parts.reduce(0.0) { $0 + Double($1.row.message.errorTotal) }
        let truth = parts.reduce(0.0) { $0 + Double($1.row.message.truthTotal) }
        let isShare = bound.unit == .percent
        let figure = CheckFigure(
            metric, isShare ? CheckFigure.percent(error, of: truth) : error / Double(calls), bound.unit)
        let bytes = allowedError(parts.map(\.expectation), calls)
        let allowance = isShare ? (truth > 0 ? bytes / truth * 100 : .infinity) : bytes / Double(calls)
        let isExceeded = figure.exceeds(bound.value + allowance)
        var outcome = place.outcome(isExceeded ? .violated : .passed, .measured(figure, bound: bound))
        let expected = parts.reduce(0) { $0 + $1.expectation.constant.mean * Double($1.expectation.calls) }
        let found = -parts.reduce(0.0) { $0 + Double($1.row.messageCauses.sum) }
        outcome.calibration = CalibrationFinding(
            expected: expected / Double(calls), found: found / Double(calls),
            fitted: row.api == nil ? nil : parts[0].expectation.constant.count,
            calls: calls, allCalls: row.message.count, allowance: allowance)
        if isExceeded { outcome.explanation = grown(parts, calls) }
        return outcome
    }

    private typealias CalibratedPart = (expectation: CalibrationExpectation, row: AccuracyRow)

    private func calibratedParts(_ row: AccuracyRow) -> [CalibratedPart] {
        result.expectations.filter { part in
            part.direction == row.direction && part.calls > 0 && !part.isFallback
                && (row.api == nil || part.api == row.api)
        }.compactMap { part in self.row(row.source, part.api, row.direction).map { (part, $0) } }
    }

    /// By how much a sum of errors may differ from what was expected without a change: bytes.
    private func allowedError(_ parts: [CalibrationExpectation], _ calls: Int) -> Double {
        let variance = parts.reduce(0) { $0 + $1.variance }
        // By Welch and Satterthwaite.
        let whole = parts.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom }
        let freedom = whole > 0 ? variance * variance / whole : 2
        let figures = result.expectations.count { !$0.isFallback }
        let limit = StudentT.limit(
            bothTails: ChanceLevel.ofRun / Double(max(figures, 1)), freedom: max(2, freedom))
        // A byte a call is no change: a header field more or less makes it.
        return limit * variance.squareRoot() + Double(calls)
    }

    /// The causes that moved the error away from what was expected, in bytes of a call.
    private func grown(_ parts: [CalibratedPart], _ calls: Int) -> CheckExplanation? {
        func change(_ cause: ErrorCause) -> Double {
            parts.reduce(0) { sum, part in
                let expected = (part.expectation.causes[cause] ?? 0) * Double(part.expectation.calls)
                return sum + Double(part.row.messageCauses[cause]) - expected
            } / Double(calls)
        }
        let changes = ErrorCause.allCases.map { ($0, change($0)) }
        let sign = changes.reduce(0) { $0 + $1.1 } < 0 ? -1.0 : 1.0
        return CheckExplanation(.change, weights: changes.map { (.error($0.0), $0.1 * sign) })
    }
}
