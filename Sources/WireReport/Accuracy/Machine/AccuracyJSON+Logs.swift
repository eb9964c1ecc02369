import WireAccuracy
import WireJoin
import WireLogs

extension AccuracyJSON {
    /// What became of a log.
    mutating func log(_ log: LogSummary) {
        json.beginElement()
        json.text("source", result.sources.indices.contains(log.source) ? result.sources[log.source].id : nil)
        json.text("path", log.path)
        json.text("format", log.format.rawValue)
        json.text("columns", log.columns)
        json.begin("rows")
        json.integer("total", log.rows)
        for fate in logFates(log) { json.integer(name: fate.id, fate.count) }
        json.end()
        clock(log.clock)
        sessionDoubt(log)
        ambiguity(log.ambiguousBounds)
        bounds(log.bounds)
        sample(log.sample)
        json.begin("exchanges")
        json.integer("total", log.exchangesTotal)
        json.integer("unseen", log.exchangesUnseen)
        json.integer("unseen_message_bytes", log.unseenMessageBytes)
        json.integer("unseen_wire_bytes", log.unseenWireBytes)
        json.integer("not_joined", log.exchangesNotJoined)
        json.integer("invisible", log.exchangesInvisible)
        json.integer("foreign_host", log.exchangesForeign)
        json.integer("foreign_host_wire_bytes", log.foreignWireBytes)
        json.integer("merged_hops", log.mergedHops)
        json.end()
        json.begin("figures")
        json.integer("compared", log.comparedFigures)
        json.integer("explained", log.explainedFigures)
        json.end()
        json.beginArray("problems")
        for problem in log.problems {
            json.beginElement()
            json.text("what", problem.what)
            json.integer("count", problem.count)
            json.integer("first_row", problem.firstRow)
            json.end()
        }
        json.endArray()
        json.end()
    }

    /// What figures can be whose calls nobody could read.
    private mutating func bounds(_ bounds: LogBounds?) {
        guard json.begin("bounds", isKnown: bounds != nil), let bounds else { return }
        json.seconds("clock_low", bounds.clock?.lowerBound)
        json.seconds("clock_high", bounds.clock?.upperBound)
        json.integer("figures", bounds.figures)
        json.integer("not_true", bounds.refuted)
        json.integer("exact", bounds.exact)
        json.beginArray("unbounded")
        for (reason, rows) in bounds.unbounded {
            json.beginElement()
            json.text("reason", reason.rawValue)
            json.integer("rows", rows)
            json.end()
        }
        json.endArray()
        json.beginArray("apis")
        for api in bounds.apis {
            json.beginElement()
            json.text("api", api.name)
            json.text("host", api.host)
            json.integer("rows", api.rows)
            for direction in Direction.allCases { side(direction, api[direction]) }
            json.end()
        }
        json.endArray()
        json.end()
    }

    private mutating func side(_ direction: Direction, _ side: LogBounds.Side) {
        json.begin(name: direction.rawValue)
        json.integer("rows", side.rows)
        json.integer("logged", side.logged)
        json.integer("message_low", side.least)
        json.integer("message_high", side.most)
        json.integer("exact", side.exact)
        json.integer("too_high", side.tooHigh)
        json.integer("too_low", side.tooLow)
        json.end()
    }

    /// The least and the most error in total that the ambiguous rows leave open.
    private mutating func ambiguity(_ bounds: [Direction: ClosedRange<Int>]?) {
        guard json.begin("ambiguous_error", isKnown: bounds != nil), let bounds else { return }
        for direction in Direction.allCases {
            let range = bounds[direction]
            guard json.begin(name: direction.rawValue, isKnown: range != nil), let range else { continue }
            json.integer("low", range.lowerBound)
            json.integer("high", range.upperBound)
            json.end()
        }
        json.end()
    }

    /// What a random part of the calls tells of all of them.
    private mutating func sample(_ sample: LogSummary.Sample?) {
        guard json.begin("sample", isKnown: sample != nil), let sample else { return }
        json.decimal("share", sample.share, places: 6)
        for (direction, own) in [(Direction.up, sample.up), (.down, sample.down)] {
            guard json.begin(name: direction.rawValue, isKnown: own != nil), let own else { continue }
            json.integer("calls", own.calls)
            json.integer("sampled_calls", own.sampled)
            json.integer("error", own.error)
            json.integer("error_low", own.low)
            json.integer("error_high", own.high)
            json.decimal("relative_error", own.relative(own.error), places: 6)
            json.decimal("relative_low", own.relative(own.low), places: 6)
            json.decimal("relative_high", own.relative(own.high), places: 6)
            json.end()
        }
        json.end()
    }

    /// Why the log may be of another session than the capture.
    private mutating func sessionDoubt(_ log: LogSummary) {
        guard json.begin("session_doubt", isKnown: log.sessionDoubt != nil), let doubt = log.sessionDoubt else {
            return
        }
        json.seconds("clock_offset", doubt.clockOffset)
        json.integer("agreeing_sizes", doubt.agreeingSizes)
        json.text("warning", sessionDoubtInWords(log))
        json.end()
    }

    private mutating func clock(_ clock: ClockFit?) {
        guard json.begin("clock", isKnown: clock != nil), let clock else { return }
        json.seconds("offset", clock.offset)
        json.decimal("drift_ppm", clock.drift, places: 6)
        json.seconds("origin", clock.origin)
        json.integer("pairs", clock.pairs)
        json.seconds("spread", clock.spread)
        json.seconds("offset_error", clock.offsetError)
        json.decimal("drift_error_ppm", clock.driftError, places: 6)
        json.end()
    }

    /// Counts of what was decoded; times would differ from run to run.
    mutating func work(_ work: ContentWork) {
        json.begin("work")
        json.integer("decoded_bodies", work.decodedBodies)
        json.integer("coded_bytes", work.codedBytes)
        json.integer("decoded_bytes", work.decodedBytes)
        json.integer("recompressed_bodies", work.recompressedBodies)
        json.integer("recompressed_bytes", work.recompressedBytes)
        json.integer("remembered", work.remembered)
        json.integer("undecodable", work.undecodable)
        json.end()
    }
}
