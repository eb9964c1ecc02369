import WireAccuracy
import WireJoin
import WireLogs
import WireRecords

let callOutput = Output<AccuracyCall>(
    "call", version: 1,
    about:
        "One figure of a source beside the bytes of the capture: a call in one direction. Lines of wireaudit.row follow; select by schema and source.",
    command: "wireaudit accuracy --format ndjson", fields: callFields)

private let callFields: [Field<AccuracyCall>] =
    [.text("source", "Id of the source.") { $0.source }] + exchangeFields.map { $0.of { $0.exchange } } + [
        .moment("time", "First byte of the request.") { $0.exchange?.time }.orNull,
        .text("api", "The API.") { $0.exchange?.api }.orNull,
        .word("direction", "up: the request, down: the response.") { $0.direction },
        .boolean("counted", "Part of the statistics.") { $0.isCounted },
        .word(
            "state", ["compared", "unseen", "unknown", "ambiguous"],
            "compared; unseen: the source did not record the call; unknown: no figure can be given; ambiguous: a row of the log may belong to this call, or to another."
        ) { $0.state },
        .estimate("estimate", "Figure of the source; null where it has none.") { $0.estimate }.orNull,
        .bytes("message", "HTTP message.") { $0.message }.orNull,
        .bytes("wire", "Wire bytes of the call.") { $0.wire }.orNull,
        .difference("error", "estimate - message; in a compared call a missing estimate counts as 0.") {
            $0.isCompared ? ($0.estimate ?? 0) &- ($0.message ?? 0) : nil
        }.orNull,
        .causes("causes", stating: "The error by cause; causes of 0 bytes are left out.") {
            $0.isCompared ? $0.causes : nil
        }.orNull,
        .text("unseen", "Id of the cause for which the source did not record the call.") { $0.unseen?.name }.orNull,
        .count("row", "Row of the log, from 1; of a database its rowid.", of: "row number") { $0.row }.orNull,
        .text("fate", "What became of that row.") { $0.fate }.orNull,
    ]

private let exchangeFields: [Field<AccuracyCall.Exchange?>] = [
    .text("file", "Capture file of the exchange.") { $0?.file }.orNull,
    .count("connection", "Its connection, as in wireaudit.exchange.", of: "index") { $0?.connection }.orNull,
    .count("exchange", "Its number in the connection.", of: "index") { $0?.exchange }.orNull,
]

extension AccuracyCall {
    /// A source that records no figure for a call that it has counted nothing.
    fileprivate var isCompared: Bool { exchange != nil && state == "compared" }

    /// `compared`, `unseen` (the source lacks the exchange), `unknown` (no figure can be given), or `ambiguous` (a row of
    /// the log may speak of it, or of another).
    fileprivate var state: String {
        if isAmbiguous { return "ambiguous" }
        if unseen != nil { return "unseen" }
        return isUnknown ? "unknown" : "compared"
    }
}

let rowOutput = Output<JoinedRow>(
    "row", version: 1, about: "One row of a log, and the exchange it is of.",
    command: "wireaudit accuracy --sdk-log LOG --format ndjson", fields: rowFields)

private let rowFields: [Field<JoinedRow>] =
    [
        .text("source", "Id of the log.") { $0.source },
        .count("row", "Row or line, from 1; of a database its rowid.", of: "row number") { $0.row },
        .word("kind", ["request", "response", "exchange"], "What the row describes.") { $0.kind?.word }.orNull,
        .word(
            "state",
            "matched: with one exchange. ambiguous: with one of several. duplicate: written twice. no-exchange: without an exchange in the capture. foreign-host: of a host without readable exchanges. tls-failed: the TLS handshake failed. other-time: from before or after the capture. host-total: of a host that TLS hides. partly-read: of a host whose TLS was decrypted in part. unusable: not readable."
        ) { $0.state },
        .boolean("selected", "The report is about its exchange (--host, --api).") { $0.isSelected }.orNull,
    ] + exchangeFields.map { $0.of { $0.exchange } } + [
        .text("api", "The API.") { $0.exchange?.api }.orNull,
        .moment("time", "Time of the row, by the log's clock.") { $0.time }.orNull,
        .seconds("residual", "How much later the row is than its exchange.") { $0.residual }.orNull,
        .list(
            "alternatives", of: alternativeFields, "Exchanges that an ambiguous row may be of, the likeliest first."
        ) { $0.alternatives },
        .object(
            "bounds", "Of a row whose call was not read: what its figures can be.",
            Field.knownDirections(boundsFields, { $0.up }, { $0.down })
        ) { $0.bounds }.orNull,
        .text("why", "The reason, in one clause.") { $0.reason },
    ]

private let alternativeFields: [Field<JoinedRow.Alternative>] =
    exchangeFields.map { $0.of { $0.exchange } } + [
        .seconds("residual", "As of the row.") { $0.residual }.orNull
    ]

private let boundsFields: [Field<LogBounds.Figure>] = [
    .estimate("logged", "The figure.") { $0.logged },
    .bytes("message_low", "Least that the message can have taken.") { $0.message.lowerBound },
    .bytes("message_high", "Most that it can have taken.") { $0.message.upperBound },
    .bytes("message_high_given_bodies", "The same, if the log has the body bytes of the other rows as they were sent.")
    {
        $0.mostGivenBodies
    },
    .word(
        "certainty",
        "exact: low and high are the same, and the figure, too. interval: the figure lies between them. refuted: the figure cannot be true."
    ) { $0.certainty },
]

extension LogRow.Kind {
    fileprivate var word: String {
        switch self {
        case .request: "request"
        case .response: "response"
        case .exchange: "exchange"
        }
    }
}
