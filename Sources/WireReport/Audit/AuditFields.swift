import WireComparison
import WireCore
import WireOpportunities
import WireRecords

/// The audit as one line of JSON, with what estimators make of each API where it is given.
public func auditJSON(
    _ result: AuditResult, options: ReportOptions, _ additions: AuditAdditions = AuditAdditions()
) -> OutputBuffer { auditOutput.json(AuditReport(CaptureReport(result, options), additions)) }

/// The APIs of an audit, a line for each, with the fields that `apis` of the JSON has (RFC 4180, with a header line).
public func auditCSV(_ result: AuditResult, options: ReportOptions) -> OutputBuffer {
    var csv = CSVFields(isRaw: options.isRawCSV)
    csv.buffer.string(columnNames(apiFields).joined(separator: ","))
    csv.endLine()
    for row in apiRows(result, options) {
        csv.write(apiFields, of: AuditAPI(api: row, options: options))
        csv.endLine()
    }
    return csv.finished()
}

/// An audit with what its fields look up.
struct AuditReport {
    var capture: CaptureReport
    let additions: AuditAdditions
    /// What was read.
    var apis: [AuditAPI] = []
    var hosts: [AuditHost] = []
    var warnings: [AuditWarning] = []

    init(_ capture: CaptureReport, _ additions: AuditAdditions = AuditAdditions()) {
        (self.capture, self.additions) = (capture, additions)
    }

    fileprivate var audit: AuditResult { capture.audit }
    fileprivate var options: ReportOptions { capture.options }
}

let auditOutput = Output<AuditReport>(
    "audit", version: 1, about: "The audit of a capture: all bytes by layer and cause, and what each API cost.",
    command: "wireaudit --format json", fields: captureHead().map { $0.at(\.capture) } + reportFields)

private let reportFields: [Field<AuditReport>] = [
    .object("ledger", "Every byte of the capture, once.", ledgerFields, at: \.capture),
    .list("apis", of: apiFields, "By wire bytes, largest first.") { report in
        apiRows(report.audit, report.options)
            .map { AuditAPI(api: $0, options: report.options, estimates: report.additions.estimates) }
    }.reading { (report, reader) throws(OwnFileReader.Problem) in
        report.apis = try reader.list(apiFields, blank: AuditAPI(api: APISummary(api: "")))
    },
    .list("hosts", of: auditHostFields, "By wire bytes, largest first.") { report in
        hostRows(report.audit, report.options).map { AuditHost(host: $0, options: report.options) }
    }.reading { (report, reader) throws(OwnFileReader.Problem) in
        report.hosts = try reader.list(auditHostFields, blank: AuditHost(host: HostSummary(host: "")))
    },
    .list(
        "apps", of: appFields,
        "By wire bytes, largest first, with all that is of none behind them; empty where the capture names no app. Without --app their wire adds up to the whole."
    ) { report in appRows(report.audit, report.options).map { AuditApp(app: $0, options: report.options) } },
    .list(
        "content_types", of: contentTypeFields,
        "Bodies of all exchanges by media type, largest first; empty with --host or --api."
    ) { contentTypeRows($0.audit, $0.options) },
    .list(
        "counted_at", of: countedPointFields,
        "Where connections, and UDP flows, count that were captured at several sides of an address translation, most first."
    ) { $0.audit.countedPoints },
    .map(
        "estimators", keys: "the id of an estimator", of: estimatorFields,
        "Estimators of the APIs; null without --estimators."
    ) { $0.additions.estimates?.estimators.map { ($0.id, $0) } }.orNull,
    .object(
        "opportunities", "Bytes that need not have been spent; null without --opportunities.", opportunityFields
    ) { report in
        report.additions.opportunities.map { OpportunityRow(value: $0, options: report.options) }
    }.orNull,
    headerFieldsField { $0.additions.headerFields },
    .list("warnings", of: warningFields, "Findings, the most severe first.") { WireReport.warnings(of: $0.audit) }
        .reading { (report, reader) throws(OwnFileReader.Problem) in
            report.warnings = try reader.list(warningFields, blank: AuditWarning())
        },
]

private let ledgerFields: [Field<CaptureReport>] =
    [
        .boolean("balanced", "The causes and layers add up to all bytes. False is a defect of wireaudit.") {
            $0.audit.ledger.balanced
        },
        .bytes("bytes", "Sum of the original lengths of all packets.") { $0.audit.ledger.bytes }
            .reading(\.audit.ledger.bytes),
        .bytes(
            "unread_frames",
            "Part of layers.non_ip: frames that nobody read and that are no protocol of the link itself, such as ARP: they are encrypted or of an unknown type, or their IP header is broken."
        ) { $0.audit.ledger.unreadFrames }.reading(\.audit.ledger.unreadFrames),
        .object("layers", "By layer; they add up to bytes.", layerFields) { $0.audit.ledger.layers },
        .object(
            "causes", "Bytes of TCP and QUIC, and of DNS for them, by cause.",
            Field<CaptureReport>.costs({ $0.options }, at: \.audit.ledger.causes)
        ) { $0 },
        .object("other", "IP bytes that are of no connection.", otherFields) { $0.audit.ledger.other },
    ]

