import WireRecords

/// A report for a person with a browser: one file that loads nothing, without script.
struct PageForm {
    let limits: RowLimits

    static func render(_ document: ReportDocument) -> OutputBuffer {
        let form = PageForm(limits: document.limits)
        let sections = document.sections.filter { !$0.blocks.isEmpty }
        let links = sections.filter { !$0.title.isEmpty }
            .map { "<a href=\"#\($0.id)\">\($0.link ?? $0.title.plain)</a>" as Markup }
        let nav: Markup = links.count > 2 ? "<nav aria-label=\"Sections\">\(links.joined(" "))</nav>\n" : ""
        var buffer = OutputBuffer(capacity: 1 << 18)
        buffer.markup(
            """
            \(PageDocument(title: document.title, files: .tables).head(skip: nil))<header>
            <p class="kicker">wireaudit · \(document.kind)</p>
            <h1>\(document.heading ?? document.title)</h1>
            \(form.facts(document.facts))\(nav)</header>
            <main>
            \(sections.map(form.section).joined())</main>
            <footer><p>Made by wireaudit \(toolVersion). This file loads nothing and sends nothing.</p></footer>
            </body>
            </html>

            """)
        return buffer
    }

    private func facts(_ blocks: [ReportBlock]) -> Markup {
        blocks.map { block -> Markup in
            guard case .sentence(let text, _) = block else { return self.block(block, "") }
            return "<p class=\"facts\">\(PageForm.text(text))</p>\n"
        }.joined()
    }

    private func section(_ section: ReportSection) -> Markup {
        let content = section.blocks.map { block($0, section.title) }.joined()
        guard !section.title.isEmpty else {
            return "<section id=\"\(section.id)\" class=\"answer\" aria-label=\"Verdict\">\n\(content)</section>\n"
        }
        let isFolded = section.place != .open
        return PageDocument.section(
            "\(section.id)", PageForm.text(section.title),
            isFolded ? PageForm.folded(PageForm.summary(section), content) : content)
    }

    /// What a folded section holds.
    private static func summary(_ section: ReportSection) -> String {
        for case .table(let table) in section.blocks {
            return counted(table.rows.count, table.noun) + (table.unit.isEmpty ? "" : ", \(table.unit)")
        }
        return section.title.plain
    }

    private static func folded(_ summary: String, _ content: Markup) -> Markup {
        "<details><summary>\(summary)</summary>\n\(content)</details>\n"
    }

    func block(_ block: ReportBlock, _ title: ReportText) -> Markup {
        switch block {
        case .sentence(let text, let tone):
            switch tone {
            case .verdict: "<p class=\"lead\">\(PageForm.text(text))</p>\n"
            case .warning, .bad: "<p class=\"warning\">\(PageForm.text(text))</p>\n"
            case .faint: "<p class=\"legend\">\(PageForm.text(text))</p>\n"
            default: "<p>\(PageForm.text(text))</p>\n"
            }
        case .list(let items, let isNumbered):
            isNumbered
                ? "<ol>\n\(items.map(item).joined())</ol>\n" : "<ul>\n\(items.map(item).joined())</ul>\n"
        case .table(let table):
            if table.isFolded {
                PageForm.folded(table.title.plain, self.table(table, table.title))
            } else {
                self.table(table, table.title.isEmpty ? title : table.title)
            }
        }
    }

    private func item(_ item: ReportItem) -> Markup {
        let details = item.details.map { "<li>\(PageForm.text($0))</li>" as Markup }.joined()
        let list: Markup = details.isEmpty ? "" : "<ul>\(details)</ul>"
        let mark: Markup = item.tone == .warning ? " class=\"warning\"" : ""
        return "<li\(mark)>\(PageForm.text(item.text))\(list)</li>\n"
    }

    /// With minus signs as wide as a plus.
    static func text(_ text: ReportText) -> Markup {
        "\(text.rendered(words: { withMinusSigns($0) }, name: { PageDocument.shownName($0, most: $1 ?? 240) }))"
    }

    // MARK: Tables

    func table(_ table: ReportTable, _ label: ReportText) -> Markup {
        let columns = table.columns.map { (title: $0.title, isNumber: $0.kind == .number) }
        let rows = table.shown(limits.page).map { row in
            zip(table.columns, row).map { column, cell in PageForm.cell(cell, of: column.kind) }
        }
        let hidden = table.hidden(limits.page)
        let more: Markup =
            hidden > 0 ? "<p>and \(table.hiddenInWords(limits.page)) (\(limits.rest))</p>\n" : ""
        let isUnitSaid = table.unit.isEmpty || table.isFolded
        let unit: Markup = isUnitSaid ? "" : "<p class=\"unit\">\(table.unit)</p>\n"
        let note: Markup = table.note.isEmpty ? "" : "<p class=\"legend\">\(PageForm.text(table.note))</p>\n"
        return unit + PageDocument.table(label.plain, "comparison", columns, rows) + more + note
    }

    private static func cell(_ cell: ReportCell, of kind: ReportTable.Column.Kind) -> Markup {
        switch cell.content {
        case .unknown: return "—"
        case .lines(let texts): return texts.map(text).joined("<br>")
        case .bar(let range, let zero): return bar(range, zero, cell.tone)
        case .text(let text):
            if kind == .api, case .name(let api, _)? = text.parts.first {
                return PageDocument.apiName(PageDocument.shownName(api))
            }
            switch cell.tone {
            case .more: return "<span class=\"high\">\(self.text(text))</span>"
            case .less: return "<span class=\"low\">\(self.text(text))</span>"
            case .strong: return "<b>\(self.text(text))</b>"
            default: return self.text(text)
            }
        }
    }

    private static func bar(_ range: ClosedRange<Double>, _ zero: Double, _ tone: Tone) -> Markup {
        let width = max(0.01, range.upperBound - range.lowerBound)
        let value: Markup = tone == .less ? "bar-missing" : tone == .more ? "bar-surplus" : "bar-value"
        let mark: Markup =
            zero > 0 ? "<rect class=\"bar-zero\" x=\"\(percent(zero))%\" width=\"1\" height=\"12\"/>" : ""
        return """
            <svg width="100%" height="12" aria-hidden="true"><rect class="bar-rest" width="100%" height="12" rx="2"/>\
            <rect class="\(value)" x="\(percent(range.lowerBound))%" y="2" width="\(percent(width))%" height="8"/>\(mark)</svg>
            """
    }

    private static func percent(_ share: Double) -> String { decimalText(share * 100, places: 2) ?? "0" }
}
