/// Which shard the subflows of Multipath TCP go to that joined a connection (RFC 8684 §3.2): to that of the connection.
///
/// Whether they really are of it, the shard decides. What says so here is only the token in the SYN, and the order of the
/// capture.
struct SubflowRoutes {
    private struct Route {
        var shard: Int
        var time: Int64
        /// Of a connection's first subflow: packets that may still bring the client's key. 0 for a subflow that joined.
        var awaited = 0
    }

    /// Shards of connections, by the tokens of both endpoints.
    private var tokens: [UInt32: Int] = [:]
    private var routes: [UInt64: Route] = [:]
    /// A bit for each hash of the ports of those that have a route: most packets are looked for no further.
    private var filter: [UInt64] = []
    /// Something has a route.
    private(set) var isInUse = false
    private let seed = UInt64.random(in: .min ... .max)
    private var cleanedAt: Int64?
    private let limit: Int
    private let idleLimit: Int64

    /// The client's key comes with the end of the handshake, or with the first data.
    private static let openingPackets = 16
    private static let filterBits = 16
    private static let cleaningInterval: Int64 = 60_000_000_000

    init(limit: Int, idleLimit: Int64) { (self.limit, self.idleLimit) = (limit, idleLimit) }

    /// False where a connection has no route.
    @inline(__always)
    func mayHold(_ key: ConnectionKey) -> Bool {
        let bit = SubflowRoutes.bit(key)
        return filter[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    @inline(__always)
    private static func bit(_ key: ConnectionKey) -> Int {
        Int(truncatingIfNeeded: (key.ports &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - filterBits))
    }

    /// Whether a subflow joined a connection that is known.
    func holds(_ key: ConnectionKey) -> Bool {
        guard isInUse, mayHold(key), let route = routes[key.hash(seed: seed)] else { return false }
        return route.awaited == 0
    }

    /// Takes a SYN with options of Multipath TCP.
    @inline(never)
    mutating func receiveOpening(_ routed: RoutedSegment, _ bytes: RawSpan) {
        let options = MultipathOptions(options: bytes)
        if !routed.segment.flags.contains(.ack) { routes[routed.key.hash(seed: seed)] = nil }
        if let token = options.token {
            if let shard = tokens[token] { add(routed, to: shard) }
        } else if options.isCapable {
            record(options, routed.key.shard)
            add(routed, to: routed.key.shard, awaited: Self.openingPackets)
        }
    }

    private mutating func record(_ options: MultipathOptions, _ shard: Int) {
        if tokens.count >= 2 * limit { tokens.removeAll() }
        for key in [options.key, options.otherKey] { if let key { tokens[key.token] = shard } }
    }

    private mutating func add(_ routed: RoutedSegment, to shard: Int, awaited: Int = 0) {
        if !isInUse {
            filter = [UInt64](repeating: 0, count: 1 << (Self.filterBits - 6))
            isInUse = true
        }
        if routes.count >= limit { removeIdle(at: routed.segment.time) }
        guard routes.count < limit else { return }
        let bit = Self.bit(routed.key)
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
        routes[routed.key.hash(seed: seed)] = Route(shard: shard, time: routed.segment.time, awaited: awaited)
    }

    /// Looks at all, and so not with each packet.
    private mutating func removeIdle(at time: Int64) {
        if let last = cleanedAt, abs(time - last) < Self.cleaningInterval { return }
        cleanedAt = time
        routes = routes.filter { time - $0.value.time <= idleLimit }
    }

    /// The shard of a segment. `transport` is what was captured from the TCP header on.
    @inline(never)
    mutating func shard(_ routed: RoutedSegment, _ transport: RawSpan) -> Int {
        let hash = routed.key.hash(seed: seed)
        let segment = routed.segment
        guard var route = routes[hash] else { return routed.key.shard }
        if segment.flags.contains(.syn) {
            if !segment.flags.contains(.ack), !segment.hasMultipath {
                routes[hash] = nil
                return routed.key.shard
            }
            return route.shard
        }
        route.time = segment.time
        if route.awaited > 0 {
            route.awaited -= 1
            let options = MultipathOptions(transport, headerLength: segment.headerLength)
            if options.otherKey != nil { record(options, route.shard) }
            if options.otherKey != nil || route.awaited == 0 {
                routes[hash] = nil
                return route.shard
            }
        }
        routes[hash] = route
        return route.shard
    }
}
