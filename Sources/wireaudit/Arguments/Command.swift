import WireCore
import WireLogs
import WireRecords
import WireReport

/// What the program can be asked to do.
package enum Command: String, CaseIterable {
    case audit, exchanges, connections, accuracy, live, check, compare, annotate, merge, fleet, doctor
    case estimators, interfaces, limits
    case schema, completion, manual

    /// The commands that read captures in several threads.
    package static let readers: [Command] = [.audit, .exchanges, .connections, .accuracy, .check, .compare]
    /// All of those whose operands are captures, and what annotates one.
    package static let fileReaders = readers.filter { $0 != .compare } + [.annotate]
    /// The commands that print a report or records.
    package static let reporters = allCases.filter { !$0.formats.isEmpty }
    /// The reporters that read or measure something first: they have progress, warnings and colours.
    package static let workers = reporters.filter { $0 != .schema }
    /// All of those, and what writes a capture.
    package static let writers = reporters + [.annotate, .fleet, .completion, .manual]
    /// The commands that open TLS and have limits.
    package static let readersOfMessages = auditors + [.annotate, .doctor]
    /// The commands with the options that change what an audit counts or shows.
    package static let choosers = auditors + [.fleet]
    /// The commands that audit packets, wherever they come from.
    package static let auditors: [Command] = [.audit, .exchanges, .connections, .accuracy, .live, .check, .compare]

    package var formats: [OutputFormat] {
        switch self {
        case .audit: [.table, .html, .md, .json, .csv, .partial]
        case .exchanges: [.table, .ndjson, .csv, .har, .otlp]
        case .connections: [.table, .ndjson, .csv]
        case .accuracy: [.table, .html, .md, .json, .csv, .ndjson, .partial]
        case .live: [.table, .json, .ndjson]
        case .check: [.table, .junit]
        case .compare: [.table, .html, .md, .json]
        case .merge: [.table, .html, .md, .json, .csv, .ndjson, .partial]
        case .doctor, .estimators, .interfaces, .limits: [.table, .json]
        case .schema: [.json, .md]
        case .annotate, .fleet, .completion, .manual: []
        }
    }

    /// One line in the list of commands.
    package var summary: String {
        switch self {
        case .audit: "all bytes by cause, and what each API cost (the default)"
        case .exchanges: "one record per HTTP exchange"
        case .connections: "one record per connection"
        case .accuracy: "errors of SDK byte counts, by API and cause"
        case .live: "audit packets while they arrive"
        case .check: "accuracy as a CI gate: status 1 if a limit is exceeded"
        case .compare: "what became larger or smaller between two captures or audits"
        case .annotate: "the capture again, with a comment on each packet: whose, and why"
        case .merge: "one report from the partial results of many sessions"
        case .fleet: "many capture sessions in parallel, and one report on all"
        case .doctor: "whether the files of a session fit, and what is missing"
        case .estimators: "the estimators that can be simulated"
        case .interfaces: "the interfaces, and whether you may capture there"
        case .limits: "all limits, and how to set them"
        case .schema: "the fields of an output, as JSON Schema"
        case .completion: "a completion script for bash, zsh or fish"
        case .manual: "the manual page of the program or of a command"
        }
    }
}

package enum OutputFormat: String {
    case table, json, ndjson, csv, html, md, junit, partial, har, otlp

    /// The format that the ending of a file's name tells; nil where it tells none.
    init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[dot...].dropFirst().lowercased() {
        case "html", "htm": self = .html
        case "csv": self = .csv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "md", "markdown": self = .md
        case "har": self = .har
        case "part": self = .partial
        default: return nil
        }
    }
}

/// Shells that have a completion script.
package enum CompletedShell: String, CaseIterable {
    case bash, zsh, fish
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
    /// At which connections count that several have; nil: nearest to the network.
    package var countedInterface: String?
    /// Key logs of TLS, in their order.
    package var keys: [String] = []
    var keysAreFromEnvironment = false
    package var hosts: [String] = []
    package var apis: [String] = []
    package var apps: [String] = []
    package var templates: [String] = []
    package var operations = OperationOptions()
    /// Header fields of which no value may be in the output, in lower case.
    package var redactedHeaders: [String] = []
    package var undoesOffload = false
    package var redactsQuery = false
    package var rawCSV = false
    package var findsOpportunities = false
    package var listsHeaderFields = false
    package var explains = false
    /// A report for people says all that is known, not the main points.
    package var isFull = false
    /// The row of a log whose bounds are explained; nil: none.
    package var explainedRow: Int?
    package var decodesBodies = true
    /// The shell of `completion`.
    package var shell = CompletedShell.bash
    /// The output that `schema` is about; nil for all.
    package var schema: OutputSchema?
    /// The command that `manual` is about; nil for the program.
    package var topic: Command?
    /// Words for `EstimatorCatalog.choose`; nil: the command's choice.
    package var estimators: String?
    package var sdkLogs: [String] = []
    package var sdkFormat: SDKLogFormat?
    /// What the columns of the logs hold; `@FILE` says it in a file.
    package var sdkColumns: String?
    package var recompresses = true
    /// Bounds given as options, in their order.
    package var bounds: [(option: String, value: String)] = []
    package var policy: String?
    package var baseline: String?
    /// Name of the capture session of a partial result; nil: its content names it.
    package var session: String?
    /// Folder for the records beside a partial result.
    package var records: String?
    /// Bytes of memory that the program, or all sessions of a fleet together, may take.
    package var memory: Int?
    /// `fleet` prints how sessions would be audited, and audits none.
    package var plansOnly = false
    /// Folder with the results of sessions that were audited elsewhere.
    package var from: String?
    package var tolerance: String?
    /// Both sides of `compare`: captures, and audits as JSON.
    package var before: [String] = []
    package var after: [String] = []
    /// Percent by which wire bytes per call may grow.
    package var maximumGrowth: Double?
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
    /// Help on one command or on the program; brief: only the main options.
    case help(Command?, isBrief: Bool)
    case version
}

/// Wrong use, told in one line.
package struct UsageError: Error {
    package var message: String
}
