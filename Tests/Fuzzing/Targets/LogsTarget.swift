import Foundation
import WireLogs

/// Logs of SDKs, HAR files and plain JSON.
///
/// Input: a byte that names the format, or none, or JSON; then the log.
enum LogsTarget: FuzzTarget {
    static let name = "logs"
    static let longestInput = 16_384
    static let memory = Bound(fixed: 64 << 20, perByte: 2000)
    static let work = Bound(fixed: 256 << 20, perByte: 50_000)

    static func run(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let log = Array(input.dropFirst())
        var cuts = Cuts(input)
        let pieces = cuts.pieces(of: log.count)
        let kind = Int(first) % (SDKLogFormat.allCases.count + 3)
        if kind >= SDKLogFormat.allCases.count + 1 {
            readJSON(log, pieces, kind & 1 == 0 ? .lines : .document)
            return
        }
        let format = kind == 0 ? nil : SDKLogFormat.allCases[kind - 1]
        let whole = read(log, [0..<log.count], format)
        // What SQLite says of a damaged database may depend on what its memory held before.
        guard !log.starts(with: Array("SQLite".utf8)) else { return }
        let inPieces = read(log, pieces, format)
        demandEqualLists(inPieces.rows, whole.rows, "row in pieces")
        demandEqualLists(inPieces.texts, whole.texts, "text in pieces")
        demandEqualLists(inPieces.rest, whole.rest, "facts in pieces")
    }

    private struct Outcome {
        var rows: [[Int?]] = []
        var texts: [[UInt8]] = []
        var rest: [String] = []
    }

    private static func read(_ log: [UInt8], _ pieces: [Range<Int>], _ format: SDKLogFormat?) -> Outcome {
        var outcome = Outcome()
        do {
            let read = try SDKLogReader.read(path: "log", format: format, source: PiecedLog(log, pieces))
            for row in read.rows { check(row, read) }
            outcome.rows = read.rows.map(numbers)
            outcome.texts = read.texts.texts
            outcome.rest = ["\(read.format) \(read.timeResolution) \(read.rejectedRows) \(read.isIncomplete)"]
            outcome.rest += read.problems.map { "\($0.what) \($0.count) \($0.firstRow ?? 0)" }
            demand(read.problems.count < 1000, "\(read.problems.count) kinds of problems")
        } catch {
            outcome.rest = [error.message]
        }
        return outcome
    }

    private static func check(_ row: LogRow, _ log: SDKLog) {
        for text in [row.host, row.path, row.method] {
            demand(text >= -1 && Int(text) < log.texts.texts.count, "a text that is not there")
        }
        for bytes in [row.up, row.down] {
            for size in [bytes.startLine, bytes.headers, bytes.body, bytes.decodedBody] {
                demand(size ?? 0 >= 0 && size ?? 0 <= 1 << 54, "a size of \(size ?? 0)")
            }
        }
    }

    private static func numbers(_ row: LogRow) -> [Int?] {
        let facts: [Int?] = [
            row.number, Int(row.host), Int(row.path), Int(row.method), Int(row.status), Int(row.clientPort),
            Int(row.serverPort), Int(row.kind.rawValue), row.isPlain ? 1 : 0, Int(row.time), Int(row.end),
        ]
        return [row.up, row.down].reduce(into: facts) { facts, bytes in
            facts += [bytes.startLine, bytes.headers, bytes.body, bytes.total, bytes.decodedBody]
        }
    }

    // MARK: JSON

    private static func readJSON(_ text: [UInt8], _ pieces: [Range<Int>], _ layout: JSONReader.Layout) {
        let whole = tokens(text, [0..<text.count], layout)
        let inPieces = tokens(text, pieces, layout)
        demandEqualLists(inPieces.tokens, whole.tokens, "token in pieces")
        demand(
            inPieces.error == whole.error, "\(String(describing: inPieces.error)), \(String(describing: whole.error))")
        if layout == .document, whole.error == nil { compare(text, whole.tokens) }
    }

    /// What is read to its end is JSON to others as well. They refuse halves of surrogate pairs, control characters in
    /// texts, numbers that they cannot hold, and deep nesting.
    private static func compare(_ text: [UInt8], _ tokens: [JSONToken]) {
        guard text.count < 400, !text.contains(where: { $0 < 0x20 }), text.firstRange(of: [0x5C, 0x75]) == nil,
            String(validating: text, as: UTF8.self) != nil
        else { return }
        for case .number(let number) in tokens where number.count > 15 || number.contains(where: { $0 | 0x20 == 0x65 })
        {
            return
        }
        let other = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
        demand(other != nil, "Foundation refuses this text")
    }

    private static func tokens(
        _ text: [UInt8], _ pieces: [Range<Int>], _ layout: JSONReader.Layout
    ) -> (tokens: [JSONToken], error: JSONError?) {
        let source = PiecedLog(text, pieces)
        var reader = JSONReader(layout: layout, textLimit: 1000, pieces: source.next)
        var tokens: [JSONToken] = []
        do {
            while tokens.last != .end { tokens.append(try reader.next()) }
            return (tokens, nil)
        } catch {
            demand(error.offset <= text.count, "an error behind the end")
            return (tokens, error)
        }
    }
}

/// A log in memory, given out in pieces.
private final class PiecedLog: LogByteSource {
    var hasReadingFault: Bool { false }
    private let bytes: [UInt8]
    private var pieces: ArraySlice<Range<Int>>
    let openingFault: String? = nil
    let fault: String? = nil

    init(_ bytes: [UInt8], _ pieces: [Range<Int>]) {
        self.bytes = bytes
        self.pieces = pieces.filter { !$0.isEmpty }[...]
    }

    func next() -> [UInt8]? { pieces.popFirst().map { Array(bytes[$0]) } }
}
