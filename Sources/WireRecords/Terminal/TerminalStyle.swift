/// What the place of output can show.
public struct TerminalStyle: Sendable {
    /// Columns; 40 at least.
    public var width: Int
    /// UTF-8 reaches a person's eyes; else everything is ASCII.
    public var unicode: Bool
    public var color: Bool

    public init(width: Int = 80, unicode: Bool = true, color: Bool = false) {
        self.width = max(width, 40)
        self.unicode = unicode
        self.color = color
    }

    package var ellipsis: String { unicode ? "…" : "..." }
    package var dash: String { unicode ? "—" : "-" }
    package var separator: String { unicode ? " · " : ", " }
    package var rule: Character { unicode ? "─" : "-" }

    /// Text from a capture, made safe.
    package func safe(_ text: String) -> String { displayText(text, unicode: unicode) }
    package func safe(_ bytes: [UInt8]) -> String { displayText(bytes, unicode: unicode) }

    /// Numbers' units and signs of ours, in ASCII where it must be.
    package func plain(_ text: String) -> String {
        unicode ? text : TerminalStyle.ascii.reduce(text) { $0.replacing($1.sign, with: $1.ascii) }
    }

    private static let ascii: [(sign: String, ascii: String)] = [
        (" · ", ", "), (" ✓", ""), ("µ", "u"), ("—", "-"), ("–", "-"), ("−", "-"), ("…", "..."), ("±", "+-"),
        ("§", "section "),
    ]

    package func paint(_ text: String, _ paint: Paint) -> String {
        guard color, !text.isEmpty else { return text }
        return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
    }
}

/// Colours by meaning; the numbers are SGR codes of ECMA-48.
package enum Paint: String {
    case heading = "1"
    case faint = "2"
    /// Bytes of messages.
    case message = "32"
    /// What it took to carry them.
    case overhead = "36"
    /// Bytes that bought nothing.
    case loss = "31"
    case outside = "90"
    case total = "1;37"
    /// What opened, kept and closed connections.
    case opening = "34"
    /// A state that must not be overlooked.
    case badge = "7"
    case warning = "33"
}
