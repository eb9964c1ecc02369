import Testing
import WireCore
import WireTesting

/// Segments that hold bytes sent before, with other content.
@Suite("Evasion: overlapping segments")
struct OverlapEvasionTests {
    private static let sent = Array(Sample.request.utf8)
    /// As long, with another method and host.
    private static let other = Array("PUT / HTTP/1.1\r\nHost: b\r\n\r\n".utf8)
    private static let got = ["GET / none - - no-end no-response"]

    /// Segments of the client: where they begin and end, and whether they are of the other content.
    private static func talk(
        _ name: String, _ segments: [(range: Range<Int>, isOther: Bool)], differs: Int,
        _ exchanges: [String] = got
    ) -> EvasionCase {
        EvasionCase(name, findings: differs > 0 ? ["inconsistent-retransmission": differs] : [:], exchanges) { talk in
            talk.handshake()
            for segment in segments {
                let stream = segment.isOther ? other : sent
                talk.data(.client, Array(stream[segment.range]), at: segment.range.lowerBound)
            }
        }
    }

    static let segments = [
        talk("all of it again", [(0..<27, false), (0..<27, true)], differs: 1),
        talk("twice again", [(0..<27, false), (0..<27, true), (0..<27, true)], differs: 2),
        talk(
            "its end overlaps a waiting segment", [(1..<27, false), (0..<5, true)], differs: 1,
            [
                "PET / none - - no-end no-response"
            ]),
        talk("its beginning overlaps what was read", [(0..<23, false), (20..<27, true)], differs: 1),
        talk(
            "it holds a waiting segment", [(22..<24, false), (0..<27, true)], differs: 1,
            [
                "PUT / none - - no-end no-response"
            ]),
        talk("it lies in a waiting segment", [(1..<27, false), (1..<3, true), (0..<1, false)], differs: 1),
        talk(
            "it equals a waiting segment but for its bytes", [(1..<27, false), (1..<27, true), (0..<1, false)],
            differs: 1),
        talk(
            "between two waiting segments", [(1..<3, false), (20..<27, false), (0..<27, true)], differs: 1,
            [
                "PET / none - - no-end no-response"
            ]),
        talk("other bytes only where none were seen", [(0..<3, false), (22..<27, false), (3..<22, true)], differs: 0),
        talk(
            "the same bytes, cut in other places",
            [(0..<9, false), (9..<27, false), (0..<20, false), (5..<27, false), (26..<27, false)], differs: 0),
        talk(
            "byte by byte, then all of it otherwise", (0..<27).map { ($0..<$0 + 1, false) } + [(0..<27, true)],
            differs: 1),
    ]

    @Test("the first bytes count, and it is said", arguments: segments)
    func comparesOverlaps(evasion: EvasionCase) { evasion.check() }

    @Test("any byte that differs is noticed, wherever segments are cut", arguments: 0..<27)
    func noticesEveryByte(place: Int) {
        for (first, second) in [(0..<27, 0..<27), (place..<27, 0..<27), (0..<27, place..<place + 1)] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Array(Self.sent[first]), at: first.lowerBound)
            var changed = Self.sent
            changed[place] ^= 0x20
            talk.data(.client, Array(changed[second]), at: second.lowerBound)
            let capture = checkEvasion(talk.frames, "\(first), \(second)")
            // The last byte alone, not yet acknowledged, is no keep-alive either.
            #expect(capture.findingCounts == ["inconsistent-retransmission": 1], "\(first), \(second)")
        }
    }

    static let edges = [
        EvasionCase("a keep-alive may hold any byte", ["GET / none 200 content-length"]) { talk in
            talk.handshake()
            talk.exchange()
            talk.data(.client, [0], at: 26)
            talk.ack(.server)
        },
        EvasionCase(
            "bodies that are only followed by length are not held", ["POST / content-length - - no-end no-response"]
        ) {
            $0.handshake()
            $0.data(.client, Array(Sample.post.utf8.prefix(50)))
            $0.data(.client, Array(Sample.post.utf8.dropFirst(50)))
            $0.data(.client, [UInt8](repeating: 0x21, count: 10), at: 55)
        },
        EvasionCase(
            "such a body's bytes are compared while they wait", findings: ["inconsistent-retransmission": 1],
            ["POST / content-length - - no-end no-response"]
        ) {
            $0.handshake()
            $0.data(.client, Array(Sample.post.utf8.dropFirst(50)), at: 50)
            $0.data(.client, [UInt8](repeating: 0x21, count: 10), at: 55)
            $0.data(.client, Array(Sample.post.utf8.prefix(50)), at: 0)
        },
        EvasionCase("a copy that was damaged is no contradiction", findings: ["checksum-wrong": 1], got) {
            $0.handshake()
            $0.data(.client, sent)
            $0.data(.client, other, at: 0) { $0.hasValidChecksums = false }
        },
        EvasionCase(
            "a damaged segment gives way to a whole copy", findings: ["checksum-wrong": 1],
            ["PUT / none - - no-end no-response"]
        ) {
            $0.handshake()
            $0.data(.client, sent) { $0.hasValidChecksums = false }
            $0.data(.client, other, at: 0)
        },
        EvasionCase(
            "a damaged segment that was acknowledged was taken",
            findings: ["checksum-wrong": 1, "inconsistent-retransmission": 1], got
        ) {
            $0.handshake()
            $0.data(.client, sent) { $0.hasValidChecksums = false }
            $0.ack(.server)
            $0.data(.client, other, at: 0)
        },
    ]

    @Test("what is compared and what is not", arguments: edges)
    func comparesWhatIsKnown(evasion: EvasionCase) { evasion.check() }

    @Test("256 bytes of what was read last are known")
    func knowsSomeBytes() {
        let request = Array(Sample.request(length: 400).utf8)
        for (place, isKnown) in [(0, true), (255, true), (256, false), (399, false)] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, request)
            var changed = request
            changed[place] ^= 1
            talk.data(.client, changed, at: 0)
            let capture = checkEvasion(talk.frames, "byte \(place)")
            #expect(capture.findings(.inconsistentRetransmission) == (isKnown ? 1 : 0), "byte \(place)")
            #expect(capture.connections[0].counts.up.payloadRepeated == 400)
        }
    }

    @Test("a snapped copy is compared as far as it was captured")
    func comparesSnapped() {
        for (captured, count) in [(10, 1), (2, 0)] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Self.sent)
            var changed = Self.sent
            changed[5] ^= 1
            talk.data(.client, changed, at: 0)
            talk.frames[4].originalLength = talk.frames[4].bytes.count
            talk.frames[4].bytes.removeLast(27 - captured)
            #expect(checkEvasion(talk.frames, "\(captured)").findings(.inconsistentRetransmission) == count)
        }
    }
}
