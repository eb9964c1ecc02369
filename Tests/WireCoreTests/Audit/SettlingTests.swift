import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: when exchanges and closed connections leave the books")
struct SettlingTests {
    private static let second: Int64 = 1_000_000_000

    private func audited(_ talk: Dialogue, _ setup: SetupPolicy = .separate) -> AuditedCapture {
        var audit = WatchedAudit(frames: talk.frames)
        audit.options.setup = setup
        let capture = audit.run().capture
        #expect(capture.contradictions == [])
        return capture
    }

    /// Bytes of retransmissions that exchanges pay, by number.
    private func retransmissions(_ capture: AuditedCapture) -> [Int] {
        capture.exchanges.map { $0.costs.up[.retransmission] + $0.costs.down[.retransmission] }
    }

    @Test(
        "a late copy is the exchange's up to two seconds behind its last byte, and the connection's later",
        arguments: [(10, 83), (1_800, 83), (1_990, 83), (2_600, 0), (60_000, 0)])
    func lateCopy(milliseconds: Int64, paid: Int) {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.time += milliseconds * 1_000_000
        talk.data(.server, Sample.response, at: 0)
        let capture = audited(talk)
        #expect(retransmissions(capture) == [paid])
        #expect(capture.connections[0].costs.down[.retransmission] == 83)
    }

    @Test(
        "an exchange that stays pays for late copies though later ones have gone",
        arguments: [SetupPolicy.first, .even])
    func firstStays(setup: SetupPolicy) {
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<3 { talk.exchange() }
        talk.time += 10 * Self.second
        talk.data(.server, Sample.response, at: 0)
        talk.data(.client, Sample.request, at: 0)
        talk.ack(.server)
        let capture = audited(talk, setup)
        #expect(retransmissions(capture) == [83 + 67, 0, 0])
    }

