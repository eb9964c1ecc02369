/// Sections of lines with an empty line between them; empty sections are left out.
func textBuffer(_ sections: [[String]]) -> OutputBuffer {
    var buffer = OutputBuffer()
    for (index, section) in sections.filter({ !$0.isEmpty }).enumerated() {
        if index > 0 { buffer.byte(0x0A) }
        for line in section {
            buffer.string(withoutTrailingSpaces(line))
            buffer.byte(0x0A)
        }
    }
    return buffer
}

func withoutTrailingSpaces(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
}

/// The text with spaces up to `width` columns.
func padded(_ text: String, _ width: Int, right: Bool) -> String {
    let spaces = String(repeating: " ", count: max(width - displayWidth(text), 0))
    return right ? spaces + text : text + spaces
}
