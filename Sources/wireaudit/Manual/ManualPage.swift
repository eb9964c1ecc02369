import WireRecords
import WireReport

/// Manual pages in the language of man, made from the texts and the table of options that help uses.
package enum ManualPage {
    /// The day on which the texts were last changed by hand: two builds of one commit give the same page.
    private static let date = "2026-11-23"

    package static func text(of command: Command?) -> String {
        let name = command.map { "wireaudit\\-\($0.rawValue)" } ?? "wireaudit"
        let title = command.map { "WIREAUDIT\\-\($0.rawValue.uppercased())" } ?? "WIREAUDIT"
        let summary = command?.summary ?? "which HTTP API each byte of a packet capture belongs to"
        let lines =
            [
                ".TH \(title) 1 \(date) \"wireaudit \(escaped(toolVersion))\" \"User Commands\"",
                ".SH NAME", "\(name) \\- \(escaped(summary))", ".SH SYNOPSIS",
            ] + synopsis(command) + [".SH DESCRIPTION"] + paragraphs(HelpText.description(command))
            + (command == nil ? commands : []) + options(command ?? .audit) + examples(command ?? .audit)
            + ends(command)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text in which nothing is a command of roff, and hyphens are minus signs, so that options can be copied.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    private static func synopsis(_ command: Command?) -> [String] {
        [
            ".B wireaudit",
            escaped(HelpText.usage(command ?? .audit).split(separator: " ").dropFirst().joined(separator: " ")),
        ]
    }

    private static func paragraphs(_ text: String) -> [String] {
        let parts = text.split(separator: "\n\n").map { part in
            part.split(separator: "\n").map { escaped(String($0)) }
        }
        return Array(parts.joined(separator: [".PP"]))
    }

    private static var commands: [String] {
        [".SH COMMANDS"]
            + Command.allCases.flatMap { command in
                [
                    ".TP", ".B \(escaped(command.rawValue))",
                    "\(escaped(command.summary)); see"
                        + " \\fBwireaudit\\-\(escaped(command.rawValue))\\fP(1)",
                ]
            }
    }

    private static func options(_ command: Command) -> [String] {
        [".SH OPTIONS"]
            + Option.all(of: command).flatMap { option in
                [
                    ".TP", heading(option, command),
                    escaped(option == .format ? "output format" : option.description.help(of: command)),
                ]
            }
    }

    private static func heading(_ option: Option, _ command: Command) -> String {
        let spellings = option.spellings.reversed().map { "\\fB\(escaped($0))\\fP" }.joined(separator: ", ")
        let value: String
        switch option.description.value {
        case .none: return spellings
        case .text(let name): value = name
        case .count(let name, _): value = name
        case .word(let words): value = words.joined(separator: "|")
        }
        let shown = option == .format ? command.formats.map(\.rawValue).joined(separator: "|") : value
        return spellings + " \\fI\(escaped(shown))\\fP"
    }

    private static func examples(_ command: Command) -> [String] {
        let lines = HelpText.examples(command).split(separator: "\n").map { line in
            escaped(line.trimmingPrefix { $0 == " " }.description)
        }
        return [".SH EXAMPLES", ".EX"] + lines + [".EE"]
    }

    private static func ends(_ command: Command?) -> [String] {
        let statuses = ExitStatus.allCases.flatMap { status in
            [".TP", ".B \(status.rawValue)", escaped(status.meaning)]
        }
        let environment = [
            ("SSLKEYLOGFILE", "names a TLS key log, if there is no --keys"),
            ("NO_COLOR", "turns colours off, if it is set and not empty"),
            ("COLUMNS", "sets the width of tables"),
        ].flatMap { [".TP", ".B \($0.0)", escaped($0.1)] }
        let related = command == nil ? Command.allCases : []
        let pages =
            (command == nil ? [] : [".BR wireaudit (1),"])
            + related.map { ".BR wireaudit\\-\(escaped($0.rawValue)) (1)," }
            + [".BR tcpdump (8),", ".BR pcap\\-filter (7)"]
        return [".SH EXIT STATUS"] + statuses + [".SH ENVIRONMENT"] + environment + [".SH SEE ALSO"] + pages
    }
}
