import Testing
import WireTesting

@testable import WireCore

@Suite("Frames to come")
struct ExpectationTests {
    private static func packets() -> [PacketBuilder] {
        var plain = PacketBuilder()
        plain.payload = [1, 2, 3]
        var answer = plain
        swap(&answer.source, &answer.destination)
        swap(&answer.sourcePort, &answer.destinationPort)
        var tagged = plain
        tagged.vlanTags = [7]
        var sixth = plain
        sixth.source = IPAddress(high: 0x2001_0db8_0000_0000, low: 1, isVersion6: true)
        sixth.destination = IPAddress(high: 0x2001_0db8_0000_0001, low: 2, isVersion6: true)
        var cooked = plain
        cooked.link = .cooked
        var raw = sixth
        raw.link = .raw
        return [plain, answer, tagged, sixth, cooked, raw]
    }

    private static func route(_ packet: PacketBuilder, _ router: inout PacketRouter) {
        let bytes = packet.frame()
        let frame = CaptureFrame(
            number: 1, time: 0, capturedLength: bytes.count, originalLength: bytes.count, linkType: packet.linkType)
        _ = unsafe router.route(frame, bytes.span.bytes, file: 0)
    }

    private static func newRouter() -> PacketRouter {
        var router = PacketRouter(options: AuditOptions(), names: NameDirectory(limit: 10))
        _ = router.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        return router
    }

    @Test("the connection of a frame laid out as the last one is the one that it will have", arguments: 0..<6)
    func sameLayout(_ index: Int) {
        var router = Self.newRouter()
        var packet = Self.packets()[index]
        Self.route(packet, &router)
        packet.sourcePort = 4711
        packet.destination.low += 77
        let foreseen = unsafe router.glimpse(packet.frame().span.bytes)
        Self.route(packet, &router)
        #expect(foreseen == router.routed.key)
        #expect(foreseen?.sender == router.routed.key.sender)
        #expect(foreseen?.shard == router.shard)
    }

    @Test("of a frame that is cut before its ports nothing is foreseen")
    func cutFrames() {
        for before in Self.packets() {
            var router = Self.newRouter()
            Self.route(before, &router)
            for packet in Self.packets() {
                let whole = packet.frame()
                for length in 0...whole.count {
                    let cut = Array(whole[..<length])
                    let foreseen = unsafe router.glimpse(cut.span.bytes)
                    if length < 34 { #expect(foreseen == nil, "\(length)") }
                }
            }
        }
    }

    @Test("datagrams and other protocols are nobody's connection")
    func otherProtocols() {
        var router = Self.newRouter()
        for var packet in Self.packets() {
            Self.route(packet, &router)
            for transport in [PacketBuilder.Transport.udp, .other(1)] {
                packet.transport = transport
                packet.payload = [UInt8](repeating: 0, count: 64)
                #expect(unsafe router.glimpse(packet.frame().span.bytes) == nil)
            }
        }
    }

    /// So many connections that all parts look ahead.
    private static func manyConnections(_ random: inout SeededRandom) -> [CapturedFrame] {
        var frames: [CapturedFrame] = []
        for port in 0..<900 {
            var talk = Dialogue(clientPort: UInt16(20_000 + port))
            talk.time += Int64(random.below(500_000_000))
            talk.handshake()
            talk.exchange()
            if random.oneIn(3) { talk.close() }
            frames += talk.frames
        }
        return frames.sorted { $0.time < $1.time }
    }

    private func check(_ auditor: consuming Auditor, _ frames: [CapturedFrame], _ seed: UInt64) {
        #expect((0..<16).allSatisfy { auditor.shards[$0].connections.rewardsPrefetching })
        let result = auditor.finish()
        #expect("\(result)" == "\(audit(frames).result)", "seed \(seed)")
        #expect(result.exchanges == 900 && result.ledger.balanced, "seed \(seed)")
    }

    @Test("an audit finds the same whatever was expected", arguments: 0..<4 as Range<UInt64>)
    func nothingDependsOnIt(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let frames = Self.manyConnections(&random)
        var auditor = Auditor()
        let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        for (index, frame) in frames.enumerated() {
            let lies = [random.bytes(random.below(80)), [], random.element(frames).bytes]
            let following = index + 1 < frames.count && random.oneIn(2) ? frames[index + 1].bytes : random.element(lies)
            unsafe auditor.expect(following.span.bytes)
            unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file)
        }
        check(auditor, frames, seed)
    }

    @Test("parts that take batches, and look ahead in them, find the same", arguments: 0..<4 as Range<UInt64>)
    func batches(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let frames = Self.manyConnections(&random)
        var auditor = Auditor()
        let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        auditor.beginBatches()
        let shards = auditor.unsafeShards
        var start = 0
        while start < frames.count {
            let end = min(start + 1 + random.below(2000), frames.count)
            let batch = Batch()
            for index in start..<end {
                let bytes = frames[index].bytes
                batch.addBuffer(CaptureBuffer(bytes))
                batch.fill { content in
                    let facts = frames[index].facts(number: index + 1)
                    unsafe auditor.route(facts, bytes.span.bytes, file: file, offset: 0, into: &content)
                }
            }
            for part in batch.shards { shards.take(batch, shard: part) }
            shards.settle(batch)
            start = end
        }
        check(auditor, frames, seed)
    }
}
