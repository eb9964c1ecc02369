import WireCore
import WireLogs
import WireRecords
import WireReport

/// Every option there is.
package enum Option: String, CaseIterable {
    case read
    case interface
    case format
    case output
    case layer
    case setup
    case filter
    case at
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
    case app
    case template
    case rpc
    case nameBy = "name-by"
    case undoOffload = "undo-offload"
    case redactQuery = "redact-query"
    case redactHeader = "redact-header"
    case rawCSV = "raw-csv"
    case opportunities
    case headers
    case explain
    case explainBounds = "explain-bounds"
    case full
    case reorder
    case noBodyDecoding = "no-body-decoding"
    case estimators
    case sdkLog = "sdk-log"
    case sdkFormat = "sdk-format"
    case sdkColumns = "sdk-columns"
    case noRecompression = "no-recompression"
    case maxBias = "max-bias"
    case maxError = "max-error"
    case maxP90Error = "max-p90-error"
    case minCoverage = "min-coverage"
    case minRead = "min-read"
    case maxWirePerCall = "max-wire-per-call"
    case maxWire = "max-wire"
    case baseline
    case tolerance
    case before
    case after
    case maxGrowth = "max-growth"
    case calibration
    case session
    case records
    case memory
    case plan
    case from
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
    /// Where it means something else for `fleet`.
    var fleetHelp: String?
    /// The same of `annotate`.
    var annotateHelp: String?

    /// What help on the command says of it.
    func help(of command: Command) -> String {
        command == .fleet ? fleetHelp ?? help : command == .annotate ? annotateHelp ?? help : help
    }
}

extension Option {
    /// The commands' formats are words of the command, so `format` has none here.
    package var description: OptionDescription {
        switch self {
        case .format:
            OptionDescription(
                value: .text(valueName: "FORMAT"), commands: Command.reporters, help: "output format; see above")
        case .read:
            OptionDescription(
                value: .text(valueName: "FILE"), short: "r", commands: Command.fileReaders,
                help: "read this capture, as tcpdump has it; the same as FILE alone; may be repeated")
        case .output:
            OptionDescription(
                value: .text(valueName: "FILE"), short: "o", commands: Command.writers,
                help: "write to FILE instead of standard output; without --format its ending chooses the format",
                fleetHelp: "folder for all results; of a plan the file to write (default: standard output)",
                annotateHelp: "write the annotated capture to FILE; - is standard output")
        case .layer:
            OptionDescription(
                value: .word(WireLayer.allCases.map(\.rawValue)), commands: Command.choosers,
                help: "layers that wire figures include: IP packets (default), or link and tunnel headers as well")
        case .setup:
            OptionDescription(
                value: .word(SetupPolicy.allCases.map(\.rawValue)), commands: Command.choosers,
                help: "charge opening and closing a connection to its first exchange (default), evenly to all its "
                    + "exchanges, or to none (separate: it stays with the connection and its host)")
        case .filter:
            OptionDescription(
                value: .text(valueName: "BPF"), commands: Command.choosers,
                help: "audit only frames that match, such as 'tcp port 80'")
        case .at:
            OptionDescription(
                value: .text(valueName: "INTERFACE"), commands: Command.choosers,
                help: "count connections that were captured at several sides of an address translation at this "
                    + "interface: its name, its number, or of several files the file (default: nearest to the network)")
        case .keys:
            OptionDescription(
                value: .text(valueName: "FILE"), commands: Command.readersOfMessages,
                help: "decrypt TLS with this key log (NSS format); may be repeated (default: the file that "
                    + "SSLKEYLOGFILE names)")
        case .host:
            OptionDescription(
                value: .text(valueName: "HOST"), commands: Command.choosers,
                help: "show only this host: part of its name in any case, or a pattern with *; may be repeated. "
                    + "The ledger still covers all bytes")
        case .api:
            OptionDescription(
                value: .text(valueName: "API"), commands: Command.choosers,
                help: "show only this API ('METHOD host path'), matched like --host; may be repeated")
        case .app:
            OptionDescription(
                value: .text(valueName: "APP"), commands: [.audit, .exchanges, .connections, .accuracy, .check],
                help:
                    "only connections of this app, where the capture names apps, matched like --host; may be repeated. "
                    + "With --sdk-log only they are joined")
        case .template:
            OptionDescription(
                value: .text(valueName: "PATH"), commands: Command.choosers + [.annotate],
                help: "name matching paths: /users/{name} makes /users/ann and /users/bob one API; may be repeated")
        case .rpc:
            OptionDescription(
                value: .text(valueName: "auto|off|PATH"), commands: Command.choosers + [.annotate],
                help: "name calls by their operation: method of JSON-RPC, operation of GraphQL, SOAPAction. auto: "
                    + "recognised by content; off; or only calls to this path (/rpc, /api/*), whatever they look like; "
                    + "may be repeated")
        case .nameBy:
            OptionDescription(
                value: .text(valueName: "header:NAME"), commands: Command.choosers + [.annotate],
                help: "name calls by the value of this request header field, such as header:X-Operation; may be "
                    + "repeated, the first that a request has counts")
        case .undoOffload:
            OptionDescription(
                value: .none, commands: Command.choosers,
                help: "add packet headers hidden by segmentation offload to wire figures (inferred)")
        case .redactQuery:
            OptionDescription(
                value: .none, commands: Command.choosers + [.annotate],
                help: "replace values in request targets, URLs, hosts and APIs with 'redacted': queries and fragments, "
                    + "encoded ones too, parameters of paths (;name=value), and credentials")
        case .redactHeader:
            OptionDescription(
                value: .text(valueName: "NAME"), commands: Command.auditors,
                help: "promise that no value of this header field is in the output; no field's is but Content-Type, "
                    + "SOAPAction and Host, which names the APIs and cannot be left out; may be repeated")
        case .rawCSV:
            OptionDescription(
                value: .none, commands: Command.allCases.filter { $0.formats.contains(.csv) },
                help: "csv: write text as it was on the wire; without it controls are escaped, and what a spreadsheet "
                    + "would run as a formula begins with an apostrophe")
        case .headers:
            OptionDescription(
                value: .none, commands: [.audit],
                help:
                    "list what header fields cost, by name: a table for each host, in JSON for each API; always in html"
            )
        case .explain:
            OptionDescription(
                value: .none, commands: [.audit], help: "say below each table what its columns mean")
        case .explainBounds:
            OptionDescription(
                value: .count(valueName: "ROW", hasAll: false), commands: [.accuracy],
                help:
                    "show the records, times and rows that make the bounds of this row of the log, which was not read, "
                    + "instead of the report")
        case .full:
            OptionDescription(
                value: .none, commands: [.accuracy, .merge],
                help: "table of accuracy: all sources, APIs, causes, and questions about single figures (default: the "
                    + "main points)")
        case .opportunities:
            OptionDescription(
                value: .none, commands: [.audit, .live],
                help: "list bytes that need not have been spent: bodies without compression, connections that were not "
                    + "needed, content fetched again, and others; always in html")
        case .reorder:
            OptionDescription(
                value: .text(valueName: "auto|off|TIME"), commands: Command.readersOfMessages,
                help: "hold a packet for up to TIME until earlier data arrives: bytes that it acknowledges, or an "
                    + "earlier segment of its stream. auto: 1s; off: trust the order of the file")
        case .noBodyDecoding:
            OptionDescription(
                value: .none, commands: [.exchanges, .live],
                help: "do not decompress bodies; their decoded sizes are unknown")
        case .top:
            OptionDescription(
                value: .count(valueName: "N", hasAll: true), commands: [.audit, .accuracy, .live, .compare, .merge],
                help: "rows of each table, or 'all' (default 20; JSON has all)")
        default: liveDescription ?? accuracyDescription ?? boundDescription ?? commonDescription
        }
    }

