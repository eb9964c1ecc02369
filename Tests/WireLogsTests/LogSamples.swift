import Foundation
import WireTesting

@testable import WireLogs

/// A log in memory, given out in pieces.
final class MemoryLog: LogByteSource {
    var hasReadingFault = false
    private let bytes: [UInt8]
    private let pieceSize: Int
    private var place = 0
    var openingFault: String?
    var fault: String?

    init(_ bytes: [UInt8], pieceSize: Int = 1000) {
        self.bytes = bytes
        self.pieceSize = pieceSize
    }

    func next() -> [UInt8]? {
        guard place < bytes.count else { return nil }
        defer { place += pieceSize }
        return Array(bytes[place..<min(place + pieceSize, bytes.count)])
    }
}

enum LogSamples {
    static func read(_ text: String, format: SDKLogFormat? = nil, columns: String? = nil) throws(SDKLogError) -> SDKLog
    {
        try read(Array(text.utf8), format: format, columns: columns)
    }

    static func read(
        _ bytes: [UInt8], format: SDKLogFormat? = nil, columns: String? = nil, pieceSize: Int = 1000,
        rowLimit: Int = SDKLogReader.standardRowLimit, textBudget: Int = SDKLogReader.standardTextBudget
    ) throws(SDKLogError) -> SDKLog {
        try SDKLogReader.read(
            path: "the.log", format: format, columns: choice(columns), source: MemoryLog(bytes, pieceSize: pieceSize),
            rowLimit: rowLimit,
            textBudget: textBudget)
    }

    /// What tests say of columns is well-formed.
    private static func choice(_ text: String?) -> LogColumns? { text.flatMap { try? LogColumns(parsing: $0) } }

    /// Makes a database with statements and reads it.
    static func readDatabase(
        _ statements: String, format: SDKLogFormat? = nil, columns: String? = nil
    ) throws -> SDKLog {
        let folder = try TemporaryFolder()
        let path = folder.path + "/log.sqlite"
        try SQLiteWriter(path).run(statements)
        return try readFile(path, format: format, columns: columns)
    }

    static func readFile(_ path: String, format: SDKLogFormat? = nil, columns: String? = nil) throws -> SDKLog {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        return try SDKLogReader.read(
            path: path, format: format, columns: choice(columns), source: MemoryLog(bytes))
    }
}

extension SDKLog {
    /// A row as a line: what it is, whose, when, and the bytes that it states.
    func line(_ index: Int) -> String {
        let row = rows[index]
        func text(_ number: Int32) -> String { number < 0 ? "-" : String(decoding: texts[number], as: UTF8.self) }
        func time(_ time: Int64) -> String { time == .min ? "-" : "\(time)" }
        return [
            "\(row.kind)", text(row.method), text(row.host), text(row.path), "\(row.status)", time(row.time),
            time(row.end),
            "up", row.up.text, "down", row.down.text,
        ].joined(separator: " ")
    }

    var lines: [String] { rows.indices.map(line) }

    /// Problems as lines: what, how often, where first.
    var complaints: [String] {
        problems.map { "\($0.what) \($0.count)" + ($0.firstRow.map { " @\($0)" } ?? "") }
    }
}

extension LoggedBytes {
    var text: String {
        [startLine, headers, body, total, decodedBody].map { $0.map(String.init) ?? "-" }.joined(separator: "/")
    }
}
