import Testing
import WireCore
import WireTesting

@Suite("Fragment reassembler")
struct FragmentReassemblerTests {
    private static let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    private func builder(isVersion6: Bool = false, identification: UInt16 = 77) -> PacketBuilder {
        var builder = isVersion6 ? Bytes.version6Builder : PacketBuilder()
        builder.payload = Self.content
        builder.identification = identification
        return builder
    }

    /// The frame that carries the given part of a builder's transport bytes.
    private func fragment(_ whole: PacketBuilder, _ range: Range<Int>) -> [UInt8] {
        let datagram = whole.transportBytes()
        var part = whole
        part.transport = .other(6)
        part.payload = Array(datagram[range])
        part.fragmentOffset = range.lowerBound
        part.moreFragments = range.upperBound < datagram.count
        return part.frame()
    }

    private func add(
        _ frame: [UInt8], to reassembler: inout FragmentReassembler, time: Int64 = 0, snapped: Int = 0
    ) -> FragmentReassembler.Datagram? {
        let captured = Array(frame.dropLast(snapped))
        let packet = decode(captured, original: frame.count)
        #expect(packet.kind == .fragment)
        return unsafe reassembler.add(packet, captured.span.bytes, time: time)
    }

    /// All orders of four parts.
    private static let orders: [[Int]] = {
        var orders: [[Int]] = []
        for code in 0..<256 {
            let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]
            if Set(order).count == 4 { orders.append(order) }
        }
        return orders
    }()

    @Test("rejoins fragments in every order", arguments: [false, true])
    func rejoinsEveryOrder(isVersion6: Bool) throws {
        let whole = builder(isVersion6: isVersion6)
        let datagram = whole.transportBytes()
        let parts = [0..<8, 8..<256, 256..<800, 800..<datagram.count].map { fragment(whole, $0) }
        #expect(Self.orders.count == 24)
        for order in Self.orders {
            var reassembler = FragmentReassembler()
            for index in order.dropLast() { #expect(add(parts[index], to: &reassembler) == nil) }
            #expect(reassembler.openCount == 1)
            let result = try #require(add(parts[order[3]], to: &reassembler))
            #expect(result.bytes == datagram)
            #expect(result.isKnown)
            #expect(result.frames == 4)
            #expect(result.frameBytes == parts.reduce(0) { $0 + $1.count })
            #expect(result.networkBytes == 4 * (isVersion6 ? 48 : 20))
            #expect(result.linkBytes == 4 * 14)
            #expect(result.packet.fragmentOffset == 0)
            #expect(reassembler.openCount == 0)
            #expect(reassembler.heldBytes == 0)
        }
    }

    @Test("decodes the transport header of a rejoined datagram", arguments: [false, true])
    func decodesTransport(isVersion6: Bool) throws {
        let whole = builder(isVersion6: isVersion6)
        var reassembler = FragmentReassembler()
        // The TCP header itself is spread over two fragments.
        _ = add(fragment(whole, 0..<8), to: &reassembler)
        let result = try #require(add(fragment(whole, 8..<1020), to: &reassembler))
        var packet = result.packet
        unsafe PacketDecoder().decodeTransport(result.bytes.span.bytes, into: &packet)
        #expect(packet.kind == .tcp)
        #expect(packet.sourcePort == 40_000)
        #expect(packet.transport == 20)
        #expect(packet.payload == 1000)
        #expect(packet.payloadCaptured == 1000)
        #expect(packet.payloadOffset == 20)
        #expect(packet.frameBytes == result.frameBytes)
        #expect(packet.source == whole.source)
    }

    @Test("counts the first of several claims to a byte, and every frame")
    func prefersFirstSight() throws {
        let whole = builder()
        let datagram = whole.transportBytes()
        var other = whole
        other.payload = [UInt8](repeating: 0xee, count: 1000)
        var reassembler = FragmentReassembler()
        let frames = [
            fragment(whole, 0..<400), fragment(whole, 600..<1020), fragment(whole, 0..<400), fragment(other, 200..<700),
        ]
        for frame in frames.dropLast() { #expect(add(frame, to: &reassembler) == nil) }
        let result = try #require(add(frames[3], to: &reassembler))
        #expect(Array(result.bytes[..<400]) == Array(datagram[..<400]))
        #expect(result.bytes[400..<600].allSatisfy { $0 == 0xee })
        #expect(Array(result.bytes[600...]) == Array(datagram[600...]))
        #expect(result.frames == 4)
        #expect(result.frameBytes == frames.reduce(0) { $0 + $1.count })
        #expect(result.packet.frameBytes == result.frameBytes)
        // 700 bytes came twice.
        #expect(result.networkBytes == 4 * 20 + 700)
    }

    @Test("knows a snapped datagram up to its first unknown byte")
    func knowsPrefix() throws {
        let whole = builder()
        var reassembler = FragmentReassembler()
        _ = add(fragment(whole, 0..<400), to: &reassembler, snapped: 100)
        let result = try #require(add(fragment(whole, 400..<1020), to: &reassembler))
        #expect(!result.isKnown)
        #expect(result.length == 1020)
        #expect(result.bytes == Array(whole.transportBytes()[..<300]))
        var packet = result.packet
        unsafe PacketDecoder().decodeTransport(result.bytes.span.bytes, into: &packet)
        #expect(packet.kind == .tcp)
        #expect(packet.payload == 1000)
        #expect(packet.payloadCaptured == 280)
        #expect(packet.frameBytes == result.frameBytes)
    }

    @Test("finds the tunnel inside a rejoined datagram")
    func findsTunnel() throws {
        var outer = PacketBuilder()
        outer.transport = .other(4)
        var parts: [[UInt8]] = []
        for (start, isLast) in [(0, false), (32, true)] {
            outer.payload = Array(isLast ? Bytes.tcp4[start...] : Bytes.tcp4[..<32])
            outer.fragmentOffset = start
            outer.moreFragments = !isLast
            parts.append(outer.frame())
        }
        var reassembler = FragmentReassembler()
        _ = add(parts[0], to: &reassembler)
        let result = try #require(add(parts[1], to: &reassembler))
        var packet = result.packet
        unsafe PacketDecoder().decodeTransport(result.bytes.span.bytes, into: &packet)
        let expected = FrameFixture.Layers(pseudo: 0, link: 28, tunnel: 40, network: 20, transport: 20, payload: 10)
        #expect(packet.kind == .tcp)
        #expect(FrameFixture.Layers(packet) == expected)
    }

    @Test("tells datagrams apart by identification and addresses")
    func tellsApart() {
        var reassembler = FragmentReassembler()
        #expect(add(fragment(builder(), 0..<400), to: &reassembler) == nil)
        #expect(add(fragment(builder(identification: 78), 400..<1020), to: &reassembler) == nil)
        var turned = builder()
        swap(&turned.source, &turned.destination)
        #expect(add(fragment(turned, 400..<1020), to: &reassembler) == nil)
        #expect(reassembler.openCount == 3)
    }

    @Test("gives up after thirty seconds")
    func givesUpWithAge() {
        var reassembler = FragmentReassembler()
        let first = fragment(builder(), 0..<400)
        #expect(add(first, to: &reassembler, time: 0) == nil)
        #expect(add(fragment(builder(), 400..<1020), to: &reassembler, time: 30_000_000_001) == nil)
        #expect(reassembler.evicted == 1)
        #expect(reassembler.abandoned.frames == 1)
        #expect(reassembler.abandoned.frameBytes == first.count)
        #expect(reassembler.openCount == 1)
    }

    @Test("holds no more datagrams and bytes than allowed, and books every frame")
    func staysBounded() {
        var reassembler = FragmentReassembler()
        var bytes = 0
        for identification in 0..<3000 {
            let start = identification % 2 == 0 ? 0 : 64_000
            var part = builder(identification: UInt16(identification))
            part.transport = .other(6)
            part.payload = Array(Self.content[..<8])
            part.fragmentOffset = start
            part.moreFragments = true
            let frame = part.frame()
            bytes += frame.count
            #expect(add(frame, to: &reassembler) == nil)
            #expect(reassembler.openCount <= reassembler.openLimit)
            #expect(reassembler.heldBytes <= reassembler.heldLimit)
        }
        let evicted = reassembler.evicted
        #expect(evicted > 3000 - reassembler.openLimit)
        let open = reassembler.openCount
        let rest = reassembler.takeOpen()
        #expect(open == rest.frames)
        #expect(evicted + open == 3000)
        #expect(reassembler.abandoned.frameBytes + rest.frameBytes == bytes)
        #expect(reassembler.openCount == 0)
        #expect(reassembler.heldBytes == 0)
    }

    @Test("gives up a datagram that is too long or in too many pieces")
    func refusesAbsurdDatagrams() {
        var reassembler = FragmentReassembler()
        var part = builder()
        part.transport = .other(6)
        part.fragmentOffset = 65_528
        part.moreFragments = true
        #expect(add(part.frame(), to: &reassembler) == nil)
        #expect(reassembler.evicted == 1)
        part.payload = Array(Self.content[..<8])
        for piece in 0..<257 {
            part.fragmentOffset = piece * 16
            #expect(add(part.frame(), to: &reassembler) == nil)
        }
        #expect(reassembler.evicted == 2)
        #expect(reassembler.abandoned.frames == 258)
        #expect(reassembler.openCount == 0)
    }
}
