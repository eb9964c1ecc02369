import Foundation
import Testing
import WireTesting

@Suite("The program: partial results, merge, fleet")
struct FleetProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A session of some calls.
    private func capture(_ number: Int, header: String = "") throws -> String {
        var file = PcapFileBuilder()
        for call in 0..<4 {
            var conversation = SampleConversation()
            conversation.request = "GET /v1/items HTTP/1.1\r\nHost: api.example.com\r\n\(header)\r\n"
            conversation.body = Array(repeating: 0x61, count: 100 + number * 7 + call)
            conversation.clientPort = UInt16(20_000 + call)
            for (index, packet) in conversation.packets().enumerated() {
                file.record(
                    seconds: 1_795_168_800 + UInt32(number * 100 + call), fraction: UInt32(index) * 1000,
                    packet.frame())
            }
        }
        return try folder.write("s\(number).pcap", file.bytes)
    }

    private func run(_ arguments: [String]) throws -> String {
        let run = try WireAuditProcess.run(arguments)
        #expect(run.status == 0, "\(arguments): \(run.errors)")
        return run.output
    }

    private func parts(_ count: Int) throws -> [String] {
        try (0..<count).map { number in
            try folder.write(
                "\(number).part",
                Array(try run(["accuracy", "--format", "partial", "--session", "s\(number)", capture(number)]).utf8))
        }
    }

    @Test("merge gives one report for any order and tree; a part that comes twice is refused")
    func merge() throws {
        let parts = try parts(4)
        for format in ["json", "partial", "table", "html", "md", "csv"] {
            let whole = try run(["merge", "--format", format] + parts)
            #expect(try run(["merge", "--format", format] + parts.reversed()) == whole, "\(format)")
            let half = try folder.write(
                "half", Array(try run(["merge", "--format", "partial", parts[3], parts[1]]).utf8))
            #expect(try run(["merge", "--format", format, parts[0], half, parts[2]]) == whole, "\(format)")
        }
        let twice = try WireAuditProcess.run(["merge", parts[0], parts[0]])
        #expect(twice.status == 65 && twice.errors.contains("its session 's0' is in an earlier part"))
        let single = try WireAuditProcess.run(["merge", try capture(9)])
        #expect(single.status == 65 && single.errors.contains("not a partial result"))
    }

    @Test("the merged ledger and calls are those of the captures")
    func sums() throws {
        let merged = try object(run(["merge", "--format", "json"] + parts(3)))
        let exchanges = try #require(merged["exchanges"] as? [String: Any])
        #expect(exchanges["total"] as? Int == 12 && exchanges["compared"] as? Int == 12)
        let sessions = try #require(merged["merged"] as? [String: Any])
        #expect(sessions["sessions"] as? Int == 3 && sessions["quantiles"] as? String == "buckets")
    }

    @Test("check judges partial results, also by sessions")
    func check() throws {
        // Three sessions are too few to say that a median is beyond a bound.
        for (count, bound, status) in [
            (3, "p90-session-error <= 100%", Int32(0)), (3, "p50-session-error <= 0.1%", 0),
            (8, "p50-session-error <= 0.1%", 1),
        ] {
            let parts = try parts(count)
            let policy = try folder.write("a.policy", Array("\(bound) source dmurlprotocol up\n".utf8))
            let run = try WireAuditProcess.run(["check", "--verbose", policy] + parts)
            #expect(run.status == status, "\(bound): \(run.output)\(run.errors)")
            let isOpen = status == 0 && bound.hasSuffix("0.1%")
            #expect(run.output.contains("is not significantly above 0.1 %") == isOpen, "\(run.output)")
        }
        let capture = try WireAuditProcess.run([
            "check", try folder.write("b.policy", Array("p50-session-error <= 1%\n".utf8)), try capture(1),
        ])
        #expect(capture.status == 1 && capture.output.contains("needs partial results"))
    }

    @Test("reports of a fleet say how many sessions are incomplete")
    func losses() throws {
        let whole = try capture(1)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: whole)).dropLast(30)
        let cut = try folder.write("cut.pcap", Array(bytes))
        for (name, other, sentence) in [("a", cut, "Packets of 1 session are missing or cut"), ("b", whole, nil)] {
            let manifest = try folder.write(
                "\(name).csv", Array("session,capture\nfirst,\(try capture(2))\nsecond,\(other)\n".utf8))
            let out = "\(folder.path)/\(name)"
            let run = try WireAuditProcess.run(["fleet", "--quiet", manifest, "-o", out])
            let page = try String(contentsOfFile: "\(out)/fleet.html", encoding: .utf8)
            let told = "are missing or cut"
            #expect(run.output.contains(sentence ?? told) == (sentence != nil), "\(run.output)\(run.errors)")
            #expect(page.contains(sentence ?? told) == (sentence != nil))
            let json = try object(String(contentsOfFile: "\(out)/fleet.json", encoding: .utf8))
            let damage = try #require(json["damage"] as? [String: Any])
            #expect(damage["incomplete_sessions"] as? Int == (sentence == nil ? 0 : 1))
        }
    }

    @Test("a fleet has a row for each session, bad ones too, and is the same when it runs again")
    func fleet() throws {
        var lines = ["session,capture,build"]
        for number in 0..<6 {
            let header = number % 2 == 1 ? "X-Added: 0123456789\r\n" : ""
            lines.append("s\(number),\(try capture(number, header: header)),\(number % 2)")
        }
        lines.append("lost,missing.pcap,0")
        lines.append("bad,\(try folder.write("bad.pcap", Array("no capture".utf8))),1")
        let manifest = try folder.write("fleet.csv", Array(lines.joined(separator: "\n").utf8))
        let out = folder.path + "/out"
        func file(_ name: String) throws -> String { try String(contentsOfFile: "\(out)/\(name)", encoding: .utf8) }
        let first = try WireAuditProcess.run(["fleet", "--jobs", "2", manifest, "-o", out])
        #expect(first.status == 0 && first.errors.contains("session lost: cannot open"), "\(first.errors)")
        let names = ["fleet.json", "fleet.part", "fleet.html", "sessions.ndjson", "groups/build=0.part"]
        let before = try names.map(file)
        let rows = before[3].split(separator: "\n")
        #expect(rows.count == 8 && rows.count { $0.contains("\"failure\":null") } == 6)
        let records = try file("records/day=2026-11-20/session=s0/exchanges.ndjson")
        #expect(records.split(separator: "\n").count == 4)
        _ = try run(["fleet", "--jobs", "1", manifest, "-o", out])
        #expect(try names.map(file) == before)
    }

    @Test("sessions that left the list leave the folder, and the program says so")
    func shorterList() throws {
        let out = folder.path + "/out"
        func write(_ numbers: Range<Int>) throws -> String {
            let lines = try numbers.map { "s\($0),\(try capture($0)),b\($0)" }
            return try folder.write(
                "fleet.csv", Array((["session,capture,build"] + lines).joined(separator: "\n").utf8))
        }
        _ = try run(["fleet", write(0..<3), "-o", out])
        let shorter = try WireAuditProcess.run(["fleet", write(1..<3), "-o", out])
        #expect(shorter.status == 0 && shorter.errors.contains("not in the list any more"), "\(shorter.errors)")
        #expect(shorter.errors.contains(": s0\n") && !shorter.errors.contains("s1"))
        let days = try FileManager.default.contentsOfDirectory(atPath: "\(out)/records/day=2026-11-20").sorted()
        #expect(days == ["session=s1", "session=s2"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(out)/parts").count == 2)
        #expect(!FileManager.default.fileExists(atPath: "\(out)/groups/build=b0.part"))
        let new = try WireAuditProcess.run(["fleet", write(1..<3), "-o", folder.path + "/new"])
        #expect(new.status == 0)
        for name in ["fleet.json", "sessions.ndjson", "fleet.part"] {
            let contents = try ["out", "new"].map {
                try String(contentsOfFile: "\(folder.path)/\($0)/\(name)", encoding: .utf8)
            }
            #expect(contents[0] == contents[1], "\(name)")
        }
    }

    @Test("results that were made elsewhere by the plan give the same report")
    func elsewhere() throws {
        let lines = try (0..<3).map { "s\($0),\(try capture($0)),b\($0 % 2)" } + ["lost,missing.pcap,b1"]
        let manifest = try folder.write(
            "fleet.csv", Array((["session,capture,build"] + lines).joined(separator: "\n").utf8))
        _ = try run(["fleet", manifest, "-o", folder.path + "/alone"])
        let results = folder.path + "/results"
        try FileManager.default.createDirectory(atPath: results + "/groups", withIntermediateDirectories: true)
        var members: [String: [String]] = [:]
        for line in try run(["fleet", "--plan", manifest]).split(separator: "\n") {
            let plan = try object(String(line))
            let name = try #require(plan["session"] as? String)
            let part = "\(folder.path)/\(name).part"
            let arguments = try #require(plan["arguments"] as? [String])
            let captures = try #require(plan["captures"] as? [String])
            guard try WireAuditProcess.run(arguments + ["-o", part, "--"] + captures).status == 0 else { continue }
            let groups = try #require(plan["groups"] as? [[String: String]]).compactMap { $0["file"] }
            for group in groups + ["day=2026-11-20.part"] { members["groups/" + group, default: []].append(part) }
            members["fleet.part", default: []].append(part)
        }
        for (name, parts) in members {
            _ = try run(["merge", "--format", "partial", "-o", "\(results)/\(name)"] + parts)
        }
        let failure = #"{"schema":"wireaudit.session/1","session":"lost","failure":"why"}"#
        let rows = try run(["merge", "--format", "ndjson"] + #require(members["fleet.part"]))
        try Data((failure + "\n" + rows).utf8).write(to: URL(fileURLWithPath: results + "/sessions.ndjson"))
        let report = folder.path + "/report"
        _ = try run(["fleet", "--from", results, manifest, "-o", report])
        for name in ["fleet.part", "fleet.json", "groups/build=b1.part", "groups/day=2026-11-20.part"] {
            let contents = try ["alone", "report"].map {
                try String(contentsOfFile: "\(folder.path)/\($0)/\(name)", encoding: .utf8)
            }
            #expect(contents[0] == contents[1], "\(name)")
        }
        try Data(rows.utf8).write(to: URL(fileURLWithPath: results + "/sessions.ndjson"))
        let incomplete = try WireAuditProcess.run(["fleet", "--from", results, manifest, "-o", report])
        #expect(incomplete.status == 65 && incomplete.errors.contains("session 'lost' of the list has no line"))
    }

    @Test("a bound on failed sessions is judged by the sums of the fleet")
    func failedSessions() throws {
        let manifest = try folder.write(
            "fleet.csv", Array("session,capture\na,\(try capture(1))\nlost,missing.pcap\n".utf8))
        let out = folder.path + "/out"
        _ = try run(["fleet", manifest, "-o", out])
        for (bound, status) in [("50%", Int32(0)), ("49%", 1)] {
            let policy = try folder.write("a.policy", Array("failed-sessions <= \(bound)\n".utf8))
            let check = try WireAuditProcess.run(["check", policy, out + "/fleet.part"])
            #expect(check.status == status, "\(check.output)\(check.errors)")
            #expect(status == 0 || check.output.contains("failed sessions 50 % exceeds 49 %"), "\(check.output)")
        }
        let merged = try object(run(["merge", "--format", "json", out + "/fleet.part"]))
        #expect((merged["merged"] as? [String: Any])?["failed_sessions"] as? Int == 1)
    }

    @Test(
        "names that file systems cannot hold, or hold apart, are refused before any work",
        arguments: [
            ("a,x.pcap,1\nA,y.pcap,1", "line 3: session 'A' differs from 'a' of line 2 only by case"),
            ("a,x.pcap,lte\nb,y.pcap,LTE", "line 3: build 'LTE' differs from 'lte' of line 2 only by case"),
            ("\(String(repeating: "n", count: 300)),x.pcap,1", "line 2: session 'nnn"),
            ("a,x.pcap,1\nb,x.pcap,\(String(repeating: "ü", count: 50))", "line 3: build 'ü"),
        ])
    func names(lines: String, message: String) throws {
        let manifest = try folder.write("fleet.csv", Array("session,capture,build\n\(lines)\n".utf8))
        let refused = try WireAuditProcess.run(["fleet", manifest, "-o", folder.path + "/out"])
        #expect(refused.status == 65 && refused.errors.contains(message), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }
}
