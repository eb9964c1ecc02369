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
        return accuracyMarkdown(result, audit: audit, options: options).text
    }

    /// What is left of the text when code spans are taken out: the only part in which anything is markup.
    private func withoutCode(_ text: String) -> String { text.replacing(/`[^`\n]*`/, with: "C") }

    @Test("it begins with the sentence that matters, then the table, then what would repair most")
    func beginning() {
        #expect(markdown().hasPrefix(goldenMarkdownStart))
    }

    @Test("what is long is folded away, and every fold is closed")
    func folds() {
        let text = markdown()
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
                "**`metrics` (simulated) counts requests to the byte and responses to the byte**, over 120 of 127"
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
        let worst = text.split(separator: "\n").drop { !$0.hasPrefix("### Worst APIs") }
            .prefix { !$0.hasPrefix("<details>") }
        #expect(worst.filter { $0.hasPrefix("| `") }.count == 2)
    }

    @Test("calls that are not recorded are named as the chief reason where they weigh more")
    func chief() {
        #expect(
            markdown().contains(
                "`POST telemetry.example.net /v2/events` | request | exchange invisible to the SDK | 8 | not recorded | –"
            ))
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

private let goldenMarkdownStart = """
    ## Traffic estimates compared with the wire

    **`traffic.sqlite` (measured by the app) undercounts requests by 150 bytes per call (-48.9 %, median 105) and \
    responses by 15.7 bytes per call (-0.2 %, median 21)**, over 120 of 127 exchanges in `captures/shop.pcapng`.

    By API the error of responses lies between -5.0 % (`HEAD cdn.example.com /ping`) and &lt;-0.1 % (`GET \
    img.example.com /assets/catalog/pictures/{id}/large.jpg`).

    Left out: 4 with bytes missing from the capture, 1 that began before the capture, 2 without request.

    **Warning:** The capturing program reported lost packets; they are not counted (12 packets in \
    `captures/shop.pcapng`).

    **Warning:** Bytes are missing from the capture; later packets show that they were sent (3 times in \
    `captures/shop.pcapng`).

    | source |  | requests recorded | request error | % | median | p90 | wire | responses recorded | response error \
    | % | median | p90 | wire |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `traffic.sqlite` | measured | 87.5 % | -149.5 | -48.9 % | 105 | 250 | -80.5 % | 87.5 % | -15.7 | -0.2 % | 21 \
    | 21 | -5.6 % |
    | `dm` | simulated | 93.3 % | -149.8 | -49.2 % | 110 | 236 | -80.5 % | 93.3 % | +0.8 | &lt;+0.1 % | 10 | 23 | \
    -5.4 % |
    | `networkeye` | simulated | – | – | – | – | – | – | 100.0 % | -965.0 | -12.1 % | 752 | 2,372 | -17.2 % |
    | `metrics` | simulated | 100.0 % | 0.0 | 0.0 % | 0 | 0 | -53.4 % | 100.0 % | 0.0 | 0.0 % | 0 | 0 | -5.9 % |

    ### Largest causes

    - `traffic.sqlite` (measured by the app)
      - Request: 15 of 120 calls (39 % of the bytes) are not recorded: chiefly exchanges invisible to the SDK. In \
    the others, 67 % of the undercount (101 of 150 bytes per call) comes from header fields that the hook cannot \
    see; 25 % from bodies, which are not counted.
      - Response: 15 of 120 calls (5.6 % of the bytes) are not recorded: chiefly concurrent exchanges, merged into \
    one. In the others, 38 % of the undercount (6 of 15.7 bytes per call) comes from the line ends of header fields; \
    36 % from chunk framing, which is not counted. By API the error lies between -5.0 % (`HEAD cdn.example.com /ping`) and \
    &lt;-0.1 % (`GET img.example.com /assets/catalog/pictures/{id}/large.jpg`).
    - `dm` (simulated)
      - Request: 8 of 120 calls (35 % of the bytes) are not recorded: exchanges invisible to the SDK. In the \
    others, 150 bytes per call too low: 152 missing, 1.7 surplus. 66 % of the shortfall (101 bytes per call) comes \
    from header fields that the hook cannot see. If only this were fixed, the total would be 49.1 bytes per call \
    too low.
      - Response: 0.8 bytes per call too high: 15.7 missing, 16.5 surplus. 97 % of the surplus (15.9 bytes per call) \
    comes from bodies compressed again by another compressor. If only this were fixed, the total would be worse, \
    15.2 bytes per call too low, because it now masks the line ends of header fields. On average a call is off by \
    12.4 bytes, some calls too high, some too low. 8 of 120 calls (0.2 % of the bytes) are not recorded: exchanges invisible \
    to the SDK. By API the error lies between -5.0 % (`HEAD cdn.example.com /ping`) and +0.9 % (`GET \
    api.example.com /v1/items`).
    - `networkeye` (simulated)
      - Request: the source has no figures for this direction.
      - Response: 79 % of the undercount (760 of 965 bytes per call) comes from the expected length, counted \
    instead of the bytes received. By API the error lies between -100.1 % (`GET api.example.com /v1/items/{id}`) and -0.5 % (`GET \
    img.example.com /assets/catalog/pictures/{id}/large.jpg`).
    - `metrics` (simulated)
      - Request: exact; all 120 calls are counted to the byte.
      - Response: exact; all 120 calls are counted to the byte.


    """
