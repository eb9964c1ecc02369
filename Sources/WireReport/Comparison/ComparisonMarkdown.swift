import WireComparison
import WireCore
import WireRecords

/// The comparison for a pull request: the verdict, the APIs that changed, and the rest folded away.
public func comparisonMarkdown(_ comparison: CostComparison, top: Int?) -> OutputBuffer {
    let report = ComparisonMarkdown(
        comparison: comparison, top: top, words: ComparisonWords(comparison: comparison) { markdownCode($0) })
    var buffer = OutputBuffer()
    buffer.string(report.render())
    return buffer
}

private struct ComparisonMarkdown {
    let comparison: CostComparison
    let top: Int?
    let words: ComparisonWords

    func render() -> String {
        var page = MarkdownText()
        page.heading("Traffic before and after", level: 2)
        page.paragraph("**\(words.verdict)**")
        if let verdict = words.boundVerdict {
            page.paragraph(verdict)
            for line in words.violations { page.bullet(line) }
            if !words.violations.isEmpty { page.endList() }
        }
        if let counts = words.counts { page.paragraph(counts) }
        apis(&page)
        oneSided(&page)
        fewCalls(&page)
        causes(&page)
        hosts(&page)
        if let doubts = words.doubts { page.paragraph("**Warning:** " + markdownWords(doubts)) }
        page.bullet("before: " + words.side(comparison.before))
        page.bullet("after: " + words.side(comparison.after))
        page.endList()
        let method = words.method.map(markdownWords).joined(separator: " ")
        page.paragraph("<sub>\(method) wireaudit \(toolVersion)</sub>")
        return page.text
    }

    private func shown<Row>(_ rows: [Row]) -> ArraySlice<Row> { top.map { rows.prefix($0) } ?? rows[...] }

    private func rest(_ all: Int, _ shown: Int, _ noun: String, _ page: inout MarkdownText) {
        if all > shown { page.paragraph("and \(counted(all - shown, "more \(noun)"))") }
    }

    private func apis(_ page: inout MarkdownText) {
        let rows = words.changed
        guard !rows.isEmpty else { return }
        page.table(
            ["API", "because of", "calls", "B per call before", "after", "change", "%", "chance"], texts: 2,
            shown(rows).map { row in
                let wire = row.wire ?? CostChange()
                return [
                    markdownCode(row.api), words.causeWords(row, most: 3),
                    "\(grouped(row.before?.calls ?? 0))/\(grouped(row.after?.calls ?? 0))", words.bytes(wire.before),
                    words.bytes(wire.after), words.signed(wire.change), words.percent(wire.percent),
                    wire.noise.map { "±" + words.bytes($0) } ?? "not known",
                ]
            })
        rest(rows.count, shown(rows).count, "API", &page)
    }

    private func oneSided(_ page: inout MarkdownText) {
        let rows = words.apis(.new) + words.apis(.vanished) + words.apis(.encrypted)
        guard !rows.isEmpty else { return }
        page.table(
            ["API", "", "calls", "wire before", "wire after"], texts: 2,
            shown(rows).map { row in
                [
                    markdownCode(row.api), row.verdict.rawValue, row.knownCalls.map { grouped($0) } ?? "—",
                    bytes(row.before?.costs), bytes(row.after?.costs),
                ]
            })
        rest(rows.count, shown(rows).count, "API", &page)
    }

    private func bytes(_ costs: Directions<CostVector>?) -> String {
        costs.map { grouped(comparison.measure.wire($0)) } ?? "—"
    }

    private func fewCalls(_ page: inout MarkdownText) {
        let rows = words.fewCalls
        guard !rows.isEmpty else { return }
        page.beginDetails("Too few calls to tell: bytes per call")
        page.table(
            ["API", "calls", "before", "after", "change", "%"], texts: 1,
            shown(rows).map { row in
                let wire = row.wire ?? CostChange()
                return [
                    markdownCode(row.api), ComparisonWords.pair(row.before?.calls, row.after?.calls),
                    words.bytes(wire.before), words.bytes(wire.after), words.signed(wire.change),
                    words.percent(wire.percent),
                ]
            })
        rest(rows.count, shown(rows).count, "API", &page)
        page.endDetails()
    }

    private func causes(_ page: inout MarkdownText) {
        guard let total = comparison.total, !comparison.isIdentical else { return }
        let rows =
            comparison.cells.filter { $0.change.before != 0 || $0.change.after != 0 }
            .map { (words.name($0.cell), $0.change) } + [("**wire**", total)]
        page.beginDetails("By cause: bytes per call at the same mix of calls")
        page.table(
            ["cause", "before", "after", "change", "chance"], texts: 1,
            rows.map { name, change in
                [
                    name, words.bytes(change.before), words.bytes(change.after), words.signed(change.change),
                    change.noise.map { "±" + words.bytes($0) } ?? "not known",
                ]
            })
        page.endDetails()
    }

    private func hosts(_ page: inout MarkdownText) {
        let rows = comparison.hosts.filter { $0.before?.costs != $0.after?.costs }
        guard !rows.isEmpty else { return }
        page.beginDetails("Hosts: totals")
        page.table(
            ["host", "connections", "calls", "wire before", "wire after"], texts: 1,
            shown(rows).map { row in
                [
                    markdownCode(row.host),
                    ComparisonWords.pair(row.before?.knownConnections, row.after?.knownConnections),
                    ComparisonWords.pair(row.before?.knownCalls, row.after?.knownCalls),
                    bytes(row.before?.costs), bytes(row.after?.costs),
                ]
            })
        rest(rows.count, shown(rows).count, "host", &page)
        page.endDetails()
    }
}
