import WireAccuracy
import WireRecords

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
                "no formula of this kind explains the \(formula.direction.noun)s", shownID(formula),
                "with any parameters: 0 of \(counted(formula.compared, "figure")) exact"
            )
        }
        let kind = isTwin ? "published" : formula.kind.rawValue
        let figures = figuresInWords(formula) + (isTwin || other == nil ? "; no other parameters fit better" : "")
        return ("\(kind) formula, \(formula.direction.noun)s", shownID(formula), figures)
    }
}

/// The identifier with the figure that it counts, the default one too: of several published definitions it says which.
private func shownID(_ formula: LogFormula) -> String {
    let figure = formula.parameters.split(separator: ",").first { $0.hasPrefix("figure=") }
    guard let figure, !formula.id.contains(":figure=") else { return formula.id }
    return formula.id + ":" + figure
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
