import WireCore
import WireOpportunities
import WireRecords

/// What need not have been spent, at the end of an audit, where the eye lands. Shares are of all IP bytes, whatever layer the
/// report is of.
func opportunityBlocks(
    _ report: OpportunityReport?, _ ledger: LedgerSummary, _ options: ReportOptions
) -> [ReportBlock] {
    guard let report else { return [] }
    let whole = options.wholeInternet(ledger)
    let unread = unread(report)
    guard !report.opportunities.isEmpty else {
        return [.sentence(ReportText(unread.isEmpty ? "none found." : "none found. \(unread)"))]
    }
    let rows = report.shown.enumerated().map { place, item in
        [
            ReportCell("\(place + 1) \(item.kind.title)"), ReportCell(grouped(item.bytes)),
            ReportCell(percent(item.bytes, of: whole)), ReportCell(counted(item.count, item.kind.noun)),
            ReportCell((item.isComputed ? "" : "(estimate) ") + item.explanation),
            ReportCell(lines: places(item, options)),
        ]
    }
    let table = ReportTable(
        columns: [
            .sentence("what to do"), .number("bytes"), .number("of all"), .number("found in"), .remark("why"),
            .remark("where"),
        ], rows: rows, isWhole: true)
    let further = report.furtherKinds.map { [ReportBlock.sentence(ReportText($0))] } ?? []
    return [.table(table)] + further + [.sentence(ReportText(total(report, whole) ?? unread))]
}

/// The APIs or hosts with most bytes and, of calls, the URLs.
private func places(_ item: Opportunity, _ options: ReportOptions) -> [ReportText] {
    let named = Array(item.subjects.prefix(2))
    let further = item.furtherSubjects + item.subjects.count - named.count
    return subjects(named, item.kind.noun) + (further > 0 ? ["and \(grouped(further)) more"] : [])
        + urls(item, besides: named, options)
}

/// The URLs with most bytes, where these are not the APIs themselves.
private func urls(_ item: Opportunity, besides named: [Opportunity.Subject], _ options: ReportOptions) -> [ReportText] {
    guard !item.kind.isOfConnections else { return [] }
    let urls = item.largestURLs(options)
    let known = Set(named.map { $0.name.split(separator: " ").dropFirst().joined() })
    guard !urls.allSatisfy({ known.contains($0.name) }) else { return [] }
    let left = item.further(behind: item.parts.count).count
    let base = left > 0 ? " among the \(counted(item.count - left, "call")) with most" : ""
    return ["URLs with most bytes\(base):"] + subjects(urls, item.kind.noun)
}

private func subjects(_ subjects: [Opportunity.Subject], _ noun: String) -> [ReportText] {
    subjects.map { "\(name: $0.name): \(grouped($0.bytes)) bytes, \(counted($0.count, noun))" }
}

/// What all of them save together; nil where all are estimates.
private func total(_ report: OpportunityReport, _ whole: Int) -> String? {
    guard report.computedTotal > 0 else { return nil }
    let share = percent(report.computedTotal, of: whole).map { ", \($0) of all IP bytes" } ?? ""
    return
        "Applied together, those that are no estimates save \(grouped(report.computedTotal)) bytes\(share); packets that only "
        + "acknowledge are not counted.\(report.surplus.map { " " + $0 } ?? "") \(unread(report))"
}

private func unread(_ report: OpportunityReport) -> String {
    guard report.unreadCalls > 0 else { return "" }
    let calls = counted(report.unreadCalls, "call")
    return "\(calls) could not be looked at whole: parts of their messages were not read."
}
