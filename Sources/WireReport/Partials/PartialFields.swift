import WireAccuracy
import WireComparison
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// A partial result as one line of JSON: exact sums that `merge` adds up. Equal results have equal bytes.
public func partialJSON(_ result: PartialResult) -> OutputBuffer { partialOutput.json(result) }

extension PartialResult {
    /// Reads what `--format partial` wrote.
    public init(json: JSONReader) throws(PartialError) {
        self.init(.audit, choices: [:])
        do throws(OwnFileReader.Problem) {
            try partialOutput.read(json, into: &self)
            columns = [:]
            guard !sessions.isEmpty else { throw OwnFileReader.Problem(what: "it has no session") }
        } catch {
            let schema = partialOutput.schema.identifier
            throw PartialError(message: "not a partial result written by --format partial (\(schema)): \(error.what)")
        }
    }
}

let partialOutput = Output<PartialResult>(
    "partial", version: 1, about: "Exact sums of capture sessions, for wireaudit merge.",
    command: "wireaudit accuracy --format partial",
    fields: [
        .text("version", "Version of wireaudit.") { _ in toolVersion }.reading(\.version),
        .word("report", "The report that it is a part of.") { $0.report }
            .reading { (result, reader) throws(OwnFileReader.Problem) in
                guard let report = PartialReport(rawValue: try reader.string()) else {
                    throw reader.problem("unknown report")
                }
                result.report = report
            },
        .lists(
            "choices", keys: "the name of an option",
            "What the figures depend on; equal in all parts of a report."
        ) { $0.choices.sorted { $0.key < $1.key } }.reading { (result, reader) throws(OwnFileReader.Problem) in
            try reader.object { (reader, name) throws(OwnFileReader.Problem) in
                result.choices[name] = try reader.strings()
            }
        },
        .list("sessions", of: sessionFields, "The sessions in the sums, by id.") { result in
            result.sessions.sorted { $0.key < $1.key }.map { PartSession(id: $0.key, name: $0.value) }
        }.reading { (result, reader) throws(OwnFileReader.Problem) in
            for session in try reader.list(sessionFields, blank: PartSession()) {
                guard let id = session.id, result.sessions.updateValue(session.name, forKey: id) == nil else {
                    throw reader.problem("a session has no id of its own")
                }
            }
        },
        .lists(
            "columns", keys: "the kind of a row", "Names of the values of such rows, in their order."
        ) { _ in PartialKind.allCases.map { ($0.rawValue, $0.columnNames) } }
        .reading { (result, reader) throws(OwnFileReader.Problem) in result.columns = try reader.columns() },
        .list("rows", of: rowFields, "Sums of the ledger, of hosts, APIs, findings, sources and logs.") { result in
            result.rows.sorted { $0.key < $1.key }
                .map { PartLine(kind: $0.key.kind, names: $0.key.names, values: $0.value.values) }
        }.reading { (result, reader) throws(OwnFileReader.Problem) in
            try reader.array { (reader) throws(OwnFileReader.Problem) in try reader.row(of: &result) }
        },
        .list("calls", of: callFields, "Sums over calls: what rows of the accuracy are computed from.") { result in
            result.calls.sorted { $0.key < $1.key }.map { PartCalls(key: $0.key, sums: $0.value) }
        }.reading { (result, reader) throws(OwnFileReader.Problem) in
            try reader.array { (reader) throws(OwnFileReader.Problem) in try reader.calls(of: &result) }
        },
    ])

private struct PartSession {
    var id: SessionID?
    var name = ""
}

private let sessionFields: [Field<PartSession>] = [
    .text("id", "Tells the session from all others: 32 hexadecimal digits.") { $0.id?.text }
        .reading { (session, reader) throws(OwnFileReader.Problem) in session.id = SessionID(try reader.string()) },
    .text("name", "The name given with --session, else the beginning of the id.") { $0.name }.reading(\.name),
]

private struct PartLine {
    var kind: PartialKind?
    var names: [String] = []
    var values: [Int128?] = []
}

private let rowFields: [Field<PartLine>] = [
    .word("kind", "What the row is about.") { $0.kind }.reading { (row, reader) throws(OwnFileReader.Problem) in
        row.kind = PartialKind(rawValue: try reader.string())
        guard row.kind != nil else { throw reader.problem("a row is of a kind that this version lacks") }
    },
    .texts("key", "Which one, such as the name of an API.") { $0.names }.reading(\.names),
    Field(
        "values", .list(SchemaElement(.nullable(SchemaElement(.integer(unit: "sum", least: nil))))),
        "Sums, of first, last and max the least or greatest value; null where it is not known. Up to 128 bits.",
        .nested { row, name, json in json.exactIntegers(name, row.values) }
    ).reading { (row, reader) throws(OwnFileReader.Problem) in
        try reader.array { (reader) throws(OwnFileReader.Problem) in row.values.append(try reader.exactInteger()) }
    },
]

private struct PartCalls {
    var key = CallKey(source: "", api: nil, direction: .up)
    var sums = CallSums()
    var sessions = SessionLists()
    /// Lists of integers that were read and are what their names say.
    var read: Set<String> = []

    init() {}

    init(key: CallKey, sums: CallSums) { (self.key, self.sums, sessions) = (key, sums, SessionLists(sums.sessions)) }
}

private let callFields: [Field<PartCalls>] =
    [
        .text("source", fleetSourceMeaning) { $0.key.source }.reading(\.key.source),
        .text("api", "The API. Null: all together.") { $0.key.api }.orNull.reading(\.key.api),
        .word("direction", "up: requests, down: responses.") { $0.key.direction }.reading(\.key.direction),
        causes("message_causes", "Error against messages by cause.", \.sums.messageCauses),
        causes("transport", "What separates messages from wire bytes, by cause.", \.sums.transport),
        causes("unseen", "Message bytes of calls that were not recorded, as negative numbers.", \.sums.unseen),
    ] + sumFields

