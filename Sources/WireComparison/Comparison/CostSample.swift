import WireCore
import WireStatistics

/// A call that was kept, with all its costs.
struct SampledCall: Sendable {
    /// Calls with lower keys are kept rather than others.
    fileprivate var key: UInt64
    var connection: Int
    var client: IPAddress
    /// Bytes by cell.
    var values: [Int32]
}

/// Some of an API's calls with all their costs, in bounded memory: all calls up to a limit, beyond it a random part of
/// them. Which calls are kept depends on the calls alone, not on their order.
package struct CostSample: Sendable {
    /// Most calls kept of an API.
    package static let limit = 512

    private var calls: [SampledCall] = []
    /// Calls with this key and above are not kept any more.
    private var bound = UInt64.max

    package mutating func add(_ record: ExchangeRecord, _ cells: [CostCell]) {
        let identity = UInt64(bitPattern: record.time) &* 31 &+ UInt64(truncatingIfNeeded: record.exchange)
        var random = RandomWords(seed: identity)
        let key = random.next()
        guard key < bound else { return }
        calls.append(
            SampledCall(
                key: key, connection: record.connection, client: record.client.address,
                values: cells.map { Int32(clamping: $0.bytes(in: record.costs)) }))
        if calls.count >= 2 * CostSample.limit { shrink() }
    }

    private mutating func shrink() {
        calls.sort { $0.key < $1.key }
        guard calls.count > CostSample.limit else { return }
        bound = calls[CostSample.limit].key
        calls.removeLast(calls.count - CostSample.limit)
    }

    /// The calls in an order that does not depend on that in which they came; `limit` of them at most.
    func calls(limit: Int) -> [SampledCall] {
        let sorted = calls.sorted { left, right in
            left.key != right.key ? left.key < right.key : left.values.lexicographicallyPrecedes(right.values)
        }
        return Array(sorted.prefix(min(limit, CostSample.limit)))
    }
}
