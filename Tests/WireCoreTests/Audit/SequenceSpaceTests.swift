import Testing
import WireCore
import WireTesting

@Suite("Audit: sequence numbers")
struct SequenceSpaceTests {
    /// A POST in pieces out of order, with a retransmission, keep-alive and FINs on both sides.
    private func dialogue(_ initialSequence: [UInt32]) -> Dialogue {
        var talk = Dialogue()
        talk.initialSequence = initialSequence
        talk.handshake()
        let stream = Array(Sample.post.utf8)
        for range in [0..<17, 30..<68, 17..<30, 10..<40] {
            talk.data(.client, Array(stream[range]), at: range.lowerBound)
        }
        talk.ack(.server)
        talk.data(.server, Sample.response)
        talk.ack(.client)
        talk.send(.client, .ack, at: 67)
        talk.ack(.server)
        talk.close()
        return talk
    }

    static let turns: [UInt32] = [
        0, 1, 0x7fff_ff80, 0x7fff_fff0, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_ff80, 0xffff_ffe0,
        0xffff_fff0, 0xffff_fffd, 0xffff_fffe, 0xffff_ffff,
    ]

    @Test("gives the same books wherever the sequence numbers turn over", arguments: turns)
    func turnsOver(initial: UInt32) {
        let reference = dialogue([1000, 5000]).audit()
        for initialSequence in [[initial, 5000], [1000, initial], [initial, initial &+ 20]] {
            let capture = dialogue(initialSequence).audit()
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map(\.costs) == reference.exchanges.map(\.costs))
            #expect(capture.connections.map(\.counts) == reference.connections.map(\.counts))
            #expect(capture.connections.map(\.close) == [.fin])
        }
    }

    @Test("turns over inside every segment", arguments: 0...70)
    func turnsOverInside(position: Int) {
        let reference = dialogue([1000, 5000]).audit()
        let capture = dialogue([0 &- UInt32(position), 0x8000_0000 &- UInt32(position)]).audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.costs) == reference.connections.map(\.costs))
        #expect(capture.connections.map(\.counts) == reference.connections.map(\.counts))
    }

    @Test("follows a body of more than four gigabytes by its length")
    func followsLargeBody() {
        let piece = 64_000
        let count = (1 << 32) / piece + 2
        var talk = Dialogue()
        talk.initialSequence[1] = 0xffff_0000
        talk.handshake()
        talk.data(.client, Sample.request)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(piece * count)\r\n\r\n"
        talk.data(.server, head)
        for _ in 0..<count {
            let index = talk.send(.server, .ack, at: talk.sent[1], []) { $0.lengthField = UInt16(40 + piece) }
            talk.frames[index].originalLength = 54 + piece
            talk.lose(.server, piece)
        }
        talk.data(.server, Sample.response, acknowledging: 27)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].costs.down[.body] == piece * count)
        #expect(capture.exchanges[0].response?.complete == true)
        #expect(capture.exchanges[0].flags == [])
        #expect(capture.connections[0].counts.down.payloadNew == piece * count + head.utf8.count + 43)
    }

    @Test("counts every hole of a stream with hundreds of them")
    func countsManyHoles() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 6000\r\n\r\n"
        talk.data(.server, head)
        for _ in 0..<300 {
            talk.lose(.server, 10)
            talk.data(.server, [UInt8](repeating: 0x61, count: 10))
        }
        talk.ack(.client)
        talk.time += 3_000_000_000
        talk.data(.server, Sample.response)
        // The last hole is remembered, and filled; the first is not, so that its bytes count as seen before.
        talk.data(.server, [UInt8](repeating: 0x61, count: 10), at: head.utf8.count + 5980)
        talk.data(.server, [UInt8](repeating: 0x61, count: 10), at: head.utf8.count)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        let counts = capture.connections[0].counts.down
        #expect(counts.unseen == 2990)
        #expect(counts.payloadNew == head.utf8.count + 3010 + 43)
        #expect(counts.payloadRepeated == 10)
        #expect(capture.exchanges[0].unseenBytes == 2990)
        #expect(capture.exchanges[0].costs.down[.body] == 3010)
    }

    @Test("refuses a segment too far away for any window, and counts it all the same")
    func refusesFarSegments() {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.send(.server, .ack, at: 1 << 29, Array("stray".utf8))
        talk.send(.server, .ack, at: -(1 << 29), Array("stray".utf8))
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].counts.down.payloadRefused == 10)
        #expect(capture.connections[0].counts.down.unseen == 0)
        #expect(capture.connections[0].costs.down[.opaque] == 90)
        #expect(capture.exchanges.count == 2)
        #expect(capture.findings(.refusedSegment) == 2)
    }
}

