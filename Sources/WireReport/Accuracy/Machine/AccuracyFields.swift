import WireAccuracy
import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// The accuracy as one line of JSON: everything that is known of it, but no times of work, so that the same input gives the
/// same bytes.
public func accuracyJSON(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    accuracyOutput.json(AccuracyReport(result, CaptureReport(audit, options)))
}

extension AccuracyBaseline {
    /// Reads the JSON. Fields that are not needed may hold anything.
    public init(json: [UInt8]) throws(PolicyError) { try self.init(JSONReader(json)) }

    /// The same from pieces of any length, until there is none.
    public init(pieces: @escaping () -> [UInt8]?) throws(PolicyError) { try self.init(JSONReader(pieces: pieces)) }

    private init(_ json: JSONReader) throws(PolicyError) {
        var report = AccuracyReport(AccuracyResult(), CaptureReport())
        do throws(OwnFileReader.Problem) {
            try accuracyOutput.read(json, into: &report)
        } catch {
            let schema = accuracyOutput.schema.identifier
            throw PolicyError("not an output of wireaudit accuracy --format json (\(schema)): \(error.what)")
        }
        self = report.baseline
        choices = report.capture.choices
    }
}

/// An accuracy with everything that its fields look up.
struct AccuracyReport {
    let result: AccuracyResult
    var capture: CaptureReport
    let index: AccuracyIndex
    /// What was read.
    fileprivate var baseline = AccuracyBaseline()

    init(_ result: AccuracyResult, _ capture: CaptureReport) {
        (self.result, self.capture) = (result, capture)
        index = AccuracyIndex(result, capture.options)
    }

    func name(_ source: Int) -> String? { result.sources.indices.contains(source) ? result.sources[source].id : nil }

    /// The rows with the names of their sources; those of sources that there are not are left out.
    func named<Value>(_ rows: [Value], _ source: (Value) -> Int) -> [InSource<Value>] {
        rows.compactMap { row in name(source(row)).map { InSource(source: $0, value: row) } }
    }

    fileprivate var totals: [AccuracyFieldRow] {
        result.sources.indices.flatMap { source in
            index.totals(source).map { AccuracyFieldRow(result.sources[source].id, nil, $0) }
        }
    }

    fileprivate var rows: [AccuracyFieldRow] {
        let apis = index.apisByWire()
        return result.sources.indices.flatMap { source in
            apis.flatMap { api in
                Direction.allCases.compactMap { index.row(source, api, $0) }
                    .map { AccuracyFieldRow(result.sources[source].id, result.apis[api], $0) }
            }
        }
    }
}

/// A row with the id of its source.
struct InSource<Value> {
    let source: String?
    let value: Value
}

let accuracyOutput = Output<AccuracyReport>(
    "accuracy", version: 1, about: "How wrong estimates of bytes are, by source, API and direction.",
    command: "wireaudit accuracy --format json",
    fields: captureHead(others: [
        .bytes("bytes", "Sum of the original lengths of all packets.") { $0.ledger.bytes },
        .boolean("balanced", "The ledger adds up to bytes.") { $0.ledger.balanced },
    ]).map { $0.at(\.capture) } + resultFields + hiddenHostFields + questionFields + [
        .object("work", "Bodies that were decoded for the estimators.", workFields) { $0.result.work },
        .list("warnings", of: warningFields, "Findings, the most severe first.") { warnings(of: $0.capture.audit) },
    ])

private let resultFields: [Field<AccuracyReport>] = [
    .object("exchanges", "Exchanges of the capture.", exchangeFields) { $0.result },
    .list("sources", of: sourceFields, "Estimators and logs.") { $0.result.sources }
        .reading { (report, reader) throws(OwnFileReader.Problem) in
            let blank = AccuracySource(id: "", title: "", kind: .simulated, note: "")
            for source in try reader.list(sourceFields, blank: blank) where !source.id.isEmpty {
                report.baseline.add(source: source.id, isLog: source.kind == .log)
            }
        },
    .list("apis", of: apiFields, "By wire bytes, largest first.") { report in
        report.index.apisByWire().map { api in
            let calls = report.result.apiCalls
            return AccuracyAPI(name: report.result.apis[api], calls: calls.indices.contains(api) ? calls[api] : nil)
        }
    }.reading { (report, reader) throws(OwnFileReader.Problem) in
        for api in try reader.list(apiFields, blank: AccuracyAPI()) {
            if let name = api.name { report.baseline.add(api: name, api.calls) }
        }
    },
    .list("totals", of: totalRowFields, "A row for each source and direction, over all APIs.") { $0.totals }
        .reading { (report, reader) throws(OwnFileReader.Problem) in try reader.rows(totalRowFields, &report) },
    .list("rows", of: apiRowFields, "A row for each source, API and direction.") { $0.rows }
        .reading { (report, reader) throws(OwnFileReader.Problem) in try reader.rows(apiRowFields, &report) },
    .list("advice", of: adviceFields, "What would repair the error, by source and direction.") { $0.totals },
    .list("logs", of: logSummaryFields, "What became of each log.") { report in
        report.result.logs.map { InSource(source: report.name($0.source), value: $0) }
    },
]

