import WireCore
import WireOpportunities
import WireRecords

extension ReportDocument {
    /// An audit: the verdict, the capture, the ledger, the APIs and hosts, what no API pays for, warnings, and what was asked
    /// for besides.
    public init(_ result: AuditResult, options: ReportOptions, _ additions: AuditAdditions = AuditAdditions()) {
        let blocks = AuditBlocks(result: result, options: options)
        let tables = AuditTables(result: result, options: options)
        self.init(
            kind: "audit", title: "Traffic by cause, API and host", facts: captureFacts(result, options),
            sections: [
                ReportSection("answer", blocks: [.sentence(AuditVerdict(result, options).text, .verdict)]),
                ReportSection("ledger", "Where the bytes went", blocks: [.table(blocks.ledger)] + blocks.trust),
                ReportSection("apps", "Apps by wire bytes", blocks: tables.apps),
                ReportSection("apis", "APIs by wire bytes", blocks: tables.apis),
                ReportSection("estimates", "Estimates, simulated", blocks: blocks.estimates(additions.estimates)),
                ReportSection("hosts", "Hosts by wire bytes", blocks: tables.hosts),
                ReportSection("types", "Bodies by content type", .folded, blocks: tables.contentTypes),
                ReportSection("setup", "Set-up by host", .folded, blocks: tables.setup),
                ReportSection("explain", blocks: blocks.explanationHint),
                ReportSection("warnings", "Warnings", blocks: [.list(blocks.warningItems)]),
                ReportSection("headers", "Header fields", .folded, blocks: headerFieldBlocks(additions.headerFields)),
                ReportSection(
                    "opportunities", "Opportunities",
                    blocks: opportunityBlocks(additions.opportunities, result.ledger, options)),
                ReportSection("hint", blocks: blocks.opportunityHint(additions)),
            ],
            limits: RowLimits(top: options.top))
    }
}

extension AuditVerdict {
    var text: ReportText {
        pieces.map { piece -> ReportText in
            switch piece {
            case .words(let text), .figure(let text): "\(text)"
            case .api(let name): "\(name: name)"
            }
        }.joined(separator: "")
    }
}

/// The parts of an audit besides its tables of rows.
private struct AuditBlocks {
    let result: AuditResult
    let options: ReportOptions

    /// Lines that add up; each bar begins where the one before ended.
    var ledger: ReportTable {
        let whole = Double(max(result.ledger.bytes, 1))
        var start = 0
        let rows = result.ledger.lines().map { line -> [ReportCell] in
            let isTotal = line.role == .total
            let from = isTotal ? 0 : start
            if !isTotal { start += line.bytes }
            let tone = line.role.tone
            return [
                ReportCell(isTotal ? line.label : "  " + line.label, isTotal ? .strong : .plain),
                ReportCell(grouped(line.bytes), isTotal ? .strong : .plain),
                ReportCell(line.directions.map { grouped($0.up) } ?? ""),
                ReportCell(line.directions.map { grouped($0.down) } ?? ""),
                ReportCell(percent(line.bytes, of: result.ledger.bytes)),
                ReportCell(bar: Double(from) / whole...max(Double(from), Double(from + line.bytes)) / whole, tone),
            ]
        }
        return ReportTable(
            columns: [
                .text("cause"), .number("bytes"), .number("up", rank: 1), .number("down", rank: 1), .number("share"),
                .picture(""),
            ], rows: rows, isWhole: true)
    }

    /// Whether the books balance, and what that rests on: a balance alone says nothing of packets that the capture lacks.
    var trust: [ReportBlock] {
        let trust = AuditTrust(result)
        let (words, tone): (String, Tone) =
            switch trust.grade {
            case .whole: ("balanced to the byte; \(trust.remark)\(trust.isWithoutDoubt ? " ✓" : "")", .good)
            case .unread: ("balanced to the byte; \(trust.remark)", .good)
            case .incomplete: ("balanced to the byte; \(trust.remark)", .caution)
            case nil: ("NOT BALANCED: \(trust.remark)", .bad)
            }
        let hidden = result.ledger.causes.up.offloadHidden + result.ledger.causes.down.offloadHidden
        // What offload hid stands beside the books: it was never captured.
        let rest =
            options.undoesOffload
            ? "; the wire bytes below include them." : "; --undo-offload adds them to wire bytes."
        let offload: ReportText =
            "Segmentation offload hid about \(counted(hidden, "byte")) of packet headers (inferred, never captured)\(rest)"
        return [.list([ReportItem(ReportText(words), tone)] + (hidden > 0 ? [ReportItem(offload)] : []))]
    }

