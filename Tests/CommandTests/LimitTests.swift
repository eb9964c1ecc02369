import Foundation
import Testing
import WireCore
import WireReport
import WireTesting
import wireaudit

@Suite("Limits as options")
struct LimitTests {
    private func limits(_ values: [String], command: String = "audit") throws -> ProgramLimits {
        let options = values.flatMap { ["--limit", $0] }
        let rest =
            command == "live" ? ["-i", "eth0"] : command == "check" ? ["--max-bias", "5%", "a.pcap"] : ["a.pcap"]
        guard case .run(let found) = try ArgumentParser.parse([command] + options + rest) else {
            return try #require(nil)
        }
        return found.limits
    }

    @Test("every limit can be set, for every command that audits, and nothing else changes with it")
    func all() throws {
        for command in ["audit", "exchanges", "connections", "accuracy", "check", "live"] {
            for limit in Limit.all {
                let unit =
                    switch limit.place {
                    case .count: ""
                    case .bytes: "B"
                    case .time: "s"
                    }
                let found = try limits([limit.name + "=7" + unit], command: command)
                for other in Limit.all {
                    let expected = other.name == limit.name ? (unit == "s" ? 7_000_000_000 : 7) : other.value()
                    #expect(other.value(in: found) == expected, "\(limit.name), \(other.name)")
                }
            }
        }
    }

    @Test("names are unique, each limit says what is told, and its default can be set")
    func table() {
        #expect(Set(Limit.all.map(\.name)).count == Limit.all.count)
        for limit in Limit.all {
            #expect(limit.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(limit.name)")
            #expect((limit.finding == nil) != (limit.told == nil), "\(limit.name)")
            #expect(limit.range.contains(limit.value()), "\(limit.name)")
            // What is shown of the default is read again.
            let shown = LimitRow(limit).words(limit.value()).filter { $0 != "," && $0 != " " }
            #expect(limit.read(shown) == limit.value(), "\(limit.name)")
        }
    }

    @Test(
        "values have the units of their kind",
        arguments: [
            ("apis=5", 5), ("apis=5k", 5000), ("apis=2M", 2_000_000), ("apis=1g", 1_000_000_000), ("held-bytes=10", 10),
            ("held-bytes=1kB", 1000), ("held-bytes=64KiB", 65_536), ("held-bytes=2GiB", 2 << 30),
            ("idle-time=250ms", 250_000_000), ("idle-time=30s", 30_000_000_000), ("idle-time=2MIN", 120_000_000_000),
            ("idle-time=1h", 3_600_000_000_000), ("idle-time=2d", 172_800_000_000_000),
        ])
    func values(text: String, expected: Int) throws {
        let limit = try #require(Limit.named(String(text.prefix { $0 != "=" })))
        #expect(limit.value(in: try limits([text])) == expected)
        // The last one counts.
        #expect(
            limit.value(in: try limits([limit.name + "=1" + (limit.name == "idle-time" ? "s" : ""), text])) == expected)
    }

    @Test(
        "what is no limit is told in one line",
        arguments: [
            ("apis", "--limit needs NAME=VALUE, not 'apis'; 'wireaudit limits' lists the names"),
            ("=5", "--limit needs NAME=VALUE, not '=5'; 'wireaudit limits' lists the names"),
            ("conections=5", "unknown limit 'conections'; did you mean 'connections'?"),
            ("zzzzzzzz=5", "unknown limit 'zzzzzzzz'; 'wireaudit limits' lists them"),
            ("apis=", "--limit apis needs a number such as 1000 or 32k, not ''"),
            ("apis=-5", "--limit apis needs a number such as 1000 or 32k, not '-5'"),
            ("apis=5MiB", "--limit apis needs a number such as 1000 or 32k, not '5MiB'"),
            ("apis=0", "--limit apis can be 1 to 1,000,000,000, not '0'"),
            ("apis=9999999999G", "--limit apis can be 1 to 1,000,000,000, not '9999999999G'"),
            ("held-bytes=5s", "--limit held-bytes needs a size such as 64KiB or 4MiB, not '5s'"),
            ("held-bytes=2TiB", "--limit held-bytes can be 1 B to 1 TiB, not '2TiB'"),
            ("idle-time=5", "--limit idle-time needs a time such as 500ms, 30s or 10min, not '5'"),
            ("idle-time=0s", "--limit idle-time can be 1 ms to 365 d, not '0s'"),
        ])
    func wrong(value: String, expected: String) {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(["--limit", value, "a.pcap"]) }
        #expect(error?.message == expected)
    }

    @Test("the article on limits shows this table, line by line")
    func article() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/wireaudit/Documentation.docc/Limits.md")
        let lines = try String(contentsOf: path.standardizedFileURL, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let head = "| limit | default | applies to | beyond it | reported by |"
        let start = try #require(lines.firstIndex(of: head), "the article has no table of limits")
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == Limit.all.map(Self.line))
    }

    private static func line(_ limit: Limit) -> String {
        let row = LimitRow(limit)
        let meaning = row.meaning + (row.isShared ? " (shared)" : "")
        let told = row.finding.map { "`\($0.code)`" } ?? row.told ?? ""
        return "| `\(row.name)` | \(row.words(row.standard)) | \(meaning) | \(row.beyond) | \(told) |"
    }

    @Test("exchanges says of how many bodies it does not know the decoded size", arguments: [nil, "1", "1GiB"])
    func undecodedBodies(limit: String?) throws {
        let capture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Captures/codings/capture.pcap.gz").standardizedFileURL.path
        let words = ["exchanges", capture] + (limit.map { ["--limit", "decoded-body=\($0)"] } ?? [])
        let run = try WireAuditProcess.run(words)
        #expect(run.status == 0)
        #expect(run.errors.contains("(decode-limit)") == (limit == "1"))
        #expect(run.errors.hasPrefix("wireaudit: warning: the decoded size of ") == (limit == "1"))
        #expect(try WireAuditProcess.run(words + ["--quiet"]).errors == "")
    }

    @Test("wireaudit limits lists them as text and as JSON")
    func listing() throws {
        let text = try WireAuditProcess.run(["limits"], environment: ["COLUMNS": "80"])
        #expect(text.status == 0 && text.errors == "")
        #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        for limit in Limit.all { #expect(text.output.contains("\n\(limit.name) "), "\(limit.name)") }
        let json = try WireAuditProcess.run(["limits", "--format", "json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["schema"] as? String == "wireaudit.limits/1")
        let list = try #require(object?["limits"] as? [[String: Any]])
        #expect(list.map { $0["name"] as? String } == Limit.all.map(\.name))
        #expect(list.map { $0["default"] as? Int } == Limit.all.map { $0.value() })
        #expect(list.map { $0["finding"] as? String } == Limit.all.map { $0.finding?.code })
        #expect(try WireAuditProcess.run(["limits", "x"]).status == 64)
    }

    @Test("a limit given to the program reaches the audit, and what it does is told")
    func program() throws {
        let folder = try TemporaryFolder()
        let capture = try folder.write("a.pcap", SampleConversation().pcap())
        let run = try WireAuditProcess.run(["--format", "json", "--limit", "header-section=20B", capture])
        #expect(run.status == 0)
        #expect(run.output.contains("\"header-section-limit\""))
        #expect(try !WireAuditProcess.run(["--format", "json", capture]).output.contains("header-section-limit"))
        #expect(try WireAuditProcess.run(["--limit", "header-sections=20B", capture]).status == 64)
    }
}
