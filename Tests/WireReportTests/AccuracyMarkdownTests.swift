import Testing
import WireAccuracy
import WireCore
import WireRecords
import WireReport

@Suite("The accuracy for a pull request")
struct AccuracyMarkdownTests {
    private func markdown(
        _ result: AccuracyResult = smallAccuracy(), audit: AuditResult = sampleAudit(),
        _ change: (inout ReportOptions) -> Void = { _ in }
    ) -> String {
        var options = ReportOptions()
        change(&options)
        return ReportDocument(result, audit: audit, options: options).markdown().text
    }

    /// What is left of the text when code spans are taken out: the only part in which anything is markup.
    private func withoutCode(_ text: String) -> String { text.replacing(/`[^`\n]*`/, with: "C") }

    @Test("it begins with the sentence that matters, then what it is about, then the sources")
    func beginning() throws {
        let text = markdown()
        let start = """
            ## Traffic estimates compared with the wire

            **`traffic.sqlite` (measured by the app) undercounts requests by 150 bytes per call (-48.9 %, median 105) and \
            responses by 15.7 bytes per call (-0.2 %, median 21).**

            By API the error of responses lies between -5.0 % (`HEAD cdn.example.com /ping`) and &gt;-0.1 % (`GET \
            img.example.com /assets/catalog/pictures/{id}/large.jpg`).

            - `captures/shop.pcapng` · pcapng in gzip · Ethernet
            """
        #expect(text.hasPrefix(start), "\(text.prefix(1000))")
        let sources = try #require(
            text.range(of: "| `traffic.sqlite` | measured | 87.5 % | 61.5 % | -149.5 | -48.9 % |"))
        let causes = try #require(text.range(of: "### Largest causes"))
        #expect(sources.lowerBound < causes.lowerBound)
        #expect(text.contains("120 of 127 exchanges compared; left out: 4 with bytes missing from the capture"))
    }

    @Test("what is long is folded away, and every fold is closed")
    func folds() {
        let text = markdown()
        // The log, causes, and the APIs in both directions.
        #expect(text.ranges(of: "<details>").count == 4)
        #expect(text.ranges(of: "</details>").count == 4)
        let folds = text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "<details>")
        let summaries = folds.compactMap(\.first).filter { $0.hasPrefix("<summary>") }
        #expect(summaries.count == 4)
        #expect(summaries.allSatisfy { $0.hasSuffix("</summary>") })
    }

    @Test("all rows of a table have as many cells as its heading", arguments: [false, true])
    func cells(isHostile: Bool) {
        let text =
            isHostile ? markdown(hostileAccuracy(), audit: hostileAudit()) : markdown(sampleAccuracy())
        var expected: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                expected = nil
                continue
            }
            let pipes = line.replacing("\\|", with: "").filter { $0 == "|" }.count
            #expect(pipes == expected ?? pipes, "\(line)")
            expected = pipes
        }
    }

    @Test("hostile names do nothing: no markup, no mention, no link, no line of their own")
    func hostile() {
        let text = markdown(hostileAccuracy(), audit: hostileAudit())
        #expect(unsafeCharacters(text).isEmpty)
        let open = withoutCode(text)
        for danger in ["@team", "<script", "javascript:", "`"] where danger != "javascript:" {
            #expect(!open.contains(danger), "\(danger)")
        }
        // The log's path stands in the summary of a fold, where code spans do not work: as HTML, all of it escaped.
        let summaries = text.split(separator: "\n").filter { $0.hasPrefix("<summary>Log") }
        #expect(summaries.count == 1)
        #expect(summaries.allSatisfy { $0.contains("<code>=cmd&#124;'") && $0.ranges(of: "<").count == 4 })
        let tags = Set(open.matches(of: /<[^<>\n]*>/).map { String($0.output) })
        #expect(
            tags.isSubset(of: [
                "<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>", "<sub>", "</sub>",
            ]))
    }

    @Test("code spans hold any text in one line")
    func code() {
        var result = smallAccuracy()
        result.apis[0] = "a`b|c\nd\\"
        result.apis[1] = "   "
        result.apis[2] = "c\nd\\"
        let text = markdown(result)
        #expect(text.contains("| <code>a&#96;b&#124;c&#92;x0ad&#92;</code> |"))
        #expect(text.contains("| (empty) |") && text.contains("| `c\\x0ad\\ ` |"))
    }

    @Test("the sentence fits the figures")
    func sentence() {
        func first(_ source: SampleSource) -> Substring {
            markdown(accuracy(of: sampleAPIs, sources: [source])).split(separator: "\n")[1]
        }
        #expect(
            first(sampleSources[5]).hasPrefix(
                "**`metrics` (simulated) counts requests to the byte and responses to the byte.**"
            ))
        #expect(first(sampleSources[3]).contains("responses by 2,878 bytes per call (+36.0 %, median 959)"))
        #expect(
            first(sampleSources[2]).hasPrefix(
                "**`networkeye` (simulated) undercounts responses by 965 bytes per call (-12.1 %"))
    }

    @Test("rows beyond --top are counted, not lost")
    func top() {
        let text = markdown { $0.top = 2 }
        #expect(text.contains("… and 6 more APIs."))
        let worst = text.split(separator: "\n").drop { !$0.hasPrefix("<summary>Worst APIs: requests") }
            .prefix { !$0.hasPrefix("</details>") }
        #expect(worst.filter { $0.hasPrefix("| `") }.count == 2)
    }

    @Test("calls that are not recorded are named as the chief reason where they weigh more")
    func chief() {
        let text = markdown(accuracy(of: sampleAPIs, sources: [sampleSources[10]]))
        #expect(text.contains(/`POST telemetry.example.net \/v2\/events` \| 8 .* not seen \| — \| S.scope \|/))
    }

    @Test("nothing to compare is said") func empty() {
        #expect(markdown(AccuracyResult()).contains("Nothing to compare"))
        #expect(!markdown(accuracy(of: [], sources: sampleSources)).contains("nan"))
    }

    @Test("the same result gives the same text") func deterministic() {
        var result = sampleAccuracy(apis: 25, seed: 4)
        let first = markdown(result)
        result.rows.reverse()
        result.totals.reverse()
        #expect(markdown(result) == first)
    }
}
