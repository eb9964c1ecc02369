import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords
import WireStatistics

/// One row for each source, API, direction and truth (RFC 4180, with a header line).
///
/// The audit and the totals of hosts are not part of it: rows are all of one kind.
public func accuracyCSV(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    let apis = index.apisByWire()
    var csv = CSVFields(isRaw: options.isRawCSV)
    csv.buffer.string(accuracyColumns.map(\.name).joined(separator: ","))
    csv.endLine()
    for (place, source) in result.sources.enumerated() {
        for api in apis {
            for row in Direction.allCases.compactMap({ index.row(place, api, $0) }) {
                for truth in Truth.allCases {
                    let line = AccuracyLine(source: source, api: result.apis[api], row: row, truth: truth)
                    for column in accuracyColumns { csv.write(column.value, of: line) }
                    csv.endLine()
                }
            }
        }
    }
    return csv.finished()
}

/// One line of the CSV: a row against one truth.
private struct AccuracyLine {
    let source: AccuracySource
    let api: String
    let row: AccuracyRow
    let truth: Truth

    var isMessage: Bool { truth == .message }
    var statistics: ErrorStatistics { isMessage ? row.message : row.wire }
    /// Nil without calls: causes of nothing are not 0.
    var causes: CauseLedger? { statistics.count == 0 ? nil : isMessage ? row.messageCauses : row.causes }
    /// Message bytes of calls that were not recorded, so that there are none against the wire.
    var unseen: CauseLedger? { isMessage ? row.unseen : nil }
}

private typealias AccuracyColumn = (name: String, value: FieldValue<AccuracyLine>)

/// All columns, in their order.
private let accuracyColumns: [AccuracyColumn] = coverageColumns + statisticColumns + causeColumns

private let coverageColumns: [AccuracyColumn] = [
    ("source", .text { $0.source.id }), ("kind", .text { $0.source.kind == .log ? "log" : "simulated" }),
    ("api", .text { $0.api }), ("direction", .text { $0.row.direction.rawValue }),
    ("truth", .text { $0.truth.rawValue }), ("calls", .integer { $0.row.coverage.calls }),
    ("recorded_calls", .integer { $0.row.coverage.recordedCalls }),
    ("bytes", .integer { $0.isMessage ? $0.row.coverage.messageBytes : $0.row.coverage.wireBytes }),
    (
        "recorded_bytes",
        .integer { $0.isMessage ? $0.row.coverage.recordedMessageBytes : $0.row.coverage.recordedWireBytes }
    ),
]

/// The single values that JSON has, too.
private let statisticColumns: [AccuracyColumn] =
    statisticFields.filter { !["resampled", "signed"].contains($0.schema.name) }
    .map { field in (field.schema.name, field.of { $0.statistics }.value) }

private let causeColumns: [AccuracyColumn] =
    ErrorCause.allCases.map { cause in ("cause_" + causeColumn(cause), .integer { $0.causes?[cause] }) }
    + [("unseen", .integer { $0.unseen?.sum })]
    + ErrorCause.allCases.map { cause in ("unseen_" + causeColumn(cause), .integer { $0.unseen?[cause] }) }

/// The id of a cause as a part of a column's name: `t_line` of `T.line`.
func causeColumn(_ cause: ErrorCause) -> String { cause == .unexplained ? "unexplained" : columnName(cause.name) }
