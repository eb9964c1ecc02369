import WireCore
import WireRecords
import WireReport

/// Gets exchanges and connections as they become final: for the screen, and as records.
final class LiveSink: AuditSink {
    private let report: RecordReport?
    private var exchanges = LatestRecords<ExchangeRecord>(limit: 256)
    private var connections = LatestRecords<ConnectionRecord>(limit: 128)

    init(_ report: RecordReport?) { self.report = report }

    var latest: [ExchangeRecord] { exchanges.latest }
    var latestConnections: [ConnectionRecord] { connections.latest }

    func receive(_ record: ExchangeRecord) {
        exchanges.add(record)
        report?.receive(record)
    }

    func receive(_ record: ConnectionRecord) {
        connections.add(record)
        report?.receive(record)
    }

    func finish() { report?.finish() }
}

/// The last `limit` records, and up to as many before them.
private struct LatestRecords<Record> {
    let limit: Int
    /// Oldest first.
    private var kept: [Record] = []

    init(limit: Int) { self.limit = limit }

    /// The latest first.
    var latest: [Record] { kept.reversed() }

    mutating func add(_ record: Record) {
        if kept.count >= 2 * limit { kept.removeFirst(limit) }
        kept.append(record)
    }
}
