import Foundation
import Testing
import WireTesting
import wireaudit

@Suite("Redacted queries")
struct RedactionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Captures/shop").standardizedFileURL.path

    private static func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments + ["--quiet", folder + "/capture.pcap"])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    /// The queries of the capture.
    private static func queries() throws -> Set<String> {
        let lines = try run(["exchanges", "--format", "ndjson"]).split(separator: "\n")
        return Set(
            try lines.compactMap { line in
                let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return record?["query"] as? String
            })
    }

    @Test(
        "no output of records or of the audit has a query of the capture",
        arguments: [
            ["exchanges", "--format", "ndjson"], ["exchanges", "--format", "csv"], ["exchanges"],
            ["exchanges", "--format", "ndjson", "--estimators", "all"], ["connections"], ["--format", "json"],
        ])
    func captured(arguments: [String]) throws {
        let (plain, redacted) = (try Self.run(arguments), try Self.run(arguments + ["--redact-query"]))
        let queries = try Self.queries()
        #expect(queries.count > 1)
        for query in queries where arguments.first == "exchanges" {
            #expect(plain.contains(query) && !redacted.contains(query), "\(query)")
        }
        #expect(redacted.contains("redacted") == (arguments.first == "exchanges"))
    }

    @Test("an audit as a page has APIs and calls of the capture, and no query")
    func page() throws {
        for command in [["--format", "html"], ["audit", "--format", "html"]] {
            let page = try Self.run(command)
            #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("id=\"opportunities\""))
            #expect(page.contains("/v1/items/{id}/reviews") && page.contains("\"callRows\":\""))
            for query in try Self.queries() { #expect(!page.contains(query), "\(query)") }
        }
    }

    @Test("no report has a query of a log", arguments: ["json", "html", "md", "table", "ndjson"])
    func logged(format: String) throws {
        let folder = try TemporaryFolder()
        let text = try String(contentsOfFile: Self.folder + "/traffic.ndjson", encoding: .utf8)
            .replacingOccurrences(
                of: "\"path\": \"([^\"?]*)\"", with: "\"path\": \"$1?token=secret7\"", options: .regularExpression)
        let log = try folder.write("queries.ndjson", Array(text.utf8))
        let arguments = ["accuracy", "--full", "--top", "all", "--format", format, "--sdk-log", log]
        // Lines of calls and rows name no path of the log.
        #expect(try Self.run(arguments).contains("secret7") == (format != "ndjson"))
        #expect(try !Self.run(arguments + ["--redact-query"]).contains("secret7"))
    }

    @Test(
        "no output has a value of a header field, asked for or not, except that of Host",
        arguments: [
            ["exchanges", "--format", "ndjson"], ["exchanges", "--format", "csv"], ["connections"],
            ["--format", "json"],
            ["--format", "html"], ["--opportunities"], ["--headers"],
        ])
    func headerValues(arguments: [String]) throws {
        // Text of the capture that stands in fields of requests and responses only.
        let values = ["shop-app/2.1", "phone-7f3a", "3f9c1c5e2b7d4a6880e1", "nginx", "Sat, 21 Nov 2026"]
        let file = URL(fileURLWithPath: Self.folder + "/capture.pcap")
        let capture = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        let output = try Self.run(arguments + ["--redact-header", "Cookie", "--redact-header", "accept-encoding"])
        for value in values { #expect(capture.contains(value) && !output.contains(value), "\(value)") }
    }

    @Test("the value of Host cannot be left out", arguments: ["Host", "host", ":authority"])
    func host(name: String) throws {
        let run = try WireAuditProcess.run(["--redact-header", name, Self.folder + "/capture.pcap"])
        #expect(run.status == 64 && run.errors.contains("cannot be left out"), "\(run.errors)")
    }

    @Test("what has no query is unchanged, and so are all sizes")
    func others() throws {
        let (plain, redacted) = (
            try Self.run(["exchanges", "--format", "ndjson"]).split(separator: "\n"),
            try Self.run(["exchanges", "--format", "ndjson", "--redact-query"]).split(separator: "\n")
        )
        #expect(plain.count == redacted.count)
        for (before, after) in zip(plain, redacted) {
            var records = try [before, after].map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let path = try #require(records[0]["path"] as? String)
            let hasQuery = records[0]["query"] is String
            if hasQuery {
                #expect(records[1]["query"] as? String == "redacted")
                #expect(records[1]["target"] as? String == path + "?redacted")
            }
            for name in ["query", "target"] where hasQuery {
                records[0][name] = nil
                records[1][name] = nil
            }
            let texts = try records.map { try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
            #expect(texts[0] == texts[1])
        }
    }

    @Test(
        "hosts and APIs have no credentials and no query, and targets none where they are redacted",
        arguments: [
            (
                "GET http://user:pa55@api.example.com/v1?t=s3cret HTTP/1.1\r\nHost: api.example.com\r\n\r\n",
                "api.example.com"
            ),
            (
                "CONNECT user:pa55@api.example.com:443?t=s3cret HTTP/1.1\r\nHost: api.example.com\r\n\r\n",
                "api.example.com:443"
            ),
        ])
    func credentials(request: String, host: String) throws {
        let folder = try TemporaryFolder()
        var conversation = SampleConversation()
        conversation.request = request
        var file = PcapFileBuilder()
        for (index, packet) in conversation.packets().enumerated() {
            file.record(seconds: 1_795_168_800, fraction: UInt32(index) * 1000, packet.frame())
        }
        let path = try folder.write("a.pcap", file.bytes)
        func output(_ arguments: [String]) throws -> String {
            try WireAuditProcess.run(arguments + ["--quiet", path]).output
        }
        let record = try #require(
            JSONSerialization.jsonObject(with: Data(output(["exchanges", "--format", "ndjson"]).utf8)) as? [String: Any]
        )
        #expect(record["host"] as? String == host)
        let audit = try output(["--format", "json"])
        #expect(!audit.contains("pa55") && !audit.contains("s3cret"))
        for format in ["ndjson", "csv", "har", "otlp", "table"] {
            let redacted = try output(["exchanges", "--format", format, "--redact-query"])
            #expect(
                !redacted.contains("pa55") && !redacted.contains("s3cret") && redacted.contains("api.example.com"),
                "\(redacted)")
        }
    }
}
