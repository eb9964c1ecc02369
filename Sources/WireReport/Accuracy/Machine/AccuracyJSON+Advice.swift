import WireAccuracy
import WireEstimates

extension JSONFields {
    /// For each source and direction what to change, and what to allow for because no hook can see it.
    mutating func advice(_ index: AccuracyIndex) {
        beginArray("advice")
        for source in index.result.sources.indices {
            for direction in Direction.allCases {
                guard let row = index.total(source, direction) else { continue }
                beginElement()
                text("source", index.result.sources[source].id)
                text("direction", direction.rawValue)
                changes("changes", row.advice)
                changes("allowances", row.allowances)
                end()
            }
        }
        endArray()
    }

    private mutating func changes(_ name: StaticString, _ changes: [Advice]) {
        beginArray(name)
        for change in changes {
            beginElement()
            text("cause", change.cause.name)
            text("advice", change.cause.advice)
            integer("bytes", change.bytes)
            integer("remaining", change.remaining)
            decimal("relative_remaining", change.relativeRemaining, places: 6)
            integer("remaining_with_above", change.remainingWithAbove)
            end()
        }
        endArray()
    }

    /// The published and the fitted formula of a log, by direction, with the figures that they give to the byte.
    mutating func formulas(_ formulas: [LogFormula]) {
        beginArray("formulas")
        for formula in formulas {
            beginElement()
            text("kind", formula.kind.rawValue)
            text("direction", formula.direction.rawValue)
            text("id", formula.id)
            text("parameters", formula.parameters)
            begin("fitting")
            integer("exact", formula.fittingExact)
            integer("compared", formula.fittingCompared)
            end()
            begin("confirming")
            integer("exact", formula.confirmingExact)
            integer("compared", formula.confirmingCompared)
            end()
            integer("guessed_reasons", formula.guessedReasons)
            end()
        }
        endArray()
    }
}
