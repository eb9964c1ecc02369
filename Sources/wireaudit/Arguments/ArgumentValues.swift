import Spelling
import WireComparison
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireReport

/// What the values of options mean.
extension ArgumentParser {
    func apply(
        _ option: Option, _ value: String, _ spelling: String, to invocation: inout Invocation
    ) throws(UsageError) {
        let command = invocation.command
        guard option.description.commands.contains(command) else {
            let owners = option.description.commands.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "\(spelling) is an option of \(owners), not of \(command.rawValue)")
        }
        switch option {
        case .format: invocation.format = try format(value, of: command, spelling)
        case .layer: invocation.layer = try word(value, of: WireLayer.allCases, spelling)
        case .setup: invocation.setup = try word(value, of: SetupPolicy.allCases, spelling)
        case .color: invocation.color = try word(value, of: ColorChoice.allCases, spelling)
        case .output: invocation.output = try text(value, spelling)
        case .filter: invocation.filter = try text(value, spelling)
        case .at: invocation.countedInterface = try text(value, spelling)
        case .keys: invocation.keys.append(try file(value, spelling))
        case .host: invocation.hosts.append(try text(value, spelling))
        case .api: invocation.apis.append(try text(value, spelling))
        case .app: invocation.apps.append(try text(value, spelling))
        case .template: invocation.templates.append(try path(value, spelling))
        case .rpc: try setCalls(value, spelling, &invocation.operations)
        case .nameBy: invocation.operations.named.append(try fieldName(value, spelling))
        case .top: invocation.top = value == "all" ? nil : try count(value, spelling, orAll: true)
        case .jobs: invocation.jobs = try count(value, spelling, orAll: false)
        case .limit: try setLimit(value, spelling, &invocation.limits)
        case .undoOffload: invocation.undoesOffload = true
        case .explain: invocation.explains = true
        case .explainBounds: invocation.explainedRow = try count(value, spelling, orAll: false)
        case .full: invocation.isFull = true
        case .headers: invocation.listsHeaderFields = true
        case .opportunities: invocation.findsOpportunities = true
        case .redactQuery: invocation.redactsQuery = true
        case .rawCSV: invocation.rawCSV = true
        case .redactHeader: invocation.redactedHeaders.append(try redactedHeader(value, spelling))
        case .reorder:
            try setOrder(value, spelling, &invocation.limits.audit)
            if value != "auto" { invocation.limits.note("reorder", value) }
        case .noBodyDecoding: invocation.decodesBodies = false
        case .estimators: invocation.estimators = try text(value, spelling)
        case .sdkLog: invocation.sdkLogs.append(try text(value, spelling))
        case .sdkFormat: invocation.sdkFormat = try word(value, of: SDKLogFormat.allCases, spelling)
        case .sdkColumns: invocation.sdkColumns = try columns(value, spelling)
        case .noRecompression: invocation.recompresses = false
        case .tolerance: invocation.tolerance = try text(value, spelling)
        case .calibration: invocation.calibration = try file(value, spelling)
        case .records: invocation.records = try text(value, spelling)
        case .memory: invocation.memory = try memory(value, spelling)
        case .plan: invocation.plansOnly = true
        case .from: invocation.from = try text(value, spelling)
        case .session: invocation.session = try text(value, spelling)
        case .baseline: invocation.baseline = try text(value, spelling)
        case .maxBias, .maxError, .maxP90Error, .minCoverage, .minRead, .maxWirePerCall, .maxWire:
            invocation.bounds.append((option: spelling, value: try text(value, spelling)))
        case .before: invocation.before.append(try text(value, spelling))
        case .after: invocation.after.append(try text(value, spelling))
        case .maxGrowth: invocation.maximumGrowth = try growth(value, spelling)
        case .quiet: invocation.quiet = true
        case .verbose: invocation.verbose = true
        case .read, .version, .help: break
        default: try applyLive(option, value, spelling, to: &invocation)
        }
    }

    /// Outputs hold no values of header fields except the host, and those that name operations.
    private func redactedHeader(_ value: String, _ spelling: String) throws(UsageError) -> String {
        let name = try text(value, spelling).lowercased()
        guard name != "host", name != ":authority" else {
            throw UsageError(
                message:
                    "\(spelling): the value of Host names the hosts and APIs of every output and cannot be left out; "
                    + "--redact-query leaves out queries, and --template parts of paths")
        }
        return name
    }

    private func setCalls(
        _ value: String, _ spelling: String, _ options: inout OperationOptions
    ) throws(UsageError) {
        switch (value, options.calls) {
        case ("auto", _): options.calls = .recognized
        case ("off", _): options.calls = .off
        case (_, .paths(let paths)): options.calls = .paths(paths + [try callPath(value, spelling)])
        default: options.calls = .paths([try callPath(value, spelling)])
        }
    }

    private func callPath(_ value: String, _ spelling: String) throws(UsageError) -> String {
        if value.hasPrefix("/") { return value }
        throw UsageError(
            message: "\(spelling) takes auto, off or a path that begins with '/', such as /rpc or /api/*, not "
                + "'\(printable(value))'")
    }

    /// The field that `--name-by` names.
    private func fieldName(_ value: String, _ spelling: String) throws(UsageError) -> String {
        let prefix = "header:"
        let name = value.dropFirst(prefix.count).lowercased()
        let isToken = !name.isEmpty && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x3A }
        guard value.hasPrefix(prefix), isToken else {
            throw UsageError(
                message: "\(spelling) takes header: and the name of a field, such as header:X-Operation, not "
                    + "'\(printable(value))'")
        }
        return name
    }

    private func growth(_ value: String, _ spelling: String) throws(UsageError) -> Double {
        if let percent = CostComparison.percent(value) { return percent }
        throw UsageError(message: "\(spelling) needs a percentage such as 5 or 2.5%, not '\(printable(value))'")
    }

    private func memory(_ value: String, _ spelling: String) throws(UsageError) -> Int {
        if case .bytes(let bytes)? = try? Quantity(parsing: value), bytes >= 1 << 20 { return bytes }
        throw UsageError(message: "\(spelling) needs a size of 1MiB or more such as 4GiB, not '\(printable(value))'")
    }

    /// A year: nanoseconds.
    private var longestWait: Int64 { 365 * 86_400 * 1_000_000_000 }

    /// How long packets wait for bytes that they acknowledge.
    private func setOrder(
        _ value: String, _ spelling: String, _ options: inout AuditOptions
    ) throws(UsageError) {
        options.ordersDirections = value != "off"
        options.reorderingWindow = AuditOptions().reorderingWindow
        if value == "auto" || value == "off" { return }
        guard case .nanoseconds(let time)? = try? Quantity(parsing: value), (1_000_000...longestWait).contains(time)
        else {
            throw UsageError(
                message: "\(spelling) takes auto, off or a time such as 500ms or 10s, not '\(printable(value))'")
        }
        options.reorderingWindow = time
    }

    private func path(_ value: String, _ spelling: String) throws(UsageError) -> String {
        guard value.hasPrefix("/") else {
            throw UsageError(message: "\(spelling) needs a path that begins with '/', such as /users/{name}")
        }
        return value
    }

    /// What stands in a file is read when the logs are.
    private func columns(_ value: String, _ spelling: String) throws(UsageError) -> String {
        guard !value.hasPrefix("@") else { return try text(value, spelling) }
        do throws(LogColumnsError) {
            _ = try LogColumns(parsing: value)
            return value
        } catch {
            throw UsageError(message: "\(spelling): \(printable(error.message))")
        }
    }

    /// A file that cannot be standard input: that is for captures.
    private func file(_ value: String, _ spelling: String) throws(UsageError) -> String {
        if value == "-" { throw UsageError(message: "\(spelling) needs a file, standard input (-) is for captures") }
        return try text(value, spelling)
    }

    func text(_ value: String, _ spelling: String) throws(UsageError) -> String {
        if value.isEmpty { throw UsageError(message: "\(spelling) needs a value that is not empty") }
        return value
    }

    /// A format of another command is named with its commands: it is no slip of the fingers.
    private func format(_ value: String, of command: Command, _ spelling: String) throws(UsageError) -> OutputFormat {
        let others = Command.reporters.filter { $0.formats.contains { $0.rawValue == value } }.map(\.rawValue)
        let known = command.formats.map(\.rawValue)
        if others.isEmpty || known.contains(value) || nearestWord(to: value, among: known) != nil {
            return try word(value, of: command.formats, spelling)
        }
        throw UsageError(
            message: "\(spelling) of '\(command.rawValue)' takes \(known.joined(separator: ", ")); "
                + "\(value) is a format of \(others.joined(separator: ", "))")
    }

    func word<Word: RawRepresentable<String>>(
        _ value: String, of words: [Word], _ spelling: String
    ) throws(UsageError) -> Word {
        if let word = words.first(where: { $0.rawValue == value }) { return word }
        let names = words.map(\.rawValue)
        let hint = nearestWord(to: value, among: names).map { "did you mean '\($0)'?" }
        throw UsageError(
            message: "\(spelling) cannot be '\(printable(value))'; "
                + (hint ?? "it takes " + names.joined(separator: ", ")))
    }

    func count(_ value: String, _ spelling: String, orAll: Bool) throws(UsageError) -> Int {
        if let number = Int(value), number > 0 { return number }
        let wanted = orAll ? "a positive number or 'all'" : "a positive number"
        throw UsageError(message: "\(spelling) needs \(wanted), not '\(printable(value))'")
    }
}
