import WireTesting

@testable import WireCore

/// TCP of one connection with its streams, told of segments as values. Places count from 0 behind the SYN.
final class SegmentBench {
    let bench: LayerBench
    /// Sequence numbers of place 0, near the end of the circle.
    private let first: [UInt32] = [0xFFFF_FFF0, 0x7FFF_FFF8]
    private(set) var time: Int64 = 1_000_000_000
    /// Bytes of the IP layer, by direction.
    private(set) var internet = [0, 0]

    init(_ options: AuditOptions = AuditOptions(), keys: KeyLog = KeyLog(), hasHandshake: Bool = true) {
        bench = LayerBench(options, keys: keys, joinsLate: true)
        guard hasHandshake else { return }
        send(0, at: -1, flags: [.syn])
        send(1, at: -1, acknowledging: 0, flags: [.syn])
        send(0, at: 0, acknowledging: 0)
    }

    /// A segment. `acknowledging`: a place of the other direction; nil for none.
    func send(
        _ direction: Direction, at place: Int, _ bytes: [UInt8] = [], acknowledging acknowledged: Int? = nil,
        flags: TCPFlags = [], after wait: Int64 = 1_000_000, window: UInt16 = 1000
    ) {
        time += wait
        var segment = Segment()
        segment.direction = direction
        segment.time = time
        segment.sequence = SequenceNumber(first[direction.index] &+ UInt32(truncatingIfNeeded: place))
        segment.flags = flags
        if let acknowledged {
            let base = first[direction.opposite.index]
            segment.acknowledgment = SequenceNumber(base &+ UInt32(truncatingIfNeeded: acknowledged))
            segment.flags.insert(.ack)
        }
        segment.payload = bytes.count
        segment.window = window
        segment.cost = LayerBench.headers
        segment.frameBytes = 54 + bytes.count
        internet[direction.index] += segment.internetBytes
        // A checksum of zero was left for the hardware.
        let transport = [UInt8](repeating: 0, count: 20) + bytes
        bench.shard.streams.findings.ordinal += 1
        unsafe bench.connection.receive(&segment, transport.span.bytes, &bench.shard)
    }

    func counts(_ direction: Direction) -> DirectionCounts { bench.memory.tcp[direction].counts }

    var facts: ConnectionFacts { bench.connection.facts }

    /// Ends the connection. Returns what it and its exchanges have cost, by direction.
    func end() -> [CostVector] {
        bench.connection.end(.open, &bench.shard)
        return Direction.both.map { direction in
            var sum = bench.memory.account[direction].unattributed
            sum += bench.memory.account[direction].attributed
            return sum
        }
    }

    var records: [ExchangeRecord] {
        bench.shard.streams.completed.exchangeRecords.sorted { $0.exchange < $1.exchange }
    }
}
