import WireCore
import WireRecords

/// The audit for a person at a terminal: the capture, the ledger as a waterfall, the APIs, what no API pays for, and
/// warnings.
public func auditText(
    _ result: AuditResult, options: ReportOptions, style: TerminalStyle, _ additions: AuditAdditions = AuditAdditions()
) -> OutputBuffer {
    var sections = [
        verdictLines(result, options, style), CaptureLines(result: result, options: options, style: style).render(),
    ]
    sections.append(
        Waterfall(ledger: result.ledger, style: style).rows() + trustLines(result, style)
            + offloadLines(result, options, style))
    let tables = AuditTables(result: result, options: options, style: style)
    sections += [
        tables.apps(), tables.apis(), estimateLines(result, additions.estimates, style), tables.hosts(),
        tables.contentTypes(), SetupTable(result: result, options: options, style: style).lines(),
        explanationHint(result, options, style),
        warningLines(result, style),
        headerFieldLines(additions.headerFields, options, style),
        opportunityLines(additions.opportunities, result.ledger, options, style),
        opportunityHint(result, additions, style),
    ]
    return textBuffer(sections, style)
}

private func verdictLines(_ result: AuditResult, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    let words = AuditVerdict(result, options).pieces.map { style.safe($0.text) }.joined()
    return wrappedSentence(style.plain(words), width: style.width, indent: 0).map { style.paint($0, .heading) }
}

/// Whether the books balance, and what that rests on: a balance alone says nothing of packets that the capture lacks.
private func trustLines(_ result: AuditResult, _ style: TerminalStyle) -> [String] {
    let trust = AuditTrust(result)
    let (words, paint): (String, Paint) =
        switch trust.grade {
        case .whole: ("balanced to the byte; \(trust.remark)\(trust.isWithoutDoubt ? style.check : "")", .message)
        case .unread: ("balanced to the byte; \(trust.remark)", .message)
        case .incomplete: ("balanced to the byte; \(trust.remark)", .warning)
        case nil: ("NOT BALANCED: \(trust.remark)", .loss)
        }
    return wrapped(words, width: style.width - 2, indent: 0).map { style.paint("  " + style.plain($0), paint) }
}

/// Where the meaning of the columns is told.
private func explanationHint(_ result: AuditResult, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    guard !options.explains, !result.hosts.isEmpty else { return [] }
    return [style.paint("--explain: what the columns mean", .faint)]
}

/// How to see what need not have been spent, where nobody asked for that and there are connections.
private func opportunityHint(
    _ result: AuditResult, _ additions: AuditAdditions, _ style: TerminalStyle
) -> [String] {
    guard additions.canHaveOpportunities, additions.opportunities == nil, result.connections > 0 else { return [] }
    let texts = [
        "--opportunities: which bytes need not have been spent, and what to do",
        "accuracy --sdk-log LOG: how far the byte counts of an SDK in the app are off",
    ]
    return texts.flatMap { wrapped($0, width: style.width, indent: 0) }.map { style.paint($0, .faint) }
}

/// What offload hid stands beside the books: it was never captured.
private func offloadLines(_ result: AuditResult, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    let hidden = result.ledger.causes.up.offloadHidden + result.ledger.causes.down.offloadHidden
    guard hidden > 0 else { return [] }
    let text =
        "Segmentation offload hid about \(counted(hidden, "byte")) of packet headers (inferred, never captured)"
        + (options.undoesOffload ? "; the wire bytes below include them." : "; --undo-offload adds them to wire bytes.")
    return wrapped(text, width: style.width - 2, indent: 0).map { "  " + $0 }
}

private func warningLines(_ result: AuditResult, _ style: TerminalStyle) -> [String] {
    // Lost and cut packets, and damaged files, already stand at the top.
    let told = [FindingCode.captureCut.code, FindingCode.captureDamaged.code]
    let findings = warnings(of: result).filter { !$0.code.hasPrefix("packets-") && !told.contains($0.code) }
    guard !findings.isEmpty else { return [] }
    var lines = [style.paint("WARNINGS", .heading)]
    for finding in findings {
        var place = finding.packet.map { "first at packet \(grouped($0))" } ?? ""
        if result.files.count > 1, let file = finding.file {
            place += (place.isEmpty ? "first in " : " of ") + style.safe(file)
        }
        let times = finding.count == 1 ? "once" : counted(finding.count, "time")
        let mark = finding.severity == .info ? (style.unicode ? "·" : "-") : "!"
        let sentence = finding.message.hasSuffix(".") ? String(finding.message.dropLast()) : finding.message
        let text = "\(mark) \(sentence) (\(([times] + [place].filter { !$0.isEmpty }).joined(separator: ", ")))"
        let painted: Paint = finding.severity == .info ? .faint : .warning
        lines += wrapped(text, width: style.width, indent: 2).map { style.paint($0, painted) }
    }
    return lines
}
