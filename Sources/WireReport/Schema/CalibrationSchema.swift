import WireLogs

extension AccuracySchemas {
    static let calibration = OutputSchema(
        "calibration", version: 2, about: "Constants to add to the figures of a source.",
        command: "wireaudit accuracy --calibration FILE",
        fields: [
            .text("version", "Version of wireaudit."),
            .object("conditions", "Under which they were fitted.", conditionFields),
            .object(
                "all", "Over all APIs: for APIs that were never seen.",
                directionWords.map {
                    SchemaField.object($0, "Of this direction.", sideFields + [constant("set_up", "Connection setup.")])
                        .orNull
                }),
            .list(
                "apis",
                of: .object(
                    [.text("api", "The API.")]
                        + directionWords.map { SchemaField.object($0, "Of this direction.", sideFields).orNull }),
                "By API."),
        ])
}

private func constant(_ name: String, _ meaning: String) -> SchemaField {
    .object(
        name, meaning + " Null where there are too few calls.",
        [
            .number("mean", "To add to each call."), .count("n", "Calls that it was fitted on."),
            .number("spread", "Standard deviation.").orNull,
        ]
    ).orNull
}

private let conditionFields: [SchemaField] = [
    .text("source", "Id of the source."), .word("kind", ["log", "simulated"], "What the source is."),
    SchemaField(
        name: "format", type: .word(SDKLogFormat.allCases.map(\.rawValue)), meaning: "Format of the log.",
        isNullable: true),
    .list("files", of: .text, "Captures."), .word("layer", ["ip", "link"], "Lowest layer that wire counts."),
    .boolean("undo_offload", "Hidden headers are added."), .moment("first", "First call.").orNull,
    .moment("last", "Last call.").orNull,
    .moment("split", "Calls before it were fitted on, the others held out.").orNull,
    .map("http", keys: "the HTTP version", of: .integer(unit: "count", least: 0), "Calls."),
    .map("tls", keys: "the TLS version", of: .integer(unit: "count", least: 0), "Calls."),
    .text("redirects", "How the log records redirections.").orNull, .text("formula", "Formula of the figures.").orNull,
    .count("figures", "Directions of calls."), .count("recorded", "Directions of calls with a figure."),
    .number("share", "recorded / figures.", unit: "ratio").orNull,
    .count("fewest_calls", "Calls below which an API has no constant."),
    .count("fewest_calls_in_all", "Calls below which there is none over all APIs."),
]

private let sideFields: [SchemaField] = [
    .count("fitted_calls", "Calls that were fitted on."),
    constant("message", "To the HTTP message, of completed calls."),
    constant("transport", "From the message to wire bytes."), constant("failed", "Of failed calls."),
    .text("reason", "Why there are no constants.").orNull,
    .map("causes", keys: "the id of a cause", of: .number(unit: "bytes"), "Mean error by cause."),
    .object(
        "held_out", "Calls that were not fitted on.",
        [
            .count("calls", "Calls."), .object("message", "Against messages.", heldOutFields),
            .object("wire", "Against wire bytes.", heldOutFields),
        ]
    ).orNull,
]

private let heldOutFields: [SchemaField] = [
    .bytes("truth_total", "Sum of the truth."), .number("error_before", "Error without constants.").orNull,
    .number("error_with_fallback", "Error with one constant for all APIs.").orNull,
    .number("error_after", "Error with constants by API.").orNull,
    .number("relative_before", "error_before / truth_total.", unit: "ratio").orNull,
    .number("relative_with_fallback", "error_with_fallback / truth_total.", unit: "ratio").orNull,
    .number("relative_after", "error_after / truth_total.", unit: "ratio").orNull,
]
