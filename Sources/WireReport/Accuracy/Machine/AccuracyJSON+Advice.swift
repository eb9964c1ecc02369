import WireAccuracy
import WireEstimates
import WireLogs

extension AccuracyJSON {
    /// For each source and direction what to change, and what to allow for because no hook can see it.
    mutating func advice() {
        json.beginArray("advice")
        for source in result.sources.indices {
            for direction in Direction.allCases {
                guard let row = index.total(source, direction) else { continue }
                json.beginElement()
                json.text("source", result.sources[source].id)
                json.text("direction", direction.rawValue)
                changes("changes", row.advice)
                changes("allowances", row.allowances)
                json.end()
            }
        }
        json.endArray()
    }

    private mutating func changes(_ name: StaticString, _ changes: [Advice]) {
        json.beginArray(name)
        for change in changes {
            json.beginElement()
            json.text("cause", change.cause.name)
            json.text("advice", change.cause.advice)
            json.integer("bytes", change.bytes)
            json.integer("remaining", change.remaining)
            json.decimal("relative_remaining", change.relativeRemaining, places: 6)
            json.integer("remaining_with_above", change.remainingWithAbove)
            json.end()
        }
        json.endArray()
    }

    /// The published and the fitted formula of a log, by direction, with the figures that they give to the byte.
    mutating func formulas(_ formulas: [LogFormula]) {
        json.beginArray("formulas")
        for formula in formulas {
            json.beginElement()
            json.text("kind", formula.kind.rawValue)
            json.text("direction", formula.direction.rawValue)
            json.text("id", formula.id)
            json.text("parameters", formula.parameters)
            json.begin("fitting")
            json.integer("exact", formula.fittingExact)
            json.integer("compared", formula.fittingCompared)
            json.end()
            json.begin("confirming")
            json.integer("exact", formula.confirmingExact)
            json.integer("compared", formula.confirmingCompared)
            json.end()
            json.integer("guessed_reasons", formula.guessedReasons)
            json.end()
        }
        json.endArray()
    }
}
