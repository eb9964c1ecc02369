import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport

@Suite("What reports say of figures")
struct AccuracyFigureSentenceTests {
    @Test("bands of errors lie where the errors lie: an estimate that is always too small has none above zero")
    func signedBands() throws {
        let page = AccuracyForms(accuracy(of: sampleAPIs, sources: [sampleSources[3]])).page
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
        let forms = AccuracyForms(result) { $0.hasChosenSources = false }
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
        let equal = AccuracyForms(accuracy(of: sampleAPIs, sources: [exact, twin]))
        let sentence = "All 2 sources that have figures are equally near to the messages (exact to the byte)."
        #expect(equal.page.contains(sentence))
    }

    @Test("the page's table of sources has the error against the wire")
    func wireError() throws {
        let page = AccuracyForms(smallAccuracy()).page
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
        let forms = AccuracyForms(result)
        #expect(forms.markdown.contains("median 196)"))
        #expect(forms.terminal.contains("median 196)"))
        #expect(
            forms.markdown.contains(
                "Half of the calls are off by no more than 196 bytes: a few calls cause most of the error."))
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
        let forms = AccuracyForms(result)
        #expect(
            forms.markdown.contains(
                "By API the error of requests lies between -19.0 % (`\(result.apis[1])`) and +292.0 % "
                    + "(`\(result.apis[0])`)."))
        #expect(forms.terminal.contains("and +292.0 % (\(result.apis[0]))"))
        #expect(forms.page.contains("and +292.0 % (\(escapedForHTML(result.apis[0])))"))
        for index in result.totals.indices where result.totals[index].direction == .up {
            set(&result.totals[index], 1000, 2000)
        }
        #expect(!AccuracyForms(result).markdown.contains("By API the error of requests"))
    }

    @Test("more than 100 % of the data of a host is explained")
    func moreThanData() {
        var result = hostAccuracy()
        for text in AccuracyForms(result).all {
            #expect(text.contains("more than 100 % of data (1 host)") && text.contains("bodies after decompression"))
        }
        result.hostLogs[1].up.bytes = 5400
        for text in AccuracyForms(result).all { #expect(!text.contains("more than 100 % of data")) }
    }

    @Test("numbers of the page have one minus sign")
    func minusSigns() {
        var result = smallAccuracy()
        result.logs[0].ambiguousBounds = [.up: -15_000...(-14_200)]
        for page in [AccuracyForms(result).page, AccuracyForms(accuracy(of: sampleAPIs, sources: sampleSources)).page] {
            let text = page.replacing(/(?s)<(script|style).*?<\/(script|style)>/, with: "")
                .replacing(/<[^>]*>/, with: "|")
            let wrong = text.matches(of: /.{0,20}[^\w]-[0-9][0-9,.]*/).map { String($0.0) }
            #expect(wrong.isEmpty, "\(wrong)")
        }
    }

    @Test("the page says of how many figures its marks are a sample")
    func sampledMarks() {
        var result = accuracy(of: sampleAPIs, sources: [sampleSources[3]])
        #expect(AccuracyForms(result).page.contains("<p>One mark for each call, direction and source. Hollow marks"))
        result.scatter.removeLast(10)
        let text = "<p>One mark for each of 230 sampled figures, of 240: a figure is one call in one direction"
        #expect(AccuracyForms(result).page.contains(text))
    }

    @Test("sources without figures are not counted among those that are compared")
    func sourcesWithFigures() {
        var result = accuracy(of: sampleAPIs, sources: [sampleSources[3], sampleSources[5]])
        result.sources.append(AccuracySource(id: "silent", title: "Silent", kind: .simulated, note: ""))
        #expect(AccuracyForms(result).page.contains("Of the 2 sources that have figures, "))
    }

    @Test("the median of the headline is that of the table")
    func oneMedian() {
        var result = smallAccuracy()
        for index in result.totals.indices where result.totals[index].source == 3 {
            result.totals[index].message.signed.median = -194
            result.totals[index].message.medianAbsolute = 193
        }
        let forms = AccuracyForms(result)
        for text in [forms.markdown, forms.terminal] {
            #expect(text.contains("median 193") && !text.contains("median -194"))
        }
    }
}
