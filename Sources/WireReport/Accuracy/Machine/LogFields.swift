import WireAccuracy
import WireJoin
import WireLogs

/// What became of a log.
let logSummaryFields: [Field<InSource<LogSummary>>] =
    [.text("source", "Id of the source.") { $0.source }.orNull]
    + summaryFields.map { $0.of { $0.value } }

private let summaryFields: [Field<LogSummary>] = [
    .text("path", "Path of the log.") { $0.path }, .word("format", "Format of the log.") { $0.format },
    .text("columns", "Format columns: what its columns hold, as for --sdk-columns.") { $0.columns }.orNull,
    .object("rows", "Rows by what became of them.", rowFields) { $0 },
    .object("clock", "Clock of the log against that of the capture.", clockFields) { $0.clock }.orNull,
    .object("session_doubt", "Why the log may be of another session than the capture.", doubtFields) { log in
        log.sessionDoubt.map { ($0, log) }
    }.orNull,
    .object(
        "ambiguous_error", "Least and greatest error in total that ambiguous rows leave open.",
        Field.knownDirections(rangeFields, { $0[.up] }, { $0[.down] })
    ) { $0.ambiguousBounds }.orNull,
    .object(
        "bounds", "What the figures of rows can be whose calls were not read, by lengths and times of records alone.",
        boundsFields
    ) { $0.bounds }.orNull,
    .object(
        "sample", "What is known of all calls, where the log has a random part of them.",
        [.ratio("share", "Part of the calls.") { $0.share }]
            + Field<LogSummary.Sample>.knownDirections(sampleFields, { $0.up }, { $0.down })
    ) { $0.sample }.orNull,
    .object("exchanges", "Exchanges of the capture.", exchangeFields) { $0 },
    .object("figures", "How the formula explains the figures.", figureFields) { $0 },
    .list("problems", of: problemFields, "Rows that could not be read in full.") { $0.problems },
]

private let rowFields: [Field<LogSummary>] = [
    .count("total", "All.") { $0.rows }, .count("matched", "With one exchange.") { $0.matched },
    .count("ambiguous", "With several exchanges equally likely.") { $0.ambiguous },
    .count("duplicates", "Written twice.") { $0.duplicates },
    .count("host_total", "Of hosts that TLS hides: compared in total.") { $0.hostTotal },
    .count("partly_read", "Of hosts whose TLS was decrypted in part, without an exchange in that part.") {
        $0.partlyRead
    },
    .count("without_exchange", "Without an exchange in the capture.") { $0.withoutExchange },
    .count("foreign_host", "Of hosts without readable exchanges.") { $0.foreignHost },
    .count("tls_failed", "Of calls whose TLS handshake failed.") { $0.tlsFailed },
    .count("outside_capture", "From before or after the capture.") { $0.outsideCapture },
    .count("not_selected", "Of calls that --host or --api leaves out.") { $0.notSelected },
    .count("rejected", "Unusable.") { $0.rejected },
]

private let clockFields: [Field<ClockFit>] = [
    .seconds("offset", "How far the log's clock is ahead at origin.") { $0.offset },
    .number("drift_ppm", "Drift of the log's clock.", unit: "parts per million", places: 6) { $0.drift }.orNull,
    .moment("origin", "When the offset holds.") { $0.origin },
    .count("pairs", "Rows and exchanges that tell it.") { $0.pairs },
    .seconds("spread", "How far rows lie from it.") { $0.spread },
    .seconds("offset_error", "Uncertainty of the offset.") { $0.offsetError }.orNull,
    .number("drift_error_ppm", "Uncertainty of the drift.", unit: "parts per million", places: 6) {
        $0.driftError
    }.orNull,
]

private let doubtFields: [Field<(doubt: SessionDoubt, log: LogSummary)>] = [
    .seconds("clock_offset", "Offset of the clocks.") { $0.doubt.clockOffset },
    .count("agreeing_sizes", "Rows whose size fits their exchange.") { $0.doubt.agreeingSizes },
    .text("warning", "In words.") { sessionDoubtInWords($0.log) }.orNull,
]

private let rangeFields: [Field<ClosedRange<Int>>] = [
    .difference("low", "Least value.") { $0.lowerBound }, .difference("high", "Greatest value.") { $0.upperBound },
]

