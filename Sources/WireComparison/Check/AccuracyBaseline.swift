import WireAccuracy
import WireEstimates
import WireLogs
import WireStatistics

/// An earlier result to compare with: what `wireaudit accuracy --format json` wrote.
public struct AccuracyBaseline: Sendable {
    package struct Row: Sendable {
        package var coverage = Coverage()
        package var message = ErrorStatistics()
        package var wire = ErrorStatistics()
        package var messageCauses = CauseLedger()
        package var causes = CauseLedger()
        /// Nil: an earlier version wrote it.
        package var spread: RowSpread?
    }

    package struct Key: Hashable, Sendable {
        package var source: String
        /// Nil: all APIs together.
        package var api: String?
        package var direction: Direction
    }

    private(set) var sources: [String] = []
    /// Those of the sources that are logs.
    private(set) var logs: [String] = []
    private(set) var apis: Set<String> = []
    /// By API: its calls that are compared; none where an earlier version wrote it.
    private(set) var apiCalls: [String: Int] = [:]
    /// Nil: an earlier version wrote it.
    public private(set) var choices: ResultChoices?
    private var rows: [Key: Row] = [:]

    package static let schema = "wireaudit.accuracy/1"

    /// Reads the JSON. Fields that are not needed may hold anything.
    public init(json: [UInt8]) throws(PolicyError) { try self.init(JSONReader(json)) }

    /// The same from pieces of any length, until there is none.
    public init(pieces: @escaping () -> [UInt8]?) throws(PolicyError) { try self.init(JSONReader(pieces: pieces)) }

    private init(_ json: JSONReader) throws(PolicyError) {
        var reader = BaselineReader(json)
        do throws(BaselineReader.Problem) {
            var schema: String?
            try reader.object { (reader, name) throws(BaselineReader.Problem) in
                switch name {
                case "schema": schema = try reader.string()
                case "options": choices = try reader.choices()
                case "sources":
                    try reader.array { (reader) throws(BaselineReader.Problem) in
                        try self.readSource(&reader)
                    }
                case "apis":
                    try reader.array { (reader) throws(BaselineReader.Problem) in
                        try self.readAPI(&reader)
                    }
                case "totals", "rows":
                    try reader.array { (reader) throws(BaselineReader.Problem) in try self.readRow(&reader) }
                default: try reader.skip()
                }
            }
            try reader.end()
            guard schema == AccuracyBaseline.schema else {
                let found = schema.map { "its schema is \(quoted($0))" } ?? "it has no schema"
                throw BaselineReader.Problem(what: found)
            }
        } catch {
            throw PolicyError(
                "not an output of wireaudit accuracy --format json (\(AccuracyBaseline.schema)): \(error.what)")
        }
    }

    package func row(_ source: String, _ api: String?, _ direction: Direction) -> Row? {
        rows[Key(source: source, api: api, direction: direction)]
    }
}

// MARK: Rows

extension AccuracyBaseline {
    private mutating func readSource(_ reader: inout BaselineReader) throws(BaselineReader.Problem) {
        var (id, isLog) = (String?.none, false)
        try reader.object { (reader, name) throws(BaselineReader.Problem) in
            switch name {
            case "id": id = try reader.string()
            case "kind": isLog = try reader.string() == "log"
            default: try reader.skip()
            }
        }
        guard let id else { return }
        sources.append(id)
        if isLog { logs.append(id) }
    }

    private mutating func readAPI(_ reader: inout BaselineReader) throws(BaselineReader.Problem) {
        var (name, calls) = (String?.none, Double?.none)
        try reader.object { (reader, field) throws(BaselineReader.Problem) in
            switch field {
            case "api": name = try reader.string()
            case "calls": calls = try reader.number()
            default: try reader.skip()
            }
        }
        guard let name else { return }
        apis.insert(name)
        apiCalls[name] = calls.flatMap { Int(exactly: $0.rounded()) }
    }

    private mutating func readRow(_ reader: inout BaselineReader) throws(BaselineReader.Problem) {
        var row = Row()
        var (source, api, direction) = (String?.none, String?.none, Direction?.none)
        try reader.object { (reader, name) throws(BaselineReader.Problem) in
            switch name {
            case "source": source = try reader.string()
            case "api": api = try reader.string()
            case "direction": direction = Direction(rawValue: try reader.string())
            case "coverage": row.coverage = try coverage(&reader)
            case "message": row.message = try statistics(&reader)
            case "wire": row.wire = try statistics(&reader)
            case "message_causes": row.messageCauses = try causes(&reader)
            case "causes": row.causes = try causes(&reader)
            case "spread": row.spread = try reader.rowSpread()
            default: try reader.skip()
            }
        }
        guard let source, let direction else { throw reader.problem("a row has no source or no direction") }
        rows[Key(source: source, api: api, direction: direction)] = row
    }

    private func causes(_ reader: inout BaselineReader) throws(BaselineReader.Problem) -> CauseLedger {
        var causes = CauseLedger()
        try reader.object { (reader, name) throws(BaselineReader.Problem) in
            guard let cause = AccuracyBaseline.causes[name] else { return try reader.skip() }
            causes[cause] = try reader.integer()
        }
        return causes
    }

    package static let causes = Dictionary(uniqueKeysWithValues: ErrorCause.allCases.map { ($0.name, $0) })

    private func coverage(_ reader: inout BaselineReader) throws(BaselineReader.Problem) -> Coverage {
        var coverage = Coverage()
        try reader.object { (reader, name) throws(BaselineReader.Problem) in
            switch name {
            case "calls": coverage.calls = try reader.integer()
            case "recorded_calls": coverage.recordedCalls = try reader.integer()
            case "wire_bytes": coverage.wireBytes = try reader.integer()
            default: try reader.skip()
            }
        }
        return coverage
    }

    private func statistics(_ reader: inout BaselineReader) throws(BaselineReader.Problem) -> ErrorStatistics {
        var statistics = ErrorStatistics()
        try reader.object { (reader, name) throws(BaselineReader.Problem) in
            switch name {
            case "count": statistics.count = try reader.integer()
            case "truth_total": statistics.truthTotal = try reader.integer()
            case "estimate_total": statistics.estimateTotal = try reader.integer()
            // No call, no mean.
            case "mean_absolute": statistics.meanAbsolute = try reader.number() ?? 0
            default: try reader.skip()
            }
        }
        return statistics
    }
}
