import WireCore
import WireRecords
import WireReport

extension Invocation {
    var auditOptions: AuditOptions {
        var options = limits.audit
        options.setup = setup
        options.templates = templates
        options.decodesBodies = decodesBodies && (command == .exchanges || (command == .live && format == .ndjson))
        options.keepsHeads = hasEstimators || wantsOpportunities || wantsHeaderFields
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

    /// Every file that is read.
    var inputs: [String] {
        files + keys + sdkLogs + [policy, baseline, command == .check ? calibration : nil].compactMap { $0 }
    }

    /// Estimators are simulated: `accuracy` and `check` have some of their own accord.
    var hasEstimators: Bool {
        estimators != nil || command == .accuracy || command == .check
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
        options.redactsQuery = redactsQuery
        options.filter = filter
        options.files = files
        options.templates = templates
        options.selection = Selection(hosts: hosts, apis: apis)
        options.top = top
        return options
    }
}
