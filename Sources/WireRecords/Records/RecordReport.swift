import WireCore
import WireLogs

/// The records that a report is made of.
public enum RecordKind: Sendable {
    case exchanges, connections
}

public enum RecordFormat: Sendable {
    /// One JSON object per line.
    case ndjson
    /// RFC 4180 with a header line.
    case csv
    /// HAR 1.2; of exchanges only.
    case har
    /// OpenTelemetry spans in OTLP JSON, one on each line; of exchanges only.
    case otlp
    /// Columns for a person.
    case table
}

/// Receives records as the engine emits them, brings them in order, and hands rendered rows on in large pieces.
///
/// Exchanges come sorted by time, then connection, then exchange; connections by number. The engine emits a record when
/// it ends, so the order is made in a window of 16,384 records: one that ends later than that many others comes late.
/// While packets arrive there is no window (0): records come as they become final, each at once.
public final class RecordReport: AuditSink {
    private static let flushSize = 64 << 10

    private let kind: RecordKind
    private let flushesEachRow: Bool
    private let options: ReportOptions
    private let estimates: RecordEstimates?
    /// Rows may be of calls without names.
    private let tellsUnnamed: Bool
    private let write: (Span<UInt8>) -> Void
    private let rows: any RowRenderer
    private var exchanges: ReorderingWindow<ExchangeRecord>
    private var connections: ReorderingWindow<ConnectionRecord>
    /// Open connections of which an exchange was selected.
    private var selectedConnections: Set<Int> = []
    /// Rows written.
    public private(set) var count = 0

    public init(
        _ kind: RecordKind, format: RecordFormat, options: ReportOptions, style: TerminalStyle, isForTerminal: Bool,
        window: Int = 16_384, flushesEachRow: Bool = false, estimates: RecordEstimates? = nil,
        write: @escaping (Span<UInt8>) -> Void
    ) {
        self.kind = kind
        self.flushesEachRow = flushesEachRow
        self.options = options
        self.estimates = estimates
        self.write = write
        exchanges = ReorderingWindow(capacity: window)
        connections = ReorderingWindow(capacity: window)
        tellsUnnamed =
            switch format {
            case .ndjson, .csv, .table: true
            case .har, .otlp: false
            }
        let estimators = estimates?.names ?? []
        rows =
            switch format {
            case .ndjson: NDJSONRows(options: options, estimators: estimators)
            case .csv: CSVRows(kind, options: options, isForTerminal: isForTerminal, estimators: estimators)
            case .har: HARRows(options: options, estimators: estimators)
            case .otlp: OTLPRows(options: options)
            case .table: TableRows(kind, options: options, style: style, hasEstimates: !estimators.isEmpty)
            }
    }

    public func receive(_ record: ExchangeRecord) {
        guard kind == .exchanges else { return noteSelected(record) }
        // Estimators look at every exchange, also at those that are not shown.
        guard estimates != nil || isSelected(record) else { return }
        insert(record)
    }

    private func insert(_ record: ExchangeRecord) {
        let order = RecordOrder(time: record.time, connection: record.connection, exchange: record.exchange)
        exchanges.insert(record, order: order, textBytes: record.textBytes)
        while exchanges.isOverfull, let next = exchanges.removeSmallest() { emit(next) }
    }

    public func receive(_ record: ConnectionRecord) {
        guard kind == .connections else {
            guard tellsUnnamed else { return }
            for call in record.unnamedExchanges where isSelected(call) { insert(call) }
            return
        }
        guard isSelected(record) else { return }
        let order = RecordOrder(time: 0, connection: record.connection, exchange: 0)
        connections.insert(record, order: order, textBytes: record.serverName?.count ?? 0)
        while connections.isOverfull, let next = connections.removeSmallest() { emit(next) }
    }

    /// Writes what still waits. To be called once, after the audit.
    public func finish() {
        while let record = exchanges.removeSmallest() { emit(record) }
        while let record = connections.removeSmallest() { emit(record) }
        rows.finish(count: count)
        flush()
    }

    private func emit(_ record: ExchangeRecord) {
        guard let estimates, record.unread == nil else {
            rows.write(options.redacted(record), outcomes: [])
            return didWrite()
        }
        var record = record
        let outcomes = estimates.outcomes(&record)
        guard isSelected(record) else { return }
        // Up is the direction of the request for an estimator, of the client's packets for a record.
        let shown = options.redacted(record)
        rows.write(shown, outcomes: shown.isReversed ? outcomes.map(\.reversed) : outcomes)
        didWrite()
    }

    private func isSelected(_ record: ExchangeRecord) -> Bool {
        options.selection.includes(host: record.host, api: record.api)
    }

    private func emit(_ record: ConnectionRecord) {
        rows.write(record)
        didWrite()
    }

    private func didWrite() {
        count += 1
        if flushesEachRow || rows.pendingBytes >= Self.flushSize { flush() }
    }

    private func flush() {
        rows.drain(write)
    }

    private func noteSelected(_ record: ExchangeRecord) {
        guard !options.selection.isEmpty, options.selection.includes(host: record.host, api: record.api) else { return }
        selectedConnections.insert(record.connection)
    }

    /// A connection is chosen with any of its exchanges, or, when only hosts were asked for, by its server.
    private func isSelected(_ record: ConnectionRecord) -> Bool {
        guard !options.selection.isEmpty else { return true }
        if selectedConnections.remove(record.connection) != nil { return true }
        guard options.selection.apis.isEmpty else { return false }
        if let name = record.serverName, options.selection.includes(host: name) { return true }
        return options.selection.includes(host: Array(record.server.address.description.utf8))
    }
}
