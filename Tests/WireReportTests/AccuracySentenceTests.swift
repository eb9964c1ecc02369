import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireReport

/// One result in every form that people read.
private struct Forms {
    let terminal: String
    let markdown: String
    let page: String

    init(
        _ result: AccuracyResult, audit: AuditResult = sampleAudit(), _ change: (inout ReportOptions) -> Void = { _ in }
    ) {
        var options = ReportOptions()
        change(&options)
        let style = TerminalStyle(width: 4000)
        terminal = accuracyText(result, audit: audit, options: options, style: style).text
        markdown = accuracyMarkdown(result, audit: audit, options: options).text
        page = accuracyHTML(result, audit: audit, options: options).text
    }

    var all: [String] { [terminal, markdown, page] }
}

/// A log that lacks a single response of 389, and has all requests.
private func lackingResponses() -> AccuracyResult {
    var result = smallAccuracy()
    for index in result.totals.indices where result.totals[index].source == 3 {
        let lacks = result.totals[index].direction == .down
        result.totals[index].coverage.calls = 389
        result.totals[index].coverage.recordedCalls = lacks ? 387 : 389
        result.totals[index].unseen = CauseLedger()
        if lacks { result.totals[index].unseen[.rowMissing] = -906 }
    }
    result.logs[0].exchangesUnseen = 0
    result.logs[0].exchangesTotal = 389
    return result
}

@Suite("Sentences of accuracy reports that were wrong or confusing")
struct AccuracySentenceTests {
    // MARK: Coverage

    @Test("a log that lacks responses is not said to have a row for every exchange")
    func perDirection() {
        let forms = Forms(lackingResponses())
        for text in forms.all {
            #expect(!text.contains("row for every exchange"))
            #expect(text.lowercased().contains("has no response row for 2 of 389 calls"))
        }
        #expect(forms.terminal.contains("2 of 389 calls (less than 1 % of the bytes) are not recorded"))
        #expect(forms.markdown.contains("| 100.0 % | -149.5 |") && forms.markdown.contains("| 99.5 % | -15.7 |"))
    }

    @Test("the page's figures of coverage agree in each direction")
    func pageCoverage() throws {
        let page = Forms(lackingResponses()).page
        #expect(page.contains("never saw <strong>2 of 389 responses</strong>"))
        #expect(page.contains("<td class=\"n\">↑ 100.0 % ↓ 99.5 %</td>"))
        let start = try #require(page.range(of: "<table class=\"coverage\">"))
        let row = page[start.upperBound...].prefix(3000)
        #expect(row.contains(">↑ 0</span>") && row.contains(">↓ 2</span>"))
        #expect(row.contains("906 B"))
    }

