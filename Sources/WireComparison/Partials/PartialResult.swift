import WireAccuracy
import WireCore
import WireStatistics

/// The report that a partial result is a part of. Raw values stand in partial results.
public enum PartialReport: String, CaseIterable, Sendable {
    case audit, accuracy
}

/// The result of one or more capture sessions as exact sums.
///
/// Partial results form a commutative monoid: however sessions are divided into parts, and in whatever order and tree
/// the parts are merged, the result is the same to the last bit. A session is everything that one device did in one
/// recording: all files of a ring with their keys and logs. Connections cross files, so one file is no session.
public struct PartialResult: Sendable {
    /// Why two results cannot be one.
    public enum Refusal: Error, Equatable {
        /// One is a part of an audit, the other of an accuracy report.
        case otherReport
        /// A choice that figures depend on differs.
        case otherChoice(name: String)
        /// Both hold this session.
        case sameSession(name: String)
        /// Counts of both add up to more than any captures have.
        case tooLarge
    }

    public var report: PartialReport
    /// Of the program that wrote it; nil of one that was not read.
    public package(set) var version: String?
    /// What the figures depend on, by the name of the option; equal in all parts.
    public var choices: [String: [String]]
    /// Names of the sessions.
    public package(set) var sessions: [SessionID: String] = [:]
    public package(set) var rows: [PartialKey: PartialRow] = [:]
    /// Of an accuracy report.
    public package(set) var calls: [CallKey: CallSums] = [:]
    /// What all counts add up to, of a result that was read: no sum of some of them overflows.
    package var magnitude: UInt128 = 0
    /// Of a result that is being read, by kind: the places of the columns that the file has.
    package var columns: [PartialKind: [Int]] = [:]

    /// A result without sessions.
    public init(_ report: PartialReport, choices: [String: [String]]) {
        self.report = report
        self.choices = choices
    }

    /// Takes all sessions of the other; unchanged where they cannot be one result.
    public mutating func merge(_ other: PartialResult) throws(Refusal) {
        guard report == other.report else { throw .otherReport }
        for name in Set(choices.keys).union(other.choices.keys).sorted() where choices[name] != other.choices[name] {
            throw .otherChoice(name: name)
        }
        if let same = other.sessions.keys.filter({ sessions[$0] != nil }).min() {
            throw .sameSession(name: sessions[same] ?? "")
        }
        guard magnitude + other.magnitude <= SumLimits.counts else { throw .tooLarge }
        magnitude += other.magnitude
        sessions.merge(other.sessions) { first, _ in first }
        for (key, row) in other.rows { add(row, key) }
        for (key, sums) in other.calls { calls[key, default: CallSums()].merge(sums) }
    }

    package mutating func add(_ row: PartialRow, _ key: PartialKey) {
        rows[key]?.merge(row)
        if rows[key] == nil { rows[key] = row }
    }

    /// Makes a row and adds it to the one of that key.
    package mutating func add(_ kind: PartialKind, _ names: [String] = [], _ fill: (inout PartialRow) -> Void) {
        var row = PartialRow(kind)
        fill(&row)
        add(row, PartialKey(kind, names))
    }

    /// The rows of a kind in ascending order of their names.
    package func rows(_ kind: PartialKind) -> [(names: [String], row: PartialRow)] {
        rows.filter { $0.key.kind == kind }.sorted { $0.key < $1.key }.map { ($0.key.names, $0.value) }
    }

    package func row(_ kind: PartialKind) -> PartialRow { rows[PartialKey(kind)] ?? PartialRow(kind) }

    /// Time of the earliest packet, nanoseconds since the epoch; nil without packets.
    public var firstPacket: Int64? { row(.capture)["first"].map { Int64(clamping: $0) } }

    /// Sessions of the same fleet that could not be audited; nil of a result that no fleet made.
    public var failedSessions: Int? { rows[PartialKey(.failedSessions)]?.integer("count") }

    /// Sums that were read may have the count already.
    mutating func setFailedSessions(_ count: Int) {
        rows[PartialKey(.failedSessions)] = nil
        add(.failedSessions) { $0.set("count", count) }
    }

    /// What the reader of a merged report must know.
    public var merged: MergedSessions {
        let capture = row(.capture)
        return MergedSessions(
            sessions: sessions.count, failedSessions: failedSessions ?? 0, files: capture.integer("files"),
            damagedFiles: capture.integer("damaged"),
            doubtedLogs: rows(.log).reduce(0) { $0 + $1.row.integer("doubted") })
    }
}
