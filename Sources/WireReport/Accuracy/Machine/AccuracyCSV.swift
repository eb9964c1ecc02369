import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords

/// One row for each source, API, direction and truth (RFC 4180, with a header line).
///
/// The audit and the totals of hosts are not part of it: rows are all of one kind.
public func accuracyCSV(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    let apis = index.apisByWire()
    var csv = CSVFields(isRaw: options.isRawCSV)
    csv.buffer.string(accuracyColumns.map(\.name).joined(separator: ","))
    csv.endLine()
    for source in result.sources.indices {
        let facts = result.sources[source]
        for api in apis {
            for direction in Direction.allCases {
                guard let row = index.row(source, api, direction) else { continue }
                for truth in Truth.allCases {
                    let line = AccuracyLine(
                        source: facts.id, isLog: facts.kind == .log, api: result.apis[api], row: row, truth: truth)
                    for column in accuracyColumns { column.write(&csv, line) }
                    csv.endLine()
                }
            }
        }
    }
    return csv.finished()
}