@Suite("Audit: one connection or two")
struct ConnectionLifeTests {
    /// The same addresses and ports again, with other initial sequence numbers.
    private func again(_ talk: Dialogue, _ initialSequence: [UInt32]) -> Dialogue {
        var next = Dialogue()
        next.time = talk.time
        next.frames = talk.frames
        next.initialSequence = initialSequence
        next.handshake()
        next.exchange()
        return next
    }

    static let reuses: [(String, [UInt32], @Sendable (inout Dialogue) -> Void)] = [
        ("after both FINs", [900_000, 800_000], { $0.close() }),
        ("after both FINs, with a lower sequence number", [10, 20], { $0.close() }),
        ("after a reset", [900_000, 800_000], { $0.rst(.server) }),
        ("while the old one seems open", [0x9000_0000, 0xa000_0000], { _ in }),
        ("after a FIN of one side", [900_000, 800_000], { $0.fin(.client) }),
    ]

    @Test("a SYN with another initial sequence number is a new connection", arguments: 0..<5)
    func separatesReusedPorts(index: Int) {
        let (name, initialSequence, end) = Self.reuses[index]
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        end(&talk)
        let capture = again(talk, initialSequence).audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 2, "\(name)")
        #expect(capture.exchanges.map(\.connection) == [0, 1], "\(name)")
        #expect(capture.exchanges.allSatisfy { $0.response?.complete == true }, "\(name)")
        #expect(capture.connections.allSatisfy { $0.counts.up.syn == 1 && !$0.flags.contains(.gap) }, "\(name)")
    }

    @Test("a SYN without answer, tried again with another sequence number, is two attempts")
    func separatesAttempts() {
        var talk = Dialogue()
        talk.syn(.client)
        let capture = again(talk, [777, 888]).audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections.map(\.exchanges) == [0, 1])
        #expect(capture.result.hosts.reduce(0) { $0 + $1.connectionsWithoutExchange } == 1)
    }

    @Test("an idle connection ends, and goes on as another one without start")
    func endsIdle() {
        var options = AuditOptions()
        options.idleLimit = 10_000_000_000
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.time += 60_000_000_000
        // Connections are looked after when another one begins.
        for port in 1...4 {
            var other = Dialogue(clientPort: UInt16(10_000 + port))
            other.time = talk.time
            other.handshake()
            talk.frames += other.frames
        }
        talk.time += 1_000_000_000
        talk.exchange()
        let capture = talk.audit(options)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 6)
        #expect(capture.connections[0].close == .idle)
        #expect(capture.connections[5].flags == [.noStart, .noEnd])
        #expect(capture.exchanges.map(\.connection) == [0, 5])
    }

    @Test("closes the quietest connections at the limit, and loses no byte")
    func limitsConnections() {
        var options = AuditOptions()
        options.connectionLimit = 8
        var frames: [CapturedFrame] = []
        for port in 0..<100 {
            var talk = Dialogue(clientPort: UInt16(20_000 + port))
            talk.time += Int64(port) * 1_000_000
            talk.handshake()
            talk.exchange()
            frames += talk.frames
        }
        let capture = audit(frames.sorted { $0.time < $1.time }, options)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count >= 100)
        #expect(capture.findings(.connectionLimit) > 0)
    }

    @Test("lets closed connections go after their time, and loses no byte")
    func forgetsClosed() {
        var options = AuditOptions()
        options.lingerCountLimit = 4
        options.lingerLimit = 1_000_000_000
        var frames: [CapturedFrame] = []
        for port in 0..<40 {
            var talk = Dialogue(clientPort: UInt16(20_000 + port))
            talk.time += Int64(port) * 100_000_000
            talk.handshake()
            talk.exchange()
            talk.close()
            talk.time += 500_000_000
            talk.rst(.client)
            frames += talk.frames
        }
        let capture = audit(frames.sorted { $0.time < $1.time }, options)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == 40)
        #expect(capture.ledgerBytes(.teardown) == 40 * 160)
    }

    @Test("starts in the middle of a response, and is in step from the next message on")
    func startsInResponse() {
        var talk = Dialogue()
        talk.lose(.client, 27)
        talk.lose(.server, 1000)
        talk.data(.server, "the rest of some body")
        talk.ack(.client)
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == 1)
        #expect(capture.exchanges[0].costs.down.message == 43)
        #expect(capture.exchanges[0].request?.complete == true)
        #expect(capture.connections[0].flags == [.noStart, .noEnd])
        #expect(capture.connections[0].costs.down[.opaque] == 21)
    }
}

extension AuditedCapture {
    /// Both directions of a cause in the ledger.
    func ledgerBytes(_ cause: Cause) -> Int {
        result.ledger.causes.up[cause] + result.ledger.causes.down[cause]
    }
}
