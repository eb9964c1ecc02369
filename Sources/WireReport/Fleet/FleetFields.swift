import WireComparison
import WireCore
import WireRecords
import WireStatistics

/// A fleet as one line of JSON.
public func fleetJSON(_ report: FleetReport) -> OutputBuffer { fleetOutput.json(report) }

let fleetSourceMeaning = "Id of the source; a log is named by its format."

let fleetOutput = Output<FleetReport>(
    "fleet", version: 1, about: "What the capture sessions of a fleet add up to, and how its groups differ.",
    command: "wireaudit fleet MANIFEST -o FOLDER",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .text("verdict", "What changed, in some sentences.") { $0.verdict },
        .count("sessions", "Sessions of the manifest.") { $0.fleet.rows.count },
        .count("audited", "Those that were audited.") { $0.audited },
        .count("failed", "Those that failed.") { $0.failed.count },
        .object("damage", "What the captures of the audited sessions lack.", fleetDamageFields) {
            FleetDamage($0.fleet)
        },
        .ratio("false_alarms", "Probability of a significant change in a fleet without any.") { _ in
            FleetComparison.falseAlarms
        },
        .count("replicates", "Replicates of the bootstrap over sessions.") { _ in MergedSessions.replicates },
        .count("fewest_sessions", "Sessions below which there are no intervals.") { _ in
            MergedSessions.fewestSessions
        },
        .list("totals", of: totalFields, "All sessions, by source and direction.") { $0.fleet.total?.totals ?? [] },
        .list("groups", of: groupFields, "Sessions with the same value of a label.") { $0.fleet.groups },
        .list(
            "apps", of: appFields,
            "All sessions, by wire bytes, largest first, with all that is of none behind them; empty where no capture names an app."
        ) { report in report.apps.map { AuditApp(app: $0, options: report.options) } },
        .list("changes", of: changeFields, "Each group against the first of its label.") { $0.changes },
        .list(
            "outliers", of: outlierFields,
            "Sessions whose recorded figures are far from those of their like, the farthest first."
        ) { $0.outliers },
    ])

/// What the captures of all audited sessions lack.
private struct FleetDamage {
    let losses: [CaptureLoss]

    init(_ fleet: FleetResult) { losses = fleet.rows.filter { $0.failure == nil }.map(\.damage) }

    func sessions(_ trust: CaptureLoss.Trust) -> Int { losses.count { $0.trust == trust } }

    var sum: CaptureLoss {
        losses.reduce(into: CaptureLoss()) { sum, loss in
            sum.damagedFiles &+= loss.damagedFiles
            sum.droppedPackets = (sum.droppedPackets ?? 0) &+ (loss.droppedPackets ?? 0)
            sum.cutPackets &+= loss.cutPackets
            sum.gaps &+= loss.gaps
            sum.missingBytes = (sum.missingBytes ?? 0) &+ (loss.missingBytes ?? 0)
            sum.unreadBytes &+= loss.unreadBytes
        }
    }
}

private let fleetDamageFields: [Field<FleetDamage>] =
    [
        .count("whole_sessions", "Sessions of which nothing is known to be missing.") { $0.sessions(.whole) },
        .count("unread_sessions", "Sessions with bytes that were counted, but not read.") { $0.sessions(.unread) },
        .count("incomplete_sessions", "Sessions of which packets are missing or cut.") { $0.sessions(.incomplete) },
    ] + damageFields(isOfAll: true).map { $0.of { $0.sum } }

private let totalFields: [Field<FleetTotal>] = [
    .text("source", fleetSourceMeaning) { $0.source },
    .word("direction", "up: requests, down: responses.") { $0.direction },
    .count("sessions", "Sessions with calls.") { $0.sessions },
    .count("recorded_calls", "Calls with a figure.") { $0.calls },
    .ratio("error", "Error in total / recorded messages.") { $0.error }.orNull,
    .ratio("error_low", "Lower end of its 95 % interval by sessions.") { $0.interval?.low }.orNull,
    .ratio("error_high", "Upper end of its 95 % interval by sessions.") { $0.interval?.high }.orNull,
    .number("message_per_call", "Mean message bytes of a call, recorded or not.") { $0.message }.orNull,
    .number("wire_per_call", "Mean wire bytes of a call, recorded or not.") { $0.wire }.orNull,
    sessionQuantiles { $0.quantiles },
]

private let groupFields: [Field<FleetGroup>] = [
    .text("label", "Column of the manifest, or day.") { $0.label }, .text("value", "Its value.") { $0.value },
    .count("sessions", "Sessions.") { $0.part.sessions.count },
    .list("totals", of: totalFields, "By source and direction.") { $0.part.totals },
    .object("cost", "What the sessions sent and received, whatever was recorded.", costFields) { $0.part.cost },
]

private let costFields: [Field<FleetCost>] = [
    .bytes("bytes", "Original lengths of all frames.") { $0.bytes },
    .count("exchanges", "HTTP exchanges that were read.") { $0.exchanges },
    .bytes("wire", "IP bytes of these exchanges, both directions.") { $0.wire },
    .bytes("encrypted_wire", "IP bytes of connections that could not be decrypted.") { $0.encrypted },
    .count("unread_hosts", "Hosts of TLS connections that were not read, failed handshakes among them.") {
        $0.unreadHosts
    },
]

private let changeFields: [Field<FleetChange>] = [
    .text("label", "Column of the manifest.") { $0.label }, .text("value", "The group.") { $0.value },
    .text("reference", "The first group of the label.") { $0.reference },
    .word("measure", "Message bytes, wire bytes, or error of a source.") { $0.measure },
    .text("source", "Of an error.") { $0.source }.orNull,
    .text("api", "The API. Null: all together.") { $0.api }.orNull,
    .word("direction", "up: requests, down: responses.") { $0.direction },
    .number("before", "Mean of a call in the reference.") { $0.before },
    .number("after", "Mean of a call in the group.") { $0.after },
    .number("difference", "after - before.") { $0.difference },
    .number("low", "Lower end of the 95 % interval of the difference.") { $0.interval?.low }.orNull,
    .number("high", "Upper end of the 95 % interval of the difference.") { $0.interval?.high }.orNull,
    .count("sessions_before", "Sessions of the reference.") { $0.sessionsBefore },
    .count("sessions_after", "Sessions of the group.") { $0.sessionsAfter },
    .boolean("significant", "Beyond chance, all comparisons of the fleet taken together.") { $0.isSignificant },
]

private let outlierFields: [Field<FleetOutlier>] = [
    .text("session", "Its name.") { $0.session }, .text("source", fleetSourceMeaning) { $0.source },
    .word("direction", "up: requests, down: responses.") { $0.direction },
    .texts("group", "Values of the labels that it shares with the sessions it was compared with.") { $0.group },
    .ratio("error", "Its error / messages.") { $0.error },
    .ratio("median", "Median of these sessions.") { $0.median },
    .number(
        "distance", "Robust standard deviations between them; null where most sessions are equal.", unit: "ratio",
        places: 1
    ) { $0.distance }.orNull,
]
