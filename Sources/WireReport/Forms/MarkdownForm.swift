import WireRecords

/// A report for a pull request: the verdict, what matters, and the rest folded away.
struct MarkdownForm {
    let limits: RowLimits
    private var page = MarkdownText()

    static func render(_ document: ReportDocument) -> OutputBuffer {
        var form = MarkdownForm(limits: document.limits)
        form.page.heading(document.title, level: 2)
        for (place, section) in document.sections.filter({ $0.place != .pageOnly }).enumerated() {
            form.write(section)
            if place == 0 { form.writeFacts(document.facts) }
        }
        form.page.paragraph("<sub>wireaudit \(toolVersion)</sub>")
        var buffer = OutputBuffer()
        buffer.string(form.page.text)
        return buffer
    }

    private init(limits: RowLimits) { self.limits = limits }

    private mutating func write(_ section: ReportSection) {
        guard !section.blocks.isEmpty else { return }
        if section.place == .folded {
            page.beginDetails(section.title.rendered(words: { htmlWords($0) }, name: { htmlCode($0, most: $1 ?? 120) }))
        } else if !section.title.isEmpty {
            page.heading(MarkdownForm.text(section.title), level: 3)
        }
        for block in section.blocks { write(block) }
        if section.place == .folded { page.endDetails() }
    }

    private mutating func writeFacts(_ facts: [ReportBlock]) {
        var items: [ReportItem] = []
        for case .sentence(let text, let tone) in facts { items.append(ReportItem(text, tone)) }
        write(.list(items))
    }

    private mutating func write(_ block: ReportBlock) {
        switch block {
        case .sentence(let text, .verdict): page.paragraph("**\(MarkdownForm.text(text))**")
        case .sentence(let text, .warning): page.paragraph("**Warning:** \(MarkdownForm.text(text))")
        case .sentence(let text, .faint): page.paragraph("<sub>\(MarkdownForm.text(text))</sub>")
        case .sentence(let text, _): page.paragraph(MarkdownForm.text(text))
        case .list(let items, let isNumbered):
            for (number, item) in items.enumerated() {
                let warning = item.tone == .warning ? "**Warning:** " : ""
                page.item(warning + MarkdownForm.text(item.text), number: isNumbered ? number + 1 : nil)
                for detail in item.details { page.item(MarkdownForm.text(detail), level: isNumbered ? 3 : 2) }
            }
            if !items.isEmpty { page.endList() }
        case .table(let table): write(table)
        }
    }

    static func text(_ text: ReportText) -> String {
        text.rendered(words: { markdownWords($0) }, name: { markdownCode($0, most: $1 ?? 120) })
    }

    private mutating func write(_ table: ReportTable) {
        let columns = table.columns { $0 != .picture }
        let title = [table.title, ReportText(table.unit)].filter { !$0.isEmpty }.joined(separator: ", ")
        if !title.isEmpty { page.paragraph(MarkdownForm.text(title)) }
        page.table(
            columns.map { ($0.column.title, $0.column.kind == .number) },
            table.shown(limits.markdown).map { row in columns.map { MarkdownForm.cell(row[$0.place]) } })
        let hidden = table.hidden(limits.markdown)
        if hidden > 0 { page.paragraph("… and \(table.hiddenInWords(limits.markdown)).") }
        if !table.note.isEmpty { page.paragraph("<sub>\(MarkdownForm.text(table.note))</sub>") }
    }

    private static func cell(_ cell: ReportCell) -> String {
        if case .lines(let texts) = cell.content { return texts.map(text).joined(separator: "<br>") }
        guard case .text(let text) = cell.content else { return "—" }
        return cell.tone == .strong ? "**\(self.text(text))**" : self.text(text)
    }
}
