import WireComparison
import WireCore
import WireRecords

/// The comparison as one line of JSON.
public func comparisonJSON(_ comparison: CostComparison, options: ReportOptions) -> OutputBuffer {
    let words = ComparisonWords(comparison: comparison)
    return comparisonOutput.json(ComparisonRow(comparison: comparison, options: options, words: words))
}

/// A comparison with what its fields look up.
struct ComparisonRow {
    let comparison: CostComparison
    let options: ReportOptions
    let words: ComparisonWords

    /// The bound can be held against something.
    fileprivate var isJudged: Bool { comparison.maximumGrowth != nil && !comparison.isUnjudged }

    fileprivate func side(_ side: ComparedSide) -> SideRow { SideRow(side: side, measure: comparison.measure) }
}

let comparisonOutput = Output<ComparisonRow>(
    "compare", version: 1, about: "What became larger or smaller between two captures or audits.",
    command: "wireaudit compare --format json",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion },
        .object("options", "Choices that change what is shown.", comparisonOptionFields) { $0 },
        .object("before", "The earlier side.", sideFields) { $0.side($0.comparison.before) },
        .object("after", "The later side.", sideFields) { $0.side($0.comparison.after) },
        .text("verdict", "The result in words.") { $0.words.verdict.plain },
        .boolean("identical", "Both sides have the same calls and bytes in every row; false without any chosen row.") {
            $0.comparison.isIdentical
        },
        .boolean("noise_known", "Single calls of both sides are known, so chance can be told from change.") {
            $0.comparison.knowsNoise
        },
        .boolean(
            "exceeded",
            "Something grew by more than --max-growth; null without it, and where nothing, or not all that matters, could be judged."
        ) { $0.isJudged && !$0.comparison.isUnjudgedInPart ? $0.comparison.isExceeded : nil }.orNull,
        .boolean("total_exceeded", "The total did; null without --max-growth, and where nothing could be judged.") {
            $0.isJudged ? $0.comparison.totalIsExceeded : nil
        }.orNull,
        .object(
            "total",
            "Wire bytes of a call of all APIs at the same mix of calls; null where no API has calls on both sides.",
            changeFields
        ) { $0.comparison.total }.orNull,
        causes("They add up to total.") { $0.comparison.cells },
        .list("apis", of: apiFields, "Those that changed most first.") { row in
            row.comparison.apis.map { APIRow(api: $0, report: row) }
        },
        .list("hosts", of: hostFields, "By change of wire bytes, largest first; none with --api.") { row in
            row.comparison.hosts.map { HostRow(host: $0, measure: row.comparison.measure) }
        },
    ])

private let comparisonOptionFields: [Field<ComparisonRow>] =
    optionFields.map { $0.of { $0.options.choices } } + [
        .number("max_growth", "Value of --max-growth.", unit: "percent") { $0.comparison.maximumGrowth }.orNull
    ]

private struct SideRow {
    let side: ComparedSide
    let measure: CostMeasure
}

private let sideFields: [Field<SideRow>] = [
    .texts("captures", "Captures of the side.") { $0.side.captures },
    .texts("audits", "Audits as JSON of the side.") { $0.side.audits },
    .count("packets", "Packets read.") { $0.side.packets },
    .bytes("bytes", "Sum of the original lengths of the packets.") { $0.side.bytes },
    .count("calls", "Exchanges of the selected APIs; null where none was read and encryption may hide some.") {
        $0.side.knownCalls
    }.orNull,
    .bytes("wire", "Wire bytes of the selected hosts, with --api of the selected APIs.") { $0.side.wire($0.measure) },
    .texts(
        "doubts",
        "Codes of findings that say that traffic is missing or could not be read; packets-dropped, tls-unread (TLS or QUIC), frames-unread (without IP)."
    ) { $0.side.allDoubts.sorted() },
]

private let changeFields: [Field<CostChange>] = [
    .number("before", "Mean of a call on the earlier side.") { $0.before },
    .number("after", "Mean of a call on the later side.") { $0.after },
    .number("change", "after - before.") { $0.change },
    .number("percent", "change in percent of before; null where that is 0.", unit: "percent") { $0.percent }.orNull,
    .number("noise", "Changes up to ± this happen when nothing changed; null without single calls or with too few.") {
        $0.noise
    }.orNull,
    .boolean("beyond_noise", "The change is larger than noise; null where noise is.") { $0.isCertain }.orNull,
]

