import WireComparison

extension CompletionScript {
    static var fish: String {
        """
        # Completion of wireaudit for fish.
        function __wireaudit_command
            set -l skip 0
            for word in (commandline -opc)[2..]
                if test $skip = 1
                    set skip 0
                    continue
                end
                switch $word
                    case '--*=*'
                    case \(spellingsWithValue.joined(separator: " "))
                        set skip 1
                    case '-*'
                    case \(commandNames.joined(separator: " "))
                        echo $word
                        return
                    case '*'
                        echo audit
                        return
                end
            end
            echo none
        end
        function __wireaudit_is
            contains -- (__wireaudit_command) $argv
        end
        \(fishOperands)
        \(fishOptions)

        """
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    private static func condition(_ commands: [String]) -> String {
        "complete -c wireaudit -n " + quoted("__wireaudit_is " + commands.joined(separator: " "))
    }

    private static var fishOperands: String {
        var lines = commandSummaries.map { condition(["none"]) + " -a \($0.name) -d \(quoted($0.summary))" }
        lines.append(condition(["help"]) + " -f -a " + quoted(Command.allCases.map(\.rawValue).joined(separator: " ")))
        for command in Command.allCases {
            switch command.operands {
            case .files: continue
            case .words(let words):
                lines.append(condition([command.rawValue]) + " -f -a " + quoted(words.joined(separator: " ")))
            default: lines.append(condition([command.rawValue]) + " -f")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static var fishOptions: String {
        Option.allCases.flatMap { option -> [String] in
            let commands = option.description.commands
            guard option.completion != .formats else {
                return commands.map { fishOption(option, [$0], values: $0.formats.map(\.rawValue)) }
            }
            guard case .words(let words) = option.completion else { return [fishOption(option, commands, values: nil)] }
            return [fishOption(option, commands, values: words)]
        }.joined(separator: "\n")
    }

    private static func fishOption(_ option: Option, _ commands: [Command], values: [String]?) -> String {
        let names = (commands.contains(.audit) ? ["none"] : []) + commands.map(\.rawValue)
        var line = condition(names) + " -l \(option.rawValue)"
        if let short = option.description.short { line += " -s \(short)" }
        switch option.completion {
        case .flag: line += " -f"
        case .files: line += " -r -F"
        case .free: line += " -x"
        case .interfaces:
            line += " -x -a 'any (command ls /sys/class/net 2>/dev/null; or ifconfig -l | string split \" \")'"
        case .users: line += " -x -a '(__fish_complete_users)'"
        case .limits: line += " -x -a " + quoted(limitNames.joined(separator: " "))
        case .words, .formats: line += " -x -a " + quoted((values ?? []).joined(separator: " "))
        }
        return line + " -d " + quoted(option.description.help)
    }
}
