import Testing
import WireCore
import WireTesting

@Suite("Audit: how frames were captured")
struct CaptureShapeTests {
    private func sample() -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.close()
        return talk
    }

    @Test("counts snapped frames with their lengths on the wire, and follows bodies by length", arguments: 54...97)
    func countsSnapped(snapLength: Int) {
        var talk = sample()
        for index in talk.frames.indices where talk.frames[index].bytes.count > snapLength {
            talk.frames[index].originalLength = talk.frames[index].bytes.count
            talk.frames[index].bytes.removeSubrange(snapLength...)
        }
        let reference = sample().audit()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.counts) == reference.connections.map(\.counts))
        #expect(capture.result.ledger.layers == reference.result.ledger.layers)
        if snapLength >= 54 + 38 {
            #expect(capture.exchanges.map(\.costs) == reference.exchanges.map(\.costs))
            #expect(capture.exchanges.map(\.flags) == [[]])
            #expect(capture.connections.map(\.flags) == [[]])
        } else {
            // Whether or not a call is still seen, its connection says why it may not be.
            #expect(capture.connections.map(\.flags) == [[.snapped]])
            #expect(capture.connections[0].costs.down[.body] == 0)
            #expect(capture.exchanges.allSatisfy { $0.flags.contains(.snapped) })
        }
    }

    @Test("books padding and check sequences to the link, never to payload")
    func booksPadding() {
        var talk = sample()
        let reference = talk.audit()
        var added = 0
        for index in talk.frames.indices {
            let padding = max(0, 60 - talk.frames[index].bytes.count) + 4
            talk.frames[index].bytes += [UInt8](repeating: 0x41, count: padding)
            talk.frames[index].checkSequenceLength = 4
            added += padding
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.counts.up.payload) == reference.connections.map(\.counts.up.payload))
        #expect(capture.connections.map(\.costs.up.lines) == reference.connections.map(\.costs.up.lines))
        #expect(capture.connections.map(\.costs.down.lines) == reference.connections.map(\.costs.down.lines))
        #expect(capture.result.ledger.layers.link == reference.result.ledger.layers.link + added)
    }

    @Test("takes the payload from the frame where the IP length is 0, and says so")
    func derivesLength() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request) { $0.lengthField = 0 }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.up.message == 27)
        #expect(capture.findings(.lengthFromFrame) == 1)
    }

    @Test("counts packets with wrong checksums")
    func countsWrongChecksums() {
        var talk = Dialogue()
        let reference = sample().audit()
        talk.template.hasValidChecksums = false
        talk.handshake()
        talk.exchange()
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.costs) == reference.exchanges.map(\.costs))
    }

    @Test(
        "reads the good copy of a damaged segment, and the damaged one where the receiver took it",
        arguments: [false, true])
    func readsGoodCopy(isRepeated: Bool) throws {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "GET /damaged HTTP/1.1\r\nHost: a\r\n\r\n") { $0.hasValidChecksums = false }
        if isRepeated { talk.data(.client, "GET /correct HTTP/1.1\r\nHost: a\r\n\r\n", at: 0) }
        talk.data(.server, Sample.response)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.exchanges.count == 1)
        let target = capture.exchanges[0].target.map { String(decoding: $0, as: UTF8.self) }
        #expect(target == (isRepeated ? "/correct" : "/damaged"))
        #expect(capture.exchanges[0].costs.up.message == 34)
        #expect(capture.exchanges[0].costs.up[.retransmission] == (isRepeated ? 74 : 0))
        #expect(capture.exchanges[0].response?.complete == true)
    }

    @Test("books frames without IP whole, and other IP to their own lines")
    func booksOtherFrames() {
        var talk = sample()
        let reference = talk.audit()
        var packet = PacketBuilder()
        packet.transport = .other(1)
        packet.payload = [8, 0, 0, 0, 1, 2, 3, 4]
        talk.frames.insert(CapturedFrame(time: talk.time, packet), at: 2)
        packet.transport = .other(132)
        talk.frames.insert(CapturedFrame(time: talk.time, packet), at: 2)
        packet.transport = .udp
        talk.frames.insert(CapturedFrame(time: talk.time, packet), at: 2)
        let frame = [UInt8](repeating: 2, count: 12) + [8, 6] + [UInt8](repeating: 0, count: 46)
        talk.frames.insert(CapturedFrame(time: talk.time, bytes: frame), at: 2)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.causes == reference.result.ledger.causes)
        #expect(capture.result.ledger.layers.nonIP == 60)
        #expect(capture.result.ledger.other.icmp == 28)
        #expect(capture.result.ledger.other.otherIP == 28)
        #expect(capture.result.ledger.other.udp == 36)
    }

    @Test("moves a segment that came in fragments to its connection, with every byte of its frames")
    func joinsFragments() {
        var talk = Dialogue()
        talk.handshake()
        var packet = talk.template
        packet.sequence = 1001
        packet.acknowledgment = 5001
        packet.identification = 900
        packet.payload = Array(Sample.post.utf8)
        let whole = packet.transportBytes()
        packet.transport = .other(6)
        for range in [48..<whole.count, 0..<24, 24..<48] {
            packet.payload = Array(whole[range])
            packet.fragmentOffset = range.lowerBound
            packet.moreFragments = range.upperBound < whole.count
            talk.frames.append(CapturedFrame(time: talk.time, packet))
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.up.message == 68)
        #expect(capture.exchanges[0].costs.up[.tcpip] == 3 * 20 + 20)
        #expect(capture.connections[0].counts.up.packets == 2 + 3)
        #expect(capture.result.ledger.other.otherIP == 0)
    }
}

