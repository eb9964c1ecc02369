import WireAccuracy
import WireCore
import WireEstimates
import WireRecords

/// One row for each source, API, direction and truth (RFC 4180, with a header line). Text from captures and logs is
/// made safe to look at, and what a spreadsheet would take for a formula begins with an apostrophe.
///
/// The audit and the totals of hosts are not part of it: rows are all of one kind.
public func accuracyCSV(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    let apis = index.apisByWire().map { (number: $0, name: formulaSafe(result.apis[$0])) }
    var csv = CSVFields()
    csv.buffer.string(accuracyColumns.map(\.name).joined(separator: ","))
    csv.endLine()
    for source in result.sources.indices {
        let name = formulaSafe(result.sources[source].id)
        for api in apis {
            for direction in Direction.allCases {
                guard let row = index.row(source, api.number, direction) else { continue }
                for truth in Truth.allCases {
                    let line = AccuracyLine(
                        source: name, isLog: result.sources[source].kind == .log, api: api.name, row: row, truth: truth)
                    for column in accuracyColumns { column.write(&csv, line) }
                    csv.endLine()
                }
            }
        }
    }
    return csv.buffer
}

/// Text that no spreadsheet runs: OWASP's list of first characters gets an apostrophe before it.
private func formulaSafe(_ text: String) -> String {
    let shown = displayText(text)
    guard let first = shown.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) else { return shown }
    return "'" + shown
}
