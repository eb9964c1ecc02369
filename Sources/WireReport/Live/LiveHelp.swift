import WireCore

/// What keys and columns mean, and how much of each limit is used.
struct LiveHelp {
    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle

    func lines(height: Int) -> [String] {
        var lines = section("KEYS", keys) + [""]
        if !state.limits.isEmpty { lines += section("LIMITS", limits) + [""] }
        lines += section("COLUMNS", columns)
        return Array(lines.prefix(max(height, 0)))
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

    private let keys = [
        ("q", "end the capture and print the report; so does Ctrl-C"),
        ("p, space", "let the picture stand still; the capture goes on meanwhile"),
        ("s", "sort the APIs by wire bytes, by rate, by calls, by name"),
        ("/", "only APIs and exchanges with a text in them; * is any text"),
        ("esc", "show all again"), ("?", "this help"),
    ]

    private var columns: [(word: String, meaning: String)] {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        return [
            ("wire", "all \(layer) that the API took, as far as is known now"),
            ("now", "wire bytes in a second, about the last two seconds"), ("per call", "mean wire bytes of a call"),
            ("overhead", "what wire has beyond start lines, headers and bodies, in % of these"),
            ("share", "of all wire bytes of the capture; resent: share that was sent again"),
            ("set-up", "share of wire that opened connections: DNS, TCP, TLS, HTTP control"),
            ("~ !", "late packets may change its bytes; flagged, see behind the request"),
        ]
    }

    private var limits: [(word: String, meaning: String)] {
        state.limits.map { limit in
            let words = [limit.used, limit.limit].map { limit.isBytes ? sizeInWords($0) ?? "\($0) B" : grouped($0) }
            return (style.safe(limit.name), words.joined(separator: " of "))
        }
    }
}
