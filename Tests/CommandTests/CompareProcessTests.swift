import Foundation
import Testing
import WireTesting

@Suite("The program: compare")
struct CompareProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Calls of some APIs, each on a connection of its own.
    private struct Traffic {
        var calls = 40
        /// Sizes of bodies vary with it.
        var seed: UInt64 = 1
        /// Added to the requests of POST /v1/orders.
        var field = ""
        var paths = ["GET /v1/items", "POST /v1/orders", "GET /v1/users/7/friends"]
        var firstPort: UInt16 = 20_000

        func pcap() -> [UInt8] {
            var file = PcapFileBuilder()
            var random = SeededRandom(seed: seed)
            for call in 0..<calls {
                var conversation = SampleConversation()
                let path = paths[call % paths.count]
                let extra = path.hasPrefix("POST /v1/orders") ? field : ""
                conversation.request = "\(path) HTTP/1.1\r\nHost: api.example.com\r\n\(extra)\r\n"
                conversation.body = Array(repeating: 0x61, count: 200 + Int.random(in: 0..<300, using: &random))
                conversation.clientPort = firstPort + UInt16(call)
                for (index, packet) in conversation.packets().enumerated() {
                    file.record(
                        seconds: 1_795_168_800 + UInt32(firstPort) + UInt32(call), fraction: UInt32(index) * 1000,
                        packet.frame())
                }
            }
            return file.bytes
        }
    }

    /// 40 bytes with its line end.
    private static let plantedField = "X-Session-Token: 0123456789abcdef01234\r\n"

    private func file(_ name: String, _ traffic: Traffic) throws -> String { try folder.write(name, traffic.pcap()) }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func json(_ arguments: [String]) throws -> [String: Any] {
        let run = try WireAuditProcess.run(["compare", "--format", "json"] + arguments)
        #expect(run.errors == "")
        return try object(run.output)
    }

    private func apis(_ comparison: [String: Any]) throws -> [String: [String: Any]] {
        let rows = try #require(comparison["apis"] as? [[String: Any]])
        return try Dictionary(uniqueKeysWithValues: rows.map { (try #require($0["api"] as? String), $0) })
    }

    @Test("the same captures on both sides are no change")
    func same() throws {
        let capture = try file("a.pcap", Traffic())
        let run = try WireAuditProcess.run(["compare", "--max-growth", "0%", capture, capture])
        #expect(run.status == 0 && run.errors == "")
        #expect(run.output.hasPrefix("No change: both sides cost the same, in every cause.\n"))
        #expect(run.output.contains("Within the bound"))
        let comparison = try json([capture, capture])
        #expect(comparison["identical"] as? Bool == true)
        #expect(try apis(comparison).values.allSatisfy { $0["verdict"] as? String == "unchanged" })
    }

    @Test("a header of 40 bytes in one API is found with its size and cause, and nothing else")
    func plantedHeader() throws {
        #expect(Self.plantedField.utf8.count == 40)
        let before = try file("a.pcap", Traffic(seed: 1))
        let after = try file("b.pcap", Traffic(seed: 2, field: Self.plantedField))
        let rows = try apis(try json([before, after]))
        let orders = try #require(rows["POST api.example.com /v1/orders"])
        // All bytes of a call vary by more than that: its headers are larger, which the call need not be.
        #expect(orders["verdict"] as? String == "shifted")
        #expect(orders["main_cause"] as? String == "+40 B of headers up")
        let causes = try #require(orders["causes"] as? [[String: Any]])
        let certain = causes.filter { $0["beyond_noise"] as? Bool == true }
        #expect(certain.count == 1 && certain[0]["cause"] as? String == "headers")
        #expect(certain.first?["change"] as? Double == 40)
        for (api, row) in rows where !api.hasPrefix("POST") {
            #expect(row["verdict"] as? String == "unchanged", "\(api)")
        }
        // The other way round it is as much smaller.
        let back = try #require(try apis(try json([after, before]))["POST api.example.com /v1/orders"])
        #expect(back["verdict"] as? String == "shifted" && back["main_cause"] as? String == "-40 B of headers up")
    }

    @Test("growth above the bound ends with status 1, and names API and cause")
    func bound() throws {
        let before = try file("a.pcap", Traffic(seed: 1))
        let after = try file("b.pcap", Traffic(seed: 2, field: Self.plantedField))
        let run = try WireAuditProcess.run(["compare", "--max-growth", "2%", before, after])
        #expect(run.status == 1)
        #expect(run.output.contains("Exceeded: 1 row grew by more than 2 % per call."))
        #expect(run.output.contains("\n  POST api.example.com /v1/orders: +"))
        #expect(run.output.contains("headers up +40 B"))
        #expect(try WireAuditProcess.run(["compare", "--max-growth", "50%", before, after]).status == 0)
        #expect(try WireAuditProcess.run(["compare", "--max-growth", "2%", after, before]).status == 0)
    }

    @Test("a bound that nothing can be held against ends with status 65, and says so")
    func nothingToJudge() throws {
        let first = try file("a.pcap", Traffic(paths: ["GET /old"]))
        let second = try file("b.pcap", Traffic(paths: ["GET /new"]))
        let run = try WireAuditProcess.run(["compare", "--max-growth", "5", first, second])
        #expect(run.status == 65)
        #expect(run.output.contains("Not judged: no API has calls on both sides"), "\(run.output)")
        #expect(try WireAuditProcess.run(["compare", first, second]).status == 0)
    }

    @Test("too few calls of captures are not judged; audits as JSON are, by their plain figures")
    func fewCalls() throws {
        let captures = [
            try file("a.pcap", Traffic(calls: 6)), try file("b.pcap", Traffic(calls: 6, field: Self.plantedField)),
        ]
        let run = try WireAuditProcess.run(["compare", "--max-growth", "1"] + captures)
        #expect(run.status == 65 && run.output.contains("Not judged: too few calls"), "\(run.output)")
        #expect(run.errors.contains("too few calls on each side to tell growth from chance: nothing was held"))
        let audits = ["0", "1"].map { "\(folder.path)/\($0).json" }
        for (audit, capture) in zip(audits, captures) {
            #expect(try WireAuditProcess.run(["--format", "json", "-o", audit, capture]).status == 0)
        }
        #expect(try WireAuditProcess.run(["compare", "--max-growth", "1"] + audits).status == 1)
    }

    @Test("figures are those of the chosen rows, and a choice that fits none is said")
    func choices() throws {
        let (before, after) = (try file("a.pcap", Traffic(seed: 1)), try file("b.pcap", Traffic(seed: 2)))
        let chosen = try json(["--api", "*items", before, after])
        let side = try #require(chosen["before"] as? [String: Any])
        let row = try #require(try apis(chosen)["GET api.example.com /v1/items"]?["before"] as? [String: Any])
        #expect(side["wire"] as? Int == row["wire"] as? Int && side["calls"] as? Int == row["calls"] as? Int)
        #expect((chosen["hosts"] as? [Any])?.isEmpty == true)
        for option in ["--host", "--api"] {
            let none = try WireAuditProcess.run(["compare", option, "nosuch", before, after])
            #expect(none.status == 0 && none.output.hasPrefix("No API or host matches the selection.\n"))
            let bound = try WireAuditProcess.run(["compare", "--max-growth", "5", option, "nosuch", before, after])
            #expect(bound.status == 65 && bound.errors.contains("no API or host matches the selection"))
        }
    }

    @Test("an audit of some hosts or APIs is compared with the same choice only", arguments: ["--host", "--api"])
    func chosenRows(option: String) throws {
        let capture = try file("a.pcap", Traffic())
        let choice = [option, option == "--host" ? "api.example.com" : "*items*"]
        let audit = try WireAuditProcess.run(["--format", "json"] + choice + [capture])
        let json = try folder.write("a.json", Array(audit.output.utf8))
        let refused = try WireAuditProcess.run(["compare", json, capture])
        #expect(refused.status == 65 && refused.errors.contains("lacks all other rows"), "\(refused.errors)")
        #expect(try WireAuditProcess.run(["compare"] + choice + [json, capture]).status == 0)
    }

    @Test("of twenty comparisons of unchanged traffic one at most raises an alarm")
    func noise() throws {
        var alarms = 0
        for pair in 0..<20 {
            let before = try file("a.pcap", Traffic(calls: 60, seed: UInt64(100 + pair)))
            let after = try file("b.pcap", Traffic(calls: 45, seed: UInt64(200 + pair)))
            let comparison = try json([before, after])
            let total = try #require(comparison["total"] as? [String: Any])
            let changed = try apis(comparison).values.contains { $0["verdict"] as? String != "unchanged" }
            if changed || total["beyond_noise"] as? Bool != false { alarms += 1 }
        }
        #expect(alarms <= 1)
    }

    @Test("several files for a side are one capture, in any order")
    func severalFiles() throws {
        let files = try (0..<4).map { index in
            try file("\(index).pcap", Traffic(seed: UInt64(index), firstPort: UInt16(20_000 + 100 * index)))
        }
        func result(_ arguments: [String]) throws -> [String: Any] {
            var comparison = try json(arguments)
            for side in ["before", "after"] {
                var own = try #require(comparison[side] as? [String: Any])
                #expect((own["captures"] as? [String])?.count == 2)
                own["captures"] = nil
                comparison[side] = own
            }
            return comparison
        }
        let one = try result(["--before", files[0], files[1], "--after", files[2], files[3]])
        let other = try result(["--after", files[3], files[2], "--before", files[1], "--before", files[0]])
        #expect(NSDictionary(dictionary: one) == NSDictionary(dictionary: other))
        #expect(try apis(one)["GET api.example.com /v1/items"]?["verdict"] as? String == "unchanged")
    }

    @Test("new and vanished APIs are named")
    func newAndVanished() throws {
        let before = try file("a.pcap", Traffic(paths: ["GET /v1/items", "GET /v1/old"]))
        let after = try file("b.pcap", Traffic(paths: ["GET /v1/items", "GET /v1/new"]))
        let rows = try apis(try json([before, after]))
        #expect(rows["GET api.example.com /v1/old"]?["verdict"] as? String == "vanished")
        #expect(rows["GET api.example.com /v1/new"]?["verdict"] as? String == "new")
        let text = try WireAuditProcess.run(["compare", before, after]).output
        #expect(text.contains("1 new, 1 vanished"))
    }

    @Test("audits as JSON are compared as well, and chance is said to be unknown")
    func audits() throws {
        let captures = [
            try file("a.pcap", Traffic(seed: 1)), try file("b.pcap", Traffic(seed: 2, field: Self.plantedField)),
        ]
        let audits = ["0", "1"].map { "\(folder.path)/\($0).json" }
        for (audit, capture) in zip(audits, captures) {
            #expect(try WireAuditProcess.run(["--format", "json", "-o", audit, capture]).status == 0)
        }
        let ofCaptures = try json(captures)
        let ofAudits = try json(audits)
        #expect(ofAudits["noise_known"] as? Bool == false)
        #expect((ofAudits["verdict"] as? String)?.contains("chance cannot be told from change") == true)
        let (one, other) = (try apis(ofCaptures), try apis(ofAudits))
        for (api, row) in one {
            let (wire, same) = (row["wire"] as? [String: Any], other[api]?["wire"] as? [String: Any])
            for figure in ["before", "after", "change"] {
                #expect(wire?[figure] as? Double == same?[figure] as? Double, "\(api) \(figure)")
            }
            #expect(same?["noise"] is NSNull)
        }
        let mixed = try json([audits[0], captures[1]])
        #expect(mixed["noise_known"] as? Bool == false)
        #expect(try WireAuditProcess.run(["compare", "--max-growth", "2%"] + audits).status == 1)
    }

    @Test("what cannot be compared is refused in one line, with what to do")
    func refusals() throws {
        let capture = try file("a.pcap", Traffic(calls: 3))
        let other = try folder.write("other.json", Array(#"{"schema":"wireaudit.limits/1"}"#.utf8))
        let audit = folder.path + "/audit.json"
        _ = try WireAuditProcess.run(["--setup", "even", "--format", "json", "-o", audit, capture])
        let cases: [([String], Int32, String)] = [
            ([capture], 64, "'compare' needs two captures or audits, before and after"),
            ([capture, capture, capture], 64, "--before FILE... --after FILE..."),
            (["--before", capture], 64, "'compare' has no --after files"),
            ([capture, "--after", capture], 64, "is on no side"),
            ([capture, other], 65, "is not an output of wireaudit --format json"),
            ([audit, capture], 65, "was made with --setup even, this comparison is with --setup first"),
            (["--max-growth", "5B", capture, capture], 64, "--max-growth needs a percentage"),
            ([capture, "missing.pcap"], 66, "cannot open missing.pcap"),
        ]
        for (arguments, status, message) in cases {
            let run = try WireAuditProcess.run(["compare"] + arguments)
            #expect(run.status == status, "\(arguments): \(run.errors)")
            #expect(run.output == "" && run.errors.contains(message), "\(arguments): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
        #expect(try WireAuditProcess.run(["compare", "--setup", "even", audit, capture]).status == 0)
    }

    @Test("the page loads nothing, runs nothing, and holds the verdict")
    func page() throws {
        let before = try file("a.pcap", Traffic(seed: 1, paths: ["GET /v1/items", "GET /v1/<b>x"]))
        let after = try file("b.pcap", Traffic(seed: 2))
        let page = try WireAuditProcess.run(["compare", "--format", "html", before, after]).output
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        #expect(!page.contains("<script") && !page.contains("<b>x") && !page.contains("http://"))
        #expect(page.contains("<p class=\"lead\">"))
        #expect(page.contains("/v1/&lt;b&gt;x"))
    }

    @Test("Markdown begins with the verdict and holds nothing of the capture outside of code")
    func markdown() throws {
        let before = try file("a.pcap", Traffic(seed: 1))
        let after = try file("b.pcap", Traffic(seed: 2, field: Self.plantedField))
        let text = try WireAuditProcess.run(["compare", "--format", "md", "--max-growth", "2", before, after]).output
        #expect(text.hasPrefix("## Traffic before and after\n\n**"))
        #expect(text.contains("| `POST api.example.com /v1/orders` | headers up +40 B (the sum is within chance) |"))
        #expect(text.contains("- `POST api.example.com /v1/orders`: +"))
    }
}
