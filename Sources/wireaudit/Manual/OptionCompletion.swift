import WireEstimates
import WireLogs
import WireReport

/// What may stand behind an option, for completion scripts.
enum OptionCompletion: Equatable {
    /// The option takes no value.
    case flag
    /// A value that cannot be listed.
    case free
    case words([String])
    /// The words depend on the command.
    case formats
    case files
    case interfaces
    case users
    /// `NAME=`, and a value.
    case limits
}

extension Option {
    /// The spellings of the option: `--output`, `-o`.
    var spellings: [String] { ["--" + rawValue] + (description.short.map { ["-\($0)"] } ?? []) }

    var completion: OptionCompletion {
        switch description.value {
        case .none: return .flag
        case .word(let words): return .words(words)
        case .count(_, let hasAll): return hasAll ? .words(["all"]) : .free
        case .text: break
        }
        return switch self {
        case .format: .formats
        case .output, .write, .keys, .sdkLog, .baseline, .calibration, .before, .after, .from: .files
        case .interface: .interfaces
        case .user: .users
        case .limit: .limits
        case .sdkFormat: .words(SDKLogFormat.allCases.map(\.rawValue))
        case .estimators: .words(["all", "none", "standard"] + EstimatorCatalog.descriptions.map(\.id))
        default: .free
        }
    }

    /// The option may be given several times.
    var isRepeated: Bool { description.help.contains("may be repeated") }

    static func all(of command: Command) -> [Option] {
        allCases.filter { $0.description.commands.contains(command) }
    }
}

extension Command {
    /// What stands behind the options.
    var operands: OptionCompletion {
        switch self {
        case .audit, .exchanges, .connections, .accuracy, .check, .compare, .annotate, .merge, .fleet, .doctor: .files
        case .estimators: .words(EstimatorCatalog.descriptions.map(\.id))
        case .live, .interfaces, .limits: .flag
        case .schema: .words(OutputSchema.all.map(\.name))
        case .completion: .words(CompletedShell.allCases.map(\.rawValue))
        case .manual: .words(Command.allCases.map(\.rawValue))
        }
    }
}
