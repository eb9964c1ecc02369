import WireAccuracy

/// The published formula of a log and the fitted one, a line for each direction: what they give to the byte. One line
/// where both are the same, or where no parameters give more figures than the published ones.
func formulasInWords(_ formulas: [LogFormula]) -> [(kind: String, id: String, figures: String)] {
    let compared = formulas.filter { $0.compared > 0 }
    return compared.compactMap { formula in
        let other = compared.first { $0.kind != formula.kind && $0.direction == formula.direction }
        let isTwin = other?.id == formula.id
        if isTwin, formula.kind == .published { return nil }
        if formula.exact == 0, other.map({ $0.exact == 0 }) ?? true {
            return (
                "no formula of this kind explains the \(formula.direction.noun)s", formula.id,
                "with any parameters: 0 of \(counted(formula.compared, "figure")) exact"
            )
        }
        let kind = isTwin ? "published" : formula.kind.rawValue
        let figures = figuresInWords(formula) + (isTwin || other == nil ? "; no other parameters fit better" : "")
        return ("\(kind) formula, \(formula.direction.noun)s", formula.id, figures)
    }
}

private func figuresInWords(_ formula: LogFormula) -> String {
    var figures = "\(grouped(formula.exact)) of \(counted(formula.compared, "figure")) exact "
    figures += "(first half of the log: \(grouped(formula.fittingExact)) of \(grouped(formula.fittingCompared)); "
    figures += "second half: \(grouped(formula.confirmingExact)) of \(grouped(formula.confirmingCompared)))"
    if formula.guessedReasons > 0 {
        figures += "; \(counted(formula.guessedReasons, "start line")) with a reason phrase of the SDK's own"
    }
    return figures
}
