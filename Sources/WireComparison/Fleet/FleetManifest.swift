import WireAccuracy
import WireLogs

/// One capture session of a fleet as the manifest names it.
public struct FleetSession: Sendable, Equatable {
    public var name: String
    /// Line of the manifest that names it first, from 1; 0 of one that no manifest names.
    public var line = 0
    /// Paths as the manifest has them.
    public var captures: [String] = []
    public var keys: [String] = []
    public var logs: [String] = []
    /// What it is told apart by, such as build, device and network; in the order of the columns.
    public var labels: [(name: String, value: String)] = []

    public init(name: String) { self.name = name }

    public static func == (left: FleetSession, right: FleetSession) -> Bool {
        func exact(_ names: [String]) -> [ExactName] { names.map { ExactName($0) } }
        func labels(_ session: FleetSession) -> [ExactName] { exact(session.labels.flatMap { [$0.name, $0.value] }) }
        return exact([left.name]) == exact([right.name]) && exact(left.captures) == exact(right.captures)
            && exact(left.keys) == exact(right.keys) && exact(left.logs) == exact(right.logs)
            && labels(left) == labels(right)
    }
}

/// The list of a fleet's sessions: separated values, the first line naming the columns.
///
/// `session` and `capture` are required; `keys` and `log` may be empty; every other column is a label. Lines of the
/// same session are further files of it: their labels must be the same, or empty.
public struct FleetManifest: Sendable {
    public struct Problem: Error, Equatable {
        public var message: String

        public init(message: String) { self.message = message }
    }

    /// Sessions that a manifest may have.
    package static let limit = 10_000_000

    public private(set) var sessions: [FleetSession] = []
    /// Names of the labels, in the order of the columns.
    public private(set) var labels: [String] = []

    public init(csv: [UInt8]) throws(Problem) {
        var records = ManifestRecords(csv)
        guard !csv.isEmpty, let header = try records.next() else { throw Problem(message: "it is empty") }
        let separator = CSVRecords.separator(header.bytes)
        let columns = try FleetManifest.values(header, separator)
        for needed in ["session", "capture"] where !columns.contains(needed) {
            throw Problem(message: "its first line names no column '\(needed)'")
        }
        if columns.contains("") { throw Problem(message: "its first line has a column without a name") }
        if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 }) {
            throw Problem(message: "its first line names '\(twice)' twice")
        }
        labels = columns.filter { !["session", "capture", "keys", "log"].contains($0) }
        var places: [ExactName: Int] = [:]
        while let record = try records.next() {
            guard !record.bytes.isEmpty else { continue }
            let values = try FleetManifest.values(record, separator)
            guard values.count == columns.count else {
                throw Problem(message: "line \(record.line) has \(values.count) values, not \(columns.count)")
            }
            try take(Dictionary(uniqueKeysWithValues: zip(columns, values)), record.line, &places)
        }
        guard !sessions.isEmpty else { throw Problem(message: "it has no session") }
        for session in sessions where session.captures.isEmpty {
            throw Problem(message: "session '\(session.name)' has no capture")
        }
    }

    /// A capture that two sessions name, as they name it; nil where there is none.
    public var sharedCapture: (capture: String, first: String, second: String)? {
        var owners: [ExactName: String] = [:]
        for session in sessions {
            for capture in session.captures {
                guard let other = owners.updateValue(session.name, forKey: ExactName(capture)) else { continue }
                return (capture, other, session.name)
            }
        }
        return nil
    }

    private mutating func take(
        _ values: [String: String], _ line: Int, _ places: inout [ExactName: Int]
    ) throws(Problem) {
        guard let name = values["session"], !name.isEmpty else {
            throw Problem(message: "line \(line) has no session")
        }
        let place = places[ExactName(name)] ?? sessions.count
        if place == sessions.count {
            guard place < FleetManifest.limit else { throw Problem(message: "it has more sessions than the limit") }
            places[ExactName(name)] = place
            var session = FleetSession(name: name)
            session.line = line
            session.labels = labels.map { ($0, values[$0] ?? "") }
            sessions.append(session)
        }
        for (index, label) in sessions[place].labels.enumerated() {
            guard let value = values[label.name], !value.isEmpty, ExactName(value) != ExactName(label.value) else {
                continue
            }
            guard label.value.isEmpty else {
                throw Problem(message: "line \(line) gives session '\(name)' another \(label.name) than before")
            }
            sessions[place].labels[index].value = value
        }
        func add(_ column: String, _ path: WritableKeyPath<FleetSession, [String]>) {
            guard let value = values[column], !value.isEmpty else { return }
            let isThere = sessions[place][keyPath: path].contains { ExactName($0) == ExactName(value) }
            if isThere { return }
            sessions[place][keyPath: path].append(value)
        }
        add("capture", \.captures)
        add("keys", \.keys)
        add("log", \.logs)
    }

    private static func values(_ record: ManifestRecords.Record, _ separator: UInt8) throws(Problem) -> [String] {
        if CSVRecords.hasTextBehindQuotes(record.bytes, separator) {
            throw Problem(message: "line \(record.line) has text behind the quotes of a value")
        }
        var values: [String] = []
        var isText = true
        CSVRecords.forEachValue(record.bytes, separator) { _, value in
            let text = String(validating: Array(value)[...].trimmingSpaces, as: UTF8.self)
            if text == nil { isText = false }
            values.append(text ?? "")
        }
        guard isText else { throw Problem(message: "line \(record.line) is not UTF-8; save the list as UTF-8") }
        return values
    }
}

/// The records of a manifest: its lines, and those behind a line that leaves a quote open.
private struct ManifestRecords {
    typealias Record = (line: Int, bytes: [UInt8])

    private let lines: [ArraySlice<UInt8>]
    private let separator: UInt8
    private var place = 0

    init(_ text: [UInt8]) {
        let marked = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text[3...] : text[...]
        lines = marked.split(separator: 0x0A, omittingEmptySubsequences: false)
        separator = CSVRecords.separator(Array(lines.first ?? []))
    }

    /// Nil behind the last.
    mutating func next() throws(FleetManifest.Problem) -> Record? {
        guard place < lines.count else { return nil }
        var record: Record = (place + 1, Array(lines[place]))
        place += 1
        var isOpen = CSVRecords.leavesQuoteOpen(record.bytes, separator, false)
        while isOpen {
            guard place < lines.count else {
                throw FleetManifest.Problem(message: "line \(record.line) opens a quote that nothing closes")
            }
            isOpen = CSVRecords.leavesQuoteOpen(Array(lines[place]), separator, true)
            record.bytes += [0x0A] + lines[place]
            place += 1
        }
        if record.bytes.last == 0x0D { record.bytes.removeLast() }
        return record
    }
}
