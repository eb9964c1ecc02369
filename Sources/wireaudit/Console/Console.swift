import WireRecords
import WireReport

/// Standard error, and what is known of the places of output.
enum Console {
    static let standardOutput: Int32 = 1
    static let standardError: Int32 = 2

    /// One line for a person, without anything that acts on a terminal, whoever the text in it is of. A full or closed
    /// standard error is no reason to stop.
    static func say(_ message: String) {
        _ = System.write(Array("wireaudit: \(displayText(message, hosts: false))\n".utf8).span, to: standardError)
    }

    /// Ends the program with a message.
    static func stop(_ message: String, _ status: ExitStatus) -> Never {
        say(message)
        System.exit(status)
    }

    /// The locale's character encoding, by the first variable that is set (POSIX 8.2).
    static var hasUTF8: Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { System.environment($0) }.first { !$0.isEmpty } ?? ""
        let upper = locale.uppercased()
        return upper.contains("UTF-8") || upper.contains("UTF8")
    }

    /// How a table is to look at `descriptor`. Without a terminal a table has 100 columns.
    static func style(for descriptor: Int32, isTerminal: Bool, color: ColorChoice) -> TerminalStyle {
        let asked = System.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let width = asked ?? (isTerminal ? System.columns(descriptor) ?? 80 : 100)
        let isDumb = System.environment("TERM") == "dumb"
        let hasColor: Bool
        switch color {
        case .always: hasColor = true
        case .never: hasColor = false
        case .auto:
            hasColor = isTerminal && !isDumb && (System.environment("NO_COLOR") ?? "").isEmpty
        }
        return TerminalStyle(
            width: min(max(width, 40), 500), unicode: hasUTF8 && !(isTerminal && isDumb), color: hasColor)
    }
}
