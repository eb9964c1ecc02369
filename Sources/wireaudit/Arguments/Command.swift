import WireCore
import WireReport

/// What the program can be asked to do.
package enum Command: String, CaseIterable {
    case audit, exchanges, connections

    package var formats: [OutputFormat] {
        switch self {
        case .audit: [.table, .json]
        case .exchanges, .connections: [.table, .ndjson, .csv]
        }
    }

    /// One line in the list of commands.
    package var summary: String {
        switch self {
        case .audit: "where every byte went, and what each API cost (the default)"
        case .exchanges: "one record per HTTP exchange"
        case .connections: "one record per TCP connection"
        }
    }
}

package enum OutputFormat: String {
    case table, json, ndjson, csv
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
    package var hosts: [String] = []
    package var apis: [String] = []
    package var templates: [String] = []
    package var undoesOffload = false
    package var decodesBodies = true
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
