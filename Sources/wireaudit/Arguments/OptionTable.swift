import WireCore
import WireReport

/// Every option there is.
package enum Option: String, CaseIterable {
    case format
    case output
    case layer
    case setup
    case filter
    case host
    case api
    case template
    case undoOffload = "undo-offload"
    case noBodyDecoding = "no-body-decoding"
    case top
    case jobs
    case color
    case quiet
    case verbose
    case version
    case help
}

/// What an option takes and what help says of it.
package struct OptionDescription {
    package enum Value {
        case none
        case text(valueName: String)
        case word([String])
        case count(valueName: String, hasAll: Bool)
    }

    package var value: Value
    var short: Character?
    package var commands: [Command] = Command.allCases
    var help: String
}

extension Option {
    /// The commands' formats are words of the command, so `format` has none here.
    package var description: OptionDescription {
        switch self {
        case .format:
            OptionDescription(value: .text(valueName: "FORMAT"), help: "form of the output; see above")
        case .output:
            OptionDescription(
                value: .text(valueName: "FILE"), short: "o", help: "write to FILE instead of standard output")
        case .layer:
            OptionDescription(
                value: .word(WireLayer.allCases.map(\.rawValue)),
                help: "what a wire figure holds: IP packets (default), or link and tunnel headers too")
        case .setup:
            OptionDescription(
                value: .word(SetupPolicy.allCases.map(\.rawValue)),
                help: "who pays for opening and closing connections: the first exchange (default), all in even "
                    + "shares, or nobody: they stay with the connection and its host")
        case .filter:
            OptionDescription(
                value: .text(valueName: "BPF"), help: "audit only the frames that fit, such as 'tcp port 80'")
        case .host:
            OptionDescription(
                value: .text(valueName: "HOST"),
                help: "show only this host: part of its name in any case, or a pattern with *; may be repeated. "
                    + "The ledger stays whole")
        case .api:
            OptionDescription(
                value: .text(valueName: "API"),
                help: "show only this API ('METHOD host path'), chosen like --host; may be repeated")
        case .template:
            OptionDescription(
                value: .text(valueName: "PATH"),
                help: "name paths that fit: /users/{name} makes one API of /users/ann and /users/bob; may be repeated")
        case .undoOffload:
            OptionDescription(
                value: .none, help: "add the packet headers that segmentation offload hid to wire figures (inferred)")
        case .noBodyDecoding:
            OptionDescription(
                value: .none, commands: [.exchanges],
                help: "do not decompress bodies; their decoded sizes stay unknown")
        case .top:
            OptionDescription(
                value: .count(valueName: "N", hasAll: true), commands: [.audit],
                help: "rows of each table, or 'all' (default 20; JSON has all)")
        default: commonDescription
        }
    }

    private var commonDescription: OptionDescription {
        switch self {
        case .jobs:
            OptionDescription(
                value: .count(valueName: "N", hasAll: false),
                help: "threads allowed; one does the work whatever N is, and the output is the same")
        case .color:
            OptionDescription(
                value: .word(ColorChoice.allCases.map(\.rawValue)),
                help: "colours: on a terminal only (default), always, never; NO_COLOR is respected")
        case .quiet:
            OptionDescription(value: .none, help: "no progress and no warnings on standard error")
        case .verbose:
            OptionDescription(value: .none, help: "say on standard error how long the work took")
        case .version:
            OptionDescription(value: .none, help: "print the version")
        default:
            OptionDescription(value: .none, short: "h", help: "print this help")
        }
    }

    static func named(_ name: String) -> Option? { Option(rawValue: name) }

    static func short(_ letter: Character) -> Option? { Option.allCases.first { $0.description.short == letter } }
}
