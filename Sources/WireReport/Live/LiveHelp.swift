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
        ("p, space", "freeze the screen; the capture continues"),
        ("s", "sort the APIs by wire bytes, by rate, by calls, by name"),
        ("/", "show only APIs and exchanges that contain a text; * matches any text"),
        ("esc", "show all again"), ("?", "this help"),
    ]

    private var columns: [(word: String, meaning: String)] {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        return [
            ("wire", "all \(layer) of the API so far"),
            ("now", "wire bytes per second, over about two seconds"), ("per call", "mean wire bytes of a call"),
            ("overhead", "wire minus start lines, headers and bodies, in % of these"),
            ("share", "of all wire bytes of the capture; resent: share of retransmissions"),
            ("set-up", "share of wire spent on opening connections: DNS, TCP, TLS, HTTP control"),
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
