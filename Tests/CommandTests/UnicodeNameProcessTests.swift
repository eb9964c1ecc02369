import Foundation
import Testing
import WireTesting

/// Reports of hosts and paths that are written in other letters than those of ASCII.
@Suite("The program: names in Unicode")
struct UnicodeNameProcessTests {
    private let folder: TemporaryFolder
    private let capture: String

    init() throws {
        folder = try TemporaryFolder()
        var talk = Dialogue(clientPort: 40_001)
        talk.handshake()
        for (host, path) in [
            ("xn--mnchen-3ya.example", "/caf%C3%A9"), ("München.example", "/café"),
            ("shop.example", "/a%2Fb%E2%80%AE"),
        ] {
            talk.data(.client, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        }
        talk.close()
        var file = PcapFileBuilder()
        for frame in talk.frames {
            file.record(
                seconds: UInt32(frame.time / 1_000_000_000), fraction: UInt32(frame.time % 1_000_000_000 / 1000),
                frame.bytes)
        }
        capture = try folder.write("a.pcap", file.bytes)
    }

    private func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments + [capture])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    private func audit(_ more: [String] = []) throws -> [String: Any] {
        let text = try run(["--format", "json"] + more)
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func names(_ more: [String]) throws -> [String] {
        let rows = try #require(try audit(more)["apis"] as? [[String: Any]])
        return rows.compactMap { $0["api"] as? String }.sorted()
    }

    @Test("people see Unicode, data have punycode with Unicode beside it, and a path has one name")
    func shown() throws {
        let text = try run(["--format", "table"])
        #expect(text.contains("GET münchen.example /café"))
        #expect(text.contains("/a%2Fb%E2%80%AE"))
        #expect(!text.contains("xn--"))
        #expect(try run(["--format", "html"]).contains("münchen.example"))
        #expect(try names([]) == ["GET shop.example /a%2Fb%E2%80%AE", "GET xn--mnchen-3ya.example /café"])
        let hosts = try #require(try audit()["hosts"] as? [[String: Any]])
        #expect(hosts.count { ($0["host_unicode"] as? String ?? $0["host"] as? String) == "münchen.example" } == 1)
        let host = try #require(hosts.first { $0["host"] as? String == "xn--mnchen-3ya.example" })
        #expect(host["host_unicode"] as? String == "münchen.example")
        let lines = try run(["exchanges", "--format", "ndjson"]).split(separator: "\n")
        let records = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        #expect(records.map { $0?["host_unicode"] as? String } == ["münchen.example", "münchen.example", nil])
        #expect(records.map { $0?["path"] as? String } == ["/caf%C3%A9", "/café", "/a%2Fb%E2%80%AE"])
        #expect(try run(["exchanges", "--format", "csv"]).contains("xn--mnchen-3ya.example"))
    }

    @Test("--host and --api match both spellings of a host and of a path")
    func selection() throws {
        let name = ["GET xn--mnchen-3ya.example /café"]
        for host in ["münchen", "xn--mnchen-3ya", "*.example"] {
            #expect(try names(["--host", host]).contains(name[0]), "\(host)")
        }
        for api in ["* münchen.example /caf*", "* xn--mnchen-3ya.example *", "/café", "/caf%C3%A9", "/caf%c3%a9"] {
            #expect(try names(["--api", api]) == name, "\(api)")
        }
        #expect(try names(["--template", "/{caf%C3%A9}", "--host", "nchen"]) == ["GET xn--mnchen-3ya.example /{café}"])
    }
}