private let layerFields: [Field<LayerTotals>] = [
    .bytes("pseudo", "Headers that the capture added, such as of LINUX_SLL.") { $0.pseudo },
    .bytes("link", "Link-layer headers, padding, trailers.") { $0.link },
    .bytes("tunnel", "Headers of tunnels.") { $0.tunnel }, .bytes("network", "IP headers.") { $0.network },
    .bytes("transport", "TCP, UDP and ICMP headers.") { $0.transport },
    .bytes("payload", "Payload of these.") { $0.payload }, .bytes("non_ip", "Frames without IP.") { $0.nonIP },
    .bytes("duplicate", "Frames captured more than once.") { $0.duplicate },
]

private let otherFields: [Field<OtherTotals>] = [
    .bytes("dns", "DNS that no connection followed.") { $0.dns },
    .bytes("quic", "QUIC of no connection.") { $0.quic }, .bytes("wireguard", "WireGuard.") { $0.wireGuard },
    .bytes("udp", "Other UDP.") { $0.udp }, .bytes("icmp", "ICMP.") { $0.icmp },
    .bytes("other_ip", "Other protocols.") { $0.otherIP },
]

// MARK: APIs

struct AuditAPI {
    var api: APISummary
    var options = ReportOptions()
    var estimates: AuditEstimates?

    /// Of each estimator; nil where none was asked for.
    fileprivate var sums: [(key: String, value: AuditEstimates.Sums)]? {
        estimates.map { estimates in
            let sums = estimates.apis[api.api] ?? []
            return estimates.estimators.enumerated().map { index, estimator in
                (estimator.id, sums.indices.contains(index) ? sums[index] : AuditEstimates.Sums())
            }
        }
    }
}

private let apiFields: [Field<AuditAPI>] =
    [
        .text(
            "api",
            "Method, host and path with variable parts replaced. For TLS that was not read: https:// and the host, then (encrypted); if it is no HTTP, tls:// and (encrypted NAME) with the protocol that ALPN or the port names."
        ) { $0.api.api }.reading(\.api.api),
        .boolean("encrypted", "TLS that was not read: a host, not an API.") { $0.api.isEncrypted }
            .reading(\.api.isEncrypted),
        .count("exchanges", "Exchanges.") { $0.api.exchanges }.reading(\.api.exchanges),
    ] + Field<AuditAPI>.costs({ $0.options }, at: \.api.costs) + [
        .bytes("wire", "Sum of wire of both directions.") { $0.options.wire($0.api.costs) },
        .bytes("message", "Sum of message of both directions.") { $0.api.costs.up.message + $0.api.costs.down.message },
        .map(
            "estimates", keys: "the id of an estimator", of: Field.directions(sumFields, { $0.up }, { $0.down }),
            "Sums of estimates; null without --estimators."
        ) { $0.sums }.orNull,
    ]

private let sumFields: [Field<AuditEstimates.Sum>] = [
    .estimate("total", "Sum of the estimates.") { $0.calls == 0 ? nil : $0.total }.orNull,
    .count("calls", "Calls for which the estimator has a figure.") { $0.calls },
]

private let estimatorFields: [Field<AuditEstimates.Estimator>] = [
    .text("title", "Display name.") { $0.title }, .text("parameters", "Its parameters.") { $0.parameters },
]

// MARK: Other rows

private let countedPointFields: [Field<CountedPoint>] = [
    .text("file", "Its capture file.") { $0.file },
    .count("interface", "Its number, as packets or the file have it.", of: "number") { $0.interface }.orNull,
    .text("name", "Its name, as the file has it.") { $0.name }.orNull,
    .count("connections", "Connections, and UDP flows, that count there.") { $0.connections },
]

struct AuditApp {
    var app: AppRow
    let options: ReportOptions
}

let appFields: [Field<AuditApp>] =
    [
        .text(
            "app",
            "The effective process where one is told, else the process; null: what no packet names an app of, and what is of no connection and no UDP."
        ) { $0.app.app }.orNull,
        .count("connections", "Connections.") { $0.app.connections },
        .count("exchanges", "Exchanges in them.") { $0.app.exchanges },
    ] + Field<AuditApp>.costs({ $0.options }, at: \.app.costs) + [
        .bytes("wire", "Sum of wire of both directions; where app is null, all that is left of the whole.") {
            $0.app.wire
        }
    ]

private let contentTypeFields: [Field<ContentTypeSummary>] = [
    .text("type", "Media type in lower case, without parameters; null: the messages tell none.") { $0.type }.orNull,
    .count("requests", "Bodies from clients that are not empty.") { $0.bodies.up },
    .count("responses", "Bodies from servers.") { $0.bodies.down },
    .bytes("up", "Body bytes from clients, as sent, without framing.") { $0.bytes.up },
    .bytes("down", "Body bytes from servers.") { $0.bytes.down }, .bytes("bytes", "Sum of both.") { $0.sum },
]
