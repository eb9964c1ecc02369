/// A formula held against the figures of a log in one direction.
public struct LogFormula: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// With the parameters that the SDK's project has published.
        case published
        /// With the parameters that give most figures of the log.
        case fitted
    }

    public var kind: Kind
    public var direction: Direction
    /// The estimator with each parameter that is not the default.
    public var id: String
    /// All parameters.
    public var parameters: String
    /// Figures of the first half of the sampled rows, to which the parameters are fitted: those that the formula gives
    /// to the byte, and all.
    public var fittingExact: Int
    public var fittingCompared: Int
    /// The same of the second half, which only confirms.
    public var confirmingExact: Int
    public var confirmingCompared: Int
    /// Start lines of the sampled rows that the formula does not give because the SDK writes its own reason phrase.
    public var guessedReasons: Int
}

extension LogModel {
    /// The published and the fitted formula of each direction.
    var formulas: [LogFormula] {
        Direction.allCases.flatMap { direction -> [LogFormula] in
            guard let fit = fit(direction) else { return [] }
            return [(LogFormula.Kind.published, fit.published), (.fitted, fit.fitted)].map { kind, formula in
                LogFormula(
                    kind: kind, direction: direction, id: formula.formula.shortID,
                    parameters: formula.formula.parameters, fittingExact: formula.fitting.exact,
                    fittingCompared: formula.fitting.compared, confirmingExact: formula.confirming.exact,
                    confirmingCompared: formula.confirming.compared,
                    guessedReasons: kind == .fitted ? fit.guessedRows : 0)
            }
        }
    }
}
