import Testing
import WireComparison
import WireCore

@testable import WireRecords
@testable import WireReport

@Suite("The comparison as a report")
struct ComparisonReportTests {
    private let nothing = CostComparison(ComparedSide(), ComparedSide(), CostMeasure())

    @Test("the policy of the page allows its style sheet by its hash, and no script")
    func policy() throws {
        let page = ReportDocument(nothing, top: nil).html().text
        let match = try #require(page.firstMatch(of: /<style>(?<style>[\s\S]*?)<\/style>/))
        #expect(page.contains("default-src 'none'; style-src 'sha256-\(sha256Base64(String(match.style)))'; base-uri"))
        #expect(!page.contains("<script"))
    }

    @Test("two empty sides are the same in every format")
    func empty() {
        let sentence = "No change: both sides cost the same, in every cause."
        #expect(ReportDocument(nothing, top: 20).text(TerminalStyle()).text.hasPrefix(sentence))
        #expect(ReportDocument(nothing, top: 20).markdown().text.contains(sentence))
        #expect(ReportDocument(nothing, top: 20).html().text.contains(sentence))
        #expect(comparisonJSON(nothing, options: ReportOptions()).text.contains("\"verdict\":\"\(sentence)\""))
    }
}
