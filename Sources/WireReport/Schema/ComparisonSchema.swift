import WireComparison
import WireCore
import WireRecords

extension CaptureSchemas {
    static let compare = OutputSchema(
        "compare", version: 1, about: "What became larger or smaller between two captures or audits.",
        command: "wireaudit compare --format json",
        fields: [
            .text("version", "Version of wireaudit."),
            .object("options", "Choices that change what is shown.", optionFields),
            .object("before", "The earlier side.", sideFields), .object("after", "The later side.", sideFields),
            .text("verdict", "The result in words."),
            .boolean(
                "identical", "Both sides have the same calls and bytes in every row; false without any chosen row."),
            .boolean("noise_known", "Single calls of both sides are known, so chance can be told from change."),
            .boolean(
                "exceeded",
                "Something grew by more than --max-growth; null without it, and where nothing, or not all that matters, could be judged."
            ).orNull,
            .boolean("total_exceeded", "The total did; null without --max-growth, and where nothing could be judged.")
                .orNull,
            .object(
                "total",
                "Wire bytes of a call of all APIs at the same mix of calls; null where no API has calls on both sides.",
                changeFields
            ).orNull,
            causes("They add up to total."),
            .list("apis", of: .object(apiFields), "Those that changed most first."),
            .list("hosts", of: .object(hostFields), "By change of wire bytes, largest first; none with --api."),
        ])
}

private let optionFields: [SchemaField] = [
    .word("layer", WireLayer.allCases.map(\.rawValue), "Lowest layer that wire counts."),
    .word("setup", SetupPolicy.allCases.map(\.rawValue), "Which exchanges pay for connection setup."),
    .text("filter", "Packet filter (pcap-filter syntax).").orNull,
    .text("at", "Value of --at.").orNull,
    .boolean("undo_offload", "Headers that segmentation offload hid are added to wire."),
    .list("hosts", of: .text, "Values of --host."), .list("apis", of: .text, "Values of --api."),
    .list("apps", of: .text, "Values of --app."),
    .list("templates", of: .text, "Values of --template."),
    .list("rpc", of: .text, "Values of --rpc; none for auto."),
    .list("name_by", of: .text, "Header fields of --name-by, in lower case."),
    .number("max_growth", "Value of --max-growth.", unit: "percent").orNull,
]

private let sideFields: [SchemaField] = [
    .list("captures", of: .text, "Captures of the side."), .list("audits", of: .text, "Audits as JSON of the side."),
    .count("packets", "Packets read."), .bytes("bytes", "Sum of the original lengths of the packets."),
    .count("calls", "Exchanges of the selected APIs; null where none was read and encryption may hide some.").orNull,
    .bytes("wire", "Wire bytes of the selected hosts, with --api of the selected APIs."),
    .list(
        "doubts", of: .text,
        "Codes of findings that say that traffic is missing or could not be read; packets-dropped, tls-unread (TLS or QUIC), frames-unread (without IP)."
    ),
]

private let changeFields: [SchemaField] = [
    .number("before", "Mean of a call on the earlier side."), .number("after", "Mean of a call on the later side."),
    .number("change", "after - before."),
    .number("percent", "change in percent of before; null where that is 0.", unit: "percent").orNull,
    .number(
        "noise", "Changes up to ± this happen when nothing changed; null without single calls or with too few."
    ).orNull,
    .boolean("beyond_noise", "The change is larger than noise; null where noise is.").orNull,
]

private func causes(_ meaning: String) -> SchemaField {
    .list(
        "causes",
        of: .object(
            [
                .word("direction", directionWords, "up: client to server; down: server to client."),
                .word("cause", Cause.allCases.map(\.name) + ["link", "offload"], "Kind of bytes."),
            ] + changeFields),
        "Bytes per call by direction and cause; those that neither side has are left out. \(meaning)")
}

private let apiFields: [SchemaField] = [
    .text("api", "Method, host and path with variable parts replaced, or an encrypted host."),
    .word(
        "verdict", APIChange.Verdict.allCases.map(\.rawValue),
        "What became of its bytes per call; shifted: causes changed and cancel each other out, or their sum is within noise."
    ),
    .object("before", "The earlier side; null where it does not have the API.", apiTotals).orNull,
    .object("after", "The later side; null where it does not have the API.", apiTotals).orNull,
    .object("wire", "Wire bytes of a call; null without calls on both sides.", changeFields).orNull,
    .text("main_cause", "The cause that changed most, in words; null where nothing changed beyond noise.").orNull,
    .boolean("exceeded", "It grew by more than --max-growth; null without it, and where that cannot be judged.").orNull,
    causes("They add up to wire."),
]

private let sums: [SchemaField] = [
    .bytes("up", "Wire bytes up."), .bytes("down", "Wire bytes down."), .bytes("wire", "up + down."),
]

private let apiTotals: [SchemaField] =
    [.count("calls", "Exchanges; null for an encrypted host.").orNull] + sums

private let hostTotals: [SchemaField] =
    [
        .count("connections", "Connections over TCP and QUIC."),
        .count(
            "calls",
            "Exchanges that were read; null where nobody knows them: of TLS and QUIC that was not read, and of UDP."
        ).orNull,
    ] + sums

private let hostFields: [SchemaField] = [
    .text("host", "Host name or address; with the port where it is not the usual one."),
    .object("before", "The earlier side; null where it does not have the host.", hostTotals).orNull,
    .object("after", "The later side; null where it does not have the host.", hostTotals).orNull,
]
