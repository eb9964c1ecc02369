import Foundation
import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport
import WireTesting

@Suite("The accuracy page")
struct AccuracyHTMLTests {
    private func page(
        _ result: AccuracyResult = sampleAccuracy(), audit: AuditResult = sampleAudit(),
        _ change: (inout ReportOptions) -> Void = { _ in }
    ) -> String {
        var options = ReportOptions()
        change(&options)
        return accuracyHTML(result, audit: audit, options: options).text
    }

    @Test("the policy names the hashes of its style sheet and its script, and allows nothing else")
    func allowed() {
        let (named, expected) = policy(of: page())
        #expect(named == expected)
        #expect(sha256Base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
    }

    @Test("the heading is the capture's name; of several how many there are, with names that differ")
    func heading() {
        func header(_ paths: [String]) -> String {
            var audit = sampleAudit()
            audit.files = paths.map { path in
                var file = audit.files[0]
                file.path = path
                return file
            }
            let text = page(audit: audit)
            return String(text[text.range(of: "<h1>")!.lowerBound..<text.range(of: "</header>")!.lowerBound])
        }
        #expect(header(["a/one.pcap"]).hasPrefix("<h1>one.pcap</h1>"))
        let two = header(["a/one.pcap", "b/two.pcap"])
        #expect(two.hasPrefix("<h1>2 captures</h1>") && two.contains("<p class=\"facts\">one.pcap, two.pcap</p>"))
        let same = header(["a/capture.pcap", "b/capture.pcap"])
        #expect(same.contains("<p class=\"facts\">a/capture.pcap, b/capture.pcap</p>"))
        let many = header((0..<120).map { "ring/\($0).pcap" })
        #expect(many.hasPrefix("<h1>120 captures</h1>") && many.contains("5.pcap and 114 more</p>"))
    }

    @Test("script and style sheet load nothing, evaluate nothing and write no markup")
    func tameScript() {
        let own = HTMLTags(page()).rawTexts.joined()
        for word in wildWords { #expect(!own.contains(word), "\(word)") }
        #expect(own.matches(of: /https?:\/\/[a-z0-9.\/]*/).map(\.output) == ["http://www.w3.org/2000/svg"])
    }

    private static let calm = HTMLTags(
        accuracyHTML(hostileResult("calm"), audit: hostileAudit("calm"), options: ReportOptions()).text)

    @Test("hostile texts become no tag, no attribute, no code", arguments: hostileTexts)
    func hostile(text: String) throws {
        let html = page(hostileResult(text), audit: hostileAudit(text)) {
            $0.filter = text
            $0.files = [text]
        }
        let tags = HTMLTags(html)
        #expect(tags.problems.isEmpty, "\(tags.problems)")
        // The filter adds its own list item; everything else has the shape that harmless texts give.
        let extra = tags.names.count - Self.calm.names.count
        #expect(extra >= 0 && extra <= 24, "\(extra) elements more than with harmless texts")
        #expect(tags.attributes.subtracting(Self.calm.attributes).isEmpty)
        #expect(Set(tags.names).subtracting(Self.calm.names).isEmpty)
        #expect(tags.count(of: "script") == 2 && tags.count(of: "style") == 1)
        let controls = html.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E }
        #expect(controls.isEmpty)
        let data = try JSONSerialization.jsonObject(with: Data(tags.data.utf8)) as? [String: Any]
        let shown = displayText(Array(text.utf8))
        #expect((data?["apis"] as? [String])?.first == shortened(shown, to: 240, ellipsis: "…"))
        #expect(!tags.data.contains("<") && !tags.data.contains("&"))
    }

    @Test("random bytes of markup are text too")
    func randomTexts() {
        for seed in UInt64(1)...12 {
            var random = SeededRandom(seed: seed)
            let pieces = [
                "<", ">", "\"", "'", "&", "--", "/", "script", "]]", "=", " on", "\\", "\n", "\u{2028}", "`", "{", ";",
            ]
            let text = (0..<20).map { _ in random.element(pieces) }.joined()
            let tags = HTMLTags(page(hostileResult(text), audit: hostileAudit(text)))
            #expect(tags.problems.isEmpty, "seed \(seed): \(tags.problems)")
            #expect(tags.count(of: "script") == 2, "seed \(seed)")
        }
    }

    @Test("every element is closed in its order, names are unique, references point at something")
    func wellFormed() {
        for result in [sampleAccuracy(), sampleAccuracy(apis: 3), AccuracyResult()] {
            let tags = HTMLTags(page(result))
            #expect(tags.problems.isEmpty, "\(tags.problems)")
            #expect(Set(tags.identifiers).count == tags.identifiers.count)
            #expect(tags.references.subtracting(tags.identifiers).isEmpty)
            #expect(tags.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "src" })
        }
    }

    @Test("the file says what the result holds: figures, coverage, reasons, what was left out, measured or simulated")
    func content() {
        let result = sampleAccuracy()
        let text = page(result)
        for source in result.sources {
            #expect(text.contains(escapedForHTML(source.kind == .log ? source.id : source.title)))
        }
        for row in result.totals where row.message.count > 0 {
            #expect(text.contains(grouped(row.message.estimateTotal)), "\(row.source) \(row.direction)")
            #expect(text.contains(grouped(Int(row.message.signed.maximum.magnitude))))
            #expect(text.contains(grouped(Int(row.message.signed.minimum.magnitude))))
        }
        for expected in [
            "120 of 127 exchanges are compared", "packets in the middle are missing",
            "has no record of <strong>15 of 120 calls",
            "2 measured, 10 simulated", "headers=article body=stream te=identity", "concurrent exchanges merged",
            "length is not the sum of its parts (3 times, first in row 17)", "1.284 s ahead of",
            "2026-11-20 10:00:00.123",
        ] {
            #expect(
                text.contains(escapedForHTML(expected).replacingOccurrences(of: "&lt;strong&gt;", with: "<strong>")),
                "\(expected)")
        }
        for verdict in accuracyVerdicts(result) { #expect(text.contains(escapedForHTML(verdict.text))) }
    }

