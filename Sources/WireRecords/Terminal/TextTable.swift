/// Columns of text. The first may be shortened so that a row fits the width; numbers are never shortened. Where both have
/// no room in one line, the numbers of a row stand below its text.
package struct TextTable {
    package struct Column {
        package var title: String
        package var isNumber: Bool
        /// The column is at least so wide, that it may stay where it is while its numbers grow.
        package var leastWidth = 0

        package init(title: String, isNumber: Bool, leastWidth: Int = 0) {
            (self.title, self.isNumber, self.leastWidth) = (title, isNumber, leastWidth)
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    /// Colours of the cells of some rows, by row number.
    private var paints: [Int: [Paint?]] = [:]
    private let gap = 2
    /// The text takes all the width that the numbers leave.
    private var fillsWidth = false
    /// The first column has the names of APIs.
    package var namesAPIs = false
    /// The first column has sentences, which are broken into lines instead of shortened.
    package var keepsText = false

    package init(columns: [Column]) { self.columns = columns }

    /// The first column is text, the others are numbers under the titles given.
    package init(text: String, numbers: [String]) {
        columns = [Column(title: text, isNumber: false)] + numbers.map { Column(title: $0, isNumber: true) }
    }

    /// A table whose columns stand still: it is as wide as its place, and numbers have the widths given.
    package init(text: String, numbers: [(title: String, width: Int)]) {
        columns =
            [Column(title: text, isNumber: false)]
            + numbers.map { Column(title: $0.title, isNumber: true, leastWidth: $0.width) }
        fillsWidth = true
    }

    package mutating func add(_ cells: [String]) { rows.append(cells) }

    /// A row whose cells have colours of their own.
    package mutating func add(_ cells: [String], paints: [Paint?]) {
        self.paints[rows.count] = paints
        rows.append(cells)
    }

    /// Width of rows whose text has at most `text` columns.
    package func width(withText text: Int) -> Int { min(width(of: 0), text) + numbersWidth }

    /// Columns of the numbers, with the gaps before them.
    package var numbersWidth: Int { columns.indices.dropFirst().reduce(0) { $0 + gap + width(of: $1) } }

    private func width(of column: Int) -> Int {
        let least = max(displayWidth(columns[column].title), columns[column].leastWidth)
        return rows.reduce(least) { max($0, displayWidth($1[column])) }
    }

    /// Lines without line ends: a heading and the rows.
    package func lines(_ style: TerminalStyle) -> [String] {
        let parts = parts(style)
        return parts.heading + parts.rows.flatMap(\.self)
    }

    /// The lines of the heading, and those of each row.
    package func parts(_ style: TerminalStyle) -> (heading: [String], rows: [[String]]) {
        let widths = columns.indices.map(width(of:))
        let room = style.width - numbersWidth
        if fillsWidth || room >= (keepsText ? widths[0] : min(widths[0], namesAPIs ? 20 : 12)) {
            return inLine([fillsWidth ? max(room, 0) : min(widths[0], room)] + widths.dropFirst(), style)
        }
        return numbersWidth <= style.width ? below(widths, style) : asPairs(style)
    }

    // MARK: Text and numbers in one line

    private func inLine(_ widths: [Int], _ style: TerminalStyle) -> (heading: [String], rows: [[String]]) {
        let texts = texts(widths[0], style)
        let lines = rows.enumerated().map { number, cells in
            [line([texts[number]] + cells.dropFirst(), widths, style, paints[number] ?? [])]
        }
        return (headings(widths, style).map { style.paint($0, .heading) }, lines)
    }

    /// The title has lines of its own where its column is too narrow for it; in a table that stands still it is shortened.
    private func headings(_ widths: [Int], _ style: TerminalStyle) -> [String] {
        let title = columns[0].title
        if !fillsWidth, displayWidth(title) > widths[0] {
            return wrapped(title, width: style.width, indent: 2)
                + [line([""] + columns.dropFirst().map(\.title), widths, style)]
        }
        let short = shortened(title, to: widths[0], ellipsis: style.ellipsis)
        return [line([short] + columns.dropFirst().map(\.title), widths, style)]
    }

    private func line(
        _ cells: [String], _ widths: [Int], _ style: TerminalStyle, _ paints: [Paint?] = []
    ) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += String(repeating: " ", count: gap) }
            let padding = String(repeating: " ", count: max(widths[index] - displayWidth(cell), 0))
            let painted = painted(cell, index, paints, style)
            text += columns[index].isNumber ? padding + painted : painted + padding
        }
        return text
    }

    private func painted(_ cell: String, _ index: Int, _ paints: [Paint?], _ style: TerminalStyle) -> String {
        guard paints.indices.contains(index), let paint = paints[index] else { return cell }
        return style.paint(cell, paint)
    }

    /// The texts of all rows in so many columns.
    private func texts(_ width: Int, _ style: TerminalStyle) -> [String] {
        shortenedApart(rows.map { $0[0] }, to: width, ellipsis: style.ellipsis, namesAPIs: namesAPIs)
    }

    // MARK: Numbers below the text

    /// The lines of each row's text, which has the whole width.
    private func textLines(_ style: TerminalStyle) -> [[String]] {
        keepsText
            ? rows.map { wrapped($0[0], width: style.width, indent: 2) } : texts(style.width, style).map { [$0] }
    }

    private func below(_ widths: [Int], _ style: TerminalStyle) -> (heading: [String], rows: [[String]]) {
        let numbers = [0] + widths.dropFirst()
        let texts = textLines(style)
        let heading =
            wrapped(columns[0].title, width: style.width, indent: 2)
            + [line([""] + columns.dropFirst().map(\.title), numbers, style)]
        let lines = rows.enumerated().map { number, cells in
            let paints = paints[number] ?? []
            let text = texts[number].map { painted($0, 0, paints, style) }
            return text + [line([""] + cells.dropFirst(), numbers, style, paints)]
        }
        return (heading.map { style.paint($0, .heading) }, lines)
    }

    /// The numbers with their titles, as many in a line as fit.
    private func asPairs(_ style: TerminalStyle) -> (heading: [String], rows: [[String]]) {
        let texts = textLines(style)
        let heading = wrapped(columns[0].title, width: style.width, indent: 2)
        let lines = rows.enumerated().map { number, cells in
            let paints = paints[number] ?? []
            return texts[number].map { painted($0, 0, paints, style) } + pairs(cells, paints, style)
        }
        return (heading.map { style.paint($0, .heading) }, lines)
    }

    private func pairs(_ cells: [String], _ paints: [Paint?], _ style: TerminalStyle) -> [String] {
        let margin = String(repeating: " ", count: 2 * gap)
        var lines: [String] = []
        var used = 0
        for index in columns.indices.dropFirst() where !cells[index].isEmpty {
            let title = columns[index].title
            let width = displayWidth(title) + displayWidth(cells[index]) + (title.isEmpty ? 0 : 1)
            let pair = title + (title.isEmpty ? "" : " ") + painted(cells[index], index, paints, style)
            if lines.isEmpty || used + gap + width > style.width {
                lines.append(margin + pair)
                used = margin.count + width
            } else {
                lines[lines.count - 1] += String(repeating: " ", count: gap) + pair
                used += gap + width
            }
        }
        return lines
    }
}
