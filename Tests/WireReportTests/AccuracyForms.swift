import WireAccuracy
import WireCore
import WireEstimates
import WireRecords
import WireReport

/// One result in every form that people read.
struct AccuracyForms {
    let terminal: String
    let markdown: String
    let page: String

    init(
        _ result: AccuracyResult, audit: AuditResult = sampleAudit(), _ change: (inout ReportOptions) -> Void = { _ in }
    ) {
        var options = ReportOptions()
        change(&options)
        let style = TerminalStyle(width: 4000)
        terminal = accuracyText(result, audit: audit, options: options, style: style).text
        markdown = ReportDocument(result, audit: audit, options: options).markdown().text
        page = accuracyHTML(result, audit: audit, options: options).text
    }

    var all: [String] { [terminal, markdown, page] }
}

/// A log that lacks a single response of 389, and has all requests.
func lackingResponses() -> AccuracyResult {
    var result = smallAccuracy()
    for index in result.totals.indices where result.totals[index].source == 3 {
        let lacks = result.totals[index].direction == .down
        result.totals[index].coverage.calls = 389
        result.totals[index].coverage.recordedCalls = lacks ? 387 : 389
        result.totals[index].unseen = CauseLedger()
        if lacks { result.totals[index].unseen[.rowMissing] = -906 }
    }
    result.logs[0].exchangesUnseen = 0
    result.logs[0].exchangesTotal = 389
    return result
}
