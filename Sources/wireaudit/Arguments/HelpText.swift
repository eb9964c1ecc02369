import WireRecords

/// Help, at most 80 columns wide; the list of options comes from the table that the parser uses.
package enum HelpText {
    package static func of(_ command: Command?) -> String {
        guard let command else { return program }
        return """
            usage: \(usage(command))

            \(about(command))

            options:
            \(options(of: command))

            examples:
            \(examples(command))

            """
    }

    /// The main options only.
    package static func brief(_ command: Command?) -> String {
        let shown = command ?? .audit
        let options = Option.main.filter { $0.description.commands.contains(shown) }
            .flatMap { lines($0, shown) }.joined(separator: "\n")
        let purpose =
            command.map { "\($0.rawValue): \($0.summary)" }
            ?? "Shows which HTTP API each byte of a packet capture belongs to, and why it was\nsent.\n\ncommands:\n"
            + commandLines
        let more = command.map { "wireaudit help \($0.rawValue)" } ?? "wireaudit --help"
        return """
            usage: \(command.map(usage) ?? "wireaudit [command] [options] FILE...")

            \(purpose)

            main options\(command == nil ? " of the audit" : ""):
            \(options)

            All options and examples: \(more)

            """
    }

    static func usage(_ command: Command) -> String {
        switch command {
        case .audit: "wireaudit [audit] [options] FILE..."
        case .check: "wireaudit check POLICY|--max-… [options] FILE..."
        case .annotate: "wireaudit annotate [options] FILE -o OUT"
        case .compare: "wireaudit compare [options] BEFORE AFTER"
        case .merge: "wireaudit merge [options] PART..."
        case .fleet: "wireaudit fleet [options] MANIFEST -o FOLDER"
        case .live: "wireaudit live -i IFACE [options]"
        case .estimators: "wireaudit estimators [options] [NAME]"
        case .interfaces, .limits: "wireaudit \(command.rawValue) [options]"
        case .schema: "wireaudit schema [NAME] [options]"
        case .completion:
            "wireaudit completion " + CompletedShell.allCases.map(\.rawValue).joined(separator: "|")
        case .doctor: "wireaudit doctor [options] FILE|FOLDER..."
        case .manual: "wireaudit manual [COMMAND]"
        default: "wireaudit \(command.rawValue) [options] FILE..."
        }
    }

    private static var commandLines: String {
        let lines =
            Command.allCases.map { "  " + padded($0.rawValue, 13) + $0.summary } + [
                "  " + padded("help", 13) + "help on a command: wireaudit help exchanges"
            ]
        return lines.joined(separator: "\n")
    }

    /// What a command does; nil: the program.
    static func description(_ command: Command?) -> String { command.map(about) ?? programAbout }

    private static var program: String {
        let statuses = ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        return """
            usage: wireaudit [command] [options] FILE...

            \(programAbout)

            commands:
            \(commandLines)

            options of the audit:
            \(options(of: .audit))

            examples:
            \(examples(.audit))

            \(broken("exit status: " + statuses, width: 80).joined(separator: "\n"))

            """
    }

    private static func options(of command: Command) -> String {
        Option.allCases.filter { $0.description.commands.contains(command) }
            .flatMap { lines($0, command) }.joined(separator: "\n")
    }

    private static func lines(_ option: Option, _ command: Command) -> [String] {
        let description = option.description
        var name = "  " + (description.short.map { "-\($0), " } ?? "    ") + "--" + option.rawValue
        switch description.value {
        case .none: break
        case .text(let valueName): name += " " + valueName
        case .count(let valueName, _): name += " " + valueName
        case .word(let words): name += " " + words.joined(separator: "|")
        }
        var help = description.help(of: command)
        if option == .output, command == .fleet { name = "  -o, --output FOLDER" }
        if option == .format {
            name = "      --format " + command.formats.map(\.rawValue).joined(separator: "|")
            help = "output format"
        }
        let column = 26
        let text = broken(help, width: 80 - column)
        var lines: [String] = []
        if name.count + 2 > column {
            lines.append(name)
        } else {
            lines.append(padded(name, column) + text[0])
        }
        for line in name.count + 2 > column ? text[...] : text.dropFirst() {
            lines.append(String(repeating: " ", count: column) + line)
        }
        return lines
    }

    static func broken(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 1))
    }
}
