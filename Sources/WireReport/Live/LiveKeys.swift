import WireCore

/// The last line: what keys do, or what is being typed.
struct LiveKeys {
    let state: LiveState
    let style: TerminalStyle

    func line() -> String { state.isEditingFilter ? input : help }

    private var input: String {
        let words = style.width < 60 ? "/" : "filter: "
        let hint = "enter keeps it, esc clears it"
        let cursor = style.unicode ? "▏" : "_"
        let room = style.width - words.utf8.count - 1
        // The end is where one types.
        var text = Array(style.safe(state.filterText).unicodeScalars)
        while text.reduce(0, { $0 + displayWidth($1) }) > max(room, 0) { text.removeFirst() }
        let typed = String(String.UnicodeScalarView(text))
        let start = style.paint(words, .heading) + typed + cursor
        let rest = style.width - paintedWidth(start) - hint.utf8.count
        return rest < 2 ? start : start + String(repeating: " ", count: rest) + style.paint(hint, .faint)
    }

    private var help: String {
        var items: [(key: String, does: String)] = [("q", "quit"), ("?", state.showsHelp ? "back" : "help")]
        items.append(("p", state.isPaused ? "go on" : "pause"))
        items.append(("s", "sort by \(state.sort.next.inWords)"))
        items.append(("/", "filter"))
        if !state.filterText.isEmpty { items.append(("esc", "all")) }
        var used = 0
        var shown: [String] = []
        for item in items {
            used += item.key.utf8.count + 1 + item.does.utf8.count + 3
            guard used - 3 <= style.width else { break }
            shown.append(style.paint(item.key, .heading) + " " + style.paint(item.does, .faint))
        }
        let line = shown.joined(separator: "   ")
        guard !state.filterText.isEmpty else { return line }
        let filter = "only '\(style.safe(state.filterText))'"
        let room = style.width - paintedWidth(line) - 3
        guard room >= 10 else { return line }
        let text = shortened(filter, to: room, ellipsis: style.ellipsis)
        return line + String(repeating: " ", count: room - displayWidth(text) + 3) + style.paint(text, .warning)
    }
}

extension LiveSort {
    var inWords: String {
        switch self {
        case .wire: "bytes"
        case .rate: "rate"
        case .calls: "calls"
        case .name: "name"
        }
    }
}