private func causes(
    _ name: StaticString, _ meaning: String, _ path: WritableKeyPath<PartCalls, CauseLedger> & Sendable
) -> Field<PartCalls> {
    .causes(name, meaning) { $0[keyPath: path] }.reading { (calls, reader) throws(OwnFileReader.Problem) in
        calls.read.insert("\(name)")
        try reader.object { (reader, name) throws(OwnFileReader.Problem) in
            guard let cause = ErrorCause.named[name] else { throw reader.problem("unknown cause") }
            calls[keyPath: path][cause] = try reader.integer()
        }
    }
}

private let sumFields: [Field<PartCalls>] = [
    integers(
        "coverage", "Calls, message bytes and wire bytes, each of all calls and of those recorded.", \.sums.coverage),
    integers(
        "message",
        "Errors against messages: both totals, bits of a bucket, least and greatest error, the sum of squares as three words, then key, count and sum of each bucket. Empty without calls.",
        \.sums.message),
    integers("wire", "The same of errors against wire bytes.", \.sums.wire),
    integers("message_spread", "Moments of relative errors against messages.", \.sums.messageErrors),
    integers("wire_spread", "Moments of relative errors against wire bytes.", \.sums.wireErrors),
    integers("sizes", "Calls, sum and sum of squares of log2 of their wire bytes.", \.sums.sizes),
    integers(
        "completed",
        "Completed calls by error: bits dropped, then key, calls, errors, inverse sizes and their squares of each group.",
        \.sums.completed),
    integers("without_bodies", "The same without what bodies add.", \.sums.withoutBodies),
    integers("failed", "The same of failed calls.", \.sums.failed),
    integers(
        "session_errors", "Like message, of the error of each session in millionths of its messages.",
        \.sums.sessionErrors),
    integers("session_count", "Sessions with such calls.", \.sessions.count),
    integers(
        "session_totals",
        "Of recorded calls their number, estimates, messages and wire bytes; of all calls their number, messages and wire bytes.",
        \.sessions.totals),
    integers(
        "sessions", "Below 20 sessions, for each: two halves of its id, and the same sums.", \.sessions.sessions),
    integers(
        "replicates",
        "From 20 sessions on, the same sums of 400 bootstrap replicates: each session counts as often as a Poisson number of mean 1 says, which follows from its id and the number of the replicate.",
        \.sessions.replicates),
]

/// Sums that stand as a list of integers.
private protocol IntegerList: Sendable {
    var integers: [Int128] { get }
    init?(integers: [Int128])
}

extension Coverage: IntegerList {}
extension ErrorAccumulator: IntegerList {}
extension RelativeErrorSums: IntegerList {}
extension SizeSums: IntegerList {}
extension ErrorSums: IntegerList {}

extension [Int128]: IntegerList {
    fileprivate var integers: [Int128] { self }
    fileprivate init?(integers: [Int128]) { self = integers }
}

private func integers<List: IntegerList>(
    _ name: StaticString, _ meaning: String, _ path: WritableKeyPath<PartCalls, List> & Sendable
) -> Field<PartCalls> {
    Field(
        name, .list(SchemaElement(.integer(unit: "sum", least: nil))), meaning,
        .nested { row, name, json in json.exactIntegers(name, row[keyPath: path].integers) }
    ).reading { (calls, reader) throws(OwnFileReader.Problem) in
        var integers: [Int128] = []
        try reader.array { (reader) throws(OwnFileReader.Problem) in
            guard let value = try reader.exactInteger() else { throw reader.problem("expected a whole number") }
            integers.append(value)
        }
        guard let list = List(integers: integers) else { throw reader.problem("the sums of calls are malformed") }
        calls[keyPath: path] = list
        calls.read.insert("\(name)")
    }
}

extension OwnFileReader {
    /// Of each kind where its values belong.
    fileprivate mutating func columns() throws(Problem) -> [PartialKind: [Int]] {
        var columns: [PartialKind: [Int]] = [:]
        try object { (reader, name) throws(Problem) in
            let names = try reader.strings()
            guard let kind = PartialKind(rawValue: name) else { return }
            let places = names.compactMap { kind.place($0) }
            guard places.count == names.count else {
                throw reader.problem("a later version wrote it, with columns that this version would lose")
            }
            guard Set(names).count == names.count else { throw reader.problem("a column is there twice") }
            columns[kind] = places
        }
        return columns
    }

    fileprivate mutating func row(of result: inout PartialResult) throws(Problem) {
        var read = PartLine()
        try object(rowFields, into: &read)
        guard let kind = read.kind, let places = result.columns[kind], places.count == read.values.count else {
            throw problem("a row does not fit its columns")
        }
        // A column that an earlier version did not write is not known.
        let row = PartialRow(kind, Dictionary(uniqueKeysWithValues: zip(places, read.values)))
        guard result.rows.updateValue(row, forKey: PartialKey(kind, read.names)) == nil else {
            throw problem("a row is there twice")
        }
    }

    fileprivate mutating func calls(of result: inout PartialResult) throws(Problem) {
        var calls = PartCalls()
        try object(callFields, into: &calls)
        guard calls.read.count == sumFields.count + 3, let sessions = calls.sessions.sums else {
            throw problem("the sums of calls are malformed")
        }
        calls.sums.sessions = sessions
        guard result.calls.updateValue(calls.sums, forKey: calls.key) == nil else {
            throw problem("the sums of calls are there twice")
        }
    }
}
