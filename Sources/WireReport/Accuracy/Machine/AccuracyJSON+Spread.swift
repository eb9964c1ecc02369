import WireAccuracy

extension JSONFields {
    /// How the single calls of a row spread: what `check --baseline` needs of an earlier run.
    mutating func spread(_ spread: RowSpread?) {
        guard begin("spread", isKnown: spread != nil), let spread else { return }
        errors("message", spread.message)
        errors("wire", spread.wire)
        if begin("size", isKnown: spread.size != nil), let size = spread.size {
            integer("calls", size.calls)
            decimal("log2_mean", size.mean, places: 9)
            decimal("log2_deviation", size.deviation, places: 9)
            end()
        }
        end()
    }

    private mutating func errors(_ name: StaticString, _ spread: ErrorSpread?) {
        guard begin(name, isKnown: spread != nil), let spread else { return }
        integer("calls", spread.calls)
        decimal("inverse_mean", spread.inverseMean, places: 15)
        decimal("inverse_deviation", spread.inverseVariance.squareRoot(), places: 15)
        decimal("relative_error", spread.signed.mean, places: 9)
        decimal("constant_bytes", spread.signed.slope, places: 6)
        decimal("deviation", spread.signed.deviation, places: 9)
        decimal("absolute_relative_error", spread.absolute.mean, places: 9)
        decimal("absolute_constant_bytes", spread.absolute.slope, places: 6)
        decimal("absolute_deviation", spread.absolute.deviation, places: 9)
        end()
    }
}
