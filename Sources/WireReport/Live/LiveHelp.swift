import WireCore
import WireRecords

/// What keys and columns mean, and how much of each limit is used.
struct LiveHelp {
    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle

    func lines(height: Int) -> [String] {
        let long = section("KEYS", Self.keys.map { ($0.word, $0.meaning) })
        let limits = state.limits.isEmpty ? [] : section("LIMITS", self.limits) + [""]
        let columns = section("COLUMNS", self.columns)
        // Where not all has room, the keys are told in few words.
        let isShort = long.count + 1 + limits.count + columns.count > height
        let keys = isShort ? shortKeys : long + [""]
        let gap = keys.count + 4 < height && isShort ? [""] : []
        return Array((keys + gap + limits + columns).prefix(max(height, 0)))
    }

    private struct KeyWords {
        var word: String
        var brief: String
        var meaning: String
    }

    private static let keys = [
        KeyWords(word: "arrows j k", brief: "move", meaning: "select a row; the selection follows it when rows move"),
        KeyWords(word: "pgup pgdn", brief: "page", meaning: "a page up or down"),
        KeyWords(word: "home end", brief: "ends", meaning: "the first row, the last"),
        KeyWords(word: "enter", brief: "open", meaning: "open the selected API, host, connection or call"),
        KeyWords(word: "esc", brief: "back", meaning: "back; then show all again; then select nothing"),
        KeyWords(word: "tab 1 2 3", brief: "tables", meaning: "APIs, hosts, connections"),
        KeyWords(word: "s", brief: "sort", meaning: "sort the table by the next of its orders"),
        KeyWords(word: "r", brief: "turn", meaning: "the last row first"),
        KeyWords(word: "/", brief: "filter", meaning: "show only rows that contain a text; * matches any text"),
        KeyWords(word: "space p", brief: "freeze", meaning: "the screen stands still; the capture goes on"),
        KeyWords(word: "?", brief: "help", meaning: "this help"),
        KeyWords(word: "q", brief: "quit", meaning: "end the capture and print the report; so does Ctrl-C"),
    ]

    /// Two or more in a line.
    private var shortKeys: [String] {
        let gap = 2
        let cellWidth = 18
        let cells = Self.keys.map { padded($0.word, 11, right: false) + style.paint($0.brief, .faint) }
        let count = max((style.width + gap) / (cellWidth + gap), 1)
        let rows = (cells.count + count - 1) / count
        let lines = (0..<rows).map { row in
            stride(from: row, to: cells.count, by: rows).map { paddedPainted(cells[$0], cellWidth + gap) }.joined()
        }
        return [style.paint("KEYS", .heading)] + lines.map(withoutTrailingSpaces)
    }

    private func section(_ title: String, _ entries: [(word: String, meaning: String)]) -> [String] {
        let indent = min(entries.reduce(0) { max($0, displayWidth($1.word)) } + 2, max(style.width / 2, 1))
        var lines = [style.paint(title, .heading)]
        for entry in entries {
            let text = wrapped(entry.meaning, width: max(style.width - indent, 8), indent: 0)
            for (index, line) in text.enumerated() {
                let word = shortened(index == 0 ? entry.word : "", to: indent - 1, ellipsis: style.ellipsis)
                lines.append(padded(word, indent, right: false) + style.paint(line, .faint))
            }
        }
        return lines
    }

    private var columns: [(word: String, meaning: String)] {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        return [
            ("wire", "all \(layer) so far"),
            ("now", "wire bytes per second, over about two seconds"), ("per call", "mean wire bytes of a call"),
            ("overhead", "wire minus start lines, headers and bodies, in % of these"),
            ("share", "of all wire bytes of the capture; resent: share of retransmissions"),
            ("set-up", "share of wire spent on opening connections: DNS, TCP, TLS, QUIC, HTTP"),
            ("unread", "of hosts: payload that is no HTTP, or that TLS hides"),
            ("no API", "of hosts: bytes of connections without a call, or between calls"),
            ("~ !", "~ late packets may change the bytes; ! flags, shown after the request"),
        ]
    }

    private var limits: [(word: String, meaning: String)] {
        state.limits.map { limit in
            let words = [limit.used, limit.limit].map { limit.isBytes ? sizeInWords($0) ?? "\($0) B" : grouped($0) }
            return (style.safe(limit.name), words.joined(separator: " of "))
        }
    }
}
