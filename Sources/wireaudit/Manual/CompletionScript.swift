/// Completion scripts, made from the table of options.
package enum CompletionScript {
    package static func text(for shell: CompletedShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    /// The spellings of all options that take a value.
    static var spellingsWithValue: [String] {
        Option.allCases.filter { $0.completion != .flag }.flatMap(\.spellings)
    }

    static var commandNames: [String] { Command.allCases.map(\.rawValue) + ["help"] }

    static var commandSummaries: [(name: String, summary: String)] {
        Command.allCases.map { ($0.rawValue, $0.summary) } + [("help", "help on a command")]
    }

    /// The names of all limits, each with the sign behind it.
    static var limitNames: [String] { Limit.all.map { $0.name + "=" } }
}
