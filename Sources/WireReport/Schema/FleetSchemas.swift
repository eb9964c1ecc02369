import WireComparison
import WireCore
import WireRecords

let fleetSchema = OutputSchema(
    "fleet", version: 1, about: "What the capture sessions of a fleet add up to, and how its groups differ.",
    command: "wireaudit fleet MANIFEST -o FOLDER",
    fields: [
        .text("version", "Version of wireaudit."), .text("verdict", "What changed, in some sentences."),
        .count("sessions", "Sessions of the manifest."), .count("audited", "Those that were audited."),
        .count("failed", "Those that failed."),
        .object(
            "damage", "What the captures of the audited sessions lack.", damageCounts + damageFields(isOfAll: true)),
        .number("false_alarms", "Probability of a significant change in a fleet without any.", unit: "ratio"),
        .count("replicates", "Replicates of the bootstrap over sessions."),
        .count("fewest_sessions", "Sessions below which there are no intervals."),
        .list("totals", of: .object(totalFields), "All sessions, by source and direction."),
        .list("groups", of: .object(groupFields), "Sessions with the same value of a label."),
        .list("changes", of: .object(changeFields), "Each group against the first of its label."),
        .list(
            "outliers", of: .object(outlierFields),
            "Sessions whose recorded figures are far from those of their like, the farthest first."),
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
        .object(
            "damage", "What its capture lacks. Null: the session failed.",
            [
                .word(
                    "trust", CaptureLoss.Trust.allCases.map(\.rawValue),
                    "What its figures rest on. whole: nothing is known to be missing; unread: some bytes are counted, "
                        + "but not read; incomplete: packets are missing or cut, so figures may be lower bounds.")
            ] + damageFields(isOfAll: false)
        ).orNull,
        .list(
            "errors",
            of: .object([source, direction, .number("error", "Error / recorded messages.", unit: "ratio")]),
            "Errors in total."),
    ])

let planSchema = OutputSchema(
    "plan", version: 1, about: "How one capture session of a fleet is audited.",
    command: "wireaudit fleet --plan MANIFEST",
    fields: [
        .text("session", "Its name."),
        .list(
            "arguments", of: .text,
            "Arguments of wireaudit. Behind them come places for results (-o, --records), --, and the captures."),
        .list("captures", of: .text, "Paths of its captures."),
        .list(
            "groups",
            of: .object([
                .text("label", "Column of the manifest."), .text("value", "Its value."),
                .text("file", "Name of the file for the sums of the group, below groups."),
            ]), "What the session is counted with, beside its day."),
        .boolean("has_day", "The manifest has a column day. Else the day is that of the first packet."),
    ])

private let damageCounts: [SchemaField] = [
    .count("whole_sessions", "Sessions of which nothing is known to be missing."),
    .count("unread_sessions", "Sessions with bytes that were counted, but not read."),
    .count("incomplete_sessions", "Sessions of which packets are missing or cut."),
]

/// - Parameter isOfAll: sums over sessions, those without the figure left out.
private func damageFields(isOfAll: Bool) -> [SchemaField] {
    let dropped = SchemaField.count("dropped_packets", "Packets that the capturing program lost.")
    let missing = SchemaField.bytes("missing_bytes", "TCP bytes that were sent and that no packet holds.")
    return [
        .count("damaged_files", "Files that end in the middle of a packet or are damaged."),
        isOfAll ? dropped : dropped.orNull, .count("cut_packets", "Packets of which only a part was captured."),
        .count("gaps", "Places in connections where such bytes are missing."), isOfAll ? missing : missing.orNull,
        .bytes(
            "unread_bytes",
            "Payload that was counted, but not read, and frames without IP that are no protocol of the link itself."),
    ]
}

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
    .object(
        "cost", "What the sessions sent and received, whatever was recorded.",
        [
            .bytes("bytes", "Original lengths of all frames."), .count("exchanges", "HTTP exchanges that were read."),
            .bytes("wire", "IP bytes of these exchanges, both directions."),
            .bytes("encrypted_wire", "IP bytes of connections that could not be decrypted."),
            .count("unread_hosts", "Hosts of TLS connections that were not read, failed handshakes among them."),
        ]),
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
    .text("session", "Its name."), source, direction,
    .list("group", of: .text, "Values of the labels that it shares with the sessions it was compared with."),
    .number("error", "Its error / messages.", unit: "ratio"),
    .number("median", "Median of these sessions.", unit: "ratio"),
    .number("distance", "Robust standard deviations between them; null where most sessions are equal.", unit: "ratio")
        .orNull,
]
