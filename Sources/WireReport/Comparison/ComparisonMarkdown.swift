import WireAccuracy
import WireCore

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
        page.paragraph(words.counts)
        apis(&page)
        oneSided(&page)
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
                    markdownCode(row.api), row.causes.prefix(3).map(words.cellWords).joined(separator: ", "),
                    "\(grouped(row.before?.calls ?? 0))/\(grouped(row.after?.calls ?? 0))", words.bytes(wire.before),
                    words.bytes(wire.after), words.signed(wire.change), words.percent(wire.percent),
                    wire.noise.map { "±" + words.bytes($0) } ?? "not known",
                ]
            })
        rest(rows.count, shown(rows).count, "API", &page)
    }

    private func oneSided(_ page: inout MarkdownText) {
        let rows = words.apis(.new) + words.apis(.vanished)
        guard !rows.isEmpty else { return }
        page.table(
            ["API", "", "calls", "wire bytes"], texts: 2,
            shown(rows).map { row in
                let side = row.before ?? row.after ?? ComparedAPI()
                return [
                    markdownCode(row.api), row.verdict.rawValue, grouped(side.calls),
                    grouped(comparison.measure.wire(side.costs)),
                ]
            })
        rest(rows.count, shown(rows).count, "API", &page)
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
                    "\(grouped(row.before?.connections ?? 0))/\(grouped(row.after?.connections ?? 0))",
                    "\(grouped(row.before?.calls ?? 0))/\(grouped(row.after?.calls ?? 0))",
                    row.before.map { grouped(comparison.measure.wire($0.costs)) } ?? "—",
                    row.after.map { grouped(comparison.measure.wire($0.costs)) } ?? "—",
                ]
            })
        rest(rows.count, shown(rows).count, "host", &page)
        page.endDetails()
    }
}
