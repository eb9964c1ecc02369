import WireComparison

extension CompletionScript {
    static var zsh: String {
        let commands = commandSummaries.map { "        \(quoted($0.name + ":" + $0.summary))" }
        return """
            #compdef wireaudit
            # Completion of wireaudit for zsh.
            _wireaudit_first() {
                local -a commands=(
            \(commands.joined(separator: "\n"))
                )
                _alternative 'commands:command:((${commands[@]}))' 'files:capture:_files'
            }
            _wireaudit_commands() { compadd -- \(Command.allCases.map(\.rawValue).joined(separator: " ")) }
            _wireaudit() {
                local command='' word
                local -i index skip=0
                for ((index = 2; index < CURRENT; index++)); do
                    word=$words[index]
                    if ((skip)); then skip=0; continue; fi
                    case $word in
                    (--*=*) ;;
                    (\(spellingsWithValue.joined(separator: "|"))) skip=1 ;;
                    (-*) ;;
                    (\(commandNames.joined(separator: "|"))) command=$word; break ;;
                    (*) command=audit; break ;;
                    esac
                done
                case $command in
            \(zshCases)
                esac
            }
            if [[ $funcstack[1] == _wireaudit ]]; then _wireaudit "$@"; else compdef _wireaudit wireaudit; fi

            """
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    private static var zshCases: String {
        let help = "    (help) _arguments -s -S '1: :' '2:command:_wireaudit_commands' ;;"
        let none = zshCase("''", .audit, operands: "'*: :_wireaudit_first'")
        let commands = Command.allCases.map { command in
            zshCase(command.rawValue, command, operands: zshOperands(command))
        }
        return ([none, help] + commands).joined(separator: "\n")
    }

    private static func zshCase(_ name: String, _ command: Command, operands: String) -> String {
        let options = Option.all(of: command).flatMap { zshOption($0, command) }.map { "        \($0) \\" }
        return (["    (\(name)) _arguments -s -S \\"] + options + ["        \(operands) ;;"]).joined(separator: "\n")
    }

    private static func zshOperands(_ command: Command) -> String {
        switch command.operands {
        // The first operand is a command, or already a file of the audit.
        case .files: "'*:file:_files'"
        case .words(let words): "'1: :' " + quoted("2:name:(" + words.joined(separator: " ") + ")")
        default: "'1: :'"
        }
    }

    private static func zshOption(_ option: Option, _ command: Command) -> [String] {
        let spellings = option.spellings
        let exclusion = option.isRepeated ? "*" : spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
        let help = option.description.help(of: command).replacing("[", with: "\\[").replacing("]", with: "\\]")
        return spellings.map { spelling in
            let isLong = spelling.hasPrefix("--")
            let value = zshValue(option, command)
            let sign = value.isEmpty ? "" : isLong ? "=" : "+"
            return quoted(exclusion + spelling + sign + "[" + help + "]" + value)
        }
    }

    private static func zshValue(_ option: Option, _ command: Command) -> String {
        switch option.completion {
        case .flag: ""
        case .free: ":value: "
        case .words(let words): ":value:(" + words.joined(separator: " ") + ")"
        case .formats: ":format:(" + command.formats.map(\.rawValue).joined(separator: " ") + ")"
        case .files: ":file:_files"
        case .interfaces: ":interface:_net_interfaces"
        case .users: ":user:_users"
        case .limits: ":limit:{compadd -S \"\" -- " + limitNames.joined(separator: " ") + "}"
        }
    }
}