    @Test("a log of another time than the capture is not compared, and nothing is called invisible to the SDK")
    func otherTime() {
        var result = smallAccuracy()
        result.logs[0].matched = 0
        result.logs[0].ambiguous = 0
        result.logs[0].withoutExchange = 0
        result.logs[0].outsideCapture = 231
        for index in result.totals.indices where result.totals[index].source == 3 {
            result.totals[index].coverage.recordedCalls = 0
            result.totals[index].message = ErrorStatistics()
            result.totals[index].unseen[.scope] = -50_000
        }
        let logOnly = Forms(result) { $0.selection = Selection() }
        #expect(
            logOnly.markdown.contains("**`traffic.sqlite` (measured by the app) is of another time than the capture**"))
        #expect(logOnly.terminal.contains("Request: not compared: the log is of another time than the capture."))
        #expect(logOnly.terminal.contains("the log is of another time than the capture: there is nothing to compare"))
        let verdicts = accuracyVerdicts(result).filter { $0.source == 3 }
        #expect(verdicts.allSatisfy { $0.text.contains("another time") && !$0.text.contains("invisible") })
        result.logs[0].matched = 1
        #expect(accuracyVerdicts(result).contains { $0.source == 3 && $0.text.contains("invisible") })
    }

    @Test("rows that fit several calls equally are in no error figure, and the bounds they leave are told")
    func ambiguous() {
        var result = smallAccuracy()
        result.logs[0].ambiguous = 3
        for text in Forms(result).all {
            #expect(text.contains("3 rows fit several calls equally; they are in no error figure"))
            #expect(!text.contains("matched to one of several"))
        }
        result.logs[0].ambiguousBounds = [.up: -15_000...(-14_200), .down: 0...1200]
        for text in Forms(result).all {
            #expect(
                text.contains(
                    "with them the error in total is between -15,000 and -14,200 bytes in requests, between 0 and "
                        + "+1,200 bytes in responses"))
        }
        result.logs[0].ambiguous = 0
        for text in Forms(result).all { #expect(!text.contains("fit several calls equally")) }
    }

    // MARK: Figures

    @Test("bands of errors lie where the errors lie: an estimate that is always too small has none above zero")
    func signedBands() throws {
        let page = Forms(accuracy(of: sampleAPIs, sources: [sampleSources[3]])).page
        let drawing = try #require(page.range(of: "Errors of Hertz, requests</title>"))
        let end = try #require(
            page[drawing.upperBound...].range(of: "</svg></svg>") ?? page[drawing.upperBound...].range(of: "</svg>\n"))
        let bands = page[drawing.upperBound..<end.lowerBound]
            .matches(of: /<rect class="[^"]*band-[^"]*" x="([0-9.]+)%" width="([0-9.]+)%"/)
        #expect(bands.count == 4)
        for band in bands {
            let (left, width) = (try #require(Double(band.1)), try #require(Double(band.2)))
            #expect(left + width <= 50, "\(band.0)")
        }
        #expect(!page.contains("±"))
    }

    @Test("equal sources are named together, and what is exact by construction is said to be")
    func ties() {
        var exact = sampleSources[5]
        exact.source.isExactOnHTTP1 = true
        var twin = sampleSources[5]
        twin.source.id = "drd"
        twin.source.title = "DRDNetworking"
        var farthest = sampleSources[3]
        farthest.source.id = "pps"
        farthest.source.title = "PPSNetworkMonitor"
        let result = accuracy(of: sampleAPIs, sources: [exact, twin, sampleSources[3], farthest])
        let forms = Forms(result) { $0.hasChosenSources = false }
        #expect(
            forms.page.contains(
                "<strong>URLSessionTaskMetrics (iOS 13 and later) (exact by construction on HTTP/1) and DRDNetworking"
                    + "</strong> are nearest to the messages (exact to the byte)"))
        #expect(forms.page.contains("<strong>Hertz and PPSNetworkMonitor</strong> are farthest"))
        #expect(forms.markdown.contains("(`hertz` and `pps`) to 0.0 % (`metrics` and `drd`)"))
        #expect(forms.markdown.contains("`metrics` is exact by construction on HTTP/1."))
        #expect(
            forms.terminal.contains("Request: exact; all 120 calls are counted to the byte, by construction on HTTP/1.")
        )
        let equal = Forms(accuracy(of: sampleAPIs, sources: [exact, twin]))
        #expect(equal.page.contains("All 2 sources are equally near to the messages (exact to the byte)."))
    }

    @Test("the page's table of sources has the error against the wire")
    func wireError() throws {
        let page = Forms(smallAccuracy()).page
        let start = try #require(page.range(of: "<table class=\"sources\">"))
        let table = page[start.upperBound...].prefix { $0 != "§" }
        let end = try #require(table.range(of: "</table>"))
        let sources = table[..<end.lowerBound]
        #expect(sources.contains("on the wire"))
        for figure in ["−80.5 %", "−5.6 %", "−53.4 %"] { #expect(sources.contains(figure), "\(figure)") }
    }

    @Test("a mean that a few calls make has the median beside it")
    func median() {
        var result = smallAccuracy()
        for index in result.totals.indices where result.totals[index].source == 3 {
            result.totals[index].message.signed.median = -196
            result.totals[index].message.medianAbsolute = 196
            result.totals[index].message.bias = -7963
        }
        let forms = Forms(result)
        #expect(forms.markdown.contains("median -196)"))
        #expect(forms.terminal.contains("median -196)"))
        #expect(
            forms.markdown.contains(
                "Half of the calls are off by no more than 196 bytes: a few make most of the error."))
        #expect(forms.terminal.split(separator: "\n").contains { $0.hasPrefix("REQUESTS") && $0.contains("median") })
    }

    @Test("an error in total that hides APIs far off names the worst of them")
    func worstAPIs() {
        var result = accuracy(of: Array(sampleAPIs.prefix(3)), sources: [sampleSources[3]])
        func set(_ row: inout AccuracyRow, _ truth: Int, _ error: Int) {
            row.message.truthTotal = truth
            row.message.estimateTotal = truth + error
        }
        for index in result.rows.indices where result.rows[index].direction == .up {
            let (truth, error) = [(1000, 2920), (16_000, -3040), (5000, 20)][result.rows[index].api ?? 0]
            set(&result.rows[index], truth, error)
        }
        for index in result.totals.indices where result.totals[index].direction == .up {
            set(&result.totals[index], 100_000, -100)
        }
        let forms = Forms(result)
        #expect(
            forms.markdown.contains(
                "By API the error of requests lies between -19.0 % (`\(result.apis[1])`) and +292.0 % "
                    + "(`\(result.apis[0])`)."))
        #expect(forms.terminal.contains("and +292.0 % (\(result.apis[0]))"))
        #expect(forms.page.contains("and +292.0 % (\(escapedForHTML(result.apis[0])))"))
        for index in result.totals.indices where result.totals[index].direction == .up {
            set(&result.totals[index], 1000, 2000)
        }
        #expect(!Forms(result).markdown.contains("By API the error of requests"))
    }

    @Test("more than 100 % of the data of a host is explained")
    func moreThanData() {
        var result = hostAccuracy()
        for text in Forms(result).all {
            #expect(text.contains("more than 100 % of data (1 host)") && text.contains("bodies after decompression"))
        }
        result.hostLogs[1].up.bytes = 5400
        for text in Forms(result).all { #expect(!text.contains("more than 100 % of data")) }
    }

    // MARK: What cannot be compared

    @Test("a capture without keys says what was not read, and shows no figures of nothing")
    func withoutKeys() {
        var audit = sampleTLSAudit()
        audit.keyLogs = []
        for index in audit.hosts.indices { audit.hosts[index].setup = SetupSummary() }
        audit.hosts[0].setup.tlsConnections = 8
        audit.hosts[0].setup.unreadConnections = 7
        let none = accuracy(of: [], sources: Array(sampleSources.prefix(4)))
        let forms = Forms(none, audit: audit) { $0.hasChosenSources = false }
        for text in [forms.markdown, forms.page] {
            #expect(
                text.contains(
                    "7 of 8 TLS connections were not read: calls on them are in no figure; --keys FILE reads TLS."))
        }
        for text in forms.all {
            #expect(!text.contains("no figure for any call"))
            #expect(!text.contains("No SDK was chosen"))
        }
        #expect(forms.terminal.contains("No call of this capture can be compared."))
        #expect(!forms.page.contains("Wire bytes</dt>") && !forms.page.contains("0 B"))
        audit.hosts[0].setup.unreadConnections = 0
        #expect(!Forms(none, audit: audit).page.contains("TLS connections were not read"))
    }

    @Test("the page's links lead to sections that it has")
    func links() {
        let nothing = Forms(AccuracyResult()).page
        let none = Forms(accuracy(of: [], sources: Array(sampleSources.prefix(4)))).page
        for page in [nothing, none, Forms(smallAccuracy()).page, Forms(hostAccuracy()).page] {
            for link in page.matches(of: /href="#([a-z]+)"/) {
                #expect(page.contains("id=\"\(link.1)\""), "\(link.1)")
            }
        }
    }

    @Test("sources without any figure share one sentence")
    func silentSources() {
        var result = accuracy(of: sampleAPIs, sources: [sampleSources[5]])
        for number in 1...3 {
            result.sources.append(
                AccuracySource(id: "silent\(number)", title: "S\(number)", kind: .simulated, note: ""))
        }
        let forms = Forms(result)
        #expect(forms.terminal.contains("No figure for any call: silent1, silent2, silent3."))
        #expect(forms.markdown.contains("- No figure for any call: `silent1`, `silent2`, `silent3`"))
        #expect(forms.page.contains("No figure for any call: S1, S2 and S3."))
        for text in forms.all { #expect(!text.contains(": no figure for any call.")) }
    }

    @Test("TLS handshakes that failed are named as that, with the host and what they cost")
    func failedHandshakes() throws {
        var result = smallAccuracy()
        var host = FailedHandshakes(host: "pinned.example.com")
        (host.connections, host.alerts, host.wireUp, host.wireDown) = (3, 2, 1500, 2964)
        result.failedHandshakes = [host]
        let forms = Forms(result)
        let cost = "failed (2 by an alert, 1 closed before any application data): 4,464 bytes on the wire, no call."
        #expect(forms.terminal.contains("3 TLS handshakes with pinned.example.com " + cost))
        #expect(forms.markdown.contains("3 TLS handshakes with `pinned.example.com` " + cost))
        #expect(forms.page.contains("3 TLS handshakes with pinned.example.com " + cost))
        let json = accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text
        let own = try #require(try StrictJSON.parse(json)["failed_handshakes"]?.array.first)
        #expect(own.names == ["host", "connections", "alerts", "wire_up", "wire_down"])
        #expect(own["wire_down"]?.integer == 2964)
        result.failedHandshakes[0].host = hostileText
        let hostile = Forms(result)
        #expect(unsafeCharacters(hostile.terminal + hostile.markdown).isEmpty)
        #expect(HTMLTags(hostile.page).problems.isEmpty)
    }

    // MARK: Words

    @Test("without a choice the headline is a range over all estimators, with how to choose one")
    func withoutChoice() {
        let result = accuracy(of: sampleAPIs, sources: Array(sampleSources.prefix(6)))
        let forms = Forms(result) { $0.hasChosenSources = false }
        #expect(
            forms.markdown.contains(
                "**6 simulated estimators are off by -61.3 % (`hertz`) to 0.0 % (`metrics`) of the message bytes in "
                    + "requests and by -12.1 % (`networkeye`) to"))
        for text in forms.all {
            #expect(text.contains("No SDK was chosen. Name the one that the app has with"))
            #expect(text.contains("--estimators NAME") && text.contains("--sdk-log FILE"))
        }
        #expect(!forms.markdown.contains("Worst APIs of"))
        #expect(forms.page.contains("<p class=\"lead\">6 simulated estimators are off by −61.3 % (hertz) to"))
        let chosen = Forms(result)
        #expect(chosen.markdown.contains("**`dm` (simulated) counts"))
        for text in chosen.all { #expect(!text.contains("No SDK was chosen")) }
    }

    @Test("the formula of a log is not cut")
    func formula() {
        var result = smallAccuracy()
        let note = (0..<12).map { "requests part\($0) by dmurlprotocol:headers=full (1061 of 1161 figures)" }
            .joined(separator: "; ")
        result.sources[3].note = note
        for text in Forms(result).all { #expect(text.contains(note)) }
    }

    @Test("causes end every sentence as nouns: nothing hides \"explained by none\"")
    func nouns() {
        for cause in ErrorCause.allCases {
            for verb in ["explained ", "hidden ", "lost ", "not "] { #expect(!cause.inSentence.hasPrefix(verb)) }
        }
    }

    // MARK: Questions of users

    @Test("sizes are compared one by one, so that a right sum hides nothing")
    func parts() throws {
        var result = smallAccuracy()
        var head = PartRow(source: 3, direction: .up, part: .head)
        (head.calls, head.exactCalls, head.truth, head.estimate, head.maximum) = (20, 0, 4000, 3900, 9)
        var body = PartRow(source: 3, direction: .up, part: .body)
        (body.calls, body.exactCalls, body.truth, body.estimate, body.maximum) = (20, 19, 500, 600, 100)
        result.parts = [head, body]
        let forms = Forms(result)
        #expect(forms.terminal.contains("SIZES ONE BY ONE: traffic.sqlite"))
        #expect(forms.terminal.contains(/request head +20 +0 +4,000 +3,900 +-100 +-2\.5 % +9/))
        #expect(forms.markdown.contains("| `request body` | 20 | 19 | 500 | 600 | +100 | +20.0 % | 100 |"))
        #expect(forms.page.contains("<td class=\"n\">−2.5 %</td>"))
        #expect(HTMLTags(forms.page).problems.isEmpty)
        let json = accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text
        #expect(try StrictJSON.parse(json)["parts"]?.array.map { $0["error_total"]?.integer } == [-100, 100])
    }

    @Test("sizes before and after encryption stand side by side")
    func encryption() {
        var result = smallAccuracy()
        var row = EncryptionRow(source: 3, direction: .down)
        (row.calls, row.estimate, row.before, row.after) = (12, 9000, 10_000, 10_500)
        result.encryption = [row]
        #expect(
            Forms(result).markdown.contains(
                "| `responses` | 12 | 9,000 | 10,000 | -1,000 | -10.0 % | 10,500 | -1,500 | -14.3 % |"))
        #expect(!Forms(result) { $0.hasChosenSources = false }.terminal.contains("BEFORE AND AFTER ENCRYPTION"))
    }

    @Test("a monitor's screen is shown by host and path with rows that have no partner")
    func screens() {
        var result = smallAccuracy()
        var row = ScreenRow(source: 3, host: "api.example.com", path: "/v1/a|b")
        row.up.rows = 7
        row.up.length = 700
        row.up.messages = 6
        row.up.messageBytes = 1400
        row.down.rows = 5
        row.down.messages = 6
        result.screens = [row, ScreenRow(source: 3, host: "img.example.com", path: "/")]
        let forms = Forms(result) { $0.top = 1 }
        #expect(forms.terminal.contains("SCREEN BY HOST AND PATH: REQUESTS: traffic.sqlite"))
        #expect(forms.terminal.contains(/api\.example\.com \/v1\/a\|b +7 +6 +\+1 +700 +1,400 +-700 +-50\.0 %/))
        #expect(forms.terminal.contains(/api\.example\.com \/v1\/a\|b +5 +6 +-1\s/))
        #expect(forms.terminal.contains("… and 1 more row (--top all)"))
        #expect(HTMLTags(forms.page).problems.isEmpty)
        #expect(!Forms(result) { $0.selection = Selection(apis: ["/v1"]) }.terminal.contains("SCREEN BY"))
    }
}
