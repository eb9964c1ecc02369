import WireCore
import WireOpportunities
import WireRecords

/// For the audit at a terminal: what need not have been spent, at the end, where the eye lands. Shares are of all IP
/// bytes, whatever layer the report is of.
func opportunityLines(
    _ report: OpportunityReport?, _ ledger: LedgerSummary, _ options: ReportOptions, _ style: TerminalStyle
) -> [String] {
    let whole = options.wholeInternet(ledger)
    guard let report else { return [] }
    guard !report.opportunities.isEmpty else {
        return [style.paint("OPPORTUNITIES", .heading), "  none found." + unread(report)]
    }
    var table = TextTable(text: "OPPORTUNITIES", numbers: ["bytes", "of all", "found in"])
    table.keepsText = true
    var explanations: [[String]] = []
    for (place, item) in report.shown.enumerated() {
        table.add([
            "\(place + 1) \(item.kind.title)", grouped(item.bytes), percent(item.bytes, of: whole) ?? "",
            counted(item.count, item.kind.noun),
        ])
        explanations.append(details(item, options, style))
    }
    let parts = table.parts(style)
    let rows = zip(parts.rows, explanations).flatMap { $0 + $1 }
    let further = report.furtherKinds.map { wrapped($0, width: style.width - 2, indent: 0).map { "  " + $0 } } ?? []
    return parts.heading + rows + further + total(report, whole, style)
}

private func details(_ item: Opportunity, _ options: ReportOptions, _ style: TerminalStyle) -> [String] {
    let mark = item.isComputed ? "" : "(estimate) "
    let width = style.width - 4
    var lines = wrapped(mark + item.explanation, width: width, indent: 0)
    let named = Array(item.subjects.prefix(2))
    lines += subjects(named, item.kind.noun, width, style, namesAPIs: true)
    let further = item.furtherSubjects + item.subjects.count - named.count
    if further > 0 { lines.append("and \(grouped(further)) more") }
    return (lines + urls(item, besides: named, options, style)).map { "    " + $0 }
}

/// The URLs with most bytes, where these are not the APIs themselves.
private func urls(
    _ item: Opportunity, besides named: [Opportunity.Subject], _ options: ReportOptions, _ style: TerminalStyle
) -> [String] {
    guard !item.kind.isOfConnections else { return [] }
    let urls = item.largestURLs(options)
    let known = Set(named.map { $0.name.split(separator: " ").dropFirst().joined() })
    guard !urls.allSatisfy({ known.contains($0.name) }) else { return [] }
    let left = item.further(behind: item.parts.count).count
    let base = left > 0 ? " among the \(counted(item.count - left, "call")) with most" : ""
    let width = style.width - 6
    let heading = wrapped("URLs with most bytes\(base):", width: width + 2, indent: 0)
    return heading + subjects(urls, item.kind.noun, width, style, namesAPIs: false).map { "  " + $0 }
}

/// Names with their figures; where a line has no room for both, the figures have one of their own.
private func subjects(
    _ subjects: [Opportunity.Subject], _ noun: String, _ width: Int, _ style: TerminalStyle, namesAPIs: Bool
) -> [String] {
    let figures = subjects.map { "\(grouped($0.bytes)) bytes, \(counted($0.count, noun))" }
    let room = width - (figures.map { displayWidth($0) + 2 }.max() ?? 0)
    let names = subjects.map { style.safe($0.name) }
    let isTight = room < 24 && names.contains { displayWidth($0) > room }
    let short = shortenedApart(names, to: isTight ? width : room, ellipsis: style.ellipsis, namesAPIs: namesAPIs)
    return zip(short, figures).flatMap { isTight ? [$0, "  " + $1] : ["\($0): \($1)"] }
}

private func total(
    _ report: OpportunityReport, _ whole: Int, _ style: TerminalStyle
) -> [String] {
    guard report.computedTotal > 0 else { return unread(report).isEmpty ? [] : ["  " + unread(report).dropFirst()] }
    let share = percent(report.computedTotal, of: whole).map { ", \($0) of all IP bytes" } ?? ""
    let text =
        "Applied together, those that are no estimates save \(grouped(report.computedTotal)) bytes\(share); packets that only "
        + "acknowledge are not counted.\(report.surplus.map { " " + $0 } ?? "")\(unread(report))"
    return wrapped(text, width: style.width - 2, indent: 0).map { "  " + $0 }
}

private func unread(_ report: OpportunityReport) -> String {
    guard report.unreadCalls > 0 else { return "" }
    let calls = counted(report.unreadCalls, "call")
    return " \(calls) could not be looked at whole: parts of their messages were not read."
}
