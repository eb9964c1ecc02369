import WireAccuracy
import WireCore
import WireReport

/// What the program can be asked to do.
package enum Command: String, CaseIterable {
    case audit, exchanges, connections, accuracy, live, check, estimators, interfaces, limits

    /// The commands that read captures.
    package static let readers: [Command] = [.audit, .exchanges, .connections, .accuracy, .check]
    /// The commands that audit packets, wherever they come from.
    package static let auditors: [Command] = [.audit, .exchanges, .connections, .accuracy, .live, .check]

    package var formats: [OutputFormat] {
        switch self {
        case .audit: [.table, .json]
        case .exchanges, .connections: [.table, .ndjson, .csv]
        case .accuracy: [.table, .html, .md, .json, .csv, .ndjson]
        case .live: [.table, .json, .ndjson]
        case .check: [.table, .junit]
        case .estimators, .interfaces, .limits: [.table, .json]
        }
    }

    /// One line in the list of commands.
    package var summary: String {
        switch self {
        case .audit: "where every byte went, and what each API cost (the default)"
        case .exchanges: "one record per HTTP exchange"
        case .connections: "one record per TCP connection"
        case .accuracy: "how far estimates of SDKs are off, per API, and why"
        case .live: "the audit while packets arrive, on a screen that refreshes"
        case .check: "accuracy as a gate: status 1 where a bound is exceeded"
        case .estimators: "the estimators that can be simulated, and what they count"
        case .interfaces: "what can be captured on, and whether you may"
        case .limits: "every limit, what is done beyond it, and how to set it"
        }
    }
}

package enum OutputFormat: String {
    case table, json, ndjson, csv, html, md, junit
}

/// When colours are used.
package enum ColorChoice: String, CaseIterable {
    case auto, always, never
}

/// A command line that was understood.
package struct Invocation {
    package var command = Command.audit
    package var files: [String] = []
    /// Nil: the command's choice for the place of output.
    package var format: OutputFormat?
    /// Path to write to; nil or "-" for standard output.
    package var output: String?
    package var layer = WireLayer.ip
    package var setup = SetupPolicy.first
    package var filter: String?
    /// Key logs of TLS, in their order.
    package var keys: [String] = []
    var keysAreFromEnvironment = false
    package var hosts: [String] = []
    package var apis: [String] = []
    package var templates: [String] = []
    package var undoesOffload = false
    package var decodesBodies = true
    /// Words for `EstimatorCatalog.choose`; nil: the command's choice.
    package var estimators: String?
    package var sdkLogs: [String] = []
    package var sdkFormat: SDKLogFormat?
    package var recompresses = true
    /// Bounds given as options, in their order.
    package var bounds: [(option: String, value: String)] = []
    package var policy: String?
    package var baseline: String?
    package var tolerance: String?
    /// Constants for the figures of a source: written by `accuracy`, read by `check`.
    package var calibration: String?
    /// What `live` captures on, in the order given.
    package var interfaces: [String] = []
    package var live = LiveInvocation()
    package var limits = ProgramLimits()
    /// Threads that may be used; nil: as many as there are processors.
    package var jobs: Int?
    /// Rows of a table; nil for all.
    package var top: Int? = 20
    package var color = ColorChoice.auto
    package var quiet = false
    package var verbose = false
}

/// What the arguments ask for.
package enum Request {
    case run(Invocation)
    /// Help, of one command or of the program.
    case help(Command?)
    case version
}

/// Wrong use, told in one line.
package struct UsageError: Error {
    package var message: String
}
