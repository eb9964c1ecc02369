import Testing
import WireTesting

@testable import WireCore

@Suite("Fragments and datagrams: limits")
struct FragmentLimitTests {
    /// The first fragment of a datagram, of 800 bytes.
    private func add(
        _ identification: UInt16, to reassembler: inout FragmentReassembler, at time: Int64 = 0
    ) {
        var builder = PacketBuilder()
        builder.identification = identification
        builder.transport = .other(17)
        builder.payload = [UInt8](repeating: 0x61, count: 800)
        builder.moreFragments = true
        let frame = builder.frame()
        let packet = decode(frame, original: frame.count)
        #expect(packet.kind == .fragment)
        #expect(unsafe reassembler.add(packet, frame.span.bytes, time: time) == nil)
    }

    @Test("datagrams that wait are bounded in number, bytes and time, and it is told for what they went")
    func fragments() {
        var few = FragmentReassembler(openLimit: 4)
        for number in 0..<10 { add(UInt16(number), to: &few) }
        #expect(few.openCount == 4 && few.evicted == 6 && few.crowdedOut == 6)
        var small = FragmentReassembler(heldLimit: 3000)
        for number in 0..<10 { add(UInt16(number), to: &small) }
        // What a datagram takes besides its bytes counts too.
        #expect([small.openCount, small.evicted, small.crowdedOut] == [2, 8, 8])
        #expect(small.heldBytes > 1600 && small.heldBytes <= 3000)
        var short = FragmentReassembler(ageLimit: 1_000_000_000)
        for number in 0..<10 { add(UInt16(number), to: &short, at: Int64(number) * 600_000_000) }
        #expect(short.openCount == 2 && short.evicted == 8 && short.crowdedOut == 0)
    }

    @Test("QUIC flows are forgotten when there are too many, and that is counted")
    func quicFlows() {
        var classifier = DatagramClassifier(limit: 3)
        func kind(_ port: UInt16, isLong: Bool) -> DatagramClassifier.Kind {
            var builder = PacketBuilder()
            builder.transport = .udp
            builder.sourcePort = port
            builder.destinationPort = 443
            builder.payload = isLong ? [0xC3, 0, 0, 0, 1, 8] + Bytes.zeros(30) : [0x43] + Bytes.zeros(30)
            let frame = builder.frame()
            let packet = decode(frame, original: frame.count)
            let payload = packet.payloadOffset..<packet.payloadOffset + packet.payloadCaptured
            return unsafe classifier.classify(
                ConnectionKey(packet), frame.span.bytes.extracting(payload), length: packet.payload, mayOpen: false)
        }
        for port in 1...3 as ClosedRange<UInt16> { #expect(kind(port, isLong: true) == .quic(begins: true)) }
        for port in 1...3 as ClosedRange<UInt16> { #expect(kind(port, isLong: false) == .quic(begins: false)) }
        // One that is known takes no more room.
        #expect(kind(3, isLong: true) == .quic(begins: false) && classifier.forgotten == 0)
        #expect(kind(4, isLong: true) == .quic(begins: true) && classifier.forgotten == 1)
        #expect(kind(1, isLong: false) == .unknown && kind(4, isLong: false) == .quic(begins: false))
    }
}
