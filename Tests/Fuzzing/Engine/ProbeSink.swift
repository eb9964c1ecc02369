import WireCore
import WireTesting

/// What stands for a record where only the order of records matters.
struct GivenRecord: Equatable {
    var connection: Int
    /// Nil for the record of the connection itself.
    var exchange: Int?
}

/// Keeps all records.
final class ProbeSink: AuditSink {
    private(set) var exchanges: [ExchangeRecord] = []
    private(set) var connections: [ConnectionRecord] = []
    private(set) var order: [GivenRecord] = []

    func receive(_ record: ExchangeRecord) {
        exchanges.append(record)
        order.append(GivenRecord(connection: record.connection, exchange: record.exchange))
    }

    func receive(_ record: ConnectionRecord) {
        connections.append(record)
        order.append(GivenRecord(connection: record.connection))
    }

    func audited(_ result: AuditResult, _ frames: [CapturedFrame]) -> AuditedCapture {
        AuditedCapture(result, exchanges: exchanges, connections: connections, of: frames)
    }
}
