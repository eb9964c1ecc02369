import WireCore
import WireEstimates

/// Renders records as rows of one format, which gather until they are drained.
package protocol RowRenderer: AnyObject {
    /// A row for the record, with what each of the estimators makes of it.
    func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome])
    func write(_ record: ConnectionRecord)
    /// What follows the last row.
    func finish(count: Int)
    /// Bytes that were not drained yet.
    var pendingBytes: Int { get }
    func drain(_ write: (Span<UInt8>) -> Void)
}

/// One JSON object per line.
package final class NDJSONRows: RowRenderer {
    private let options: ReportOptions
    /// Keys of the estimators that exchanges have outcomes of.
    private let estimators: [String]
    private var json = JSONFields()

    package init(options: ReportOptions, estimators: [String]) {
        self.options = options
        self.estimators = estimators
    }

    package func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        json.beginElement()
        json.exchange(record, options)
        json.estimates(estimators, outcomes)
        json.end()
        json.endLine()
    }

    package func write(_ record: ConnectionRecord) {
        json.beginElement()
        json.connection(record, options)
        json.end()
        json.endLine()
    }

    package func finish(count: Int) {}

    package var pendingBytes: Int { json.buffer.count }

    package func drain(_ write: (Span<UInt8>) -> Void) {
        json.buffer.withBytes(write)
        json.buffer.removeAll()
    }
}

/// CSV with a header line.
package final class CSVRows: RowRenderer {
    private let options: ReportOptions
    private let estimators: [String]
    private var csv: CSVFields

    package init(_ kind: RecordKind, options: ReportOptions, isForTerminal: Bool, estimators: [String]) {
        self.options = options
        self.estimators = estimators
        csv = CSVFields(isRaw: options.isRawCSV, isForTerminal: isForTerminal)
        csv.buffer.string(FieldNames.columns(kind, options).joined(separator: ","))
        for name in estimateFieldNames(estimators) {
            csv.buffer.byte(0x2C)
            csv.buffer.csvField(Array(name.utf8))
        }
        csv.endLine()
    }

    package func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) {
        csv.exchange(record, options)
        csv.estimates(estimators, outcomes)
        csv.endLine()
    }

    package func write(_ record: ConnectionRecord) {
        csv.connection(record, options)
        csv.endLine()
    }

    package func finish(count: Int) {}

    package var pendingBytes: Int { csv.buffer.count }

    package func drain(_ write: (Span<UInt8>) -> Void) {
        csv.buffer.withBytes(write)
        csv.buffer.removeAll()
    }
}

/// Columns for a person, who is told at the end how many rows there were.
package final class TableRows: RowRenderer {
    private let kind: RecordKind
    private let hasEstimates: Bool
    private var table: RecordTable

    package init(_ kind: RecordKind, options: ReportOptions, style: TerminalStyle, hasEstimates: Bool) {
        self.kind = kind
        self.hasEstimates = hasEstimates
        table = RecordTable(style: style, options: options)
        table.begin(kind)
    }

    package func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome]) { table.row(record) }

    package func write(_ record: ConnectionRecord) { table.row(record) }

    package func finish(count: Int) { table.finish(kind, count: count, hasEstimates: hasEstimates) }

    package var pendingBytes: Int { table.buffer.count }

    package func drain(_ write: (Span<UInt8>) -> Void) {
        table.buffer.withBytes(write)
        table.buffer.removeAll()
    }
}