    private var accuracyDescription: OptionDescription? {
        switch self {
        case .estimators:
            OptionDescription(
                value: .text(valueName: "NAMES"), commands: [.audit, .exchanges, .accuracy, .check, .fleet],
                help: "estimators to simulate: all, none, standard, or names separated by commas, with parameters like "
                    + "dmurlprotocol:headers=min; see 'wireaudit estimators' (default: standard for accuracy, "
                    + "but none in a table, html or md about a log; dmurlprotocol for check without a log; otherwise none)",
                fleetHelp: "estimators to simulate in each session: all, none, standard, or names separated by commas, "
                    + "with parameters like dmurlprotocol:headers=min; see 'wireaudit estimators' (default: standard)")
        case .sdkLog:
            OptionDescription(
                value: .text(valueName: "LOG"), commands: [.accuracy, .check],
                help: "log that the app recorded, to compare with the capture; may be repeated")
        case .sdkFormat:
            OptionDescription(
                value: .text(valueName: "FORM"), commands: [.accuracy, .check, .fleet],
                help: "format of the logs (default: recognised by content): "
                    + SDKLogFormat.allCases.map(\.rawValue).joined(separator: ", "))
        case .sdkColumns:
            OptionDescription(
                value: .text(valueName: "COLUMNS"), commands: [.accuracy, .check, .fleet],
                help: "what the columns of a CSV, NDJSON or SQLite log hold: url=COLUMN,start=COLUMN:ms,up=COLUMN, or "
                    + "@FILE with one on each line (default: as their names tell)")
        case .calibration:
            OptionDescription(
                value: .text(valueName: "JSON"), commands: [.accuracy, .check],
                help:
                    "accuracy: write constants that correct the figures of the log (or estimator) to this file; "
                    + "check: correct the figures with this file before checking them")
        case .session:
            OptionDescription(
                value: .text(valueName: "NAME"), commands: [.audit, .accuracy],
                help: "with --format partial: name of the capture session, by which merge knows it (default: from its "
                    + "content)")
        case .records:
            OptionDescription(
                value: .text(valueName: "FOLDER"), commands: [.accuracy],
                help: "with --format partial and --session: also write the exchanges as NDJSON, divided by day and "
                    + "session, to this folder")
        case .memory:
            OptionDescription(
                value: .text(valueName: "SIZE"), commands: [.accuracy, .fleet],
                help: "memory that the program may take, such as 4GiB (default: no limit)",
                fleetHelp: "memory that all sessions together may take, such as 4GiB (--plan: each of them); one that "
                    + "needs more than its share fails (default: no limit)")
        case .plan:
            OptionDescription(
                value: .none, commands: [.fleet],
                help: "audit nothing; print how each session would be audited, as NDJSON (schema wireaudit.plan/1)")
        case .from:
            OptionDescription(
                value: .text(valueName: "FOLDER"), commands: [.fleet],
                help: "audit nothing; report on sessions that were audited elsewhere: FOLDER has sessions.ndjson, "
                    + "fleet.part and groups/LABEL=VALUE.part")
        case .noRecompression:
            OptionDescription(
                value: .none, commands: [.audit, .exchanges, .accuracy, .check, .fleet],
                help: "skip estimators that compress bodies again (slow); they get no figures")
        default: nil
        }
    }

