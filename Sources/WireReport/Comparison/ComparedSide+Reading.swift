import WireComparison
import WireCore
import WireLogs

extension ComparedSide {
    /// Whether the file begins as JSON does; no capture does.
    public static func isAudit(_ beginning: [UInt8]) -> Bool {
        let bytes = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning[...]
        return bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == 0x7B
    }

    /// Adds an audit that `wireaudit --format json` wrote. Fields that are not needed may hold anything.
    public mutating func add(
        audit path: String, _ json: [UInt8], choices: ResultChoices, includesAPI: (String) -> Bool,
        includesHost: (String) -> Bool
    ) throws(ComparisonError) {
        var report = AuditReport(CaptureReport())
        do throws(OwnFileReader.Problem) {
            try auditOutput.read(JSONReader(json), into: &report)
        } catch {
            let schema = auditOutput.schema.identifier
            throw ComparisonError(
                message: "\(path) is not an output of wireaudit --format json (\(schema)): \(error.what)")
        }
        try check(report.capture.choices ?? ResultChoices(), path, choices)
        audits.append(path)
        for row in report.apis where includesAPI(row.api.api) {
            add(api: row.api.api, calls: row.api.exchanges, row.api.costs, isEncrypted: row.api.isEncrypted)
        }
        for row in report.hosts where includesHost(row.host.host) { add(host: row.host.host, row.compared) }
        let audit = report.capture.audit
        bytes &+= audit.ledger.bytes
        packets &+= audit.files.reduce(0) { $0 &+ $1.packets }
        doubts.formUnion(report.warnings.filter { $0.severity == .dataLoss }.map(\.code))
        if audit.ledger.unreadFrames > 0 { doubts.insert(ComparedSide.unreadFrames) }
    }

    private func check(
        _ own: ResultChoices, _ path: String, _ choices: ResultChoices
    ) throws(ComparisonError) {
        if own.setup != choices.setup {
            throw ComparisonError(
                message: "\(path) was made with --setup \(own.setup), this comparison is with --setup "
                    + "\(choices.setup): give --setup \(own.setup), or audit again")
        }
        let same = [
            ("--filter", own.filter, choices.filter),
            ("--at", own.countedInterface, choices.countedInterface),
        ]
        for (option, made, chosen) in same where made != chosen {
            throw ComparisonError(
                message: "\(path) was made \(ComparedSide.words(option, made)), this comparison is "
                    + "\(ComparedSide.words(option, chosen)): audit again")
        }
        // An audit with all rows has those that are chosen; one with some of them lacks the others.
        let chosen = [("--host", own.hosts, choices.hosts), ("--api", own.apis, choices.apis)]
        for (option, made, chosen) in chosen {
            guard !made.isEmpty, made != chosen else { continue }
            let words = made.map { "\(option) '\($0)'" }.joined(separator: " ")
            throw ComparisonError(
                message: "\(path) was made with \(words) and lacks all other rows: give \(words), or audit again")
        }
    }

    private static func words(_ option: String, _ value: String?) -> String {
        value.map { "with \(option) '\($0)'" } ?? "without \(option)"
    }
}

extension AuditHost {
    fileprivate var compared: ComparedHost {
        ComparedHost(
            connections: host.connections, calls: host.exchanges, hasUnread: hasUnread, isUDP: isUDP, costs: host.costs)
    }
}