private let exchangeFields: [Field<AccuracyResult>] = [
    .count("total", "All.") { $0.exchanges }, .count("compared", "Exchanges that can be compared.") { $0.counted },
    .counts(
        "left_out", keys: "the reason", "Exchanges that cannot be compared, by the flag that excludes them."
    ) { $0.leftOut.map { ($0.reason, $0.count) } },
]

private let sourceFields: [Field<AccuracySource>] = [
    .text("id", "Id in this output.") { $0.id }.reading(\.id), .text("title", "Display name.") { $0.title },
    .word("kind", ["log", "simulated"], "A log of an SDK, or a simulated estimator.") {
        $0.kind == .log ? "log" : "simulated"
    }.reading { (source, reader) throws(OwnFileReader.Problem) in
        source.kind = try reader.string() == "log" ? .log : .simulated
    },
    .text("parameters", "Parameters of a simulated estimator.") { $0.kind == .simulated ? $0.note : nil }.orNull,
    .text("formula", "Formula by which the figures of a log are explained.") {
        $0.kind == .log && !$0.note.isEmpty ? $0.note : nil
    }.orNull,
    .list("formulas", of: formulaFields, "Published and fitted formulas of a log.") { $0.formulas },
    .count("unknown", "Directions without a figure because the formula needs what the capture lacks.") { $0.unknown },
    .count("unstated", "Directions without a figure because the log states none.") { $0.unstated },
    .difference("added_bytes", "Bytes that a simulated estimator adds where nothing was sent.") {
        $0.kind == .simulated ? $0.addedBytes : nil
    }.orNull,
]

private let formulaFields: [Field<LogFormula>] = [
    .word("kind", ["published", "fitted"], "By the SDK's project, or by the figures of the log.") {
        $0.kind.rawValue
    },
    .word("direction", "up: requests, down: responses.") { $0.direction },
    .text("id", "Id of the estimator.") { $0.id }, .text("parameters", "Its parameters.") { $0.parameters },
    .object("fitting", "First half of the rows.", exactFields) { ($0.fittingExact, $0.fittingCompared) },
    .object("confirming", "Second half of the rows.", exactFields) { ($0.confirmingExact, $0.confirmingCompared) },
    .count("guessed_reasons", "Figures that fit with a guessed reason phrase only.") { $0.guessedReasons },
]

private let exactFields: [Field<(exact: Int, compared: Int)>] = [
    .count("exact", "Figures that the formula gives to the byte.") { $0.exact },
    .count("compared", "Figures compared.") { $0.compared },
]

private struct AccuracyAPI {
    var name: String?
    var calls: Int?
}

private let apiFields: [Field<AccuracyAPI>] = [
    .text("api", "The API.") { $0.name }.reading(\.name),
    .count("calls", "Its calls.") { $0.calls }.orNull.reading(\.calls),
]

extension OwnFileReader {
    fileprivate mutating func rows(_ fields: [Field<AccuracyFieldRow>], _ report: inout AccuracyReport) throws(Problem)
    {
        try array { (reader) throws(Problem) in
            var read = AccuracyFieldRow()
            try reader.object(fields, into: &read)
            guard let source = read.source, let direction = read.direction else {
                throw reader.problem("a row has no source or no direction")
            }
            report.baseline.add(read.row, source, read.api, direction)
        }
    }
}

private let adviceFields: [Field<AccuracyFieldRow>] = [
    sourceField, .word("direction", "up: requests, down: responses.") { $0.direction },
    .list("changes", of: changeFields, "What to change in the SDK.") { $0.row.advice },
    .list("allowances", of: changeFields, "What to add because no hook can see it.") { $0.row.allowances },
]

private let changeFields: [Field<Advice>] = [
    .text("cause", "Id of the cause.") { $0.cause.name },
    .text("advice", "What to do, in one sentence.") { $0.cause.advice },
    .difference("bytes", "Error that it repairs.") { $0.bytes },
    .difference("remaining", "Error that remains.") { $0.remaining },
    .ratio("relative_remaining", "Error that remains, of the bytes in the capture.") { $0.relativeRemaining }.orNull,
    .difference("remaining_with_above", "Error that remains with the changes listed before it, too.") {
        $0.remainingWithAbove
    },
]

/// Counts of what was decoded; times would differ from run to run.
private let workFields: [Field<ContentWork>] = [
    .count("decoded_bodies", "Bodies decoded.") { $0.decodedBodies },
    .bytes("coded_bytes", "Bytes read.") { $0.codedBytes },
    .bytes("decoded_bytes", "Bytes written.") { $0.decodedBytes },
    .count("recompressed_bodies", "Bodies compressed again.") { $0.recompressedBodies },
    .bytes("recompressed_bytes", "Bytes read for that.") { $0.recompressedBytes },
    .count("remembered", "Bodies seen before.") { $0.remembered },
    .count("undecodable", "Bodies that could not be decoded.") { $0.undecodable },
]
