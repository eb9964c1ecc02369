/// What the columns of a log hold that has columns of its own: as its owner says, or as their names tell.
///
/// Written as `url=address,start=begun:ms,down=received`: what it holds, the column, and its unit where the column's name
/// does not tell it. Nothing behind `=` says that the log has no such column.
public struct LogColumns: Sendable, Equatable {
    package enum Role: String, CaseIterable, Sendable {
        case url, host, path, method, status, start, end, duration
        case clientPort = "client-port"
        case up, down
        case upHead = "up-head"
        case upBody = "up-body"
        case downHead = "down-head"
        case downBody = "down-body"

        static let sizes: [Role] = [.up, .down, .upHead, .upBody, .downHead, .downBody]
        static let times: [Role] = [.start, .end]
    }

    package struct Column: Sendable, Equatable {
        var name: String
        /// Nil: a time that tells its unit by its size or form, or nothing that has a unit.
        var unit: LogUnit?
    }

    /// Nil: the log has no such column.
    package private(set) var columns: [Role: Column?] = [:]
    /// Of a database.
    package private(set) var table: String?
    /// It was found by its columns.
    private var isTableFound = false
    /// Columns that were found by their names alone.
    package private(set) var found: Set<Role> = []
    /// Columns that hold nothing of a call, or nothing that is known.
    package var unused: [String] = []

    init() {}

    /// Reads what a user writes: parts that commas or line ends separate. A line that begins with `#` is a comment.
    public init(parsing text: String) throws(LogColumnsError) {
        for line in text.split(whereSeparator: \.isNewline).map(LogColumns.trimmed) where !line.hasPrefix("#") {
            for part in LogColumns.parts(of: line) {
                guard let mark = part.firstIndex(of: "=") else {
                    throw LogColumnsError("'\(part)' is not of the form url=COLUMN")
                }
                try set(LogColumns.trimmed(part[..<mark]), LogColumns.trimmed(part[part.index(after: mark)...]))
            }
        }
        guard !columns.isEmpty || table != nil else { throw LogColumnsError("no column is named") }
        if let twice = doubledName { throw LogColumnsError("the column '\(twice)' is named twice") }
    }

    /// The parts of a line. A comma with no `word=` behind it belongs to a name.
    private static func parts(of line: String) -> [String] {
        line.split(separator: ",").reduce(into: []) { parts, piece in
            let word = piece.prefix { $0 != "=" }
            let isPart = word.count < piece.count && trimmed(word).allSatisfy { $0.isLetter || $0 == "-" }
            if parts.isEmpty || isPart {
                parts.append(String(piece))
            } else {
                parts[parts.count - 1] += "," + piece
            }
        }
    }

    private mutating func set(_ word: String, _ value: String) throws(LogColumnsError) {
        if word == "table" {
            guard table == nil, !value.isEmpty else { throw LogColumnsError("table= needs the name of one table") }
            table = value
            return
        }
        guard let role = Role(rawValue: word) else {
            let words = Role.allCases.map(\.rawValue) + ["table"]
            throw LogColumnsError(
                "'\(word)' is nothing that a column holds; known are \(words.joined(separator: ", "))")
        }
        guard columns[role] == nil else { throw LogColumnsError("'\(word)' is given twice") }
        columns[role] = .some(value.isEmpty ? nil : try LogColumns.column(value, for: role))
    }

    private static func column(_ text: String, for role: Role) throws(LogColumnsError) -> Column {
        guard let kind = role.unitKind else { return Column(name: text) }
        if let mark = text.lastIndex(of: ":"), let unit = LogUnit(word: text[text.index(after: mark)...]) {
            guard unit.kind == kind else {
                throw LogColumnsError("\(role.rawValue)=\(text): \(unit.word) is no unit of a \(kind.rawValue)")
            }
            return Column(name: String(text[..<mark]), unit: unit)
        }
        return Column(name: text, unit: LogUnit(in: text, kind))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(decoding: Array(text.utf8)[...].trimmingSpaces, as: UTF8.self)
    }

    private var doubledName: String? {
        var names: Set<String> = []
        return Role.allCases.compactMap { self[$0]?.name }.first { !names.insert($0).inserted }
    }

    /// The column that holds it.
    package subscript(role: Role) -> Column? { columns[role] ?? nil }

    /// Whether it was said which column holds it, or that none does.
    func isSettled(_ role: Role) -> Bool { columns[role] != nil }

    /// Takes a column that its name tells.
    mutating func find(_ role: Role, _ column: Column) {
        columns[role] = column
        found.insert(role)
    }

    /// Takes the table of a database as it spells it.
    mutating func find(table name: String) {
        isTableFound = table == nil
        table = name
    }

    /// Gives a column the spelling of the log.
    mutating func rename(_ role: Role, _ name: String) { columns[role]??.name = name }

    /// The sizes, or parts of sizes, that it has.
    var hasSizes: Bool { Role.sizes.contains { self[$0] != nil } }

    /// As a user would write it.
    package var text: String { text(Role.allCases, table) }

    /// The columns that their names told, as a user would write them, with those that hold nothing known. Nil: the user
    /// named all.
    package var findings: (found: String, unused: String)? {
        guard !found.isEmpty || isTableFound else { return nil }
        let names = unused.prefix(20).joined(separator: ", ") + (unused.count > 20 ? " and others" : "")
        return (text(Role.allCases.filter(found.contains), isTableFound ? table : nil), names)
    }

    private func text(_ roles: [Role], _ table: String?) -> String {
        let parts = roles.compactMap { role in
            self[role].map { "\(role.rawValue)=\($0.name)" + ($0.unit.map { ":" + $0.word } ?? "") }
        }
        return (parts + (table.map { ["table=" + $0] } ?? [])).joined(separator: ",")
    }
}

extension LogColumns.Role {
    /// What its values count; nil for texts and codes.
    var unitKind: LogUnit.Kind? {
        if LogColumns.Role.sizes.contains(self) { return .size }
        return self == .duration || LogColumns.Role.times.contains(self) ? .time : nil
    }
}

/// What is wrong with a choice of columns, in one clause.
public struct LogColumnsError: Error, Equatable {
    public var message: String

    init(_ message: String) { self.message = message }
}
