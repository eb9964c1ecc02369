/// What the terminal shows, and the bytes that make it show something else: only lines that changed are sent.
package struct TerminalFrame {
    /// Lines as they are on the terminal, from its top.
    private var shown: [String] = []
    private var columns = 0
    private var rows = 0
    /// The terminal was cleared or shows something unknown.
    private var isUnknown = true

    package init() {}

    /// The next update sends everything.
    package mutating func forget() { isUnknown = true }

    /// The bytes that bring the terminal from the last update to these lines; empty when nothing changed. Lines beyond
    /// the last row are left out. The terminal must not wrap lines, so that nothing scrolls.
    package mutating func update(_ lines: [String], columns: Int, rows: Int) -> [UInt8] {
        let isNew = isUnknown || columns != self.columns || rows != self.rows
        let lines = Array(lines.prefix(max(rows, 0)))
        (self.columns, self.rows, isUnknown) = (columns, rows, false)
        defer { shown = lines }
        if !isNew, lines == shown { return [] }
        // Terminals that know synchronised updates show all of it at once.
        var bytes = Array("\u{1B}[?2026h\u{1B}[0m".utf8)
        if isNew {
            bytes += "\u{1B}[H\u{1B}[2J".utf8
            shown = []
        }
        for (row, line) in lines.enumerated() where row >= shown.count ? !line.isEmpty : line != shown[row] {
            // Erased first: after a line that fills its row the cursor stands on its last cell.
            bytes += "\u{1B}[\(row + 1);1H\u{1B}[K".utf8
            Self.append(line, to: &bytes)
        }
        if shown.count > lines.count { bytes += "\u{1B}[\(lines.count + 1);1H\u{1B}[J".utf8 }
        bytes += "\u{1B}[?2026l".utf8
        return bytes
    }

    /// The line with its colours. Every other control character would move the cursor or do worse: it becomes "?".
    package static func append(_ line: String, to bytes: inout [UInt8]) {
        var scalars = line.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar.value == 0x1B, let end = colourEnd(scalars) {
                bytes += "\u{1B}".utf8
                bytes += String(scalars[...end]).utf8
                scalars = scalars[scalars.index(after: end)...]
            } else if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) {
                bytes.append(UInt8(ascii: "?"))
            } else {
                bytes += String(scalar).utf8
            }
        }
    }

    /// Where `[…m` ends, if the text begins with it.
    private static func colourEnd(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
        guard text.first == "[" else { return nil }
        let end = text.dropFirst().firstIndex { !(("0"..."9").contains($0) || $0 == ";" || $0 == ":") }
        guard let end, text[end] == "m" else { return nil }
        return end
    }
}
