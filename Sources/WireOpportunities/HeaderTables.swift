import WireCore
import WireNative

/// What header fields of HTTP/2 cost more, or less, where other calls go over their connection.
///
/// A connection carries a field as text once, and as its number from then on (RFC 7541). Without the call that carried it
/// first, another call would carry the text; on a connection that others used before, none would. All heads are compressed
/// here: as they came, without the calls that need not be made, and as if all connections of a client to a host were one.
/// An encoder may use its table less than nghttp2 does, or not at all: differences count in the proportion in which it did.
///
/// HTTP/3 needs no such figure for calls that are not made: what inserts fields is none of their cost (RFC 9204 §4.3).
struct HeaderTables {
    /// Connections whose tables are known at one time, and clients with hosts; of more those that were used last.
    private static let limit = 512
    /// Connections whose saving is known.
    private static let savingLimit = 65_536

    /// One direction of a connection, sums of bytes.
    private struct Sums {
        /// As sent, of all heads.
        var sent = 0
        /// The same by nghttp2: with a table, and without.
        var indexed = 0
        var plain = 0
        /// With the table of all connections of the client and host.
        var shared = 0

        /// How much of what a table can do the encoder's table did.
        func scaled(_ bytes: Int) -> Int {
            guard plain > indexed, sent < plain else { return 0 }
            return sent <= indexed ? bytes : bytes * (plain - sent) / (plain - indexed)
        }
    }

    /// Encoders of one direction.
    private final class Encoders {
        let all: HPACKDeflater
        let left: HPACKDeflater
        let plain: HPACKDeflater
        var sums = Sums()

        init?() {
            guard let all = HPACKDeflater(), let left = HPACKDeflater(), let plain = HPACKDeflater(table: 0) else {
                return nil
            }
            (self.all, self.left, self.plain) = (all, left, plain)
        }
    }

    private struct Tables<Value> {
        var requests: Value
        var responses: Value
        /// When it was used last, in calls.
        var used = 0
    }

    private var connections: [Int: Tables<Encoders>] = [:]
    private var pools: [[UInt8]: Tables<HPACKDeflater>] = [:]
    private var calls = 0
    /// What header fields of a connection's calls would have cost less on one that others had used before, bytes.
    private(set) var savings: [Int: Int] = [:]

    /// Takes a call; calls must come in the order of their times. Returns what its header fields cost more without the calls
    /// of its connection that need not be made; of one of these nothing.
    mutating func take(_ record: ExchangeRecord, isSpared: Bool) -> Int {
        guard record.stream != nil, record.transport == .tcp, let heads = HeaderLists(record) else { return 0 }
        calls += 1
        guard let own = encoders(record), let pool = pool(record) else { return 0 }
        let sent = (record.requestCosts, record.responseCosts)
        let up = take(heads.request, sent.0, own.requests, pool.requests, isSpared: isSpared)
        let down = take(heads.response, sent.1, own.responses, pool.responses, isSpared: isSpared)
        if savings.count < HeaderTables.savingLimit || savings[record.connection] != nil {
            savings[record.connection] = [own.requests.sums, own.responses.sums].reduce(0) {
                $0 + $1.scaled(max($1.indexed - $1.shared, 0))
            }
        }
        return up + down
    }

    private func take(
        _ list: [HeaderLists.Field], _ costs: CostVector, _ own: Encoders, _ pool: HPACKDeflater, isSpared: Bool
    ) -> Int {
        guard let indexed = own.all.size(of: list), let plain = own.plain.size(of: list),
            let shared = pool.size(of: list)
        else { return 0 }
        own.sums.sent += costs[.startLine] + costs[.headers]
        own.sums.indexed += indexed
        own.sums.plain += plain
        own.sums.shared += shared
        guard !isSpared, let left = own.left.size(of: list) else { return 0 }
        return own.sums.scaled(max(left - indexed, 0))
    }

    private mutating func encoders(_ record: ExchangeRecord) -> Tables<Encoders>? {
        if connections[record.connection] == nil, connections.count >= HeaderTables.limit,
            let oldest = connections.min(by: { $0.value.used < $1.value.used })
        {
            connections[oldest.key] = nil
        }
        if connections[record.connection] == nil, let one = Encoders(), let other = Encoders() {
            connections[record.connection] = Tables(requests: one, responses: other)
        }
        connections[record.connection]?.used = calls
        return connections[record.connection]
    }

    private mutating func pool(_ record: ExchangeRecord) -> Tables<HPACKDeflater>? {
        let key = record.host + Array(" \(record.server.port) \(record.client.address)".utf8)
        if pools[key] == nil, pools.count >= HeaderTables.limit,
            let oldest = pools.min(by: { $0.value.used < $1.value.used })
        {
            pools[oldest.key] = nil
        }
        if pools[key] == nil, let one = HPACKDeflater(), let other = HPACKDeflater() {
            pools[key] = Tables(requests: one, responses: other)
        }
        pools[key]?.used = calls
        return pools[key]
    }
}
