import Testing
import WireCore
import WireTesting

/// Datagrams that are named or remarked on beside DNS and QUIC.
@Suite("Audit: kinds of datagrams")
struct DatagramKindTests {
    private func frame(
        _ payload: [UInt8], from source: UInt16 = 40_000, to destination: UInt16, time: Int64 = 0
    ) -> CapturedFrame {
        var packet = PacketBuilder()
        packet.transport = .udp
        packet.sourcePort = source
        packet.destinationPort = destination
        packet.payload = payload
        return CapturedFrame(time: time, packet)
    }

    private func message(_ type: UInt8, _ length: Int) -> [UInt8] {
        [type, 0, 0, 0] + [UInt8](repeating: 0x5A, count: length - 4)
    }

    // MARK: WireGuard

    @Test("WireGuard is named by its messages once a handshake was seen")
    func namesWireGuard() {
        let first = [message(1, 148), message(4, 96), message(3, 64), message(4, 32)]
        let frames = first.map { frame($0, to: 7000) } + [frame(message(2, 92), from: 7000, to: 40_000)]
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.other.wireGuard == 5 * 28 + 148 + 96 + 64 + 32 + 92)
        #expect(capture.result.ledger.other.udp == 0)
    }

    @Test("its data alone is named at its port only", arguments: [(51_820, true), (7000, false)] as [(UInt16, Bool)])
    func namesDataAtPort(port: UInt16, isNamed: Bool) {
        let capture = audit([frame(message(4, 96), to: port), frame(message(4, 32), from: port, to: 9)])
        #expect(capture.result.ledger.other.wireGuard == (isNamed ? 184 : 0))
        #expect(capture.result.ledger.other.udp == (isNamed ? 0 : 184))
    }

    @Test("other lengths, types and reserved bytes are none")
    func refusesOthers() {
        var payloads = [
            message(1, 147), message(2, 93), message(3, 63), message(4, 33), message(4, 16), message(5, 96),
        ]
        payloads += [message(0, 148), [1, 0, 1, 0] + [UInt8](repeating: 0, count: 144), [4], [4, 0, 0], []]
        let capture = audit(payloads.map { frame($0, to: 51_820) })
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.other.wireGuard == 0)
        #expect(capture.result.ledger.other.udp == payloads.reduce(0) { $0 + 28 + $1.count })
    }

    @Test("a handshake that the snap length cut has its length on the wire")
    func knowsSnapped() {
        var first = frame(message(1, 148), to: 7000)
        first.originalLength = first.bytes.count
        first.bytes.removeSubrange(60...)
        let capture = audit([first])
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.other.wireGuard == 176)
    }

    @Test("address pairs beyond the limit are forgotten, and that is said")
    func forgets() {
        var options = AuditOptions()
        options.quicFlowLimit = 2
        let handshakes = (1...3 as ClosedRange<UInt16>).map { frame(message(1, 148), from: $0, to: 7000) }
        let capture = audit(handshakes + [frame(message(4, 32), from: 1, to: 7000)], options)
        #expect(capture.findings(.quicFlowLimit) == 1)
        #expect(capture.result.ledger.other.wireGuard == 3 * 176)
        #expect(capture.result.ledger.other.udp == 60)
    }

    // MARK: sFlow

    private func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { [UInt8](be16: UInt16($0 >> 16)) + [UInt8](be16: UInt16(truncatingIfNeeded: $0)) }
    }

    private func record(_ format: UInt32, _ content: [UInt8]) -> [UInt8] {
        words(format, UInt32(content.count)) + content
    }

    private func flow(isExpanded: Bool, _ records: [[UInt8]]) -> [UInt8] {
        let head = [UInt8](repeating: 7, count: isExpanded ? 40 : 28)
        return record(isExpanded ? 3 : 1, head + words(UInt32(records.count)) + records.flatMap(\.self))
    }

    private func sampled(isVersion6: Bool = false, _ samples: [[UInt8]]) -> [UInt8] {
        let address = [UInt8](repeating: 9, count: isVersion6 ? 16 : 4)
        return words(5, isVersion6 ? 2 : 1) + address + words(0, 1, 1000, UInt32(samples.count))
            + samples.flatMap(\.self)
    }

    private var header: [UInt8] {
        let bytes = PacketBuilder().frame()
        return record(1, words(1, 1518, 4, UInt32(bytes.count)) + bytes + [0, 0])
    }

    @Test("sFlow's samples are UDP, and a finding counts the frames in them", arguments: [false, true])
    func countsSamples(isVersion6: Bool) {
        let counters = record(2, [UInt8](repeating: 1, count: 100))
        let payload = sampled(
            isVersion6: isVersion6,
            [
                flow(isExpanded: false, [header]), counters,
                flow(isExpanded: true, [record(1001, [1, 2, 3, 4]), header]),
                flow(isExpanded: true, [header, header]),
            ])
        let capture = audit([frame(payload, to: 6343)])
        #expect(capture.contradictions == [])
        #expect(capture.findings(.sampledFrames) == 4)
        #expect(capture.result.ledger.other.udp == 28 + payload.count)
        #expect(capture.connections.isEmpty)
    }

    @Test("datagrams that are no sFlow, or other ports, have none")
    func countsNoOthers() {
        let payload = sampled([flow(isExpanded: false, [header])])
        var version = payload
        version[3] = 4
        var address = payload
        address[7] = 3
        let frames = [
            frame(payload, to: 6344), frame(version, to: 6343), frame(address, to: 6343), frame([], to: 6343),
            frame(sampled([]), to: 6343),
        ]
        let capture = audit(frames)
        #expect(capture.findings(.sampledFrames) == 0)
    }

    @Test("any cut, and any number in place of any other, is survived")
    func survivesDamage() {
        let payload = sampled([flow(isExpanded: false, [header]), flow(isExpanded: true, [header])])
        for count in 0...payload.count {
            let capture = audit([frame(Array(payload.prefix(count)), to: 6343)])
            #expect(capture.contradictions == [])
            #expect(capture.findings(.sampledFrames) <= 2)
        }
        for place in 0..<payload.count / 4 {
            for value: UInt32 in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                var damaged = payload
                damaged.replaceSubrange(place * 4..<place * 4 + 4, with: words(value))
                #expect(audit([frame(damaged, to: 6343)]).contradictions == [])
            }
        }
    }

    // MARK: Fragments in tunnels

    @Test("fragments of frames in CAPWAP are said")
    func saysFragments() {
        let fragment: [UInt8] = [0, 0x10, 2, 0x80, 0, 1, 0, 0] + [UInt8](repeating: 1, count: 60)
        let last: [UInt8] = [0, 0x10, 2, 0xC0, 0, 1, 0, 64] + [UInt8](repeating: 1, count: 20)
        let keepAlive: [UInt8] = [0, 0x10, 2, 0x88, 0, 1, 0, 0] + [UInt8](repeating: 1, count: 20)
        let frames = [
            frame(fragment, to: 5247), frame(last, from: 5247, to: 9), frame(keepAlive, to: 5247),
            frame(fragment, to: 9),
        ]
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.findings(.tunnelFragment) == 2)
        #expect(capture.result.ledger.other.udp == 4 * 28 + 68 + 28 + 28 + 68)
    }
}