private let boundsFields: [Field<LogBounds>] = [
    .seconds("clock_low", "Least that the log's clock can be ahead of the capture's.") {
        $0.clock?.lowerBound
    }.orNull,
    .seconds("clock_high", "Most that it can be ahead.") { $0.clock?.upperBound }.orNull,
    .count("figures", "Figures with bounds.") { $0.figures },
    .count("not_true", "Of these, figures outside of their bounds.") { $0.refuted },
    .count("exact", "Of these, figures of which the message is known to the byte.") { $0.exact },
    .list("unbounded", of: unboundedFields, "Rows without bounds.") { $0.unbounded },
    .list("apis", of: boundsAPIFields, "By API, most logged bytes first.") { $0.apis },
]

private let unboundedFields: [Field<(reason: LogBounds.Reason, rows: Int)>] = [
    .word("reason", "Why they have none.") { $0.reason }, .count("rows", "Rows.") { $0.rows },
]

private let boundsAPIFields: [Field<LogBounds.API>] =
    [
        .text("api", "API.") { $0.name }, .text("host", "Its host.") { $0.host }, .count("rows", "Rows.") { $0.rows },
    ] + Field.directions(boundsSideFields, { $0.up }, { $0.down })

private let boundsSideFields: [Field<LogBounds.Side>] = [
    .count("rows", "Rows with a figure and bounds.") { $0.rows },
    .estimate("logged", "Sum of their figures.") { $0.logged },
    .bytes("message_low", "Least that their messages can have taken.") { $0.least },
    .bytes("message_high", "Most that their messages can have taken.") { $0.most },
    .bytes("message_high_given_bodies", "The same, if the log has the body bytes of other rows as they were sent.") {
        $0.mostGivenBodies
    },
    .count("exact", "Rows of which both are the same.") { $0.exact },
    .count("too_high", "Rows whose figure is above the most.") { $0.tooHigh },
    .count("too_low", "Rows whose figure is below the least.") { $0.tooLow },
]

private let sampleFields: [Field<SampledError>] = [
    .count("calls", "Calls of the capture.") { $0.calls },
    .count("sampled_calls", "Those that the log has a figure for.") { $0.sampled },
    .difference("error", "Estimated error of all calls.") { $0.error },
    .difference("error_low", "Its 95 % interval: lower end.") { $0.low },
    .difference("error_high", "Upper end.") { $0.high },
    .ratio("relative_error", "error, of the message bytes of all calls.") { $0.relative($0.error) }.orNull,
    .ratio("relative_low", "Lower end.") { $0.relative($0.low) }.orNull,
    .ratio("relative_high", "Upper end.") { $0.relative($0.high) }.orNull,
]

private let exchangeFields: [Field<LogSummary>] = [
    .count("total", "All that the log could hold.") { $0.exchangesTotal },
    .count("unseen", "Exchanges without a row.") { $0.exchangesUnseen },
    .bytes("unseen_message_bytes", "Messages of these exchanges.") { $0.unseenMessageBytes },
    .bytes("unseen_wire_bytes", "Wire bytes of these exchanges.") { $0.unseenWireBytes },
    .count("not_joined", "Of unseen: a row that found no exchange, or fits several, may be theirs.") {
        $0.exchangesNotJoined
    },
    .count("invisible", "Of unseen: the SDK does not see them; nothing else explains it. The rest has lost rows.") {
        $0.exchangesInvisible
    },
    .count("foreign_host", "Of hosts that the log never names; not in unseen, nor in any error.") {
        $0.exchangesForeign
    },
    .bytes("foreign_host_wire_bytes", "Wire bytes of these exchanges.") { $0.foreignWireBytes },
    .count("merged_hops", "Hops of redirected calls that have one row for the whole call; not in unseen.") {
        $0.mergedHops
    },
]

private let figureFields: [Field<LogSummary>] = [
    .count("compared", "Figures compared.") { $0.comparedFigures },
    .count("explained", "Figures that it gives to the byte.") { $0.explainedFigures },
]

private let problemFields: [Field<LogProblem>] = [
    .text("what", "What is wrong.") { $0.what }, .count("count", "Rows.") { $0.count },
    .count("first_row", "First of them.", of: "row number") { $0.firstRow }.orNull,
]
