/// One capture session of a fleet as the manifest names it.
public struct FleetSession: Sendable, Equatable {
    public var name: String
    /// Paths as the manifest has them.
    public var captures: [String] = []
    public var keys: [String] = []
    public var logs: [String] = []
    /// What it is told apart by, such as build, device and network; in the order of the columns.
    public var labels: [(name: String, value: String)] = []

    public static func == (left: FleetSession, right: FleetSession) -> Bool {
        left.name == right.name && left.captures == right.captures && left.keys == right.keys
            && left.logs == right.logs && left.labels.elementsEqual(right.labels) { $0 == $1 }
    }
}

/// The list of a fleet's sessions: separated values, the first line naming the columns.
///
/// `session` and `capture` are required; `keys` and `log` may be empty; every other column is a label. Lines of the
/// same session are further files of it: their labels must be the same, or empty.
public struct FleetManifest: Sendable {
    public struct Problem: Error, Equatable {
        public var message: String
    }

    /// Sessions that a manifest may have.
    static let limit = 10_000_000

    public private(set) var sessions: [FleetSession] = []
    /// Names of the labels, in the order of the columns.
    public private(set) var labels: [String] = []

    public init(csv: [UInt8]) throws(Problem) {
        let separated = csv.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = separated.first else { throw Problem(message: "it is empty") }
        var header = Array(first.starts(with: [0xEF, 0xBB, 0xBF]) ? first.dropFirst(3) : first)
        if header.last == 0x0D { header.removeLast() }
        let separator = CSVRecords.separator(header)
        let columns = FleetManifest.values(header, separator)
        for needed in ["session", "capture"] where !columns.contains(needed) {
            throw Problem(message: "its first line names no column '\(needed)'")
        }
        if let twice = columns.first(where: { name in columns.count { $0 == name } > 1 }) {
            throw Problem(message: "its first line names '\(twice)' twice")
        }
        labels = columns.filter { !["session", "capture", "keys", "log"].contains($0) }
        var places: [String: Int] = [:]
        for (number, line) in separated.enumerated().dropFirst() {
            var line = Array(line)
            if line.last == 0x0D { line.removeLast() }
            guard !line.isEmpty else { continue }
            let values = FleetManifest.values(line, separator)
            guard values.count == columns.count else {
                throw Problem(message: "line \(number + 1) has \(values.count) values, not \(columns.count)")
            }
            try take(Dictionary(uniqueKeysWithValues: zip(columns, values)), number + 1, &places)
        }
        guard !sessions.isEmpty else { throw Problem(message: "it has no session") }
        for session in sessions where session.captures.isEmpty {
            throw Problem(message: "session '\(session.name)' has no capture")
        }
    }

    private mutating func take(
        _ values: [String: String], _ line: Int, _ places: inout [String: Int]
    ) throws(Problem) {
        guard let name = values["session"], !name.isEmpty else {
            throw Problem(message: "line \(line) has no session")
        }
        let place = places[name] ?? sessions.count
        if place == sessions.count {
            guard place < FleetManifest.limit else { throw Problem(message: "it has more sessions than the limit") }
            places[name] = place
            var session = FleetSession(name: name)
            session.labels = labels.map { ($0, values[$0] ?? "") }
            sessions.append(session)
        }
        for (index, label) in sessions[place].labels.enumerated() {
            guard let value = values[label.name], !value.isEmpty, value != label.value else { continue }
            guard label.value.isEmpty else {
                throw Problem(message: "line \(line) gives session '\(name)' another \(label.name) than before")
            }
            sessions[place].labels[index].value = value
        }
        func add(_ column: String, _ path: WritableKeyPath<FleetSession, [String]>) {
            guard let value = values[column], !value.isEmpty, !sessions[place][keyPath: path].contains(value) else {
                return
            }
            sessions[place][keyPath: path].append(value)
        }
        add("capture", \.captures)
        add("keys", \.keys)
        add("log", \.logs)
    }

    private static func values(_ line: [UInt8], _ separator: UInt8) -> [String] {
        var values: [String] = []
        CSVRecords.forEachValue(line, separator) { _, text in
            values.append(String(decoding: Array(text)[...].trimmingSpaces, as: UTF8.self))
        }
        return values
    }
}