private let cellFields: [Field<CellChange>] =
    [
        .word("direction", ["up", "down"], "up: client to server; down: server to client.") {
            $0.cell.direction.rawValue
        },
        .word("cause", Cause.allCases.map(\.name) + ["link", "offload"], "Kind of bytes.") { $0.cell.id },
    ] + changeFields.map { $0.of { $0.change } }

private func causes<Row>(_ meaning: String, _ get: @escaping @Sendable (Row) -> [CellChange]) -> Field<Row> {
    .list(
        "causes", of: cellFields,
        "Bytes per call by direction and cause; those that neither side has are left out. \(meaning)"
    ) { get($0).filter { $0.change.before != 0 || $0.change.after != 0 } }
}

private struct APIRow {
    let api: APIChange
    let report: ComparisonRow

    func totals(_ side: ComparedAPI?) -> Totals? {
        side.map { Totals(calls: $0.isEncrypted ? nil : $0.calls, costs: $0.costs, measure: report.comparison.measure) }
    }
}

private let apiFields: [Field<APIRow>] = [
    .text("api", "Method, host and path with variable parts replaced, or an encrypted host.") { $0.api.api },
    .word(
        "verdict",
        "What became of its bytes per call; shifted: causes changed and cancel each other out, or their sum is within noise."
    ) { $0.api.verdict },
    .object("before", "The earlier side; null where it does not have the API.", apiTotals) {
        $0.totals($0.api.before)
    }.orNull,
    .object("after", "The later side; null where it does not have the API.", apiTotals) {
        $0.totals($0.api.after)
    }.orNull,
    .object("wire", "Wire bytes of a call; null without calls on both sides.", changeFields) { $0.api.wire }.orNull,
    .text("main_cause", "The cause that changed most, in words; null where nothing changed beyond noise.") {
        [.larger, .smaller, .shifted].contains($0.api.verdict) ? $0.report.words.mainCause($0.api) : nil
    }.orNull,
    .boolean("exceeded", "It grew by more than --max-growth; null without it, and where that cannot be judged.") {
        let isJudged =
            $0.report.comparison.maximumGrowth != nil && $0.api.wire != nil && $0.api.verdict != .tooFewCalls
        return isJudged ? $0.api.isExceeded : nil
    }.orNull,
    causes("They add up to wire.") { $0.api.cells },
]

/// What an API or a host has on one side.
private struct Totals {
    var connections = 0
    let calls: Int?
    let costs: Directions<CostVector>
    let measure: CostMeasure
}

private let sums: [Field<Totals>] = [
    .bytes("up", "Wire bytes up.") { $0.measure.wire($0.costs.up) },
    .bytes("down", "Wire bytes down.") { $0.measure.wire($0.costs.down) },
    .bytes("wire", "up + down.") { $0.measure.wire($0.costs) },
]

private let apiTotals: [Field<Totals>] =
    [.count("calls", "Exchanges; null for an encrypted host.") { $0.calls }.orNull] + sums

private let hostTotals: [Field<Totals>] =
    [
        .count("connections", "Connections over TCP and QUIC.") { $0.connections },
        .count(
            "calls",
            "Exchanges that were read; null where nobody knows them: of TLS and QUIC that was not read, and of UDP."
        ) { $0.calls }.orNull,
    ] + sums

private struct HostRow {
    let host: HostChange
    let measure: CostMeasure

    func totals(_ side: ComparedHost?) -> Totals? {
        side.map { Totals(connections: $0.connections, calls: $0.knownCalls, costs: $0.costs, measure: measure) }
    }
}

private let hostFields: [Field<HostRow>] = [
    .text("host", "Host name or address; with the port where it is not the usual one.") { $0.host.host },
    .object("before", "The earlier side; null where it does not have the host.", hostTotals) {
        $0.totals($0.host.before)
    }.orNull,
    .object("after", "The later side; null where it does not have the host.", hostTotals) {
        $0.totals($0.host.after)
    }.orNull,
]

extension CostCell {
    /// Its name in outputs.
    var id: String {
        switch part {
        case .cause(let cause): cause.name
        case .link: "link"
        case .hidden: "offload"
        }
    }
}
