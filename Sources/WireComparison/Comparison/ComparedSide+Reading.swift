import WireCore
import WireLogs

/// Why a file is no audit that can be compared.
public struct ComparisonError: Error, Equatable {
    public var message: String
}

extension ComparedSide {
    private static let schema = "wireaudit.audit/1"

    /// Whether the file begins as JSON does; no capture does.
    public static func isAudit(_ beginning: [UInt8]) -> Bool {
        let bytes = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
        return bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x7B
    }

    /// Adds an audit that `wireaudit --format json` wrote. Fields that are not needed may hold anything.
    public mutating func add(
        audit path: String, _ json: [UInt8], choices: ResultChoices, includesAPI: (String) -> Bool,
        includesHost: (String) -> Bool
    ) throws(ComparisonError) {
        var reader = BaselineReader(JSONReader(json))
        var audit = ReadAudit()
        do throws(BaselineReader.Problem) {
            try reader.object { (reader, name) throws(BaselineReader.Problem) in
                switch name {
                case "schema": audit.schema = try reader.string()
                case "options": audit.choices = try reader.choices()
                case "capture": try reader.capture(into: &audit)
                case "ledger": try reader.ledger(into: &audit)
                case "apis":
                    try reader.array { (reader) throws(BaselineReader.Problem) in
                        audit.apis.append(try reader.row("api", "exchanges"))
                    }
                case "hosts":
                    try reader.array { (reader) throws(BaselineReader.Problem) in
                        audit.hosts.append(try reader.row("host", "exchanges"))
                    }
                case "warnings":
                    try reader.array { (reader) throws(BaselineReader.Problem) in try reader.warning(into: &audit) }
                default: try reader.skip()
                }
            }
            try reader.end()
            guard audit.schema == ComparedSide.schema else {
                throw BaselineReader.Problem(
                    what: audit.schema.map { "its schema is \(quoted($0))" } ?? "it has no schema")
            }
        } catch {
            throw ComparisonError(
                message: "\(path) is not an output of wireaudit --format json (\(ComparedSide.schema)): \(error.what)")
        }
        try check(audit, path, choices)
        audits.append(path)
        for row in audit.apis where includesAPI(row.name) {
            add(api: row.name, calls: row.calls, row.costs, isEncrypted: row.isEncrypted)
        }
        for row in audit.hosts where includesHost(row.name) {
            add(
                host: row.name,
                ComparedHost(
                    connections: row.connections, calls: row.calls, hasUnread: row.hasUnread,
                    isUDP: row.isUDP, costs: row.costs))
        }
        bytes &+= audit.bytes
        packets &+= audit.packets
        doubts.formUnion(audit.doubts)
    }

    private func check(
        _ audit: ReadAudit, _ path: String, _ choices: ResultChoices
    ) throws(ComparisonError) {
        if audit.choices.setup != choices.setup {
            throw ComparisonError(
                message: "\(path) was made with --setup \(audit.choices.setup), this comparison is with --setup "
                    + "\(choices.setup): give --setup \(audit.choices.setup), or audit again")
        }
        let same = [
            ("--filter", audit.choices.filter, choices.filter),
            ("--at", audit.choices.countedInterface, choices.countedInterface),
        ]
        for (option, own, chosen) in same where own != chosen {
            throw ComparisonError(
                message: "\(path) was made \(ComparedSide.words(option, own)), this comparison is "
                    + "\(ComparedSide.words(option, chosen)): audit again")
        }
        // An audit with all rows has those that are chosen; one with some of them lacks the others.
        let chosen = [("--host", audit.choices.hosts, choices.hosts), ("--api", audit.choices.apis, choices.apis)]
        for (option, own, chosen) in chosen {
            guard !own.isEmpty, own != chosen else { continue }
            let words = own.map { "\(option) '\($0)'" }.joined(separator: " ")
            throw ComparisonError(
                message: "\(path) was made with \(words) and lacks all other rows: give \(words), or audit again")
        }
    }

    private static func words(_ option: String, _ value: String?) -> String {
        value.map { "with \(option) '\($0)'" } ?? "without \(option)"
    }
}

/// What is needed of an audit.
struct ReadAudit {
    struct Row {
        var name = ""
        var calls = 0
        var connections = 0
        var isEncrypted = false
        var hasUnread = false
        var isUDP = false
        var costs = Directions<CostVector>()
    }

    var schema: String?
    var choices = ResultChoices()
    var bytes = 0
    var packets = 0
    var apis: [Row] = []
    var hosts: [Row] = []
    var doubts: Set<String> = []
}

extension BaselineReader {
    fileprivate mutating func capture(into audit: inout ReadAudit) throws(Problem) {
        try object { (reader, name) throws(Problem) in
            guard name == "files" else { return try reader.skip() }
            try reader.array { (reader) throws(Problem) in
                try reader.object { (reader, name) throws(Problem) in
                    guard name == "packets" else { return try reader.skip() }
                    audit.packets &+= try reader.size()
                }
            }
        }
    }

    fileprivate mutating func ledger(into audit: inout ReadAudit) throws(Problem) {
        try object { (reader, name) throws(Problem) in
            switch name {
            case "bytes": audit.bytes = try reader.size()
            case "unread_frames":
                if try reader.size() > 0 { audit.doubts.insert(ComparedSide.unreadFrames) }
            default: try reader.skip()
            }
        }
    }

    fileprivate mutating func warning(into audit: inout ReadAudit) throws(Problem) {
        var (code, isLoss) = ("", false)
        try object { (reader, name) throws(Problem) in
            switch name {
            case "code": code = try reader.string()
            case "severity": isLoss = try reader.string() == FindingSeverity.dataLoss.rawValue
            default: try reader.skip()
            }
        }
        if isLoss { audit.doubts.insert(code) }
    }

    /// A row of APIs or hosts.
    fileprivate mutating func row(_ title: String, _ calls: String) throws(Problem) -> ReadAudit.Row {
        var row = ReadAudit.Row()
        try object { (reader, name) throws(Problem) in
            switch name {
            case title: row.name = try reader.string()
            case calls: row.calls = try reader.size()
            case "connections": row.connections = try reader.size()
            case "encrypted": row.isEncrypted = try reader.boolean()
            case "protocols": row.hasUnread = try reader.strings().contains(where: ProtocolSet.unread.names.contains)
            case "datagrams":
                // Null where the row is of connections.
                try reader.optionalObject { (reader, _) throws(Problem) in
                    row.isUDP = true
                    try reader.skip()
                }
            case "up": row.costs.up = try reader.costs()
            case "down": row.costs.down = try reader.costs()
            default: try reader.skip()
            }
        }
        return row
    }

    /// Bytes, or a number of things.
    private mutating func size() throws(Problem) -> Int {
        let value = try integer()
        guard value >= 0 else { throw problem("expected a number that is not negative") }
        return value
    }

    private mutating func costs() throws(Problem) -> CostVector {
        var costs = CostVector()
        try object { (reader, name) throws(Problem) in
            switch name {
            case "setup":
                try reader.object { (reader, name) throws(Problem) in
                    guard let cause = costCauses["setup." + name] else { return try reader.skip() }
                    costs[cause] = try reader.size()
                }
            case "link": costs.link = try reader.size()
            case "offload_hidden": costs.offloadHidden = try reader.size()
            default:
                guard let cause = costCauses[name] else { return try reader.skip() }
                costs[cause] = try reader.size()
            }
        }
        return costs
    }
}

private let costCauses = Dictionary(uniqueKeysWithValues: Cause.allCases.map { ($0.name, $0) })
