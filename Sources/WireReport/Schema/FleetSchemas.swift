import WireAccuracy

let fleetSchema = OutputSchema(
    "fleet", version: 1, about: "What the capture sessions of a fleet add up to, and how its groups differ.",
    command: "wireaudit fleet MANIFEST -o FOLDER",
    fields: [
        .text("version", "Version of wireaudit."), .text("verdict", "One sentence."),
        .count("sessions", "Sessions of the manifest."), .count("audited", "Those that were audited."),
        .count("failed", "Those that failed."),
        .number("false_alarms", "Probability of a significant change in a fleet without any.", unit: "ratio"),
        .count("replicates", "Replicates of the bootstrap over sessions."),
        .count("fewest_sessions", "Sessions below which there are no intervals."),
        .list("totals", of: .object(totalFields), "All sessions, by source and direction."),
        .list("groups", of: .object(groupFields), "Sessions with the same value of a label."),
        .list("changes", of: .object(changeFields), "Each group against the first of its label."),
        .list("outliers", of: .object(outlierFields), "Sessions far from the others, the farthest first."),
    ])

let sessionSchema = OutputSchema(
    "session", version: 1, about: "One capture session of a fleet.", command: "wireaudit fleet MANIFEST -o FOLDER",
    fields: [
        .text("session", "Its name."), .text("day", "Day of its first packet by UTC.").orNull,
        .list(
            "labels", of: .object([.text("name", "Column of the manifest."), .text("value", "Its value.")]),
            "What it is told apart by."),
        .text("failure", "Why it could not be audited; null where it was.").orNull,
        .count("packets", "Packets.").orNull,
        .bytes("bytes", "Sum of the original lengths of the packets.").orNull,
        .count("exchanges", "HTTP exchanges.").orNull,
        .number("wire_per_exchange", "Mean IP bytes of an exchange, both directions.").orNull,
        .list(
            "errors",
            of: .object([source, direction, .number("error", "Error / recorded messages.", unit: "ratio")]),
            "Errors in total."),
    ])

private let source = SchemaField.text("source", "Id of the source; a log is named by its format.")
private let direction = SchemaField.word("direction", directionWords, "up: requests, down: responses.")

private let totalFields: [SchemaField] = [
    source, direction, .count("sessions", "Sessions with calls."), .count("recorded_calls", "Calls with a figure."),
    .number("error", "Error in total / recorded messages.", unit: "ratio").orNull,
    .number("error_low", "Lower end of its 95 % interval by sessions.", unit: "ratio").orNull,
    .number("error_high", "Upper end of its 95 % interval by sessions.", unit: "ratio").orNull,
    .number("message_per_call", "Mean message bytes of a call, recorded or not.").orNull,
    .number("wire_per_call", "Mean wire bytes of a call, recorded or not.").orNull, sessionQuantiles,
]

private let groupFields: [SchemaField] = [
    .text("label", "Column of the manifest, or day."), .text("value", "Its value."), .count("sessions", "Sessions."),
    .list("totals", of: .object(totalFields), "By source and direction."),
]

private let changeFields: [SchemaField] = [
    .text("label", "Column of the manifest."), .text("value", "The group."),
    .text("reference", "The first group of the label."),
    .word("measure", FleetMeasure.allCases.map(\.rawValue), "Message bytes, wire bytes, or error of a source."),
    .text("source", "Of an error.").orNull, .text("api", "The API. Null: all together.").orNull, direction,
    .number("before", "Mean of a call in the reference."), .number("after", "Mean of a call in the group."),
    .number("difference", "after - before."),
    .number("low", "Lower end of the 95 % interval of the difference.").orNull,
    .number("high", "Upper end of the 95 % interval of the difference.").orNull,
    .count("sessions_before", "Sessions of the reference."), .count("sessions_after", "Sessions of the group."),
    .boolean("significant", "Beyond chance, all comparisons of the fleet taken together."),
]

private let outlierFields: [SchemaField] = [
    .text("session", "Its name."), source, direction, .number("error", "Its error / messages.", unit: "ratio"),
    .number("median", "Median of all sessions.", unit: "ratio"),
    .number("distance", "Robust standard deviations between them; null where most sessions are equal.", unit: "ratio")
        .orNull,
]
