/// A table with as many columns of numbers as its place has room for.
package struct AdaptiveTable<Row> {
    package struct Column {
        package let title: String
        /// Where room is short, columns with higher ranks are left out first; rank 0 always stays.
        package let rank: Int
        package let cell: (Row) -> String

        package init(_ title: String, rank: Int, _ cell: @escaping (Row) -> String) {
            self.title = title
            self.rank = rank
            self.cell = cell
        }
    }

    /// Columns with this rank or a higher one are for wide places.
    package static var extraRank: Int { 10 }
    /// A place is wide from so many columns on.
    package static var wide: Int { 140 }
    /// The text is not shortened below this for the sake of a column.
    package var leastText = 20
    /// Widths of numbers by title, where columns are to stand still while rows change; the table is then as wide as its
    /// place.
    package var stillWidths: [String: Int]?

    package let title: String
    package let columns: [Column]
    package let text: (Row) -> String
    /// Colour of a whole row.
    package var paint: (Row) -> Paint? = { _ in nil }
    /// The text of a row is the name of an API.
    package var namesAPIs = false

    package init(title: String, columns: [Column], text: @escaping (Row) -> String) {
        self.title = title
        self.columns = columns
        self.text = text
    }

    /// A heading and a line for each row, and the titles of the columns that are shown.
    package func lines(_ rows: [Row], _ style: TerminalStyle) -> (lines: [String], titles: Set<String>) {
        var columns = self.columns
        if style.width < Self.wide { columns.removeAll { $0.rank >= Self.extraRank } }
        while true {
            let table = table(rows, columns)
            let last = columns.map(\.rank).max() ?? 0
            // A column for wide places must not shorten the text.
            let room = last >= Self.extraRank ? .max : leastText
            let needed = stillWidths == nil ? table.width(withText: room) : table.numbersWidth + leastText
            guard last > 0, needed > style.width else {
                return (table.lines(style), Set(columns.map(\.title)))
            }
            columns.removeAll { $0.rank == last }
        }
    }

    private func table(_ rows: [Row], _ columns: [Column]) -> TextTable {
        var table =
            if let stillWidths {
                TextTable(text: title, numbers: columns.map { ($0.title, stillWidths[$0.title] ?? 0) })
            } else {
                TextTable(text: title, numbers: columns.map(\.title))
            }
        table.namesAPIs = namesAPIs
        for row in rows {
            let paints = paint(row).map { Array(repeating: Paint?.some($0), count: columns.count + 1) }
            table.add([text(row)] + columns.map { $0.cell(row) }, paints: paints ?? [])
        }
        return table
    }
}
