import WireStatistics

extension AccuracyJSON {
    /// How the single calls of a row spread: what `check --baseline` needs of an earlier run.
    mutating func spread(_ spread: RowSpread?) {
        guard json.begin("spread", isKnown: spread != nil), let spread else { return }
        errors("message", spread.message)
        errors("wire", spread.wire)
        if json.begin("size", isKnown: spread.size != nil), let size = spread.size {
            json.integer("calls", size.calls)
            json.decimal("log2_mean", size.mean, places: 9)
            json.decimal("log2_deviation", size.deviation, places: 9)
            json.end()
        }
        calls(spread.calls)
        sessions(spread.sessions)
        blocks(spread.blocks)
        json.end()
    }

    private mutating func blocks(_ blocks: [TimeBlock]) {
        json.beginArray("blocks")
        for block in blocks {
            json.beginElement()
            json.integer("block", block.block)
            json.integer("calls", block.calls)
            json.decimal("inverse_sum", block.inverses, places: 12)
            json.decimal("error_sum", block.errors, places: 9)
            json.decimal("error_sum_without_bodies", block.errorsWithoutBodies, places: 9)
            json.integer("sized_calls", block.sizedCalls)
            json.decimal("log2_sum", block.sizes, places: 6)
            json.end()
        }
        json.endArray()
    }

    private mutating func sessions(_ spread: SessionSpread?) {
        guard json.begin("sessions", isKnown: spread != nil), let spread else { return }
        json.integer("count", spread.sessions)
        json.decimal("message_effect", spread.messageEffect, places: 6)
        json.decimal("wire_effect", spread.wireEffect, places: 6)
        json.decimal("size_error", spread.sizeError, places: 9)
        json.end()
    }

    /// Calls one by one, those with the same error together.
    private mutating func calls(_ calls: CallErrors?) {
        guard json.begin("calls", isKnown: calls != nil), let calls else { return }
        series("completed", calls.completed)
        series("without_bodies", calls.withoutBodies)
        series("failed", calls.failed)
        json.end()
    }

    /// Mean error in bytes, calls, mean and root mean square of 1 / truth.
    private mutating func series(_ name: StaticString, _ series: ErrorSeries) {
        json.beginArray(name)
        for group in series.groups {
            let calls = Double(max(group.calls, 1))
            json.beginElement()
            json.decimal("error", group.error, places: 6)
            json.integer("calls", group.calls)
            json.decimal("inverse_mean", group.inverses / calls, places: 15)
            json.decimal("inverse_rms", (group.inverseSquares / calls).squareRoot(), places: 15)
            json.end()
        }
        json.endArray()
    }

    private mutating func errors(_ name: StaticString, _ spread: ErrorSpread?) {
        guard json.begin(name, isKnown: spread != nil), let spread else { return }
        json.integer("calls", spread.calls)
        json.decimal("inverse_mean", spread.inverseMean, places: 15)
        json.decimal("inverse_deviation", spread.inverseVariance.squareRoot(), places: 15)
        json.decimal("relative_error", spread.signed.mean, places: 9)
        json.decimal("constant_bytes", spread.signed.slope, places: 6)
        json.decimal("deviation", spread.signed.deviation, places: 9)
        json.decimal("absolute_relative_error", spread.absolute.mean, places: 9)
        json.decimal("absolute_constant_bytes", spread.absolute.slope, places: 6)
        json.decimal("absolute_deviation", spread.absolute.deviation, places: 9)
        json.end()
    }
}
