import WireRecords

/// A report for a person at a terminal.
struct TerminalForm {
    let style: TerminalStyle
    let limits: RowLimits

    static func render(_ document: ReportDocument, _ style: TerminalStyle) -> OutputBuffer {
        let form = TerminalForm(style: style, limits: document.limits)
        let facts = form.lines(document.facts)
        let sections = document.sections.filter { $0.place != .pageOnly }.map(form.parts)
        return textBuffer(Array(sections.prefix(1).joined()) + [facts] + sections.dropFirst().joined(), style)
    }

    /// Blocks that need no heading.
    func lines(_ blocks: [ReportBlock]) -> [String] { blocks.flatMap { lines($0, title: "") } }

    /// The lines of a section; further tables with titles of their own stand apart.
    private func parts(_ section: ReportSection) -> [[String]] {
        guard let first = section.blocks.first else { return [] }
        // A table without a title has the section's in the head of its first column.
        var parts: [[String]] = [[]]
        var title = section.title
        if case .table(let table) = first, table.title.isEmpty {
        } else {
            parts[0] = wrapped(heading(title), width: style.width, indent: 2).map { style.paint($0, .heading) }
            title = ""
        }
        for (place, block) in section.blocks.enumerated() {
            if case .table(let table) = block, place > 0, !table.title.isEmpty { parts.append([]) }
            parts[parts.count - 1] += lines(block, title: title)
        }
        return parts
    }

    private func lines(_ block: ReportBlock, title: ReportText) -> [String] {
        switch block {
        case .sentence(let text, let tone): lines(text, tone)
        case .list(let items, let isNumbered):
            items.enumerated().flatMap { number, item in
                lines(item, mark: isNumbered ? "\(number + 1). " : mark(item.tone))
            }
        case .table(let table): lines(table, title: table.title.isEmpty ? title : table.title)
        }
    }

    private func lines(_ sentence: ReportText, _ tone: Tone, margin: Int = 0) -> [String] {
        let mark = tone == .warning ? mark(tone) : ""
        let indent = tone == .warning ? 2 : 0
        return wrappedSentence(mark + text(sentence), width: style.width - margin, indent: indent).map { line in
            String(repeating: " ", count: margin) + (tone.paint.map { style.paint(line, $0) } ?? line)
        }
    }

    private func mark(_ tone: Tone) -> String {
        switch tone {
        case .warning: "! "
        case .faint: style.unicode ? "· " : "- "
        default: ""
        }
    }

    private func lines(_ item: ReportItem, mark: String) -> [String] {
        let indent = max(mark.count, 2)
        let lines = wrappedSentence(mark + text(item.text), width: style.width - 2, indent: indent).map { line in
            "  " + (item.tone.paint.map { style.paint(line, $0) } ?? line)
        }
        return lines + item.details.flatMap { self.lines($0, .plain, margin: 2 + indent) }
    }

    /// Words and names without controls, in ASCII where it must be.
    func text(_ text: ReportText) -> String {
        text.rendered(words: { style.safe(style.plain($0)) }, name: { name, _ in style.safe(name) })
    }

    /// `CHANGED APIs: shop.pcap · pcap`: names, and what follows them, are as they are; the abbreviation keeps its plural.
    private func heading(_ title: ReportText) -> String {
        var isBeforeName = true
        return title.rendered(
            words: { words in
                let capitals = words.split(separator: " ", omittingEmptySubsequences: false)
                    .map { $0.hasPrefix("API") ? String($0) : $0.uppercased() }.joined(separator: " ")
                return style.safe(style.plain(isBeforeName ? capitals : words))
            },
            name: { name, _ in
                isBeforeName = false
                return style.safe(name)
            })
    }

    // MARK: Tables

    private func lines(_ table: ReportTable, title: ReportText) -> [String] {
        let unit = table.unit.isEmpty ? "" : " (\(table.unit.uppercased()))"
        let head = style.plain(heading(title) + unit)
        var lines = split(table).enumerated().flatMap { part, columns in
            self.lines(table, columns, head: part == 0 ? head : head + ", CONTINUED")
        }
        let hidden = table.hidden(limits.terminal)
        if hidden > 0 {
            lines.append("\(style.ellipsis) and \(table.hiddenInWords(limits.terminal)) (\(limits.rest))")
        }
        return lines + self.lines(table.note, .faint)
    }

    private typealias Columns = [(place: Int, column: ReportTable.Column)]

