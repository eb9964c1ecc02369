import WireOpportunities

/// For the audit at a terminal: what need not have been spent, at the end, where the eye lands.
func opportunityLines(_ report: OpportunityReport?, _ style: TerminalStyle) -> [String] {
    guard let report else { return [] }
    guard !report.opportunities.isEmpty else {
        return [style.paint("OPPORTUNITIES", .heading), "  none found." + unread(report)]
    }
    var table = TextTable(text: "OPPORTUNITIES", numbers: ["bytes", "of all", "found in"])
    table.keepsText = true
    var explanations: [[String]] = []
    for (place, item) in report.shown.enumerated() {
        table.add([
            "\(place + 1) \(item.kind.title)", grouped(item.bytes), percent(item.bytes, of: report.wire) ?? "",
            counted(item.count, item.kind.noun),
        ])
        explanations.append(details(item, style))
    }
    let parts = table.parts(style)
    let rows = zip(parts.rows, explanations).flatMap { $0 + $1 }
    let further = report.furtherKinds.map { wrapped($0, width: style.width - 2, indent: 0).map { "  " + $0 } } ?? []
    return parts.heading + rows + further + total(report, style)
}

private func details(_ item: Opportunity, _ style: TerminalStyle) -> [String] {
    let mark = item.isComputed ? "" : "(estimate) "
    var lines = wrapped(mark + item.kind.explanation, width: style.width - 4, indent: 0)
    for subject in item.subjects.prefix(2) {
        let text =
            "\(style.safe(subject.name)): \(grouped(subject.bytes)) bytes, \(counted(subject.count, item.kind.noun))"
        lines.append(shortened(text, to: style.width - 4, ellipsis: style.ellipsis))
    }
    let further = item.furtherSubjects + max(item.subjects.count - 2, 0)
    if further > 0 { lines.append("and \(grouped(further)) more") }
    return lines.map { "    " + $0 }
}

private func total(_ report: OpportunityReport, _ style: TerminalStyle) -> [String] {
    guard report.computedTotal > 0 else { return unread(report).isEmpty ? [] : ["  " + unread(report).dropFirst()] }
    let share = percent(report.computedTotal, of: report.wire).map { ", \($0) of all IP bytes" } ?? ""
    let text =
        "Applied together, those that are no estimates save \(grouped(report.computedTotal)) bytes\(share); packets that only "
        + "acknowledge are not counted.\(unread(report))"
    return wrapped(text, width: style.width - 2, indent: 0).map { "  " + $0 }
}

private func unread(_ report: OpportunityReport) -> String {
    guard report.unreadCalls > 0 else { return "" }
    let calls = counted(report.unreadCalls, "call")
    return " \(calls) could not be looked at whole: parts of their messages were not read."
}
