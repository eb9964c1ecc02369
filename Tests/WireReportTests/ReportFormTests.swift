import Testing

@testable import WireRecords
@testable import WireReport

@Suite("One report in three forms")
struct ReportFormTests {
    private static let hostile = "GET a.example <b>|`x`*[y](z)\u{1B}[31m\n"

    /// Every kind of block, column and cell.
    private static var document: ReportDocument {
        ReportDocument(
            kind: "sample", title: "A sample", facts: [.sentence("made of \(name: "a|b.pcap")", .faint)],
            sections: [
                ReportSection(
                    "answer",
                    blocks: [
                        .sentence("2 % more for \(name: "GET a /x").", .verdict), .list(["one", "two"]),
                        .sentence("kept · ±2 ✓", .good),
                    ]),
                ReportSection(
                    "rows", "Rows that matter",
                    blocks: [
                        .table(
                            ReportTable(
                                unit: "B/call",
                                columns: [
                                    .api("API"), .remark("because of"), .picture("less · more"), .text("kind"),
                                    .number("bytes"),
                                ],
                                rows: [
                                    [
                                        "\(name: "GET a.example /v1/x")", "headers up", ReportCell(share: 0.5), "new",
                                        "1,234",
                                    ],
                                    [
                                        "\(name: "POST a.example /v1/y")", "body", ReportCell(range: -1...0.5), "old",
                                        ReportCell(count: nil),
                                    ],
                                    ["\(name: hostile)", "", ReportCell(share: 1), "odd", ReportCell("-5", .less)],
                                ], noun: "API"))
                    ]),
                ReportSection("none", "Nothing", blocks: [.table(ReportTable(columns: [.text("x")], rows: []))]),
                ReportSection("more", "Details", .pageOnly, blocks: [.sentence("only on a page")]),
            ],
            limits: RowLimits(top: nil))
    }

    private var page: String { Self.document.html().text }
    private var markdown: String { Self.document.markdown().text }
    private func terminal(_ style: TerminalStyle = TerminalStyle(width: 300)) -> String {
        Self.document.text(style).text
    }

    /// Words that a reader sees, without markup and spaces.
    private func words(_ text: String) -> String {
        text.replacing("&#124;", with: "|").replacing("−", with: "-").replacing(/<[^>]*>/, with: "").replacing(
            "&lt;", with: "<"
        ).replacing("&gt;", with: ">")
            .replacing(/[`\\| \n]/, with: "")
    }

    @Test("all forms show the same cells and sentences")
    func cells() {
        let shown = [
            "2 % more for GET a /x.", "one", "two", "made of a|b.pcap", "GET a.example /v1/x", "headers up", "new",
            "1,234",
            "POST a.example /v1/y", "body", "old", "—", "odd", "−5", "bytes", "kind",
        ]
        for form in [page, markdown, terminal()] {
            for text in shown { #expect(words(form).contains(words(text)), "\(text) in \(form)") }
            #expect(!form.contains("Nothing"))
        }
        #expect(page.contains("only on a page") && !markdown.contains("only on") && !terminal().contains("only on"))
    }

    @Test("drawings stand on the page alone, and a terminal shows reasons below their row")
    func kinds() {
        #expect(page.contains("<svg") && !markdown.contains("less · more"))
        #expect(terminal().contains("less · more") && !terminal(TerminalStyle(width: 60)).contains("less · more"))
        let lines = terminal().split(separator: "\n").map(String.init)
        let row = lines.firstIndex { $0.hasPrefix("GET a.example /v1/x") } ?? 0
        #expect(lines.indices.contains(row + 1) && lines[row + 1] == "    headers up", "\(lines)")
        #expect(lines.contains { $0.hasPrefix("ROWS THAT MATTER (B/CALL)") })
    }

    @Test("names from captures are no markup and no control in any form")
    func hostile() {
        #expect(!page.contains("<b>|") && page.contains("&lt;b&gt;"))
        #expect(!markdown.contains("<b>|") && !markdown.contains("*[y]"))
        for form in [page, markdown, terminal()] { #expect(!form.contains("\u{1B}")) }
        let ascii = terminal(TerminalStyle(width: 80, unicode: false))
        #expect(
            ascii.utf8.allSatisfy { $0 < 0x80 } && ascii.contains(" -  ")
                && ascii.contains("kept, +-2\n") && ascii.contains("less, more"))
    }

    @Test("rows beyond the limit of a form are counted, and where they are")
    func limits() {
        var document = Self.document
        document.limits = RowLimits(terminal: 1, page: 2, rest: "all.json has all")
        let text = document.text(TerminalStyle()).text
        #expect(text.contains("… and 2 more APIs (all.json has all)") && !text.contains("/v1/y"))
        #expect(document.html().text.contains("<p>and 1 more API (all.json has all)</p>"))
    }
}
