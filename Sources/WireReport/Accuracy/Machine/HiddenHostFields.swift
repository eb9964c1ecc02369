import WireAccuracy
import WireComparison
import WireLogs
import WireRecords

/// Hosts that TLS hides, each with what every log has for it, and hosts with failed handshakes. In no row and no total of
/// calls.
let hiddenHostFields: [Field<AccuracyReport>] = [
    .list("hosts", of: hostFields, "Hosts whose TLS was not read: compared in total.") { report in
        let logs = Dictionary(grouping: report.named(report.result.hostLogs, \.source), by: \.value.host)
        return report.result.hosts.enumerated().map { HostRow(host: $1, logs: logs[$0] ?? []) }
    },
    .list("failed_handshakes", of: failedFields, "Hosts with TLS handshakes that failed.") {
        $0.result.failedHandshakes
    },
]

private struct HostRow {
    let host: HostTotal
    let logs: [InSource<HostLogTotal>]
}

private let hostFields: [Field<HostRow>] =
    [
        .text("host", "Host name.") { $0.host.host },
        Field(
            "ports", .list(SchemaElement(.integer(unit: "port", least: 0))), "Ports of the server.",
            .nested { row, name, json in json.integers(name, row.host.ports.map { Int($0) }) }),
        .count("connections", "Connections.") { $0.host.connections },
        .moment("first", "First packet.") { $0.host.first }.orNull,
        .moment("last", "Last packet.") { $0.host.last }.orNull,
    ] + Field.directions(sideFields, { $0.host.up }, { $0.host.down }) + [
        .list("logs", of: logFields, "What each log has for the host.") { row in
            row.logs.map { HostLog(host: row.host, log: $0) }
        }
    ]

private let sideFields: [Field<HostTotal.Side>] = [
    .bytes("wire", "Wire bytes.") { $0.wire }, .bytes("tls_setup", "TLS handshake records.") { $0.setup },
    .bytes("application", "application_data records.") { $0.application },
]

private struct HostLog {
    let host: HostTotal
    let log: InSource<HostLogTotal>
}

private let logFields: [Field<HostLog>] =
    [
        .text("source", "Id of the source.") { $0.log.source },
        .count("rows", "Rows of the host.") { $0.log.value.rows },
        .count("rows_outside_capture", "Rows from before or after the capture.") { $0.log.value.rowsOutside },
        .moment("first", "First row, by the log's clock.") { $0.log.value.first }.orNull,
        .moment("last", "Last row.") { $0.log.value.last }.orNull,
    ]
    + Field.directions(
        logSideFields, { LogSide(log: $0.log.value.up, host: $0.host.up) },
        { LogSide(log: $0.log.value.down, host: $0.host.down) })

private struct LogSide {
    let log: HostLogTotal.Side
    let host: HostTotal.Side

    /// Nil without a row that has a figure.
    var logged: Int? { log.rows > 0 ? log.bytes : nil }

    func ratio(_ whole: Int) -> Double? { whole == 0 ? nil : logged.map { Double($0) / Double(whole) } }
}

private let logSideFields: [Field<LogSide>] = [
    .count("rows", "Rows with a figure.") { $0.log.rows },
    .estimate("logged", "Sum of their figures.") { $0.logged }.orNull,
    .difference("difference", "logged - wire.") { side in
        side.logged.map { clampedDifference($0, side.host.wire) }
    }.orNull,
    .ratio("ratio", "logged / wire.") { $0.ratio($0.host.wire) }.orNull,
    .ratio("application_ratio", "logged / application.") { $0.ratio($0.host.application) }.orNull,
]

private let failedFields: [Field<FailedHandshakes>] = [
    .text("host", "Host name.") { $0.host }, .count("connections", "Connections.") { $0.connections },
    .count("alerts", "Alerts seen.") { $0.alerts }, .bytes("wire_up", "Wire bytes up.") { $0.wireUp },
    .bytes("wire_down", "Wire bytes down.") { $0.wireDown },
]
