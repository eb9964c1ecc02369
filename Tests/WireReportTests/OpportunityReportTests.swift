import Foundation
import Testing
import WireCore
import WireTesting

@testable import WireOpportunities
@testable import WireRecords
@testable import WireReport

@Suite("Opportunities in reports")
struct OpportunityReportTests {
    private static func item(_ kind: Opportunity.Kind, _ bytes: Int, isComputed: Bool = true) -> Opportunity {
        var item = Opportunity(kind, isComputed: isComputed)
        (item.bytes, item.count) = (bytes, 3)
        item.subjects = [
            .init(name: "GET a /\u{1B}[31m", bytes: bytes - 1, count: 2), .init(name: "GET b /", bytes: 1, count: 1),
        ]
        return item
    }

    private var report: OpportunityReport {
        var report = OpportunityReport()
        report.opportunities = Opportunity.Kind.allCases.enumerated().map {
            Self.item($0.element, 9000 - $0.offset * 100, isComputed: $0.element != .polling)
        }
        (report.wire, report.computedTotal, report.unreadCalls) = (100_000, 12_345, 2)
        return report
    }

    private func text(
        _ report: OpportunityReport?, _ width: Int, _ options: ReportOptions = ReportOptions()
    ) -> String {
        let style = TerminalStyle(width: width, unicode: true, color: false)
        var audit = sampleAudit()
        audit.ledger.layers.payload = 0
        return ReportDocument(audit, options: options, AuditAdditions(opportunities: report)).text(style).text
    }

    @Test("shares are of IP bytes, with --layer link, too, and the page has the same")
    func base() {
        let (share, total) = ("9.0 %", "12.3 % of all IP bytes")
        for layer in [WireLayer.ip, .link] {
            var options = ReportOptions()
            options.layer = layer
            let text = text(report, 200, options)
            #expect(text.contains("save 12,345 bytes, \(total)"), "\(text)")
            #expect(text.contains(" 9,000   \(share)"), "\(text)")
            var audit = sampleAudit()
            audit.ledger.layers.payload = 0
            let input = AuditPageInput(
                additions: AuditAdditions(opportunities: report), sample: SampleTraffic(calls: 0).sample())
            let page = auditHTML(audit, options: options, input).text
            #expect(page.contains("save <strong>12.3 kB</strong>, \(total)"), "\(layer)")
            #expect(page.contains("\(share)<span class=\"narrow\"> of all IP bytes</span>"))
        }
    }

    @Test("reuse says where servers close connections; a sum beyond its parts is explained; pages say the same")
    func explained() {
        var item = Self.item(.connectionReuse, 1000)
        item.serverCloses = .init(count: 1200, shortestIdle: 4_960_000_000)
        var report = OpportunityReport()
        (report.opportunities, report.wire, report.computedTotal) = ([item], 100_000, 1001)
        let input = AuditPageInput(
            additions: AuditAdditions(opportunities: report), sample: SampleTraffic(calls: 0).sample())
        for text in [text(report, 2000), auditHTML(sampleAudit(), options: ReportOptions(), input).text] {
            #expect(text.contains("closed 1,200 of the connections to these hosts sooner, the earliest after 5 s"))
            #expect(text.contains("not counted. That is more than their sum:"))
        }
        report.computedTotal = 1000
        report.opportunities[0].serverCloses?.shortestIdle = 900_000_000
        #expect(text(report, 2000).contains("sooner, the earliest within 1 s of the last response: see"))
        #expect(!text(report, 2000).contains("not decrypted"))
        report.opportunities[0].hidesSetup = true
        #expect(text(report, 2000).contains("not decrypted, encrypted parts of handshakes are not counted"))
        #expect(!text(report, 2000).contains("more than their sum"))
    }

