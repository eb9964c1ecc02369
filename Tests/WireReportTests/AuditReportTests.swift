import Foundation
import Testing
import WireCore
import WireRecords
import WireReport

@Suite("The audit")
struct AuditReportTests {
    private func text(
        _ result: AuditResult = sampleAudit(), style: TerminalStyle, _ change: (inout ReportOptions) -> Void = { _ in }
    ) -> String {
        var options = ReportOptions()
        change(&options)
        return ReportDocument(result, options: options).text(style).text
    }

    private func json(_ result: AuditResult, _ options: ReportOptions = ReportOptions()) throws -> [String: Any] {
        let text = auditJSON(result, options: options).text
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("damage of a file and a failure of the system are told apart, with the place")
    func readingFault() throws {
        var result = sampleAudit()
        result.files[0].damagedAt = 4711
        for (fault, words) in [
            (nil, "truncated or damaged at byte 4,711"), ("Disk gone", "reading failed (Disk gone) at byte 4,711"),
        ] {
            result.files[0].fault = fault
            #expect(text(result, style: TerminalStyle(width: 120, unicode: true, color: false)).contains(words))
            let files = (try json(result)["capture"] as? [String: Any])?["files"] as? [[String: Any]]
            #expect(files?.first?["fault"] as? String == fault)
            #expect(files?.first?["damaged_at"] as? Int == 4711)
        }
    }

    @Test("the sample is balanced") func sample() {
        #expect(sampleAudit().ledger.balanced)
        #expect(sampleAudit().ledger.contradictions.isEmpty)
    }

    @Test("at 80 columns it looks like this") func eighty() {
        #expect(text(style: TerminalStyle(width: 80)) == golden80)
    }

    @Test("at 120 columns it uses them") func hundredAndTwenty() {
        #expect(text(style: TerminalStyle(width: 120)) == golden120)
    }

    @Test("without Unicode everything is ASCII, without colour nothing is an escape")
    func ascii() {
        let plain = text(style: TerminalStyle(width: 80, unicode: false))
        #expect(plain.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        #expect(plain.contains("captures/shop.pcapng, pcapng in gzip, Ethernet\n") && !plain.contains("\\x"))
        let painted = text(style: TerminalStyle(width: 80, color: true))
        let stripped = painted.replacing(/\u{1B}\[[0-9;]*m/, with: "").replacing(/\ +\n/, with: "\n")
        #expect(painted.contains("\u{1B}[1mWHERE THE BYTES WENT"))
        #expect(stripped == golden80)
    }

    @Test("no line is wider than the terminal, whatever the numbers", arguments: [80, 81, 100, 120, 200])
    func width(width: Int) {
        var result = sampleAudit()
        result.files[0].path = String(repeating: "/a-long-folder-name", count: 20)
        for index in result.apis.indices {
            result.apis[index].api += String(repeating: "/segment", count: 30)
            result.apis[index].costs.down[.body] *= 1000
        }
        result.ledger.bytes *= 1000
        let lines = text(result, style: TerminalStyle(width: width)).split(separator: "\n")
        for line in lines where !line.contains("NOT BALANCED") {
            #expect(displayWidth(String(line)) <= width, "\(line)")
        }
    }

    @Test("only the first APIs stand in the table; the rest is summed")
    func top() {
        let lines = text(style: TerminalStyle(width: 80)) { $0.top = 1 }.split(separator: "\n")
        #expect(lines.contains("… and 2 more APIs, 499,000 bytes (--top all)"))
        #expect(text(style: TerminalStyle(width: 80)) { $0.top = nil } == golden80)
    }

    @Test("a name from the capture cannot act on the terminal")
    func hostile() {
        var result = sampleAudit()
        result.apis[0].api = "GET \u{1B}]0;x\u{7}\u{202E} /\u{9B}31m"
        result.hosts[1].host = "\u{1B}[2J"
        let shown = text(result, style: TerminalStyle(width: 120))
        #expect(shown.contains("GET \\x1b]0;x\\x07\\u{202e} /\\x9b31m"))
        #expect(
            !shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B || $0.value == 0x202E })
    }

