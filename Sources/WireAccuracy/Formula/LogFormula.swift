import WireLogs

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
    public var fittingExact = 0
    public var fittingCompared = 0
    /// The same of the second half, which only confirms.
    public var confirmingExact = 0
    public var confirmingCompared = 0
    /// Start lines of the sampled rows that the formula does not give because the SDK writes its own reason phrase.
    public var guessedReasons = 0

    package init(kind: Kind, direction: Direction, id: String, parameters: String) {
        self.kind = kind
        self.direction = direction
        self.id = id
        self.parameters = parameters
    }
}

extension LogFormula {
    /// Figures of all sampled rows that the formula gives to the byte.
    public var exact: Int { fittingExact &+ confirmingExact }
    /// Figures of all sampled rows.
    public var compared: Int { fittingCompared &+ confirmingCompared }
}

extension LogModel {
    /// The published formula of each direction, if there is one, and the fitted one where it gives more figures or is the
    /// same: what gives no more than the published formula is fitted to nothing.
    var formulas: [LogFormula] {
        Direction.allCases.flatMap { direction -> [LogFormula] in
            guard let fit = fit(direction) else { return [] }
            let isFitted =
                fit.fitted.score.exact + fit.guessedRows > fit.published.score.exact
                || (fit.fitted.score.exact > 0 && fit.fitted.formula.id == fit.published.formula.id)
            let published = isPublished ? [(LogFormula.Kind.published, fit.published)] : []
            let formulas = published + (isFitted || !isPublished ? [(.fitted, fit.fitted)] : [])
            return formulas.map { kind, scored in
                var formula = LogFormula(
                    kind: kind, direction: direction, id: scored.formula.shortID, parameters: scored.formula.parameters)
                (formula.fittingExact, formula.fittingCompared) = (scored.fitting.exact, scored.fitting.compared)
                (formula.confirmingExact, formula.confirmingCompared) = (
                    scored.confirming.exact, scored.confirming.compared
                )
                if kind == .fitted { formula.guessedReasons = fit.guessedRows }
                return formula
            }
        }
    }
}
