import WireCore
import WireRecords
import WireReport

extension Invocation {
    var auditOptions: AuditOptions {
        var options = limits.audit
        options.setup = setup
        options.templates = templates
        options.operations = operations
        options.operations.withheld = redactedHeaders
        options.redactsURLs = redactsQuery
        options.countedInterface = countedInterface
        if !apps.isEmpty {
            let selection = Selection(apps: apps)
            options.includesApp = { selection.includes(app: $0) }
        }
        options.decodesBodies = decodesBodies && (command == .exchanges || (command == .live && format == .ndjson))
        options.keepsHeads = hasEstimators || command == .doctor || wantsOpportunities || wantsHeaderFields
        options.keepsHiddenPieces = !sdkLogs.isEmpty || isAuditPage
        options.keepsUnnamedCalls = command == .exchanges || records != nil || isAuditPage
        options.keepsFieldSizes = wantsHeaderFields
        if wantsOpportunities { options.certificates = CertificateReader() }
        return options
    }

    /// The audit as a page, which looks for opportunities and header fields of its own accord.
    var isAuditPage: Bool { command == .audit && format == .html }

    var wantsOpportunities: Bool { findsOpportunities || isAuditPage }
    var wantsHeaderFields: Bool { listsHeaderFields || isAuditPage }

    /// The report itself says at its top which files are damaged.
    var reportShowsDamage: Bool {
        isAuditPage || [.audit, .accuracy, .live].contains(command) && (format == nil || format == .table)
    }

    /// The format that the name of the output chooses; nil where it names none that the command has.
    var formatOfOutput: OutputFormat? {
        guard let told = output.flatMap({ OutputFormat(fileName: $0) }) else { return nil }
        if command.formats.contains(told) { return told }
        return told == .json && command.formats.contains(.ndjson) ? .ndjson : nil
    }

    /// What to say where the name of the output tells another format than is written; nil where it does not.
    var formatWarning: String? {
        guard let output, let told = OutputFormat(fileName: output), !command.formats.isEmpty else { return nil }
        let isSuch = told == format || (told == .json && [.ndjson, .har, .otlp].contains(format))
        if isSuch { return nil }
        let written = (format ?? .table).rawValue
        let formats = command.formats.map(\.rawValue).joined(separator: ", ")
        return "\(output) gets the format \(written), not \(told.rawValue); "
            + "'\(command.rawValue)' has the formats \(formats)"
    }

    /// Every file that is read.
    var inputs: [String] {
        files + keys + sdkLogs + [policy, baseline, command == .check ? calibration : nil].compactMap { $0 }
    }

    /// Estimators are simulated: `accuracy` and `check` have some of their own accord.
    var hasEstimators: Bool {
        estimators != nil || command == .accuracy || command == .check
    }

    /// A report of `accuracy` in sentences.
    private var isForPeople: Bool { command == .accuracy && [nil, .table, .html, .md].contains(format) }
    /// The same, with advice on what to change in an SDK.
    var advisesPeople: Bool { isForPeople && (!sdkLogs.isEmpty || estimators != nil) }

    /// The estimators of `accuracy` and `check` where none were chosen. Who reads a report about a log asked for its SDK and
    /// for no other; programs that read the machine formats have always had the others beside it.
    var standardEstimators: String {
        if command == .accuracy { return isForPeople && !sdkLogs.isEmpty ? "none" : "standard" }
        return sdkLogs.isEmpty ? "dmurlprotocol" : "none"
    }

    /// Exchanges that the report is about.
    var isSelected: (ExchangeRecord) -> Bool {
        let selection = Selection(hosts: hosts, apis: apis)
        return { selection.includes(host: $0.host, api: $0.api) }
    }

    var reportOptions: ReportOptions {
        var options = ReportOptions()
        options.layer = layer
        options.setup = setup
        options.undoesOffload = undoesOffload
        options.explains = explains
        options.isBrief = !isFull
        options.redactsQuery = redactsQuery
        options.isRawCSV = rawCSV
        options.filter = filter
        options.countedInterface = countedInterface
        options.files = files
        options.templates = templates
        options.operations = operations
        options.selection = Selection(hosts: hosts, apis: apis, apps: apps)
        options.top = top
        return options
    }
}