    @Test("a ledger out of balance is said with both numbers")
    func unbalanced() throws {
        var result = sampleAudit()
        result.ledger.bytes += 1
        #expect(result.ledger.contradictions == ["the layers sum to 1060000 bytes, the frames to 1060001"])
        result.ledger.bytes -= 1
        result.ledger.owned.up[.ack] += 2
        #expect(
            result.ledger.contradictions == ["APIs and hosts own 43612 bytes of up.ack, the ledger has 43610"])
        result.ledger.causes.up[.ack] += 1
        #expect(result.ledger.contradictions.count == 2)
        #expect(text(result, style: TerminalStyle()).contains("NOT BALANCED: "))
        let ledger = try #require(try json(result)["ledger"] as? [String: Any])
        #expect(ledger["balanced"] as? Bool == false)
    }

    @Test("JSON has the fields of the contract")
    func fields() throws {
        var options = ReportOptions()
        options.files = ["captures/shop.pcapng"]
        let fields = try json(sampleAudit(), options)
        #expect(fields["schema"] as? String == "wireaudit.audit/1")
        #expect(
            Set(fields.keys) == [
                "schema", "version", "options", "merged", "capture", "ledger", "apis", "hosts", "apps", "content_types",
                "counted_at",
                "estimators", "opportunities", "header_fields", "warnings",
            ])
        #expect(fields["estimators"] is NSNull)
        let ledger = try #require(fields["ledger"] as? [String: Any])
        #expect(ledger["bytes"] as? Int == 1_060_000)
        let layers = try #require(ledger["layers"] as? [String: Int])
        #expect(layers.values.reduce(0, +) == 1_060_000)
        let causes = try #require(ledger["causes"] as? [String: [String: Any]])
        let up = try #require(causes["up"])
        #expect(up["opaque"] as? Int == 20_000)
        #expect((up["setup"] as? [String: Int])?["tcp"] == 1000)
        let apis = try #require(fields["apis"] as? [[String: Any]])
        #expect(apis.map { $0["wire"] as? Int } == [441_000, 440_000, 59_000])
        let warnings = try #require(fields["warnings"] as? [[String: Any]])
        #expect(warnings.map { $0["code"] as? String } == ["packets-dropped", "stream-gap", "refused-segment"])
        #expect(warnings[1]["packet"] as? Int == 1200)
    }

    @Test("rows are sorted by wire bytes, ties by name, whatever order they came in")
    func sorting() throws {
        var result = sampleAudit()
        result.apis = ["b", "a", "C"].map { APISummary(api: $0) } + result.apis
        let expected = auditJSON(result, options: ReportOptions()).text
        let names = try #require(try json(result)["apis"] as? [[String: Any]]).map { $0["api"] as? String ?? "" }
        #expect(names.prefix(1) == ["POST api.example.com /v1/orders"])
        #expect(names.suffix(3) == ["C", "a", "b"])
        result.apis.reverse()
        result.hosts.reverse()
        #expect(auditJSON(result, options: ReportOptions()).text == expected)
    }

    @Test("the APIs as CSV have the numbers of the JSON, and names that no spreadsheet runs")
    func csv() throws {
        var result = sampleAudit()
        result.apis[2].api = "=cmd, \"x\""
        let lines = auditCSV(result, options: ReportOptions()).text.components(separatedBy: "\r\n")
        let rows = try #require(try json(result)["apis"] as? [[String: Any]])
        let names = lines[0].components(separatedBy: ",")
        #expect(lines.count == rows.count + 2 && lines.last == "")
        let cells = lines[1].components(separatedBy: ",")
        #expect(Set(names).count == names.count && cells.count == names.count)
        for (name, cell) in zip(names, cells) where !["api", "encrypted"].contains(name) {
            var value: Any? = rows[0]
            var rest = name
            for object in ["up", "down", "setup"] where rest.hasPrefix(object + "_") {
                value = (value as? [String: Any])?[object]
                rest.removeFirst(object.count + 1)
            }
            let number = (value as? [String: Any])?[rest]
            #expect(number != nil && (number as? Int).map(String.init) ?? "" == cell, "\(name)")
        }
        #expect(cells[0] == rows[0]["api"] as? String && cells[1] == "false")
        #expect(lines[3].hasPrefix("\"'=cmd, \"\"x\"\"\",false,"), "\(lines[3])")
    }

    @Test("an empty capture is reported too")
    func empty() {
        var result = AuditResult()
        result.files = [CaptureFileSummary(path: "empty.pcap", format: "pcap")]
        #expect(
            text(result, style: TerminalStyle()) == """
                The capture has no IP packet.

                empty.pcap · pcap
                0 packets · 0 bytes
                0 TCP connections · 0 HTTP exchanges · 0 APIs · 0 hosts

                WHERE THE BYTES WENT   bytes  up  down  share
                = bytes of all frames      0                —
                  balanced to the byte; the capture has no packets

                """)
    }
}