    @Test("an exchange stays until its bytes are acknowledged")
    func unacknowledged() {
        for wait: Int64 in [3, 30, 300] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Sample.request)
            talk.data(.server, Sample.response)
            talk.time += wait * Self.second
            talk.data(.server, Sample.response, at: 0)
            talk.ack(.client)
            // The look that finds it acknowledged comes when it was quiet for a quarter longer.
            talk.time += wait * Self.second
            talk.data(.server, Sample.response, at: 0)
            #expect(retransmissions(audited(talk)) == [83], "\(wait) s")
        }
    }

    @Test("records come out two seconds behind the last byte of what they tell of")
    func moments() {
        final class Sink: AuditSink {
            var exchanges = 0
            func receive(_ record: ExchangeRecord) { exchanges += 1 }
            func receive(_ record: ConnectionRecord) {}
        }
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.close()
        let last = talk.time - talk.interval
        let sink = Sink()
        var auditor = Auditor(sink: sink)
        let file = auditor.addFile(CaptureFileSummary(path: "test.pcap", format: "pcap"))
        for (index, frame) in talk.frames.enumerated() {
            unsafe auditor.consume(frame.facts(number: index + 1), frame.bytes.span.bytes, file: file)
        }
        for wait in stride(from: 0, through: 1_900_000_000, by: 100_000_000) {
            auditor.advance(to: last + Int64(wait))
            #expect(sink.exchanges == 0, "\(wait)")
        }
        auditor.advance(to: last + 2_600_000_000)
        #expect(sink.exchanges == 1)
        #expect(auditor.snapshot().keptConnections == 1)
        let result = auditor.finish()
        #expect(result.ledger.balanced && result.exchanges == 1)
    }

    // MARK: Behind the end

    @Test(
        "packets of any kind behind the end of a closed connection: everything adds up, no exchange comes out twice",
        arguments: SetupPolicy.allCases, 0..<8 as Range<UInt64>)
    func behindTheEnd(setup: SetupPolicy, block: UInt64) {
        for seed in block * 10..<block * 10 + 10 {
            var random = SeededRandom(seed: seed)
            var talk = HTTP2Talk(random.element([nil, .aes128GCM13, .chaCha12]))
            let isPlain = random.oneIn(2)
            if isPlain { talk.talk = LayeredConversation(random.element([nil, .aes128GCM13])) }
            for number in 0..<3 {
                if isPlain { talk.talk.exchange(number) } else { talk.exchange(2 * number + 1) }
            }
            if random.oneIn(2) { talk.talk.talk.rst(.server) } else { talk.talk.talk.close() }
            for _ in 0..<1 + random.below(6) {
                talk.talk.talk.time += Int64(random.below(9_000_000_000))
                sendLate(&talk, isPlain: isPlain, &random)
            }
            let audit = WatchedAudit(frames: talk.talk.talk.frames, keys: talk.talk.peers?.keyLog ?? "")
            var chosen = audit
            chosen.options.setup = setup
            let expected = chosen.run()
            #expect(expected.capture.contradictions == [], "seed \(seed)")
            #expect(expected.capture.exchanges.count >= 3, "seed \(seed)")
            #expect(chosen.runLive(&random).transcript == expected.transcript, "seed \(seed)")
        }
    }

    private func sendLate(_ talk: inout HTTP2Talk, isPlain: Bool, _ random: inout SeededRandom) {
        let side = random.element(Dialogue.Side.allCases)
        let sent = talk.talk.talk.sent[side.rawValue]
        switch random.below(8) {
        case 0: talk.talk.talk.ack(side)
        case 1: talk.talk.talk.rst(side)
        case 2: talk.talk.talk.send(side, [.ack, .fin], at: sent)
        case 3: talk.talk.talk.send(side, .syn, at: -1)
        case 4: talk.talk.talk.data(side, random.bytes(20), at: max(0, sent - 10))
        case 5: talk.talk.talk.data(side, random.bytes(40), at: sent + random.below(100))
        default:
            if isPlain {
                talk.talk.exchange(talk.talk.talk.frames.count)
            } else {
                talk.exchange(101 + 2 * random.below(50))
            }
        }
    }

    @Test("a connection goes on behind a RST that was not meant: its exchanges are read")
    func falseReset() {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.rst(.server)
        for _ in 0..<4 {
            talk.time += 5 * Self.second
            talk.exchange()
        }
        for setup in SetupPolicy.allCases {
            let capture = audited(talk, setup)
            #expect(capture.connections.count == 1)
            #expect(capture.exchanges.map(\.status) == [200, 200, 200, 200, 200])
        }
    }

    @Test("a minute after its end a connection is gone, whatever comes then")
    func linger() {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.close()
        let end = talk.frames[talk.frames.count - 2].time
        for (wait, count) in [(59_999, 1), (60_000, 1), (60_001, 2), (500_000, 2)] as [(Int64, Int)] {
            var late = talk
            late.time = end + wait * 1_000_000
            // One frame alone may have a wrong time; this one and another have the same.
            var other = Dialogue(clientPort: 40_000)
            other.time = late.time
            other.syn(.client)
            late.frames += other.frames
            late.ack(.client)
            #expect(audited(late).connections.count == count + 1, "\(wait) ms")
        }
    }

    @Test("an hour of silence ends a connection, also where it is the capture's end")
    func idle() {
        for (wait, closes) in [(3_600, [.open, .open]), (3_601, [.idle, .open])] as [(Int64, [ConnectionClose])] {
            var talk = Dialogue()
            talk.handshake()
            talk.exchange()
            var other = Dialogue(clientPort: 40_000)
            other.time = talk.time - talk.interval + wait * Self.second
            other.handshake()
            other.frames.removeLast()
            talk.frames += other.frames
            #expect(audited(talk).connections.map(\.close) == closes, "\(wait) s")
        }
    }

    @Test("a single frame with a time years ahead, or many of them, ends no connection that goes on")
    func strangeTimes() {
        for strange in [[4], [4, 9], [1], [5, 12]] {
            var talk = Dialogue()
            talk.handshake()
            for _ in 0..<4 { talk.exchange() }
            talk.close()
            let whole = audited(talk)
            for index in strange { talk.frames[index].time += 1_472_000_000 * Self.second }
            let capture = audited(talk)
            #expect(capture.connections.count == 1 && capture.contradictions == [])
            #expect(capture.exchanges.map(\.status) == whole.exchanges.map(\.status))
            #expect(capture.connections[0].counts.up.packets == whole.connections[0].counts.up.packets)
        }
    }

    // MARK: Answered exchanges

    @Test("each exchange is counted once when its response ends, tunnels and upgrades too")
    func answeredCount() {
        var plain = Dialogue()
        plain.handshake()
        for _ in 0..<3 { plain.exchange() }
        plain.data(.client, Sample.request)
        var tunnel = Dialogue()
        tunnel.handshake()
        tunnel.data(.client, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
        tunnel.data(.server, "HTTP/1.1 200 OK\r\n\r\n")
        for _ in 0..<3 { tunnel.data(.client, "....") }
        tunnel.data(.server, "....")
        tunnel.close()
        var socket = Dialogue()
        socket.handshake()
        socket.data(.client, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")
        socket.data(.server, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n")
        socket.data(.client, "....")
        socket.data(.server, "....")
        socket.close()
        var interim = Dialogue()
        interim.handshake()
        interim.data(.client, Sample.post)
        interim.data(.server, "HTTP/1.1 100 Continue\r\n\r\n")
        interim.data(.server, Sample.response)
        interim.rst(.client)
        var streams = HTTP2Talk()
        for number in 0..<4 { streams.exchange(2 * number + 1) }
        streams.frames(.client, [.headers(21, streams.request("/r"), endStream: true), .reset(21)])
        let cases = [(plain, 3), (tunnel, 1), (socket, 1), (interim, 1), (streams.talk.talk, 5)]
        for (number, (talk, count)) in cases.enumerated() {
            var found = 0
            let audit = WatchedAudit(frames: talk.frames)
            _ = audit.run { auditor, _ in
                #expect(auditor.answeredExchanges >= found)
                found = auditor.answeredExchanges
            }
            #expect(found == count, "case \(number)")
        }
    }
}
