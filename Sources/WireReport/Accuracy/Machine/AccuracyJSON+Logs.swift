import WireAccuracy

extension JSONFields {
    /// What became of a log.
    mutating func log(_ log: LogSummary, _ index: AccuracyIndex) {
        beginElement()
        text("source", index.result.sources.indices.contains(log.source) ? index.result.sources[log.source].id : nil)
        text("path", log.path)
        text("format", log.format.rawValue)
        begin("rows")
        integer("total", log.rows)
        for fate in logFates(log) { integer(name: fate.id, fate.count) }
        end()
        clock(log.clock)
        ambiguity(log.ambiguousBounds)
        begin("exchanges")
        integer("total", log.exchangesTotal)
        integer("unseen", log.exchangesUnseen)
        integer("unseen_message_bytes", log.unseenMessageBytes)
        integer("unseen_wire_bytes", log.unseenWireBytes)
        end()
        begin("figures")
        integer("compared", log.comparedFigures)
        integer("explained", log.explainedFigures)
        end()
        beginArray("problems")
        for problem in log.problems {
            beginElement()
            text("what", problem.what)
            integer("count", problem.count)
            integer("first_row", problem.firstRow)
            end()
        }
        endArray()
        end()
    }

    /// The least and the most error in total that the ambiguous rows leave open.
    private mutating func ambiguity(_ bounds: [Direction: ClosedRange<Int>]?) {
        guard begin("ambiguous_error", isKnown: bounds != nil), let bounds else { return }
        for direction in Direction.allCases {
            let range = bounds[direction]
            guard begin(name: direction.rawValue, isKnown: range != nil), let range else { continue }
            integer("low", range.lowerBound)
            integer("high", range.upperBound)
            end()
        }
        end()
    }

    private mutating func clock(_ clock: ClockFit?) {
        guard begin("clock", isKnown: clock != nil), let clock else { return }
        seconds("offset", clock.offset)
        decimal("drift_ppm", clock.drift, places: 6)
        seconds("origin", clock.origin)
        integer("pairs", clock.pairs)
        seconds("spread", clock.spread)
        seconds("offset_error", clock.offsetError)
        decimal("drift_error_ppm", clock.driftError, places: 6)
        end()
    }

    /// Counts of what was decoded; times would differ from run to run.
    mutating func work(_ work: ContentWork) {
        begin("work")
        integer("decoded_bodies", work.decodedBodies)
        integer("coded_bytes", work.codedBytes)
        integer("decoded_bytes", work.decodedBytes)
        integer("recompressed_bodies", work.recompressedBodies)
        integer("recompressed_bytes", work.recompressedBytes)
        integer("remembered", work.remembered)
        integer("undecodable", work.undecodable)
        end()
    }
}