    /// How far each simulated estimator's sums are from the messages. Where it has no figure for some calls, their number is
    /// told instead of an error.
    func estimates(_ estimates: AuditEstimates?) -> [ReportBlock] {
        guard let estimates, !estimates.estimators.isEmpty else { return [] }
        let messages = result.apis.reduce(into: Directions(up: 0, down: 0)) {
            $0.up += $1.costs.up.message
            $0.down += $1.costs.down.message
        }
        let rows = estimates.estimators.enumerated().map { index, estimator in
            var sums = AuditEstimates.Sums()
            for row in result.apis {
                guard let own = estimates.apis[row.api]?[index] else { continue }
                for side in [\AuditEstimates.Sums.up, \.down] {
                    sums[keyPath: side].calls += own[keyPath: side].calls
                    sums[keyPath: side].total &+= own[keyPath: side].total
                }
            }
            return [
                ReportCell(name: estimator.id), ReportCell(error(sums.up, messages.up)),
                ReportCell(error(sums.down, messages.down)),
            ]
        }
        return [
            .table(
                ReportTable(
                    columns: [.text("estimator"), .number("requests"), .number("responses")], rows: rows, isWhole: true,
                    note: "in % of all messages; by API, against the wire and by cause: wireaudit accuracy"))
        ]
    }

    private func error(_ sum: AuditEstimates.Sum, _ message: Int) -> String {
        guard sum.calls == result.exchanges, message > 0 else {
            return "\(grouped(sum.calls)) of \(counted(result.exchanges, "call"))"
        }
        let tenths = Int(min(abs(Double(sum.total &- message) / Double(message) * 1000), 1e15).rounded())
        return (sum.total < message ? "-" : sum.total > message ? "+" : "") + "\(tenths / 10).\(tenths % 10) %"
    }

    /// Lost and cut packets, and damaged files, already stand at the top.
    var warningItems: [ReportItem] {
        let told = [FindingCode.captureCut.code, FindingCode.captureDamaged.code]
        return warnings(of: result).filter { !$0.code.hasPrefix("packets-") && !told.contains($0.code) }.map {
            finding in
            let packet = finding.packet.map { "first at packet \(grouped($0))" } ?? ""
            var place: ReportText = packet.isEmpty ? "" : ", \(packet)"
            if result.files.count > 1, let file = finding.file {
                place = packet.isEmpty ? ", first in \(name: file)" : ", \(packet) of \(name: file)"
            }
            let times = finding.count == 1 ? "once" : counted(finding.count, "time")
            let sentence = finding.message.hasSuffix(".") ? String(finding.message.dropLast()) : finding.message
            return ReportItem("\(sentence) (\(times)\(place))", finding.severity == .info ? .faint : .warning)
        }
    }

    /// Where the meaning of the columns is told.
    var explanationHint: [ReportBlock] {
        options.explains || result.hosts.isEmpty ? [] : [.sentence("--explain: what the columns mean", .faint)]
    }

    /// How to see what need not have been spent, where nobody asked for that and there are connections.
    func opportunityHint(_ additions: AuditAdditions) -> [ReportBlock] {
        guard additions.canHaveOpportunities, additions.opportunities == nil, result.connections > 0 else { return [] }
        return [
            .sentence("--opportunities: which bytes need not have been spent, and what to do", .faint),
            .sentence("accuracy --sdk-log LOG: how far the byte counts of an SDK in the app are off", .faint),
        ]
    }
}

extension LedgerLine.Role {
    fileprivate var tone: Tone {
        switch self {
        case .message: .good
        case .overhead, .opening: .less
        case .loss: .more
        case .outside, .total: .faint
        }
    }
}