    @Test("two APIs stay apart on a narrow terminal, by their paths", arguments: [40, 44, 60, 100])
    func narrowNames(width: Int) {
        var item = Opportunity(.freshRepeat, isComputed: true)
        (item.bytes, item.count) = (39_039, 14)
        item.subjects = ["list", "detail"].map {
            .init(name: "GET api.example.com /v1/customers/{id}/\($0)", bytes: 23_226, count: 7)
        }
        var report = OpportunityReport()
        report.opportunities = [item]
        let lines = text(report, width).split(separator: "\n").map(String.init)
        let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
        for name in ["list", "detail"] {
            #expect(words.contains("GET api.example.com /v1/customers/{id}/\(name): 23,226 bytes, 7 calls"), "\(lines)")
        }
        for line in lines { #expect(displayWidth(line) <= width, "\(line)") }
    }

    @Test(
        "a terminal shows seven at the end, largest first, with their sum, within its width",
        arguments: [40, 60, 79, 80, 120])
    func terminal(width: Int) throws {
        let text = text(report, width)
        let section = try #require(text.range(of: "OPPORTUNITIES").map { String(text[$0.lowerBound...]) })
        let words = section.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for (place, kind) in Opportunity.Kind.allCases.enumerated() {
            #expect(words.contains("\(place + 1) \(kind.title) ") == (place < 7), "\(kind)")
        }
        let further = Opportunity.Kind.allCases.enumerated().dropFirst(7).map {
            "\($0.element.title) (\(grouped(9000 - $0.offset * 100))\($0.element == .polling ? ", estimate" : ""))"
        }
        #expect(words.contains("Smaller ones: " + further.joined(separator: "; ") + ". Applied together"))
        #expect(words.contains("9.0 %") && words.contains("save 12,345 bytes, 12.3 % of all"))
        #expect(words.contains("2 calls could not be looked at"))
        #expect(!text.contains("\u{1B}"))
        for line in section.split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
    }

    @Test("nothing is said where nobody asked; none is said where there are none")
    func none() {
        #expect(!text(nil, 80).contains("OPPORTUNITIES"))
        #expect(text(OpportunityReport(), 80).hasSuffix("OPPORTUNITIES\nnone found.\n"))
        var estimates = OpportunityReport()
        estimates.opportunities = [Self.item(.polling, 10, isComputed: false)]
        #expect(!text(estimates, 80).contains("Applied together"))
        #expect(text(estimates, 80).contains("(estimate)"))
    }

    @Test("a terminal has the three URLs with most bytes, where they are not the APIs", arguments: [40, 79, 200])
    func urls(width: Int) {
        var item = Opportunity(.freshRepeat, isComputed: true)
        func part(_ number: Int, _ path: String, query: String? = nil, bytes: Int) -> Opportunity.Part {
            Opportunity.Part(
                connection: 0, exchange: number, time: 0, host: Array("a.test".utf8), path: Array(path.utf8),
                query: query.map { Array($0.utf8) }, bytes: bytes)
        }
        item.parts = [
            part(0, "/v/1", bytes: 4000), part(1, "/v/2", query: "q=1", bytes: 3000), part(2, "/v/3", bytes: 1500),
            part(3, "/v/4", bytes: 1400), part(4, "/v/3", bytes: 1000),
        ]
        item.parts.append(Opportunity.Part(connection: 0, time: 0, host: Array("a.test".utf8), bytes: 100))
        (item.count, item.bytes) = (5, 11_000)
        item.subjects = [.init(name: "GET a.test /v/{id}", bytes: 11_000, count: 5)]
        var report = OpportunityReport()
        report.opportunities = [item]
        func words(_ options: ReportOptions = ReportOptions()) -> String {
            let text = text(report, width, options)
            for line in text.split(separator: "\n") { #expect(displayWidth(String(line)) <= width, "\(line)") }
            return text.split { $0 == " " || $0 == "\n" }.joined(separator: " ").replacing(" bytes,", with: ",")
        }
        let urls = "a.test/v/1: 4,000, 1 call a.test/v/2?q=1: 3,000, 1 call a.test/v/3: 2,500, 2 calls"
        #expect(words().replacing(": ", with: " ").contains("URLs with most bytes " + urls.replacing(": ", with: " ")))
        var options = ReportOptions()
        options.redactsQuery = true
        #expect(words(options).contains("a.test/v/2?redacted"))
        report.opportunities[0].count = 7
        report.opportunities[0].bytes = 12_000
        #expect(words().contains("URLs with most bytes among the 5 calls with most:"))
        #expect(report.opportunities[0].further(behind: 2) == (5, 5000))
        report.opportunities[0].subjects[0].name = "GET a.test /v/1"
        report.opportunities[0].parts = [part(0, "/v/1", bytes: 4000)]
        #expect(!words().contains("URLs with most"))
    }

    @Test("a page lists fifty calls of each, led to their rows where it has them")
    func pageParts() {
        var item = Opportunity(.smallCalls, isComputed: false)
        item.parts = (0..<60).map { number in
            Opportunity.Part(
                connection: 0, exchange: number, time: 0, host: Array("<b>".utf8), path: Array("/<i>".utf8),
                query: Array("secret".utf8), bytes: 100 - number)
        }
        (item.count, item.bytes) = (312, 9000)
        var report = OpportunityReport()
        (report.opportunities, report.wire) = ([item], 100_000)
        let input = AuditPageInput(
            additions: AuditAdditions(opportunities: report), sample: SampleTraffic(calls: 3).sample())
        let page = auditHTML(sampleAudit(), options: ReportOptions(), input).text
        #expect(page.contains("<summary>50 of 312 calls</summary>"))
        let listed = (51...100).reduce(0, +)
        #expect(page.contains("<li>and 262 more: \(grouped(9000 - listed))</li>"))
        #expect(page.contains("&lt;b&gt;/&lt;i&gt;</span>: 100 <small>connection 0, exchange 0, at "))
        #expect(!page.contains("<i>") && !page.contains("secret"))
        #expect(page.components(separatedBy: " data-call=\"").count == 4)
        #expect(page.components(separatedBy: "<li data-connection=\"0\"").count == 51)
    }

    @Test("JSON holds them, or null")
    func json() throws {
        func object(_ report: OpportunityReport?) throws -> Any? {
            let text = auditJSON(sampleAudit(), options: ReportOptions(), AuditAdditions(opportunities: report)).text
            return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])["opportunities"]
        }
        #expect(try object(nil) is NSNull)
        let found = try #require(try object(report) as? [String: Any])
        #expect(found["computed_total"] as? Int == 12_345)
        let items = try #require(found["items"] as? [[String: Any]])
        #expect(items.count == Opportunity.Kind.allCases.count)
        #expect(items[0]["kind"] as? String == "fresh-repeat" && items[0]["bytes"] as? Int == 9000)
        #expect((items[0]["subjects"] as? [[String: Any]])?.count == 2)
    }
}
