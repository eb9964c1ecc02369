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

extension LogFormula {
    /// Figures of all sampled rows that the formula gives to the byte.
    public var exact: Int { fittingExact &+ confirmingExact }
    /// Figures of all sampled rows.
    public var compared: Int { fittingCompared &+ confirmingCompared }
}

extension LogModel {
    /// The published formula of each direction, and the fitted one where it gives more figures or is the same: what
    /// gives no more than the published formula is fitted to nothing.
    var formulas: [LogFormula] {
        Direction.allCases.flatMap { direction -> [LogFormula] in
            guard let fit = fit(direction) else { return [] }
            let isFitted =
                fit.fitted.score.exact + fit.guessedRows > fit.published.score.exact
                || (fit.fitted.score.exact > 0 && fit.fitted.formula.id == fit.published.formula.id)
            let formulas = [(LogFormula.Kind.published, fit.published)] + (isFitted ? [(.fitted, fit.fitted)] : [])
            return formulas.map { kind, formula in
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
