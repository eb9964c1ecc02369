import WireAccuracy
import WireRecords

extension AccuracySchemas {
    static let call = OutputSchema(
        "call", version: 1,
        about:
            "One figure of a source beside the bytes of the capture: a call in one direction. Lines of wireaudit.row follow; select by schema and source.",
        command: "wireaudit accuracy --format ndjson",
        fields: [.text("source", "Id of the source.")] + exchangeFields + [
            .moment("time", "First byte of the request.").orNull, .text("api", "The API.").orNull,
            .word("direction", directionWords, "up: the request, down: the response."),
            .boolean("counted", "Part of the statistics."),
            .word(
                "state", ["compared", "unseen", "unknown", "ambiguous"],
                "compared; unseen: the source did not record the call; unknown: no figure can be given; ambiguous: a row of the log may belong to this call, or to another."
            ),
            .estimate("estimate", "Figure of the source; null where it has none.").orNull,
            .bytes("message", "HTTP message.").orNull,
            .bytes("wire", "Wire bytes of the call.").orNull,
            .difference("error", "estimate - message; in a compared call a missing estimate counts as 0.").orNull,
            .map(
                "causes", keys: "the id of a cause", of: .integer(unit: "bytes", least: nil),
                "The error by cause; causes of 0 bytes are left out."
            ).orNull,
            .text("unseen", "Id of the cause for which the source did not record the call.").orNull,
            .count("row", "Row of the log, from 1; of a database its rowid.", of: "row number").orNull,
            .text("fate", "What became of that row.").orNull,
        ])

    static let row = OutputSchema(
        "row", version: 1, about: "One row of a log, and the exchange it is of.",
        command: "wireaudit accuracy --sdk-log LOG --format ndjson",
        fields: [
            .text("source", "Id of the log."),
            .count("row", "Row or line, from 1; of a database its rowid.", of: "row number"),
            SchemaField(
                name: "kind", type: .word(["request", "response", "exchange"]), meaning: "What the row describes.",
                isNullable: true),
            .word(
                "state", JoinedRow.State.allCases.map(\.rawValue),
                "matched: with one exchange. ambiguous: with one of several. duplicate: written twice. no-exchange: without an exchange in the capture. foreign-host: of a host without readable exchanges. tls-failed: the TLS handshake failed. other-time: from before or after the capture. host-total: of a host that TLS hides. partly-read: of a host whose TLS was decrypted in part. unusable: not readable."
            ),
            .boolean("selected", "The report is about its exchange (--host, --api).").orNull,
        ] + exchangeFields + [
            .text("api", "The API.").orNull, .moment("time", "Time of the row, by the log's clock.").orNull,
            .seconds("residual", "How much later the row is than its exchange.").orNull,
            .list(
                "alternatives",
                of: .object(exchangeFields + [.seconds("residual", "As of the row.").orNull]),
                "Exchanges that an ambiguous row may be of, the likeliest first."),
            .object(
                "bounds", "Of a row whose call was not read: what its figures can be.",
                directionWords.map { name in
                    SchemaField.object(
                        name, "Of this direction.",
                        [
                            .estimate("logged", "The figure."),
                            .bytes("message_low", "Least that the message can have taken."),
                            .bytes("message_high", "Most that it can have taken."),
                            .word(
                                "certainty", LogBounds.Figure.Certainty.allCases.map(\.rawValue),
                                "exact: low and high are the same, and the figure, too. interval: the figure lies between them. refuted: the figure cannot be true."
                            ),
                        ]
                    ).orNull
                }
            ).orNull,
            .text("why", "The reason, in one clause."),
        ])
}

private let exchangeFields: [SchemaField] = [
    .text("file", "Capture file of the exchange.").orNull,
    .count("connection", "Its connection, as in wireaudit.exchange.", of: "index").orNull,
    .count("exchange", "Its number in the connection.", of: "index").orNull,
]
