import WireCore
import WireRecords

/// What a page shows one by one: calls and connections, those with most bytes. Give it to an audit as its sink.
///
/// Its memory does not grow with the number of calls. Beyond the limits those with fewer bytes are left out, and counted;
/// what is summed (bytes over time) holds all of them.
public final class TrafficSample: AuditSink {
    /// Of a call what a page tells.
    struct Call {
        var connection: Int
        var number: Int
        var api: [UInt8]
        var path: [UInt8]?
        var status: Int?
        /// First byte, end of the request, begin and end of the response: nanoseconds since the epoch. The two in the middle
        /// are nil where they are not known.
        var time: Int64
        var requestEnd: Int64?
        var responseStart: Int64?
        var end: Int64
        var costs: Directions<CostVector>
    }

    /// Of a connection what a page tells.
    struct Connection {
        var number: Int
        var host: [UInt8]
        var client: Endpoint
        var time: Int64
        var end: Int64
        /// First byte of its first call, nil where none was read.
        var firstCall: Int64?
        var calls: Int
        /// Payload that was not read.
        var unread: Int
        var protocolName: String
        /// How it ended, in words.
        var close: String
        var costs: Directions<CostVector>
    }

    /// With 20,000 calls a page has about 3 MB, and a browser opens it in less than two seconds.
    public static let standardCalls = 20_000
    public static let standardConnections = 5000

    private let options: ReportOptions
    private var calls: LargestRecords<Call>
    private var connections: LargestRecords<Connection>
    /// Of the connections that are open when the first call began, and the host that it named.
    private var firstCalls: [Int: (time: Int64, host: [UInt8])] = [:]
    private(set) var time = BytesOverTime()

    /// - Parameters:
    ///   - calls: most calls that are shown one by one.
    ///   - connections: the same of connections.
    public init(calls: Int, connections: Int, options: ReportOptions) {
        self.options = options
        self.calls = LargestRecords(capacity: calls)
        self.connections = LargestRecords(capacity: connections)
    }

    public func receive(_ record: ExchangeRecord) {
        if firstCalls[record.connection].map({ record.time < $0.time }) ?? true {
            firstCalls[record.connection] = (record.time, record.host)
        }
        guard options.selection.includes(host: record.host, api: record.api) else { return }
        time.add(CostGroups(record.costs, options), at: record.time)
        keep(record)
    }

    private func keep(_ record: ExchangeRecord) {
        let call = Call(
            connection: record.connection, number: record.exchange, api: record.rowName,
            path: options.redacted(record).path,
            status: record.status, time: record.time, requestEnd: record.clocksDiffer ? nil : record.requestEnd,
            responseStart: record.timeToFirstByte.flatMap { wait in record.requestEnd.map { $0 &+ wait } },
            end: record.responseEnd ?? record.time &+ max(record.duration, 0), costs: record.costs)
        calls.take(
            call, bytes: options.wire(record.costs), place: (record.connection, record.exchange),
            textBytes: record.api.count + (record.path?.count ?? 0))
    }

    public func receive(_ record: ConnectionRecord) {
        let first = firstCalls.removeValue(forKey: record.connection)
        let host = first?.host ?? record.hostName
        guard options.selection.includes(host: host) else { return }
        if record.exchanges == 0 {
            time.add(CostGroups(record.costs, options), from: record.time, over: record.hidden?.pieces ?? [])
        }
        let unnamed = record.unnamedExchanges
        for call in unnamed { keep(call) }
        let about = unnamed.isEmpty ? "" : ", about \(counted(unnamed.count, "call")) not read"
        let connection = Connection(
            number: record.connection, host: host, client: record.client, time: record.time,
            end: record.time &+ max(record.duration, 0), firstCall: first?.time ?? unnamed.first?.time,
            calls: record.exchanges + unnamed.count, unread: record.costs.up[.opaque] &+ record.costs.down[.opaque],
            protocolName: protocolName(of: record) + about, close: closeWords(of: record), costs: record.costs)
        connections.take(
            connection, bytes: options.wire(record.costs), place: (record.connection, 0), textBytes: host.count)
    }

    // MARK: What came of it

    /// The calls in the order of their times, and how many there were.
    func finishedCalls() -> (shown: [Call], all: Int) {
        let shown = calls.removeAll().sorted {
            ($0.time, $0.connection, $0.number) < ($1.time, $1.connection, $1.number)
        }
        return (shown, calls.count)
    }

    /// The connections in the order of their first packets, and how many there were.
    func finishedConnections() -> (shown: [Connection], all: Int) {
        (connections.removeAll().sorted { $0.number < $1.number }, connections.count)
    }
}

/// The records with most bytes, of equals those that came first in the capture.
private struct LargestRecords<Record> {
    private var window: ReorderingWindow<Record>
    /// How many there were.
    private(set) var count = 0

    init(capacity: Int) { window = ReorderingWindow(capacity: capacity) }

    mutating func take(_ record: Record, bytes: Int, place: (Int, Int), textBytes: Int) {
        count += 1
        // The order's first number is a time elsewhere; the smallest leaves.
        let order = RecordOrder(time: Int64(bytes), connection: -place.0, exchange: -place.1)
        window.insert(record, order: order, textBytes: textBytes)
        while window.isOverfull { _ = window.removeSmallest() }
    }

    mutating func removeAll() -> [Record] {
        var all: [Record] = []
        while let record = window.removeSmallest() { all.append(record) }
        return all
    }
}
