import Testing
import WireTesting

@testable import WireCore

/// Fragments that overlap, contradict each other, or reach too far.
@Suite("Evasion: fragments")
struct FragmentEvasionTests {
    /// A part of a datagram's transport bytes.
    struct Part: Sendable {
        var range: Range<Int>
        /// From a datagram of the same length with other content.
        var isOther = false
        /// More fragments follow; nil: as the range says.
        var more: Bool?
        var identification: UInt16 = 7
    }

    struct Shape: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parts: [Part]
        var findings: [String: Int]
        /// Whether the request was rejoined, and whose it is.
        var target: String?

        init(_ name: String, _ parts: [Part], findings: [String: Int] = [:], _ target: String?) {
            testDescription = name
            self.parts = parts
            self.findings = findings
            self.target = target
        }
    }

    /// 20 bytes of TCP header, 44 of request.
    private static let request = "GET /aaaaaaaaaaaaaaaa HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let other = "GET /bbbbbbbbbbbbbbbb HTTP/1.1\r\nHost: b\r\n\r\n"
    private static let length = 20 + request.utf8.count

    private static func part(
        _ lower: Int, _ upper: Int? = nil, isOther: Bool = false, more: Bool? = nil, identification: UInt16 = 7
    ) -> Part {
        Part(range: lower..<(upper ?? length), isOther: isOther, more: more, identification: identification)
    }

    private static let a = "/aaaaaaaaaaaaaaaa"
    private static let contradiction = ["fragment-contradiction": 1]
    private static let unfinished = ["fragments-incomplete": 1]

    /// Shapes that mean the same in both versions of IP.
    static let shapes = [
        Shape("in order", [part(0, 24), part(24)], a),
        Shape("in reverse", [part(40), part(24, 40), part(8, 24), part(0, 8)], a),
        Shape("the first holds eight bytes", [part(0, 8), part(8)], a),
        Shape("the TCP header lies in three", [part(0, 8), part(8, 16), part(16)], a),
        Shape("one sent twice", [part(0, 24), part(0, 24), part(24)], a),
        Shape(
            "a number used again at once", [part(0, 24), part(24), part(0, 24, isOther: true)],
            findings: unfinished, a),
        Shape(
            "two datagrams among each other",
            [part(0, 24), part(0, 24, isOther: true, identification: 8), part(24)], findings: unfinished, a),
        Shape("the end is missing", [part(0, 24), part(24, 40)], findings: unfinished, nil),
        Shape("more behind its end", [part(40, 48, more: false), part(48), part(0, 40)], findings: contradiction, nil),
        Shape(
            "a tail that is longer than a datagram can be", [part(0, 24), Part(range: 65_528..<65_592, more: false)],
            findings: contradiction, nil),
    ]

    static let version4 = [
        Shape("it ends at two places", [part(40), part(32, 48, more: false), part(0, 40)], findings: contradiction, a),
        Shape(
            "one sent twice with other bytes, before the end", [part(0, 40), part(0, 40, isOther: true), part(40)],
            findings: contradiction, a),
        Shape(
            "the second overlaps the end of the first", [part(0, 40), part(24, isOther: true)],
            findings: contradiction, "/aaaaaaaaaaaaaaab"),
        Shape(
            "the second begins before the first", [part(32), part(0, 48, isOther: true)], findings: contradiction,
            "/bbbbbbbaaaaaaaaa"),
        Shape(
            "one inside of another", [part(0, 48), part(24, 32, isOther: true, more: true), part(48)],
            findings: contradiction, a),
        Shape(
            "one around another", [part(24, 32), part(0, 56, isOther: true), part(56)], findings: contradiction,
            "/aaaaaaabbbbbbbbb"),
        Shape(
            "three contradictions in one", [part(24, 32), part(0, 40, isOther: true), part(0, 40), part(32)],
            findings: contradiction, "/aaaaaaabbbbbbbba"),
        Shape("overlapping with the same bytes", [part(0, 40), part(24)], a),
    ]

    static let version6 = [
        Shape(
            "it ends at two places", [part(40), part(32, 48, more: false), part(0, 40)],
            findings: ["fragment-contradiction": 1, "fragments-incomplete": 1], nil),
        Shape("overlapping, even with the same bytes", [part(0, 40), part(24)], findings: contradiction, nil),
        Shape("overlapping with other bytes", [part(0, 40), part(24, isOther: true)], findings: contradiction, nil),
        Shape(
            "one sent twice with other bytes", [part(0, 24), part(0, 24, isOther: true), part(24)],
            findings: ["fragment-contradiction": 1, "fragments-incomplete": 1], nil),
        Shape(
            "one that holds another", [part(24, 32), part(0, 56), part(56)],
            findings: ["fragment-contradiction": 1, "fragments-incomplete": 1], nil),
    ]

    private func check(_ shape: Shape, isVersion6: Bool) {
        var talk = Dialogue()
        if isVersion6 {
            talk.template.source = IPAddress(high: 0x2001_0db8 << 32, low: 1, isVersion6: true)
            talk.template.destination = IPAddress(high: 0x2001_0db8 << 32, low: 2, isVersion6: true)
        }
        talk.handshake()
        for part in shape.parts {
            var whole = talk.template
            whole.sequence = 1001
            whole.acknowledgment = 5001
            whole.flags = [.ack, .psh]
            whole.payload = Array((part.isOther ? Self.other : Self.request).utf8)
            let bytes = whole.transportBytes() + [UInt8](repeating: 0, count: 65_535)
            var piece = whole
            piece.transport = .other(6)
            piece.payload = Array(bytes[part.range])
            piece.identification = part.identification
            piece.fragmentOffset = part.range.lowerBound
            piece.moreFragments = part.more ?? (part.range.upperBound != Self.length)
            // Farther apart than frames that were captured twice.
            talk.time += 10_000_000
            talk.frames.append(CapturedFrame(time: talk.time, piece))
        }
        let capture = checkEvasion(talk.frames, shape.testDescription)
        var findings = capture.findingCounts
        // A datagram of two makers has a wrong checksum.
        findings["checksum-wrong"] = nil
        #expect(findings == shape.findings)
        let targets = capture.exchanges.map { $0.target.map { String(decoding: $0, as: UTF8.self) } }
        #expect(targets == (shape.target.map { [$0] } ?? []))
    }

    @Test("IPv4: the first bytes count", arguments: shapes + version4)
    func rejoinsVersion4(shape: Shape) { check(shape, isVersion6: false) }

    @Test("IPv6: a datagram with overlapping fragments is not used", arguments: shapes + version6)
    func rejoinsVersion6(shape: Shape) { check(shape, isVersion6: true) }

    @Test("an atomic fragment is a whole packet", arguments: [UInt32(0), 7])
    func takesAtomic(identification: UInt32) {
        var packet = PacketBuilder()
        packet.source = IPAddress(high: 1, low: 1, isVersion6: true)
        packet.destination = IPAddress(high: 1, low: 2, isVersion6: true)
        packet.flags = .syn
        let segment = packet.transportBytes()
        packet.transport = .other(44)
        packet.payload = [6, 0, 0, 0] + [UInt8](be32: identification) + segment
        let frames = (0..<3).map { CapturedFrame(time: $0 * 10_000_000, packet) }
        let capture = checkEvasion(frames, "atomic")
        #expect(capture.findingCounts == ["repeats-unproved": 2])
        #expect(capture.connections.map(\.counts.up.syn) == [3])
    }

    @Test("thousands of fragments that never fit take time in proportion, and no byte is lost")
    func survivesFlood() {
        var random = SeededRandom(seed: 3)
        var frames: [CapturedFrame] = []
        for index in 0..<4000 {
            var packet = PacketBuilder()
            packet.transport = .other(17)
            packet.payload = random.bytes(8 * (1 + random.below(30)))
            packet.fragmentOffset = 8 * random.below(8190)
            packet.moreFragments = !random.oneIn(20)
            packet.identification = UInt16(random.below(10))
            frames.append(CapturedFrame(time: Int64(index) * 6_000_000, packet))
        }
        let capture = checkEvasion(frames, "flood")
        #expect(capture.findings(.fragmentContradiction) > 0)
        #expect(
            capture.result.ledger.other.otherIP + capture.result.ledger.other.udp
                == frames.reduce(0) { $0 + $1.bytes.count - 14 })
    }
}
