import WireAccuracy
import WireCore
import WireReport

/// Every option there is.
package enum Option: String, CaseIterable {
    case interface
    case format
    case output
    case layer
    case setup
    case filter
    case write
    case rotate
    case duration
    case packets
    case exchanges
    case snapshotLength = "snapshot-length"
    case buffer
    case immediate
    case noPromiscuous = "no-promiscuous"
    case user
    case keys
    case host
    case api
    case template
    case undoOffload = "undo-offload"
    case noBodyDecoding = "no-body-decoding"
    case estimators
    case sdkLog = "sdk-log"
    case sdkFormat = "sdk-format"
    case noRecompression = "no-recompression"
    case maxBias = "max-bias"
    case maxError = "max-error"
    case maxP90Error = "max-p90-error"
    case minCoverage = "min-coverage"
    case maxWirePerCall = "max-wire-per-call"
    case maxWire = "max-wire"
    case baseline
    case tolerance
    case calibration
    case top
    case jobs
    case limit
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
                value: .word(WireLayer.allCases.map(\.rawValue)), commands: Command.auditors,
                help: "what a wire figure holds: IP packets (default), or link and tunnel headers too")
        case .setup:
            OptionDescription(
                value: .word(SetupPolicy.allCases.map(\.rawValue)), commands: Command.auditors,
                help: "who pays for opening and closing connections: the first exchange (default), all in even "
                    + "shares, or nobody: they stay with the connection and its host")
        case .filter:
            OptionDescription(
                value: .text(valueName: "BPF"), commands: Command.auditors,
                help: "audit only the frames that fit, such as 'tcp port 80'")
        case .keys:
            OptionDescription(
                value: .text(valueName: "FILE"), commands: Command.auditors,
                help: "read TLS with the secrets of this key log (NSS format); may be repeated (default: the file that "
                    + "SSLKEYLOGFILE names)")
        case .host:
            OptionDescription(
                value: .text(valueName: "HOST"), commands: Command.auditors,
                help: "show only this host: part of its name in any case, or a pattern with *; may be repeated. "
                    + "The ledger stays whole")
        case .api:
            OptionDescription(
                value: .text(valueName: "API"), commands: Command.auditors,
                help: "show only this API ('METHOD host path'), chosen like --host; may be repeated")
        case .template:
            OptionDescription(
                value: .text(valueName: "PATH"), commands: Command.auditors,
                help: "name paths that fit: /users/{name} makes one API of /users/ann and /users/bob; may be repeated")
        case .undoOffload:
            OptionDescription(
                value: .none, commands: Command.auditors,
                help: "add the packet headers that segmentation offload hid to wire figures (inferred)")
        case .noBodyDecoding:
            OptionDescription(
                value: .none, commands: [.exchanges, .live],
                help: "do not decompress bodies; their decoded sizes stay unknown")
        case .top:
            OptionDescription(
                value: .count(valueName: "N", hasAll: true), commands: [.audit, .accuracy, .live],
                help: "rows of each table, or 'all' (default 20; JSON has all)")
        default: liveDescription ?? accuracyDescription ?? boundDescription ?? commonDescription
        }
    }

    private var accuracyDescription: OptionDescription? {
        switch self {
        case .estimators:
            OptionDescription(
                value: .text(valueName: "NAMES"), commands: [.audit, .exchanges, .accuracy, .check],
                help: "estimators to simulate: all, none, standard, or names with commas, each with parameters like "
                    + "dmurlprotocol:headers=min; 'wireaudit estimators' lists them (accuracy: standard; check: "
                    + "dmurlprotocol where there is no log; else none)")
        case .sdkLog:
            OptionDescription(
                value: .text(valueName: "LOG"), commands: [.accuracy, .check],
                help: "what the app recorded, to be held against the capture; may be repeated")
        case .sdkFormat:
            OptionDescription(
                value: .text(valueName: "FORM"), commands: [.accuracy, .check],
                help: "form of the logs, where it is not to be recognised: "
                    + SDKLogFormat.allCases.map(\.rawValue).joined(separator: ", "))
        case .calibration:
            OptionDescription(
                value: .text(valueName: "JSON"), commands: [.accuracy, .check],
                help:
                    "accuracy: write the constants that make the log's (or the one estimator's) figures right to this "
                    + "file; check: add those of this file to the figures, then judge them")
        case .noRecompression:
            OptionDescription(
                value: .none, commands: [.audit, .exchanges, .accuracy, .check],
                help: "do not compress bodies again as SDKs do; estimators that need it have no figure then")
        default: nil
        }
    }

    private var boundDescription: OptionDescription? {
        let help: String
        switch self {
        case .maxBias: help = "largest error of totals, in % or in bytes per call, each direction"
        case .maxError: help = "largest mean |error| of a call, in % or bytes"
        case .maxP90Error: help = "largest |error| of nine calls in ten, in % or bytes"
        case .minCoverage: help = "least share of calls that the source must have recorded, in %"
        case .maxWirePerCall: help = "largest mean wire bytes of a call, both directions"
        case .maxWire: help = "largest wire bytes of all calls together"
        case .baseline:
            return OptionDescription(
                value: .text(valueName: "JSON"), commands: [.check],
                help: "nothing may differ from this output of 'wireaudit accuracy --format json' by more than two runs "
                    + "of the same app differ")
        case .tolerance:
            return OptionDescription(
                value: .text(valueName: "PERCENT"), commands: [.check],
                help: "what may differ from the baseline beside that, in percentage points (default 0%)")
        default: return nil
        }
        return OptionDescription(value: .text(valueName: "BOUND"), commands: [.check], help: help)
    }

    private var commonDescription: OptionDescription {
        switch self {
        case .jobs:
            OptionDescription(
                value: .count(valueName: "N", hasAll: false), commands: Command.readers,
                help: "threads allowed (default: one for each processor); the output is the same for every N")
        case .limit:
            OptionDescription(
                value: .text(valueName: "NAME=VALUE"), commands: Command.auditors,
                help: "set a limit, such as apis=100k, held-bytes=16MiB or idle-time=10min; may be repeated; "
                    + "'wireaudit limits' lists them")
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
