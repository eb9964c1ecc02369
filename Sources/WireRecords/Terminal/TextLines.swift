/// Sections of lines with an empty line between them; empty sections are left out. No line is wider than the place.
package func textBuffer(_ sections: [[String]], _ style: TerminalStyle) -> OutputBuffer {
    var buffer = OutputBuffer()
    for (index, section) in sections.filter({ !$0.isEmpty }).enumerated() {
        if index > 0 { buffer.byte(0x0A) }
        for line in section.flatMap({ broken($0, width: style.width) }) {
            buffer.string(withoutTrailingSpaces(line))
            buffer.byte(0x0A)
        }
    }
    return buffer
}

package func withoutTrailingSpaces(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
}

/// The text with spaces up to `width` columns.
package func padded(_ text: String, _ width: Int, right: Bool) -> String {
    let spaces = String(repeating: " ", count: max(width - displayWidth(text), 0))
    return right ? spaces + text : text + spaces
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

/// Sentences in lines, as `wrapped` breaks them, but never between a number and its percent sign; a word that is wider
/// than a line is broken where the line ends.
package func wrappedSentence(_ text: String, width: Int, indent: Int) -> [String] {
    let hold: Character = "\u{A0}"
    let most = max(width - indent, 8)
    var held = ""
    var column = 0
    for character in text {
        if character == "%", held.last == " " {
            held.removeLast()
            held.append(hold)
        }
        let cells = displayWidth(String(character))
        column = character == " " ? 0 : column + cells
        if column > most {
            held.append(" ")
            column = cells
        }
        held.append(character)
    }
    return wrapped(held, width: width, indent: indent).map { String($0.map { $0 == hold ? " " : $0 }) }
}
