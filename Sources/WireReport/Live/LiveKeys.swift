import WireCore
import WireRecords

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
        let items = self.items
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

    /// Those that matter most first.
    private var items: [(key: String, does: String)] {
        var items: [(key: String, does: String)] = [("q", "quit"), ("?", state.showsHelp ? "back" : "help")]
        guard !state.showsHelp else { return items }
        let isOpen = state.place.item != nil
        if isOpen { items.append(("esc", "back")) }
        if !isOpen, state.place.selection != nil { items.append(("enter", "open")) }
        items.append(("p", state.isFrozen ? "go on" : "freeze"))
        if !isOpen { items.append(("tab", state.place.table.advanced(by: 1).name)) }
        if state.place.canSort { items.append(("s", "sort by \(state.place.nextSort.inWords)")) }
        items.append(("/", "filter"))
        if !state.filterText.isEmpty, !isOpen { items.append(("esc", "all")) }
        return items
    }
}
