import Testing
import WireComparison
import WireCore

@testable import WireOpportunities
@testable import WireRecords
@testable import WireReport

@Suite("Tables in narrow and wide places")
struct TableWidthTests {
    private static let widths = [40, 47, 60, 79, 80, 120, 160]

    private static let names = [
        "GET api.example.com /v1/customers/{id}/orders/{id}/items", "GET api.example.com /v1/customers/{id}/items",
        "POST uploads.example.com /a",
    ]

    private func table(numbers: Int, namesAPIs: Bool = false) -> WireRecords.TextTable {
        var table = WireRecords.TextTable(text: "A TITLE OF A FEW WORDS", numbers: (0..<numbers).map { "column \($0)" })
        table.namesAPIs = namesAPIs
        for (row, name) in Self.names.enumerated() {
            let cells = (0..<numbers).map { grouped(1_234_567 * (row + 1) + $0) }
            table.add([name] + cells, paints: [nil, .loss])
        }
        return table
    }

    @Test("every number stands somewhere, and no line is wider than the place", arguments: widths, [1, 3, 5, 9])
    func tables(width: Int, numbers: Int) {
        for namesAPIs in [false, true] {
            let parts = table(numbers: numbers, namesAPIs: namesAPIs).parts(TerminalStyle(width: width, color: true))
            #expect(parts.rows.count == Self.names.count)
            for (row, lines) in parts.rows.enumerated() {
                let text = lines.joined(separator: "\n")
                for column in 0..<numbers { #expect(text.contains(grouped(1_234_567 * (row + 1) + column))) }
            }
            for line in parts.heading + parts.rows.flatMap(\.self) { #expect(paintedWidth(line) <= width, "\(line)") }
        }
    }

    @Test("numbers go below the text, then stand with their titles, as the place gets narrower")
    func forms() {
        let table = table(numbers: 3, namesAPIs: true)
        func lines(_ width: Int) -> [String] { table.lines(TerminalStyle(width: width)).map(withoutTrailingSpaces) }
        #expect(lines(120)[1] == Self.names[0] + "  1,234,567  1,234,568  1,234,569")
        let below = [
            "A TITLE OF A FEW WORDS", "   column 0   column 1   column 2",
            "GET api.example.com /…/{id}/orders/{id}/items",
            "  1,234,567  1,234,568  1,234,569",
        ]
        #expect(Array(lines(46).prefix(4)) == below)
        var titled = WireRecords.TextTable(text: "A TITLE OF A FEW WORDS", numbers: ["bytes"])
        titled.add(["name", "123"])
        titled.add(["a longer name of one", "1,234,567,890,123,456"])
        #expect(titled.lines(TerminalStyle(width: 40))[0] == "A TITLE OF A FEW WORDS")
        let wide = self.table(numbers: 5)
        let pairs = wide.lines(TerminalStyle(width: 40)).map(withoutTrailingSpaces)
        #expect(pairs[2] == "    column 0 1,234,567" && pairs[0] == "A TITLE OF A FEW WORDS")
    }

    @Test("names that differ stay different where they are shortened", arguments: 12...60)
    func apart(width: Int) {
        let long = "GET api.example.com /v1/organisations/{id}/projects"
        let names = [
            "\(long)/alpha/members/{id}/settings", "\(long)/beta/members/{id}/settings",
            "\(long)/beta/members/{id}/settings/x", "\(long)/gamma/members/{id}/settings", "GET api.example.com /v1",
        ]
        for namesAPIs in [false, true] {
            let short = shortenedApart(names + names, to: width, ellipsis: "…", namesAPIs: namesAPIs)
            #expect(Set(short).count == names.count && Array(short.prefix(5)) == Array(short.suffix(5)))
            for text in short { #expect(displayWidth(text) <= width, "\(text)") }
            let backwards = shortenedApart(names.reversed(), to: width, ellipsis: "…", namesAPIs: namesAPIs)
            #expect(Array(backwards.reversed()) == Array(short.prefix(5)))
        }
    }

    @Test("what tells two names apart is seen")
    func difference() {
        let names = ["alpha", "beta"].map { "GET api.example.com /v1/organisations/{id}/\($0)/members/{id}/settings" }
        func short(_ width: Int) -> [String] {
            shortenedApart(names, to: width, ellipsis: "…", namesAPIs: true)
        }
        #expect(short(40) == ["GET api.example.com …/alpha/members/{id…", "GET api.example.com …/beta/members/{id}…"])
        #expect(short(30) == ["GET …/alpha/members/{id}/sett…", "GET …/beta/members/{id}/setti…"])
    }

    @Test("a line that is too wide goes on in the next, and keeps its colour", arguments: [10, 17, 30])
    func broken(width: Int) {
        let style = TerminalStyle(color: true)
        let text = "  one two three four five sixseveneightnineteneleven 漢字漢字漢字漢字漢字漢字"
        let lines = WireRecords.broken(style.paint(text, .warning), width: width)
        for line in lines { #expect(paintedWidth(line) <= width && line.contains("\u{1B}[33m"), "\(line)") }
        #expect(lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") })
        let letters = { (text: String) in text.filter { $0 != " " } }
        #expect(letters(lines.map(withoutColours).joined()) == letters(text))
        #expect(WireRecords.broken("short", width: width) == ["short"])
    }

    @Test("header fields, comparisons and fleets fit", arguments: widths)
    func reports(width: Int) throws {
        let style = TerminalStyle(width: width)
        var rows = [HeaderFieldRow(api: Self.names[0], host: "api.example.com")]
        rows[0].requests = 1_234_567
        var field = HeaderFieldRow.Field(name: "x-" + String(repeating: "long-", count: 20))
        (field.requests, field.text.up, field.sent.up) = (1_234_567, 87_654_321, 7_654_321)
        field.advice = HeaderAdvice.Kind.allCases.map {
            HeaderAdvice($0, isRequest: true, saving: 654_321, better: "gzip, deflate, br")
        }
        rows[0].fields = [field]
        rows[0].sent.up = 7_654_321
        let headers = ReportDocument(
            sampleAudit(), options: ReportOptions(), AuditAdditions(headerFields: rows)
        ).text(style).text
        #expect(headers.contains("87,654,321"))
        let fleet = ReportDocument(FleetReport(FleetResult(labels: ["build"]), options: ReportOptions()))
            .text(style).text
        let comparison = try ReportDocument(changed(), top: nil).text(style).text
        #expect(comparison.contains("ON ONE SIDE ONLY") && comparison.contains("HOSTS: TOTALS"))
        for line in (headers + fleet + comparison).split(separator: "\n") {
            #expect(displayWidth(String(line)) <= width, "\(line)")
        }
    }

    /// Two audits: one API costs millions of bytes more, and another is called on one side alone.
    private func changed() throws -> CostComparison {
        var after = sampleAudit()
        after.apis[0].costs.down[.body] += 987_654_321
        after.apis.removeLast()
        after.hosts[0].costs.down[.body] += 987_654_321
        return try CostComparison(side(sampleAudit()), side(after), CostMeasure())
    }

    private func side(_ audit: AuditResult) throws -> ComparedSide {
        var side = ComparedSide()
        try side.add(
            audit: "a/folder/with/a/long/name/" + String(repeating: "audit", count: 12) + ".json",
            Array(auditJSON(audit, options: ReportOptions()).text.utf8),
            choices: ResultChoices(), includesAPI: { _ in true },
            includesHost: { _ in true })
        return side
    }
}
