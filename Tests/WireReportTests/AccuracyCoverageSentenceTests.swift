import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport
import WireStatistics

@Suite("What reports say of calls that a source lacks")
struct AccuracyCoverageSentenceTests {
    @Test("a log that lacks responses is not said to have a row for every exchange")
    func perDirection() {
        let forms = AccuracyForms(lackingResponses())
        for text in forms.all {
            #expect(!text.contains("row for every exchange"))
            #expect(text.lowercased().contains("has no response row for 2 of 389 calls"))
        }
        #expect(forms.terminal.contains("2 of 389 calls (0.1 % of the bytes) are not recorded"))
        #expect(forms.markdown.contains("| measured | 100.0 % |") && forms.markdown.contains("| measured | 99.5 % |"))
    }

    @Test("the page's figures of coverage agree in each direction")
    func pageCoverage() throws {
        let page = AccuracyForms(lackingResponses()).page
        #expect(page.contains("has no record of <strong>2 of 389 responses</strong>"))
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
        let logOnly = AccuracyForms(result) { $0.selection = Selection() }
        #expect(
            logOnly.markdown.contains(
                "**`traffic.sqlite` (measured by the app) covers a different time than the capture.**"))
        #expect(logOnly.terminal.contains("Request: not compared: the log covers a different time than the capture."))
        #expect(
            logOnly.terminal.contains("the log covers a different time than the capture: there is nothing to compare"))
        let verdicts = accuracyVerdicts(result).filter { $0.source == 3 }
        #expect(verdicts.allSatisfy { $0.text.contains("different time") && !$0.text.contains("invisible") })
        result.logs[0].matched = 1
        #expect(accuracyVerdicts(result).contains { $0.source == 3 && $0.text.contains("invisible") })
    }

    @Test("rows that fit several calls equally are in no error figure, and the bounds they leave are told")
    func ambiguous() {
        var result = smallAccuracy()
        result.logs[0].ambiguous = 3
        for text in AccuracyForms(result).all {
            #expect(text.contains("3 rows fit several calls equally; they are left out of all error figures"))
            #expect(!text.contains("matched to one of several"))
        }
        result.logs[0].ambiguousBounds = [.up: -15_000...(-14_200), .down: 0...1200]
        for text in AccuracyForms(result).all {
            #expect(
                text.replacing("−", with: "-").contains(
                    "with them the error in total is between -15,000 and -14,200 bytes in requests, between 0 and "
                        + "+1,200 bytes in responses"))
        }
        result.logs[0].ambiguous = 0
        for text in AccuracyForms(result).all { #expect(!text.contains("fit several calls equally")) }
    }

    @Test("a log that has no row for any host of the capture is said to be that, and no SDK is called blind")
    func otherHosts() throws {
        var result = smallAccuracy()
        result.logs[0].matched = 0
        result.logs[0].ambiguous = 0
        result.logs[0].withoutExchange = 0
        result.logs[0].outsideCapture = 0
        result.logs[0].foreignHost = 231
        result.logs[0].redirects = .task
        let forms = AccuracyForms(result)
        let headline = "**`traffic.sqlite` (measured by the app) has no row for any host of this capture.**"
        #expect(forms.markdown.contains(headline))
        for text in forms.all {
            #expect(text.lowercased().contains("the log has no row for any host of this capture: there is nothing to"))
            #expect(text.contains("not compared: the log has no row for any host of this capture."))
            #expect(!text.lowercased().contains("redirected calls: one row"))
        }
        let verdicts = accuracyVerdicts(result).filter { $0.source == 3 }
        #expect(verdicts.count == 2 && verdicts.allSatisfy { !$0.text.contains("invisible") })
        result.logs[0].tlsFailed = 1
        for text in AccuracyForms(result).all { #expect(!text.contains("any host of this capture")) }
    }

    @Test("rows of calls whose TLS handshake failed are counted as that")
    func failedRows() throws {
        var result = smallAccuracy()
        result.logs[0].tlsFailed = 7
        for text in AccuracyForms(result).all { #expect(text.contains("7 of calls whose TLS handshake failed")) }
        let json = accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text
        #expect(try StrictJSON.parse(json)["logs"]?.array.first?["rows"]?["tls_failed"]?.integer == 7)
    }

    @Test("a clock that is far off is a warning, with what log and capture agree on")
    func sessionDoubt() throws {
        var result = smallAccuracy()
        for text in AccuracyForms(result).all { #expect(!text.contains("same session")) }
        result.logs[0].sessionDoubt = SessionDoubt(clockOffset: -64_250_000_000, agreeingSizes: 17)
        (result.logs[0].explainedFigures, result.logs[0].comparedFigures) = (190, 1200)
        for text in AccuracyForms(result).all {
            #expect(text.contains("clock differs by 64.25 s; check that log and capture are from the same session"))
            #expect(text.contains("(190 of 1,200 figures agree to the byte, 17 different sizes)"))
        }
        let json = accuracyJSON(result, audit: sampleAudit(), options: ReportOptions()).text
        let doubt = try #require(try StrictJSON.parse(json)["logs"]?.array.first?["session_doubt"])
        #expect(doubt.names == ["clock_offset", "clock_offset_ns", "agreeing_sizes", "warning"])
        #expect(doubt["clock_offset"]?.double == -64.25 && doubt["agreeing_sizes"]?.integer == 17)
    }

    @Test("a number of calls that differs from the first says what is left out")
    func denominators() {
        var result = lackingResponses()
        result.counted = 393
        result.logs[0].ambiguous = 4
        for text in AccuracyForms(result).all {
            #expect(text.lowercased().contains("has no response row for 2 of 389 calls (left out: 4 ambiguous)"))
        }
        #expect(
            AccuracyForms(result).terminal.contains(
                "2 of 389 calls (0.1 % of the bytes; left out: 4 ambiguous) are not recorded"))
        #expect(AccuracyForms(result).page.contains("of all message bytes; left out: 4 ambiguous)"))
        result.logs[0].ambiguous = 0
        result.sources[3].unknown = 4
        #expect(AccuracyForms(result).terminal.contains("2 of 389 calls (left out: 4 without a figure)"))
        result.counted = 389
        for text in AccuracyForms(result).all {
            #expect(text.lowercased().contains("has no response row for 2 of 389 calls"))
            #expect(!text.contains("389 calls (4 ") && !text.contains("of the bytes; 4 "))
        }
    }
}
