import Testing
import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport

@Suite("What the users of single SDKs ask")
struct AccuracyQuestionTests {
    @Test("sizes are compared one by one, so that a right sum hides nothing")
    func parts() throws {
        var result = smallAccuracy()
        var head = PartRow(source: 3, direction: .up, part: .head)
        (head.calls, head.exactCalls, head.truth, head.estimate, head.maximum) = (20, 0, 4000, 3900, 9)
        var body = PartRow(source: 3, direction: .up, part: .body)
        (body.calls, body.exactCalls, body.truth, body.estimate, body.maximum) = (20, 19, 500, 600, 100)
        result.parts = [head, body]
        let forms = AccuracyForms(result)
        #expect(forms.terminal.contains("HEAD AND BODY SIZES: traffic.sqlite"))
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
            AccuracyForms(result).markdown.contains(
                "| `responses` | 12 | 9,000 | 10,000 | -1,000 | -10.0 % | 10,500 | -1,500 | -14.3 % |"))
        #expect(!AccuracyForms(result) { $0.hasChosenSources = false }.terminal.contains("BEFORE AND AFTER ENCRYPTION"))
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
        let forms = AccuracyForms(result) { $0.top = 1 }
        #expect(forms.terminal.contains("LOG ROWS SUMMED BY HOST AND PATH: REQUESTS: traffic.sqlite"))
        #expect(forms.terminal.contains(/api\.example\.com \/v1\/a\|b +7 +6 +\+1 +700 +1,400 +-700 +-50\.0 %/))
        #expect(forms.terminal.contains(/api\.example\.com \/v1\/a\|b +5 +6 +-1\s/))
        #expect(forms.terminal.contains("… and 1 more row (--top all)"))
        #expect(HTMLTags(forms.page).problems.isEmpty)
        // Of calls that were not read nobody knows whether a row is surplus.
        result.screens[0].up.unreadRows = 1
        let unread = AccuracyForms(result) { $0.top = 1 }.terminal
        #expect(unread.contains(/api\.example\.com \/v1\/a\|b +7 +— +— +700 +— +— +—/))
        #expect(unread.contains(/api\.example\.com \/v1\/a\|b +5 +6 +-1\s/))
        #expect(!AccuracyForms(result) { $0.selection = Selection(apis: ["/v1"]) }.terminal.contains("LOG ROWS SUMMED"))
    }
}
