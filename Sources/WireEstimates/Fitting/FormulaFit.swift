/// A formula with the figures that it gives to the byte: of the rows that it was fitted to, and of later rows that only
/// confirm it.
package struct FittedFormula: Sendable {
    package let formula: ChosenEstimator
    package let fitting: FormulaScore
    package let confirming: FormulaScore
    fileprivate let parameters: EstimatorParameters

    /// Of all rows.
    package var score: FormulaScore { fitting + confirming }
}

/// The formula of a log's figures for one kind of message: fitted on the first half of the rows, confirmed on the
/// second.
package struct FormulaFit: Sendable {
    package let side: MessageSide
    package let parts: [FigurePart]
    /// The formula with the parameters that the SDK's project has published.
    package let published: FittedFormula
    /// The formula whose parameters give most figures.
    package let fitted: FittedFormula
    /// Reason phrases that the SDK writes itself.
    package let reasons: GuessedReasons
    /// Rows whose start line these phrases give, where the formula does not.
    package let guessedRows: Int
    fileprivate let family: FormulaFamily
    fileprivate let rows: [RecordedRow]

    /// - Parameters:
    ///   - families: estimators that may have made the log, the published one first.
    ///   - parts: the figures to compare.
    ///   - rows: matched rows in the order of time.
    /// - Returns: nil without rows or families.
    package init?(_ families: [FormulaFamily], _ side: MessageSide, _ parts: [FigurePart], _ rows: [RecordedRow]) {
        guard let first = families.first, !rows.isEmpty else { return nil }
        let half = (rows.count + 1) / 2
        let found = families.map { family -> (FormulaFamily, EstimatorParameters, Int) in
            var search = FormulaSearch(family, side, parts, Array(rows[..<half]))
            let result = search.run()
            return (family, result.parameters, result.score.exact)
        }
        // The first of the best.
        let best = found.max { $0.2 < $1.2 } ?? found[0]
        let chosen = found.first { $0.2 == best.2 } ?? best
        let published = FormulaFit.judged(first, first.published, side, parts, rows)
        var fitted = FormulaFit.judged(chosen.0, chosen.1, side, parts, rows)
        var family = chosen.0
        // What later rows do not confirm is chance.
        if fitted.confirming.exact < published.confirming.exact { (fitted, family) = (published, first) }
        self.init(side, parts, published, fitted, family, rows)
    }

    private init(
        _ side: MessageSide, _ parts: [FigurePart], _ published: FittedFormula, _ fitted: FittedFormula,
        _ family: FormulaFamily, _ rows: [RecordedRow]
    ) {
        self.side = side
        self.parts = parts
        self.published = published
        self.fitted = fitted
        self.family = family
        self.rows = rows
        let half = (rows.count + 1) / 2
        let guessed =
            side == .response && parts.contains(.startLine)
            ? GuessedReasons(fitted.formula, fitting: rows[..<half], confirming: rows[half...]) : GuessedReasons()
        reasons = guessed
        guessedRows =
            guessed.isEmpty
            ? 0
            : rows.count { row in
                guard let own = guessed.startLine(row.exchange), own == row.figures.startLine else { return false }
                return fitted.formula.estimate(row.exchange, side)?.startLine != own
            }
    }

    private static func judged(
        _ family: FormulaFamily, _ parameters: EstimatorParameters, _ side: MessageSide, _ parts: [FigurePart],
        _ rows: [RecordedRow]
    ) -> FittedFormula {
        let half = (rows.count + 1) / 2
        let formula = family.formula(parameters)
        return FittedFormula(
            formula: formula, fitting: FormulaScore(formula, side, parts, rows[..<half]),
            confirming: FormulaScore(formula, side, parts, rows[half...]), parameters: parameters)
    }

    /// Both messages by one set of parameters where one gives all that two give: parameters that only matter to one
    /// message are taken from that one.
    package static func joined(_ request: FormulaFit, _ response: FormulaFit) -> (FormulaFit, FormulaFit)? {
        guard request.family.type.description.id == response.family.type.description.id,
            request.fitted.formula.id != response.fitted.formula.id
        else { return nil }
        var both = request.fitted.parameters
        for change in response.fitted.parameters.changed { both[change.name] = change.value }
        let sides = [request, response].map { fit in
            FormulaFit(
                fit.side, fit.parts, fit.published, judged(fit.family, both, fit.side, fit.parts, fit.rows), fit.family,
                fit.rows)
        }
        guard sides[0].fitted.score == request.fitted.score, sides[1].fitted.score == response.fitted.score else {
            return nil
        }
        return (sides[0], sides[1])
    }
}