    /// The columns in as few tables as they fit, or those that fit in one.
    private func split(_ table: ReportTable) -> [Columns] {
        var columns = table.columns { $0 != .picture && $0 != .remark }
        guard let pinned = table.pinned else {
            if style.width < TerminalForm.wide { columns.removeAll { $0.column.rank >= ReportTable.Column.extraRank } }
            while let rank = columns.map(\.column.rank).max(), rank > 0 {
                // A column for wide places must not shorten the text.
                let room = rank >= ReportTable.Column.extraRank ? .max : TerminalForm.leastText(columns)
                if text(table, columns, head: "").width(withText: room) <= style.width { break }
                columns.removeAll { $0.column.rank == rank }
            }
            return [columns + pictures(table, beside: columns)]
        }
        let fixed = Columns(columns.prefix(pinned))
        var parts = [fixed]
        for column in columns.dropFirst(pinned) {
            let wider = parts[parts.count - 1] + [column]
            let isFirst = parts[parts.count - 1].count == pinned
            if isFirst || text(table, wider, head: "").width(withText: TerminalForm.leastPinnedText) <= style.width {
                parts[parts.count - 1] = wider
            } else {
                parts.append(fixed + [column])
            }
        }
        return parts
    }

    /// A place is wide from so many columns on.
    private static let wide = 140
    /// Texts are not shortened below this for the sake of a column that can give way.
    private static func leastText(_ columns: Columns) -> Int { columns.first?.column.kind == .api ? 32 : 24 }
    /// The same where columns have tables of their own instead.
    private static let leastPinnedText = 24
    private static let (smallestBar, largestBar, longestBar) = (8, 24, 60)

    /// Drawings, where all of them have room beside the whole text.
    private func pictures(_ table: ReportTable, beside columns: Columns) -> Columns {
        let pictures = table.columns { $0 == .picture }
        return !pictures.isEmpty && barWidth(table, columns) >= TerminalForm.smallestBar ? pictures : []
    }

    private func barWidth(_ table: ReportTable, _ columns: Columns) -> Int {
        let count = table.columns { $0 == .picture }.count
        let figures = columns.filter { $0.column.kind != .picture }
        let room = style.width - text(table, figures, head: "").width(withText: .max)
        return count == 0 ? 0 : min(room / count - 2, count == 1 ? TerminalForm.longestBar : TerminalForm.largestBar)
    }

    private func text(_ table: ReportTable, _ columns: Columns, head: String) -> TextTable {
        let hasPictures = columns.contains { $0.column.kind == .picture }
        let bar = hasPictures ? barWidth(table, columns) : 0
        var text = TextTable(
            columns: columns.enumerated().map { number, entry in
                TextTable.Column(
                    title: number == 0 ? head : self.text(ReportText(entry.column.title)),
                    isNumber: entry.column.kind == .number,
                    leastWidth: entry.column.kind == .picture ? bar : 0)
            })
        text.namesAPIs = columns.first?.column.kind == .api
        text.keepsText = columns.first?.column.kind == .sentence
        for row in table.shown(limits.terminal) {
            let cells = columns.map { row[$0.place] }
            text.add(cells.map { cell($0, bar: bar) }, paints: cells.map(\.tone.paint))
        }
        return text
    }

    private func lines(_ table: ReportTable, _ columns: Columns, head: String) -> [String] {
        let parts = text(table, columns, head: head).parts(style)
        let notes = table.columns { $0 == .remark }
        var lines = parts.heading
        for (row, part) in zip(table.shown(limits.terminal), parts.rows) {
            lines += part
            for note in notes {
                switch row[note.place].content {
                case .text(let text): lines += self.lines(text, .faint, margin: 4)
                case .lines(let texts): lines += texts.flatMap { self.lines($0, .faint, margin: 4) }
                default: break
                }
            }
        }
        return lines
    }

    func cell(_ cell: ReportCell, bar: Int = 0) -> String {
        switch cell.content {
        case .text(let text): self.text(text)
        case .lines(let texts): text(texts.joined(separator: "; "))
        case .unknown: style.dash
        case .bar(let range, _):
            waterfallBar(
                start: Int(range.lowerBound * 10_000), length: Int((range.upperBound - range.lowerBound) * 10_000),
                of: 10_000, cells: bar, style: style)
        }
    }
}

extension Tone {
    fileprivate var paint: Paint? {
        switch self {
        case .plain: nil
        case .verdict, .strong: .heading
        case .faint: .faint
        case .warning, .caution: .warning
        case .good: .message
        case .bad, .more: .loss
        case .less: .overhead
        }
    }
}
