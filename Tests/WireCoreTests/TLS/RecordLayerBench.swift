import WireTesting

@testable import WireCore

/// A record layer between bytes of a stream and a reader that writes down what it gets.
final class RecordLayerBench {
    let bench: LayerBench
    let layer = TLSRecordLayer()
    var reader: RecordingReader
    /// Bytes and packets that came.
    private(set) var entered = [0, 0]
    private(set) var packets = [0, 0]

    init(keys: KeyLog, _ options: AuditOptions = AuditOptions()) {
        bench = LayerBench(options, keys: keys)
        reader = RecordingReader(owner: bench.shard.streams.attribution.openAccount())
        for direction in Direction.both {
            layer[direction] = RecordStream(origin: .zero)
            bench.memory.account[direction].runs = OwnerRuns(from: .zero, isDirect: false)
        }
    }

    convenience init(_ peers: TLSPeers, _ options: AuditOptions = AuditOptions()) {
        self.init(keys: RecordLayerBench.keys(peers.keyLog), options)
    }

    static func keys(_ text: String) -> KeyLog {
        let log = KeyLog()
        unsafe log.add(Array(text.utf8).span.bytes)
        log.endOfInput()
        return log
    }

    /// Delivers the next bytes of a direction, in packets of that many bytes at most.
    func deliver(_ bytes: [UInt8], _ direction: Direction, each size: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let packet = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let start = bench.next(direction)
            bench.shard.streams.attribution.packet.time += 1
            bench.memory.assembly[direction].acceptNext(packet.count)
            bench.shard.streams.attribution.enter(packet: LayerBench.headers)
            unsafe layer.receive(packet.span.bytes, at: start, direction, &reader, &bench.shard.streams)
            bench.shard.streams.attribution.leave(direction)
            entered[direction.index] += packet.count
            packets[direction.index] += 1
        }
    }

    /// The next bytes of a direction are not there.
    func skip(_ count: Int, _ direction: Direction) {
        var left = count
        while left > 0 {
            let start = bench.next(direction)
            let claim = layer.skip(left, at: start, direction, .gap, &reader, &bench.shard.streams)
            bench.memory.account[direction].runs?.append(claim.owner, upTo: start + claim.count)
            bench.memory.assembly[direction].acceptNext(claim.count)
            left -= claim.count
        }
    }

    func finish() { for direction in Direction.both { layer.finish(direction, &reader, &bench.shard.streams) } }

    /// What came of a direction has cost, with the headers of its packets.
    func costs(_ direction: Direction) -> CostVector {
        var costs = bench.memory.account[direction].unattributed
        costs += bench.shard.streams.attribution.accounts[Int(reader.owner.index)].costs[direction]
        return costs
    }

    /// All that came has a cause, and nothing waits.
    var isBalanced: Bool {
        bench.shard.streams.attribution.pending.count == 0 && bench.shard.streams.buffered.records == 0
            && Direction.both.allSatisfy {
                costs($0).internet == entered[$0.index] + LayerBench.headers.internet * packets[$0.index]
            }
    }
}