    private var boundDescription: OptionDescription? {
        let help: String
        switch self {
        case .maxBias: help = "maximum error of the total of each direction, in % or in bytes per call"
        case .maxError: help = "maximum mean absolute error of a call, in % or bytes"
        case .maxP90Error: help = "maximum 90th percentile of the absolute error, in % or bytes"
        case .minCoverage: help = "minimum share of calls that the source recorded, in %"
        case .minRead: help = "minimum share of the bytes that was read, in % (default 95%)"
        case .maxWirePerCall: help = "maximum mean wire bytes of a call, both directions"
        case .maxWire: help = "maximum total of the wire bytes of all calls"
        case .baseline:
            return OptionDescription(
                value: .text(valueName: "JSON"), commands: [.check],
                help:
                    "compare with this output of 'wireaudit accuracy --format json'; differences within the spread of "
                    + "the calls are allowed")
        case .tolerance:
            return OptionDescription(
                value: .text(valueName: "PERCENT"), commands: [.check],
                help: "additional allowance against the baseline, in percentage points (default 0%)")
        case .before, .after: return sideDescription
        case .maxGrowth:
            return OptionDescription(
                value: .text(valueName: "PERCENT"), commands: [.compare],
                help:
                    "end with status 1 if the wire bytes per call of an API, or of all calls together, grew by more than "
                    + "this and by more than chance")
        default: return nil
        }
        return OptionDescription(value: .text(valueName: "BOUND"), commands: [.check], help: help)
    }

    private var sideDescription: OptionDescription {
        OptionDescription(
            value: .text(valueName: "FILE..."), commands: [.compare],
            help: "files of the \(self == .before ? "earlier" : "later") side: this one, and those behind it")
    }

    private var commonDescription: OptionDescription {
        switch self {
        case .jobs:
            OptionDescription(
                value: .count(valueName: "N", hasAll: false), commands: Command.readers + [.fleet],
                help: "number of threads (default: one for each processor); does not change the output",
                fleetHelp: "sessions at one time (default: one for each processor); does not change the output")
        case .limit:
            OptionDescription(
                value: .text(valueName: "NAME=VALUE"), commands: Command.readersOfMessages,
                help: "set a limit, such as apis=100k, held-bytes=16MiB or idle-time=10min; may be repeated; "
                    + "'wireaudit limits' lists them")
        case .color:
            OptionDescription(
                value: .word(ColorChoice.allCases.map(\.rawValue)), commands: Command.workers + [.fleet],
                help: "use colours on terminals (default), always or never; NO_COLOR is respected")
        case .quiet:
            OptionDescription(
                value: .none, commands: Command.workers + [.annotate, .fleet], help: "print no progress and no warnings"
            )
        case .verbose:
            OptionDescription(
                value: .none, commands: Command.workers + [.annotate], help: "print the run time on standard error")
        case .version:
            OptionDescription(value: .none, help: "print the version")
        default:
            OptionDescription(
                value: .none, short: "h", help: "print this help; -h prints the main options only")
        }
    }

    /// The options that brief help shows.
    static let main: [Option] = [
        .interface, .format, .output, .write, .duration, .filter, .keys, .host, .api, .app, .sdkLog, .estimators,
        .maxBias,
        .minCoverage, .baseline, .calibration, .before, .after, .maxGrowth, .top, .help,
    ]

    static func named(_ name: String) -> Option? { Option(rawValue: name) }

    static func short(_ letter: Character) -> Option? { Option.allCases.first { $0.description.short == letter } }
}
