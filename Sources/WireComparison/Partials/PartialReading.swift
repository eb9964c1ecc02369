import WireAccuracy
import WireEstimates
import WireLogs
import WireStatistics

/// A partial result that cannot be read: what is wrong, in one clause.
public struct PartialError: Error, Equatable {
    public var message: String

    public init(message: String) { self.message = message }
}

extension PartialResult {
    public static let schema = "wireaudit.partial/1"

    /// Reads what `--format partial` wrote.
    public init(json: JSONReader) throws(PartialError) {
        var reader = BaselineReader(json)
        self.init(.audit, choices: [:])
        do throws(BaselineReader.Problem) {
            var schema: String?
            var columns: [PartialKind: [Int?]] = [:]
            try reader.object { (reader, name) throws(BaselineReader.Problem) in
                switch name {
                case "schema": schema = try reader.string()
                case "version": self.version = try reader.string()
                case "report": self.report = try reader.report()
                case "choices": self.choices = try reader.choices()
                case "sessions": try self.readSessions(&reader)
                case "columns": columns = try reader.columns()
                case "rows": try self.readRows(&reader, columns)
                case "calls": try self.readCalls(&reader)
                default: try reader.skip()
                }
                if let schema, schema != PartialResult.schema {
                    throw BaselineReader.Problem(what: "its schema is \(quoted(schema))")
                }
            }
            try reader.end()
            guard schema != nil else { throw BaselineReader.Problem(what: "it has no schema") }
            guard !sessions.isEmpty else { throw BaselineReader.Problem(what: "it has no session") }
        } catch {
            throw PartialError(
                message: "not a partial result written by --format partial (\(PartialResult.schema)): \(error.what)")
        }
    }

    private mutating func readSessions(_ reader: inout BaselineReader) throws(BaselineReader.Problem) {
        try reader.array { (reader) throws(BaselineReader.Problem) in
            var id: SessionID?
            var name = ""
            try reader.object { (reader, key) throws(BaselineReader.Problem) in
                switch key {
                case "id": id = SessionID(try reader.string())
                case "name": name = try reader.string()
                default: try reader.skip()
                }
            }
            guard let id, self.sessions[id] == nil else { throw reader.problem("a session has no id of its own") }
            self.sessions[id] = name
        }
    }

    private mutating func readRows(
        _ reader: inout BaselineReader, _ columns: [PartialKind: [Int?]]
    ) throws(BaselineReader.Problem) {
        try reader.array { (reader) throws(BaselineReader.Problem) in
            var kind: PartialKind?
            var names: [String] = []
            var values: [Int128?] = []
            try reader.object { (reader, key) throws(BaselineReader.Problem) in
                switch key {
                case "kind":
                    kind = PartialKind(rawValue: try reader.string())
                    guard kind != nil else { throw reader.problem("a row is of a kind that this version lacks") }
                case "key": names = try reader.strings()
                case "values": values = try reader.optionalIntegers()
                default: try reader.skip()
                }
            }
            guard let kind, let places = columns[kind], places.count == values.count else {
                throw reader.problem("a row does not fit its columns")
            }
            var row = PartialRow(kind)
            // A column that an earlier version did not write is not known.
            row.values = row.values.map { _ in nil }
            for (place, value) in zip(places, values) { if let place { row.values[place] = value } }
            guard self.rows.updateValue(row, forKey: PartialKey(kind, names)) == nil else {
                throw reader.problem("a row is there twice")
            }
        }
    }

    private mutating func readCalls(_ reader: inout BaselineReader) throws(BaselineReader.Problem) {
        try reader.array { (reader) throws(BaselineReader.Problem) in
            var key = CallKey(source: "", api: nil, direction: .up)
            var integers: [String: [Int128]] = [:]
            var causes: [String: CauseLedger] = [:]
            try reader.object { (reader, name) throws(BaselineReader.Problem) in
                switch name {
                case "source": key.source = try reader.string()
                case "api": key.api = try reader.optionalString()
                case "direction": key.direction = try reader.direction()
                case "message_causes", "transport", "unseen": causes[name] = try reader.causes()
                default: integers[name] = try reader.integers()
                }
            }
            guard let sums = CallSums(integers: integers, causes: causes),
                self.calls.updateValue(sums, forKey: key) == nil
            else { throw reader.problem("the sums of calls are malformed") }
        }
    }
}

extension BaselineReader {
    fileprivate mutating func report() throws(Problem) -> PartialReport {
        guard let report = PartialReport(rawValue: try string()) else { throw problem("unknown report") }
        return report
    }

    fileprivate mutating func choices() throws(Problem) -> [String: [String]] {
        var choices: [String: [String]] = [:]
        try object { (reader, name) throws(Problem) in choices[name] = try reader.strings() }
        return choices
    }

    fileprivate mutating func direction() throws(Problem) -> Direction {
        guard let direction = Direction(rawValue: try string()) else { throw problem("unknown direction") }
        return direction
    }

    /// Of each kind where its values belong; nil for a column that this version lacks.
    fileprivate mutating func columns() throws(Problem) -> [PartialKind: [Int?]] {
        var columns: [PartialKind: [Int?]] = [:]
        try object { (reader, name) throws(Problem) in
            let names = try reader.strings()
            guard let kind = PartialKind(rawValue: name) else { return }
            columns[kind] = names.map { kind.place($0) }
            guard columns[kind]?.contains(nil) == false else {
                throw reader.problem("a later version wrote it, with columns that this version would lose")
            }
            guard Set(names).count == names.count else { throw reader.problem("a column is there twice") }
        }
        return columns
    }

    fileprivate mutating func integers() throws(Problem) -> [Int128] {
        var integers: [Int128] = []
        try array { (reader) throws(Problem) in
            guard let value = try reader.exactInteger() else { throw reader.problem("expected a whole number") }
            integers.append(value)
        }
        return integers
    }

    fileprivate mutating func optionalIntegers() throws(Problem) -> [Int128?] {
        var integers: [Int128?] = []
        try array { (reader) throws(Problem) in integers.append(try reader.exactInteger()) }
        return integers
    }

    fileprivate mutating func causes() throws(Problem) -> CauseLedger {
        var ledger = CauseLedger()
        try object { (reader, name) throws(Problem) in
            guard let cause = ErrorCause.allCases.first(where: { $0.name == name }) else {
                throw reader.problem("unknown cause")
            }
            ledger[cause] = try reader.integer()
        }
        return ledger
    }
}