@Suite("Audit: segments larger than the wire takes")
struct OffloadTests {
    /// Payload, option bytes of TCP, and header bytes that offload hid.
    static let segments: [(payload: Int, timestamps: Bool, hidden: Int)] = [
        (1460, false, 0), (1461, false, 40), (2920, false, 40), (2921, false, 80), (4380, false, 80),
        (1448, true, 0), (1449, true, 52), (2896, true, 52), (2897, true, 104), (64_000, false, 43 * 40),
    ]

    @Test("infers the headers of the packets that were really sent, beside the ledger", arguments: 0..<segments.count)
    func infersHidden(index: Int) {
        let (payload, timestamps, hidden) = Self.segments[index]
        var talk = Dialogue()
        talk.syn(.client) { $0.options = [.maximumSegmentSize(1460)] }
        talk.syn(.server) { $0.options = [.maximumSegmentSize(8960)] }
        talk.ack(.client)
        talk.data(.client, Sample.request)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        let bytes = Array(head.utf8) + [UInt8](repeating: 0x61, count: payload - head.utf8.count)
        talk.data(.server, bytes) { packet in
            if timestamps { packet.options = [.timestamps(value: 1, echo: 1)] }
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.down.offloadHidden == hidden)
        #expect(capture.exchanges[0].costs.up.offloadHidden == 0)
        #expect(capture.exchanges[0].costs.down[.tcpip] == (timestamps ? 52 : 40))
        #expect(capture.result.ledger.causes.down.offloadHidden == hidden)
    }

    @Test("infers nothing where the handshake was not seen")
    func infersNothing() {
        var talk = Dialogue()
        talk.data(.client, Sample.request)
        talk.data(.server, [UInt8](repeating: 0x61, count: 10_000))
        #expect(talk.audit().connections[0].offloadHidden == 0)
    }
}

@Suite("Audit: frames captured twice")
struct DuplicateTests {
    /// How the second capture of a frame differs from the first, and whether that proves it to be one.
    struct Difference: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var isProof: Bool
        var identification: UInt16 = 77
        var delay: Int64 = 0
        var interface = 0
        var change: @Sendable (inout PacketBuilder) -> Void = { _ in }
    }

    static let differences = [
        Difference(testDescription: "none", isProof: true),
        Difference(testDescription: "one hop", isProof: true) { $0.timeToLive = 63 },
        Difference(testDescription: "a checksum of other content", isProof: false) { $0.hasValidChecksums = false },
        Difference(testDescription: "a VLAN tag", isProof: true) { $0.vlanTags = [5] },
        Difference(testDescription: "5 ms", isProof: true, delay: 5_000_000),
        Difference(testDescription: "more than 5 ms", isProof: false, delay: 5_000_001),
        Difference(
            testDescription: "interface, without identification", isProof: true, identification: 0, interface: 1),
        Difference(testDescription: "no identification", isProof: false, identification: 0),
        Difference(testDescription: "another identification", isProof: false) { $0.identification = 78 },
        Difference(testDescription: "another content", isProof: false) { $0.payload[3] ^= 1 },
        Difference(testDescription: "another acknowledgment", isProof: false) { $0.acknowledgment += 1 },
    ]

    @Test("books a second capture to duplicates only on proof, else as a retransmission", arguments: differences)
    func demandsProof(difference: Difference) {
        var talk = Dialogue()
        talk.handshake()
        var packet = talk.template
        packet.sequence = 1001
        packet.acknowledgment = 5001
        packet.identification = difference.identification
        packet.payload = Array(Sample.request.utf8)
        talk.frames.append(CapturedFrame(time: talk.time, packet))
        difference.change(&packet)
        var copy = CapturedFrame(time: talk.time + difference.delay, packet)
        copy.interface = difference.interface
        talk.frames.append(copy)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.layers.duplicate == (difference.isProof ? copy.bytes.count : 0))
        #expect(capture.exchanges[0].costs.up[.retransmission] == (difference.isProof ? 0 : 67))
    }

    @Test("counts every packet of a capture in which each frame stands twice once")
    func countsOnce() {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.close()
        let reference = talk.audit()
        talk.frames = talk.frames.flatMap { [$0, $0] }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.causes == reference.result.ledger.causes)
        #expect(capture.result.ledger.layers.duplicate == reference.frameBytes)
    }

    @Test("takes an identification that never changes for no proof")
    func distrustsConstantIdentification() {
        var constant = Dialogue()
        constant.send(.client, .syn, at: -1) { $0.identification = 9 }
        constant.send(.server, [.syn, .ack], at: -1, acknowledging: 0)
        constant.send(.client, .ack, at: 0) { $0.identification = 9 }
        constant.interval = 1000
        for _ in 0..<3 { constant.data(.client, Sample.request, at: 0) { $0.identification = 9 } }
        let capture = constant.audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.layers.duplicate == 0)
        #expect(capture.exchanges[0].costs.up[.retransmission] == 2 * 67)
    }

    @Test("proves copies of a side whose SYN has identification 0, as Linux servers send it")
    func zeroIdentificationDisprovesNothing() {
        var talk = Dialogue()
        talk.send(.client, .syn, at: -1) { $0.identification = 0 }
        talk.send(.server, [.syn, .ack], at: -1, acknowledging: 0) { $0.identification = 0 }
        talk.send(.client, .ack, at: 0)
        talk.data(.client, Sample.request, at: 0)
        var copy = talk.frames[talk.frames.count - 1]
        copy.time += 1000
        talk.frames.append(copy)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.layers.duplicate == copy.bytes.count)
        #expect(capture.exchanges[0].costs.up[.retransmission] == 0)
    }
}
