import Foundation
import Testing
import WireTesting

/// Text of captures, logs and file names that acts on terminals, spreadsheets or readers of Markdown, in every output.
@Suite("The program: hostile text")
struct HostileTextTests {
    /// Controls (C1), bidirectional controls, line separators, and markup.
    private static let hostile = "\u{9B}1m\u{85}\u{202E}\u{2066}\u{2028}\u{2029}<img/src=x>&lt;|`[x](y)"
    /// The same with controls of C0, which no request line can hold.
    private static let host = "=cmd|'/c'!a0\u{1B}[2j\u{7}\(hostile)"

    private let folder: TemporaryFolder
    private let capture: String
    private let log: String

    init() throws {
        folder = try TemporaryFolder()
        var conversation = SampleConversation()
        conversation.request =
            "GET /a\(Self.hostile)?q=\(Self.hostile) HTTP/1.1\r\nHost: \(Self.host)\r\n\r\n"
        capture = try folder.write("a\u{1B}[31m\u{202E}\u{2028}<b>`.pcap", conversation.pcap())
        let row: [String: Any] = [
            "path": "/a\(Self.hostile)", "host": Self.host, "type": "request", "lineLength": 23,
            "headerLength": 111, "bodyLength": 0, "length": "\(Self.hostile)", "occurTime": 1_795_168_800.003,
        ]
        var (other, bytes) = (row, [UInt8]())
        other["length"] = 134
        for row in [row, other] { bytes += try [UInt8](JSONSerialization.data(withJSONObject: row)) + [0x0A] }
        log = try folder.write("log\u{1B}[31m\u{202E}<b>`|.ndjson", bytes)
    }

    private func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments)
        return run.output + run.errors
    }

    /// Characters that could act on a terminal, or hide and reorder text.
    private func dangerous(_ text: String) -> [Unicode.Scalar] {
        text.replacing("\r\n", with: "\n").unicodeScalars.filter { scalar in
            guard scalar != "\n" else { return false }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: return true
            default: return false
            }
        }
    }

    @Test(
        "no output about a capture has controls, bidirectional controls or line separators",
        arguments: [
            ["audit", "--explain", "--opportunities", "--headers"], ["audit", "--format", "html"],
            ["audit", "--format", "json"], ["audit", "--format", "partial"], ["exchanges", "--format", "table"],
            ["exchanges", "--format", "ndjson"], ["exchanges", "--format", "csv"], ["exchanges", "--format", "har"],
            ["exchanges", "--format", "otlp"], ["connections", "--format", "table"],
            ["connections", "--format", "csv"], ["connections", "--format", "ndjson"],
        ])
    func ofCapture(arguments: [String]) throws {
        let output = try run(arguments + [capture])
        // Connections have no text of messages.
        #expect(output.contains("cmd") || arguments[0] == "connections", "\(output)")
        #expect(dangerous(output).isEmpty, "\(dangerous(output)): \(output)")
    }

    @Test(
        "no output about a log has them",
        arguments: [
            ["accuracy", "--full"], ["accuracy", "--format", "html"], ["accuracy", "--format", "md"],
            ["accuracy", "--format", "json"], ["accuracy", "--format", "csv"], ["accuracy", "--format", "ndjson"],
            ["accuracy", "--format", "partial"], ["check", "--max-error", "0"],
            ["check", "--verbose", "--max-error", "0"],
            ["check", "--format", "junit", "--max-error", "0"],
        ])
    func ofLog(arguments: [String]) throws {
        let output = try run(arguments + ["--sdk-log", log, capture])
        // A check names the log alone.
        #expect(output.contains(arguments[0] == "check" ? "log" : "cmd"), "\(output)")
        #expect(dangerous(output).isEmpty, "\(dangerous(output)): \(output)")
    }

    @Test("no comparison has them", arguments: ["table", "html", "md", "json"])
    func ofComparison(format: String) throws {
        let other = try folder.write("b\u{1B}\u{202E}.pcap", SampleConversation().pcap())
        let output = try run(["compare", "--format", format, capture, other])
        #expect(output.contains("cmd"), "\(output)")
        #expect(dangerous(output).isEmpty, "\(dangerous(output)): \(output)")
    }

    @Test("no comment of an annotated capture has them")
    func ofComments() throws {
        let output = folder.path + "/annotated.pcapng"
        #expect(try run(["annotate", "--quiet", capture, "-o", output]) == "")
        let comments = try AnnotatedPacket.read(output).flatMap(\.comments)
        #expect(comments.contains { $0.contains("cmd") })
        for comment in comments { #expect(dangerous(comment).isEmpty, "\(comment)") }
    }

    @Test(
        "no message on standard error has them",
        arguments: [
            ["HOSTILE"], ["--HOSTILE"], ["HOSTILE", "HOSTILE"], ["--format", "HOSTILE", "a"],
            ["--keys", "HOSTILE", "a"],
            ["accuracy", "--sdk-log", "HOSTILE", "CAPTURE"], ["--filter", "HOSTILE", "CAPTURE"],
            ["--limit", "HOSTILE", "CAPTURE"],
            ["check", "HOSTILE", "CAPTURE"], ["-o", "/HOSTILE/x", "CAPTURE"], ["LOG"],
            ["--keys", "CAPTURE", "CAPTURE"],
        ])
    func messages(arguments: [String]) throws {
        let run = try WireAuditProcess.run(
            arguments.map {
                $0.replacing("HOSTILE", with: Self.host).replacing("CAPTURE", with: capture).replacing(
                    "LOG", with: log)
            })
        #expect(run.errors.hasPrefix("wireaudit: "), "\(run.errors)")
        #expect(dangerous(run.errors).isEmpty, "\(dangerous(run.errors)): \(run.errors)")
    }

    @Test("no cell of CSV is a formula or splits at a semicolon, and --raw-csv has the text as it was sent")
    func cells() throws {
        let safe = try WireAuditProcess.run(["exchanges", "--format", "csv", "--quiet", capture]).output
        #expect(safe.contains(",\"'=cmd|'/c'!a0\\x1b[2j") && !safe.contains("\"=cmd"))
        let cells = safe.split(whereSeparator: { ",;\"\r\n".contains($0) })
        for cell in cells where "=+-@\t".contains(cell.first ?? " ") { #expect(Double(cell) != nil, "\(cell)") }
        let raw = try WireAuditProcess.run(["exchanges", "--format", "csv", "--raw-csv", "--quiet", capture]).output
        #expect(raw.contains(",\"=cmd|'/c'!a0\u{1B}[2j") && raw.contains(Self.hostile))
    }

    @Test("Markdown has foreign text as code only, with its markup escaped")
    func markup() throws {
        let text = try WireAuditProcess.run(["accuracy", "--format", "md", "--sdk-log", log, capture]).output
        #expect(text.contains("&#60;img/src=x&#62;&#38;lt;&#124;&#96;&#91;x&#93;&#40;y&#41;"), "\(text)")
        for danger in ["<img", "<b>", "[x]", "](", "&lt;|"] { #expect(!text.contains(danger), "\(danger)") }
    }
}
