import Foundation
import Testing
import WireTesting

@Suite("The program: the calls behind opportunities")
struct OpportunityPartsProcessTests {
    private static let captures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Captures")

    private static let cases: [(name: String, file: String, hasKeys: Bool)] = [
        ("shop", "capture.pcap", false), ("chromium", "capture.pcap.gz", true), ("h2-tls", "capture.pcap", true),
        ("h2c", "capture.pcap", false), ("tls13-resumed", "capture.pcap", true), ("loss", "capture.pcap", false),
    ]

    private func options(_ capture: (name: String, file: String, hasKeys: Bool)) -> [String] {
        let folder = Self.captures.appending(path: capture.name).path
        return (capture.hasKeys ? ["--keys", folder + "/keys.log"] : []) + [folder + "/" + capture.file]
    }

    private func objects(_ arguments: [String]) throws -> [[String: Any]] {
        let run = try WireAuditProcess.run(arguments)
        #expect(run.status == 0, "\(run.errors)")
        return try run.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func items(_ arguments: [String]) throws -> [[String: Any]] {
        let audit = try #require(try objects(["--format", "json", "--opportunities"] + arguments).first)
        return try #require((audit["opportunities"] as? [String: Any])?["items"] as? [[String: Any]])
    }

    @Test("add up to each saving, and are the exchanges and connections of the records", arguments: cases.indices)
    func sums(index: Int) throws {
        let options = options(Self.cases[index])
        var calls: [[Int?]: [String: Any]] = [:]
        for call in try objects(["exchanges", "--format", "ndjson"] + options) {
            calls[[call["connection"] as? Int, call["exchange"] as? Int]] = call
        }
        let connections = Set(
            try objects(["connections", "--format", "ndjson"] + options).map { $0["connection"] as? Int })
        let items = try items(options)
        #expect(!items.isEmpty)
        for item in items {
            let parts = try #require(item["parts"] as? [[String: Any]])
            let bytes = parts.map { $0["bytes"] as? Int ?? 0 }
            #expect(bytes.reduce(0, +) == item["bytes"] as? Int, "\(item["kind"] ?? "")")
            #expect(item["further_parts"] as? Int == 0 && item["further_bytes"] as? Int == 0)
            #expect(bytes == bytes.sorted(by: >) && bytes.allSatisfy { $0 > 0 })
            #expect(parts.count >= item["count"] as? Int ?? 0)
            for part in parts {
                #expect(connections.contains(part["connection"] as? Int))
                guard part["exchange"] is Int else { continue }
                let call = try #require(calls[[part["connection"] as? Int, part["exchange"] as? Int]])
                for field in ["host", "path", "query", "time_ns"] {
                    #expect("\(call[field] ?? "")" == "\(part[field] ?? "")", "\(field)")
                }
            }
        }
    }

    @Test("have no value of a query that is to be redacted, and the page has none at all")
    func redacted() throws {
        let folder = try TemporaryFolder()
        var file = PcapFileBuilder()
        for index in 0..<3 {
            var conversation = SampleConversation()
            conversation.request =
                "GET /list;id=s3cret?token=s3cret\(index) HTTP/1.1\r\nHost: api.example.com\r\nAccept-Encoding: gzip\r\n\r\n"
            conversation.clientPort += UInt16(index)
            conversation.body = Array(repeating: 0x61, count: 9000)
            for (place, packet) in conversation.packets().enumerated() {
                file.record(
                    seconds: 1_795_168_800 + UInt32(index), fraction: UInt32(place) * 1000, packet.frame())
            }
        }
        let capture = try folder.write("a.pcap", file.bytes)
        func output(_ arguments: [String]) throws -> String { try WireAuditProcess.run(arguments + [capture]).output }
        let table = try output(["--opportunities"])
        #expect(table.contains("URLs with most bytes:") && table.contains("/list;id=s3cret?token=s3cret1"), "\(table)")
        let hidden = try output(["--opportunities", "--redact-query"])
        #expect(hidden.contains("api.example.com/list;redacted?redacted") && !hidden.contains("s3cret"), "\(hidden)")
        let json = try output(["--format", "json", "--opportunities", "--redact-query"])
        #expect(json.contains("\"path\":\"/list;redacted\",\"query\":\"redacted\"") && !json.contains("s3cret"))
        let page = try output(["--format", "html"])
        #expect(page.contains("class=\"parts\"") && page.contains("/list;id=s3cret</span>"))
        #expect(!page.contains("token"))
        #expect(!(try output(["--format", "html", "--redact-query"])).contains("s3cret"))
    }
}
