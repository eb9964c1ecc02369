import WireAccuracy

/// The published formula of a log and the fitted one, a line for each direction: what they give to the byte. One line
/// where both are the same.
func formulasInWords(_ formulas: [LogFormula]) -> [(kind: String, id: String, figures: String)] {
    let compared = formulas.filter { $0.fittingCompared + $0.confirmingCompared > 0 }
    return compared.compactMap { formula in
        let twin = compared.first {
            $0.kind != formula.kind && $0.direction == formula.direction && $0.id == formula.id
        }
        if twin != nil, formula.kind == .published { return nil }
        let exact = formula.fittingExact + formula.confirmingExact
        let compared = formula.fittingCompared + formula.confirmingCompared
        var figures = "\(grouped(exact)) of \(counted(compared, "figure")) exact "
        figures += "(first half of the rows \(grouped(formula.fittingExact)) of \(grouped(formula.fittingCompared)), "
        figures += "second \(grouped(formula.confirmingExact)) of \(grouped(formula.confirmingCompared)))"
        if formula.guessedReasons > 0 {
            figures += "; \(counted(formula.guessedReasons, "start line")) with a reason phrase of the SDK's own"
        }
        let kind = twin == nil ? formula.kind.rawValue : "published and fitted"
        return ("\(kind) formula, \(formula.direction.noun)s", formula.id, figures)
    }
}
