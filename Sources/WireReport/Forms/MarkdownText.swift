import WireRecords

/// Lines of GitHub's Markdown. What comes from captures and logs goes through `code`, where nothing is markup, a
/// mention or a link.
struct MarkdownText {
    private(set) var text = ""

    mutating func paragraph(_ line: String) { text += line + "\n\n" }

    mutating func heading(_ title: String, level: Int) {
        paragraph(String(repeating: "#", count: level) + " " + title)
    }

    /// - Parameter level: how many columns the item stands to the right.
    mutating func item(_ line: String, number: Int? = nil, level: Int = 0) {
        text += String(repeating: " ", count: level) + (number.map { "\($0). " } ?? "- ") + line + "\n"
    }

    mutating func endList() { text += "\n" }

    mutating func table(_ columns: [(title: String, isNumber: Bool)], _ rows: [[String]]) {
        text += "| " + columns.map(\.title).joined(separator: " | ") + " |\n|"
        for column in columns { text += column.isNumber ? " ---: |" : " --- |" }
        text += "\n"
        for row in rows { text += "| " + row.joined(separator: " | ") + " |\n" }
        text += "\n"
    }

    mutating func beginDetails(_ summary: String) { paragraph("<details>\n<summary>\(summary)</summary>") }

    mutating func endDetails() { paragraph("</details>") }
}

/// Any text as code in one line, in which controls stand as escapes. Where a character of it could be markup to one of
/// the many readers of Markdown, it is HTML with all of these escaped, else a code span.
func markdownCode(_ text: String, most: Int = 120) -> String {
    let shown = shortened(displayText(text), to: most, ellipsis: "…")
    // A code span may not be empty, and one of spaces alone is shown as nothing.
    guard shown.contains(where: { $0 != " " }) else { return "(empty)" }
    if shown.unicodeScalars.contains(where: { "`|<&[](".unicodeScalars.contains($0) }) {
        return htmlCode(text, most: most)
    }
    // A backslash at the end would stand before the closing backtick; to GitHub's tables that is nothing, but others
    // take it for an escape.
    return "`\(shown)\(shown.last == "\\" ? " " : "")`"
}

/// The same where Markdown has no code spans: inside of HTML.
func htmlCode(_ text: String, most: Int = 120) -> String {
    var shown = ""
    for scalar in shortened(displayText(text), to: most, ellipsis: "…").unicodeScalars {
        // Inline Markdown is live inside HTML, and so are mentions and addresses that become links.
        if "&<>\"`*_[]()\\~|!@#:$".unicodeScalars.contains(scalar) {
            shown += "&#\(scalar.value);"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return "<code>\(shown)</code>"
}

/// Words of ours where Markdown's own signs mean nothing: inside of HTML.
func htmlWords(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}

/// Words of ours: the few characters that are markup in Markdown or HTML are escaped.
func markdownWords(_ text: String) -> String {
    var shown = ""
    for character in text {
        switch character {
        case "&": shown += "&amp;"
        case "<": shown += "&lt;"
        case ">": shown += "&gt;"
        case "|", "*", "_", "`", "[", "]", "\\", "#", "~", "@": shown += "\\" + String(character)
        default: shown.append(character)
        }
    }
    return shown
}
