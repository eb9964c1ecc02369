extension CompletionScript {
    /// Works with bash 3.2, which macOS has: no `mapfile`. Bash splits `--name=value` into three words.
    static var bash: String {
        """
        # Completion of wireaudit for bash.
        _wireaudit() {
            local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command='' index words=''
            if [[ $current == '=' ]]; then
                current=''
            elif [[ $option == '=' && $COMP_CWORD -ge 2 ]]; then
                option=${COMP_WORDS[COMP_CWORD - 2]}
            fi
            for ((index = 1; index < COMP_CWORD; index++)); do
                case ${COMP_WORDS[index]} in
                \(spellingsWithValue.joined(separator: " | ")))
                    [[ ${COMP_WORDS[index + 1]} == '=' ]] && index=$((index + 1))
                    index=$((index + 1)) ;;
                '=') index=$((index + 1)) ;;
                -*) ;;
                \(commandNames.joined(separator: " | "))) command=${COMP_WORDS[index]}; break ;;
                *) command=audit; break ;;
                esac
            done
            COMPREPLY=()
            case $option in
        \(bashValues)
            esac
            if [[ $current == -* ]]; then
                case $command in
        \(bashOptions)
                esac
            else
                case $command in
        \(bashOperands)
                esac
            fi
            COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        complete -F _wireaudit wireaudit

        """
    }

    private static let bashFiles = "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\")); return"

    /// Words for `compgen -W`, which IFS divides at line ends.
    private static func bashWords(_ words: [String]) -> String { "words=$'" + words.joined(separator: "\\n") + "'" }

    private static func bashReply(_ words: [String]) -> String {
        bashWords(words) + "; COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); return"
    }

    private static var bashValues: String {
        Option.allCases.compactMap { option in
            let action: String
            switch option.completion {
            case .flag: return nil
            case .free: action = "return"
            case .words(let words): action = bashReply(words)
            case .formats: return bashFormats(option)
            case .files: action = bashFiles
            case .interfaces:
                action =
                    "COMPREPLY=($(compgen -W \"any\n$(ls /sys/class/net 2>/dev/null || ifconfig -l | tr ' ' '\\n')\" "
                    + "-- \"$current\")); return"
            case .users: action = "COMPREPLY=($(compgen -u -- \"$current\")); return"
            case .limits: action = "compopt -o nospace 2>/dev/null; " + bashReply(limitNames)
            }
            return "    " + option.spellings.joined(separator: " | ") + ") " + action + " ;;"
        }.joined(separator: "\n")
    }

    private static func bashFormats(_ option: Option) -> String {
        let cases = Command.reporters.map { command in
            "        \(command == .audit ? "'' | audit" : command.rawValue)) "
                + bashWords(command.formats.map(\.rawValue)) + " ;;"
        }
        return "    " + option.spellings.joined(separator: " | ") + ")\n        case $command in\n"
            + cases.joined(separator: "\n")
            + "\n        esac\n        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n        return ;;"
    }

    private static var bashOptions: String {
        Command.allCases.map { command in
            "        \(command == .audit ? "'' | audit" : command.rawValue)) "
                + bashWords(Option.all(of: command).flatMap(\.spellings)) + " ;;"
        }.joined(separator: "\n")
    }

    private static var bashOperands: String {
        var cases = [
            "        '') compopt -o filenames 2>/dev/null; " + bashWords(commandNames)
                + "\n            COMPREPLY=($(compgen -W \"$words\" -- \"$current\") $(compgen -f -- \"$current\")); return ;;",
            "        help) " + bashWords(Command.allCases.map(\.rawValue)) + " ;;",
        ]
        for command in Command.allCases {
            switch command.operands {
            case .files: cases.append("        \(command.rawValue)) \(bashFiles) ;;")
            case .words(let words): cases.append("        \(command.rawValue)) \(bashWords(words)) ;;")
            default: continue
            }
        }
        return cases.joined(separator: "\n")
    }
}
