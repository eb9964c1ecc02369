import WireCore
import WireEstimates

/// Renders records as rows of one format.
struct RowWriter: ~Copyable {
    private let kind: RecordKind
    private let format: RecordFormat
    private let options: ReportOptions
    /// Keys of the estimators that exchanges have outcomes of.
    private let estimators: [String]
    private var json = JSONFields()
    private var csv: CSVFields
    private var table: RecordTable

    init(
        _ kind: RecordKind, format: RecordFormat, options: ReportOptions, style: TerminalStyle, isForTerminal: Bool,
        estimators: [String] = []
    ) {
        self.kind = kind
        self.format = format
        self.options = options
        self.estimators = estimators
        csv = CSVFields(isForTerminal: isForTerminal)
        table = RecordTable(style: style, options: options)
        switch format {
        case .ndjson: break
        case .csv:
            let names = kind == .exchanges ? exchangeFieldNames(options) : connectionFieldNames(options)
            csv.buffer.string(names.joined(separator: ","))
            for name in estimateFieldNames(estimators) {
                csv.buffer.byte(0x2C)
                csv.buffer.csvField(name)
            }
            csv.endLine()
        case .table: table.begin(kind)
        }
    }

    /// A row for the record, with what each of the estimators makes of it.
    mutating func write(_ record: ExchangeRecord, outcomes: [EstimateOutcome] = []) {
        switch format {
        case .ndjson:
            json.beginElement()
            json.exchange(record, options)
            if !estimators.isEmpty { json.estimates(estimators, outcomes) }
            json.end()
            json.endLine()
        case .csv:
            csv.exchange(record, options)
            csv.estimates(estimators, outcomes)
            csv.endLine()
        case .table: table.row(record)
        }
    }

    mutating func write(_ record: ConnectionRecord) {
        switch format {
        case .ndjson:
            json.beginElement()
            json.connection(record, options)
            json.end()
            json.endLine()
        case .csv:
            csv.connection(record, options)
            csv.endLine()
        case .table: table.row(record)
        }
    }

    /// A person is told how many rows there were; other formats have no last line.
    mutating func finish(count: Int) {
        if format == .table { table.finish(kind, count: count, hasEstimates: !estimators.isEmpty) }
    }

    var pendingBytes: Int {
        switch format {
        case .ndjson: json.buffer.count
        case .csv: csv.buffer.count
        case .table: table.buffer.count
        }
    }

    mutating func drain(_ write: (Span<UInt8>) -> Void) {
        switch format {
        case .ndjson:
            json.buffer.withBytes(write)
            json.buffer.removeAll()
        case .csv:
            csv.buffer.withBytes(write)
            csv.buffer.removeAll()
        case .table:
            table.buffer.withBytes(write)
            table.buffer.removeAll()
        }
    }
}