    @Test("the script's data hold every row to the byte")
    func data() throws {
        let result = sampleAccuracy()
        let rows = try PageRows(page(result))
        let order = rows.sources.map { label in
            result.sources.firstIndex { label == $0.id || label == $0.title || label == "\($0.title) (\($0.id))" } ?? -1
        }
        #expect(order.sorted() == Array(result.sources.indices))
        var seen = 0
        for row in result.rows {
            let api = try #require(row.api)
            let place = try #require(order.firstIndex(of: row.source))
            let own = rows.rows[(api * order.count + place) * 2 + (row.direction == .up ? 0 : 1)]
            try #require(own.count > 15)
            #expect(own[0] == row.coverage.calls && own[0] - own[1] == row.coverage.recordedCalls)
            #expect(own[3] == row.message.truthTotal && own[4] == row.message.errorTotal)
            #expect(own[3] + own[5] == row.wire.truthTotal && own[3] + own[6] == row.coverage.messageBytes)
            #expect(own[3] + own[5] + own[7] == row.coverage.wireBytes)
            let posts = row.causes.posts + row.unseen.posts
            #expect(Array(own[16...]) == posts.flatMap { [$0.cause.rawValue, $0.bytes] })
            #expect(own[15] == row.causes.posts.count)
            seen += 1
        }
        #expect(seen == rows.rows.count { !$0.isEmpty })
        #expect(rows.rows.count == result.apis.count * order.count * 2 + 1)
    }

    @Test("levels of every waterfall are the sums of what stands above them")
    func waterfalls() throws {
        let text = page()
        var levels = 0
        for table in text.matches(of: /(?s)<table class="waterfall">(.*?)<\/table>/) {
            var total: Int?
            for row in table.1.matches(of: /<tr( class="level")?><th scope="row">.*?<\/th><td class="n">([^<]*)<\/td>/)
            {
                let digits = row.2.filter { $0.isNumber }
                let value = try #require(Int(digits)) * (row.2.hasPrefix("−") || row.2.hasPrefix("-") ? -1 : 1)
                guard row.1 != nil else {
                    total = try #require(total) + value
                    continue
                }
                if let total { #expect(total == value, "\(table.1)") }
                total = value
                levels += 1
            }
        }
        #expect(levels > 60)
    }

    @Test("only selected APIs stand in the page")
    func selection() throws {
        let text = page { $0.selection = Selection(apis: ["/v1/orders"]) }
        #expect(try PageRows(text).apis == ["POST api.example.com /v1/orders"])
        #expect(!text.contains("telemetry"))
    }

    @Test("results without exchanges, sources or APIs, and figures without sense, give a page too")
    func odd() throws {
        #expect(page(AccuracyResult(), audit: AuditResult()).contains("nothing to compare"))
        var result = sampleAccuracy()
        result.apiCalls = []
        result.rows[0].source = 99
        result.rows[1].api = -4
        result.rows[2].message.p50 = .nan
        result.rows[2].message.biasHigh = .infinity
        result.totals[0].message.p99 = .infinity
        result.totals[0].message.bias = -.infinity
        result.totals[1].message.estimateTotal = .max / 2
        result.totals[1].message.truthTotal = .min / 2
        result.totals[2].message.maximum = .max
        result.totals[3].source = -1
        result.scatter[0] = ScatterPoint(source: 70, api: 0, direction: .up, message: 1, wire: 1, estimate: 1)
        result.scatter[1] = ScatterPoint(source: 0, api: 0, direction: .up, message: .min, wire: 0, estimate: .max)
        let tags = HTMLTags(page(result))
        #expect(tags.problems.isEmpty)
        #expect(!page(result).contains("nan"))
    }

    @Test("3,000 APIs and ten sources stay a file of a few megabytes")
    func large() {
        let text = page(sampleAccuracy(apis: 3000))
        #expect(text.utf8.count < 4_000_000, "\(text.utf8.count) bytes")
        #expect(HTMLTags(text).names.count < 12_000)
    }

    @Test("the same result gives the same bytes")
    func repeatable() { #expect(page() == page()) }

    @Test("writes pages for .ci/html-check where WIREAUDIT_HTML_FOLDER says so", .enabled(if: pagesFolder != nil))
    func writePages() throws {
        let folder = try #require(pagesFolder)
        var pages = [("sample", page()), ("empty", page(AccuracyResult(), audit: AuditResult()))]
        for count in [3, 300, 3000] { pages.append(("\(count)", page(sampleAccuracy(apis: count)))) }
        let all = hostileResult(hostileTexts)
        pages.append(
            ("hostile", page(all, audit: hostileAudit(hostileTexts.joined())) { $0.filter = hostileTexts.joined() }))
        for (name, text) in pages {
            try text.write(toFile: "\(folder)/\(name).html", atomically: true, encoding: .utf8)
        }
    }
}

private let pagesFolder = ProcessInfo.processInfo.environment["WIREAUDIT_HTML_FOLDER"]
