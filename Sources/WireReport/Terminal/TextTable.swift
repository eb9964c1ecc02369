/// Columns of text. The first may be shortened so that a row fits the width; numbers are never shortened.
struct TextTable {
    struct Column {
        var title: String
        var isNumber: Bool
        /// The column is at least so wide, that it may stay where it is while its numbers grow.
        var leastWidth = 0
    }

    private let columns: [Column]
    private var rows: [[String]] = []
    /// Colours of the cells of some rows, by row number.
    private var paints: [Int: [Paint?]] = [:]
    private let gap = 2
    /// The text takes all the width that the numbers leave.
    private var fillsWidth = false
    /// How a text that is too wide is made to fit.
    var shorten: (_ text: String, _ width: Int, _ ellipsis: String) -> String = {
        shortened($0, to: $1, ellipsis: $2)
    }

    /// The first column is text, the others are numbers under the titles given.
    init(text: String, numbers: [String]) {
        columns = [Column(title: text, isNumber: false)] + numbers.map { Column(title: $0, isNumber: true) }
    }

    /// A table whose columns stand still: it is as wide as its place, and numbers have the widths given.
    init(text: String, numbers: [(title: String, width: Int)]) {
        columns =
            [Column(title: text, isNumber: false)]
            + numbers.map { Column(title: $0.title, isNumber: true, leastWidth: $0.width) }
        fillsWidth = true
    }

    mutating func add(_ cells: [String]) { rows.append(cells) }

    /// A row whose cells have colours of their own.
    mutating func add(_ cells: [String], paints: [Paint?]) {
        self.paints[rows.count] = paints
        rows.append(cells)
    }

    /// Width of rows whose text has at most `text` columns.
    func width(withText text: Int) -> Int { min(width(of: 0), text) + numbersWidth }

    /// Columns of the numbers, with the gaps before them.
    var numbersWidth: Int { columns.indices.dropFirst().reduce(0) { $0 + gap + width(of: $1) } }

    private func width(of column: Int) -> Int {
        let least = max(displayWidth(columns[column].title), columns[column].leastWidth)
        return rows.reduce(least) { max($0, displayWidth($1[column])) }
    }

    /// Lines without line ends: a heading and a line for each row.
    func lines(_ style: TerminalStyle) -> [String] {
        var widths = columns.indices.map(width(of:))
        let room = style.width - numbersWidth
        widths[0] = fillsWidth ? max(room, 0) : min(widths[0], max(room, 12))
        let heading = line(columns.map(\.title), widths, style)
        return [style.paint(heading, .heading)]
            + rows.enumerated().map { line($0.element, widths, style, paints[$0.offset] ?? []) }
    }

    private func line(
        _ cells: [String], _ widths: [Int], _ style: TerminalStyle, _ paints: [Paint?] = []
    ) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += String(repeating: " ", count: gap) }
            let shown =
                columns[index].isNumber ? cell : shorten(cell, widths[index], style.ellipsis)
            let padding = String(repeating: " ", count: max(widths[index] - displayWidth(shown), 0))
            let painted = paints.indices.contains(index) ? paints[index].map { style.paint(shown, $0) } : nil
            text += columns[index].isNumber ? padding + (painted ?? shown) : (painted ?? shown) + padding
        }
        return text
    }
}

/// Breaks text at spaces into lines of at most `width` columns; lines after the first begin with `indent` spaces.
package func wrapped(_ text: String, width: Int, indent: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        let candidate = line.isEmpty ? String(word) : line + " " + word
        let room = width - (lines.isEmpty ? 0 : indent)
        if displayWidth(candidate) > room, !line.isEmpty {
            lines.append(line)
            line = String(word)
        } else {
            line = candidate
        }
    }
    if !line.isEmpty { lines.append(line) }
    return lines.enumerated().map { $0.offset == 0 ? $0.element : String(repeating: " ", count: indent) + $0.element }
}
