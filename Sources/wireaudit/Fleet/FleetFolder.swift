import WireComparison
import WireStatistics

/// The folder of a fleet's results.
///
///     parts/ID-MARK.part      result of a session; the mark changes with its files and the options
///     records/day=…/…         exchanges as NDJSON
///     groups/LABEL=VALUE.part the sessions of a build, device, …
///     fleet.part, fleet.json, fleet.html, sessions.ndjson
///     options                 those that all sessions were audited with
struct FleetFolder {
    /// What a run writes when all sessions are done.
    static let reports = ["fleet.part", "fleet.json", "fleet.html", "sessions.ndjson"]

    let path: String

    /// Makes the folder; the path and the error code where it cannot be made.
    func make() -> (path: String, code: Int32)? { make([path]) }

    /// Makes the folders inside it.
    func makeInner() -> (path: String, code: Int32)? { make([parts, records, groups]) }

    private func make(_ folders: [String]) -> (path: String, code: Int32)? {
        for folder in folders {
            let code = System.makeFolder(folder)
            if code != 0 { return (folder, code) }
        }
        return nil
    }

    /// A run removes and replaces what has the names of its results: an earlier run must have written that. Other files may be
    /// there, such as the table of a job that audited the sessions.
    var isOfFleet: Bool {
        let own = FleetFolder.reports + ["parts", "records", "groups"]
        return System.fileExists(file("options")) || !own.contains { System.fileKind(file($0)) != .missing }
    }

    var parts: String { path + "/parts" }
    var records: String { path + "/records" }
    var groups: String { path + "/groups" }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func group(_ group: FleetGroup) -> String {
        "\(groups)/\(FleetNames.groupFile(group.label, group.value))"
    }

    /// Where the result of a session lies: a result under this name is of these files and these options.
    func part(_ session: FleetSession, arguments: [String]) -> String {
        // Sessions without keys in the list read those that the environment names.
        let keys = session.keys.isEmpty ? [KeyLogs.named].compactMap(\.self) : session.keys
        let marks = (session.captures + keys + session.logs).flatMap(FleetFolder.marks)
        let mark = SessionID(Array((arguments + marks).joined(separator: "\n").utf8)).text.prefix(16)
        let id = SessionID(Array("name:\(session.name)".utf8)).text
        return "\(parts)/\(id)-\(mark).part"
    }

    /// What tells the file from what it was: its own size and time, and those of the files that are read with it: what a
    /// database has not taken in yet, and the database in a store's folder.
    private static func marks(_ path: String) -> [String] {
        let beside = ["-wal", "-journal", "/logs.sqlite", "/logs.sqlite-wal", "/logs.sqlite-journal"]
        let others = beside.compactMap { ending in System.fileMark(path + ending).map { "\(path)\(ending) \($0)" } }
        return ["\(path) \(System.fileMark(path) ?? "missing")"] + others
    }

    /// Keeps other fleets out as long as this process lives; false where one is at work in the folder.
    func lock() -> Bool { System.lockFolder(path) }

    /// A folder inside that cannot be written, with the error code; nil where all can.
    func unwritable() -> (path: String, code: Int32)? {
        [parts, records, groups].lazy.compactMap { folder in
            let code = System.writingCode(folder)
            return code == 0 ? nil : (folder, code)
        }.first
    }

    /// What a session said on standard error.
    func errors(of part: String) -> String { part + ".log" }
}
