import Testing
import WireCore
import WireTesting

/// What a connection with one sample exchange and its handshake costs besides.
private func withExchange(_ more: [String: Int], down isDown: Bool = false) -> [String: Int] {
    let lines =
        isDown
        ? ["setup.tcp": 40, "tcpip": 40, "start_line": 17, "headers": 21, "body": 5]
        : ["setup.tcp": 80, "tcpip": 40, "start_line": 16, "headers": 11, "ack": 40]
    return lines.merging(more) { $0 + $1 }
}

@Suite("Audit: packets without new payload")
struct BarePacketTests {
    static let keepAlives = [
        Scenario(
            "an empty keep-alive and its answer", up: withExchange(["keepalive": 40]),
            down: withExchange(["keepalive": 40], down: true)
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .ack, at: 26)
            $0.ack(.server)
        },
        Scenario(
            "a keep-alive of one byte and its answer", up: withExchange(["keepalive": 41]),
            down: withExchange(["keepalive": 40], down: true)
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .ack, at: 26, [0])
            $0.ack(.server)
        },
        Scenario(
            "the server's keep-alives, some without answer", up: withExchange(["keepalive": 40]),
            down: withExchange(["keepalive": 121], down: true)
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.server, .ack, at: 42)
            $0.send(.server, .ack, at: 42, [0])
            $0.send(.server, .ack, at: 42)
            $0.ack(.client)
        },
        Scenario(
            "keep-alives of a connection that never carried anything", up: ["setup.tcp": 80, "keepalive": 40],
            down: ["setup.tcp": 40, "keepalive": 40]
        ) {
            $0.handshake()
            $0.send(.client, .ack, at: -1)
            $0.ack(.server)
        },
        Scenario(
            "a byte sent again into a zero window is a probe",
            up: ["setup.tcp": 80, "tcpip": 80, "start_line": 17, "headers": 31, "body": 13, "keepalive": 82],
            down: ["setup.tcp": 40, "ack": 80, "keepalive": 80]
        ) {
            $0.handshake()
            $0.data(.client, Array(Sample.post.utf8.prefix(60)))
            $0.ack(.server, window: 0)
            $0.data(.client, "c")
            $0.ack(.server, upTo: 60, window: 0)
            for _ in 0..<2 {
                $0.data(.client, "c", at: 60)
                $0.ack(.server, upTo: 60, window: 0)
            }
        },
    ]

    @Test("tells keep-alives and window probes from retransmissions", arguments: keepAlives)
    func booksKeepAlives(scenario: Scenario) throws { try scenario.check() }

    static let endings = [
        Scenario(
            "FIN, FIN with ACK, ACK", up: withExchange(["teardown": 80]),
            down: withExchange(["teardown": 40], down: true), close: .fin
        ) {
            $0.handshake()
            $0.exchange()
            $0.close()
        },
        Scenario(
            "a bare ACK of only a FIN", up: withExchange(["teardown": 80]),
            down: withExchange(["teardown": 80], down: true), close: .fin
        ) {
            $0.handshake()
            $0.exchange()
            $0.fin(.client)
            $0.ack(.server)
            $0.fin(.server)
            $0.ack(.client)
        },
        Scenario(
            "a FIN with payload is data, and its ACK acknowledges more than a FIN", up: withExchange([:]),
            down: withExchange([:], down: true)
        ) {
            $0.handshake()
            $0.data(.client, Sample.request)
            $0.fin(.server, Sample.response)
            $0.ack(.client)
        },
        Scenario(
            "a FIN sent again is teardown again", up: withExchange(["teardown": 160]),
            down: withExchange(["teardown": 40], down: true), close: .fin
        ) {
            $0.handshake()
            $0.exchange()
            $0.fin(.client)
            $0.fin(.client)
            $0.fin(.client)
            $0.fin(.server)
            $0.ack(.client)
        },
        Scenario(
            "a FIN before the data it comes after closes at its place", up: withExchange(["teardown": 40]),
            down: withExchange(["tcpip": 40, "teardown": 40], down: true), close: .fin
        ) {
            $0.handshake()
            $0.data(.client, Sample.request)
            $0.data(.server, Array(Sample.response.utf8.prefix(20)))
            $0.data(.server, Array(Sample.response.utf8.dropFirst(20)))
            $0.fin(.server)
            $0.ack(.client)
            $0.fin(.client)
            $0.frames.swapAt(5, 6)
        },
        Scenario(
            "a reset with payload: the payload is refused, all of it is teardown", up: withExchange([:]),
            down: withExchange(["teardown": 45], down: true), close: .reset
        ) {
            $0.handshake()
            $0.exchange()
            $0.rst(.server, "wrong")
        },
        Scenario(
            "resets after the close belong to the closed connection", up: withExchange(["teardown": 160]),
            down: withExchange(["teardown": 40], down: true), close: .fin
        ) {
            $0.handshake()
            $0.exchange()
            $0.close()
            $0.rst(.client)
            $0.rst(.client)
        },
    ]

    @Test("books the end of a connection to teardown", arguments: endings)
    func booksEndings(scenario: Scenario) throws { try scenario.check() }

    @Test("counts a reset's payload as refused")
    func countsRefused() {
        var talk = Dialogue()
        talk.handshake()
        talk.rst(.server, "wrong")
        let counts = talk.audit().connections[0].counts
        #expect(counts.down.payload == 5)
        #expect(counts.down.payloadRefused == 5)
        #expect(counts.down.rst == 1)
        #expect(counts.up.syn == 1)
    }

    @Test("keeps a connection half open that one side closed")
    func keepsHalfOpen() throws {
        var talk = Dialogue()
        talk.handshake()
        talk.fin(.client, Sample.request)
        talk.ack(.server)
        talk.data(.server, Sample.response)
        talk.ack(.client)
        talk.fin(.server)
        talk.ack(.client)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.flags) == [[]])
        #expect(capture.exchanges[0].costs.up.lines == withExchange(["teardown": 40]))
        #expect(capture.exchanges[0].costs.down.lines == withExchange(["teardown": 40, "ack": 40], down: true))
    }
}

@Suite("Audit: who pays for acknowledgments")
struct AcknowledgmentOwnerTests {
    /// Acknowledgment bytes of each exchange, server to client.
    private func acknowledgments(_ write: (inout Dialogue) -> Void) -> [Int] {
        var talk = Dialogue()
        talk.handshake()
        write(&talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        return capture.exchanges.map { $0.costs.down[.ack] }
    }

    @Test("the owner of the last byte newly acknowledged pays")
    func chargesLastByte() {
        let paid = acknowledgments {
            $0.data(.client, Sample.request)
            $0.data(.client, Sample.request)
            $0.ack(.server, upTo: 27)
            $0.ack(.server, upTo: 54)
            $0.data(.client, Sample.request)
            $0.data(.client, Sample.request)
            $0.ack(.server, upTo: 108)
        }
        #expect(paid == [40, 40, 0, 40])
    }

    @Test("an acknowledgment that ends inside a message charges that message")
    func chargesInside() {
        let paid = acknowledgments {
            $0.data(.client, Sample.request + Sample.request)
            $0.ack(.server, upTo: 28)
        }
        #expect(paid == [0, 40])
    }

    @Test("the owner of the next byte expected pays for duplicates while it is known, else of the last byte seen")
    func chargesNextByte() {
        let paid = acknowledgments {
            $0.data(.client, Sample.request)
            $0.ack(.server)
            $0.ack(.server)
            $0.data(.client, Sample.request)
            $0.ack(.server, upTo: 27)
        }
        #expect(paid == [80, 40])
    }

    @Test("duplicates around a hole charge the message that the hole lies in")
    func chargesHole() {
        let paid = acknowledgments {
            $0.data(.client, Sample.request)
            $0.ack(.server)
            let lost = $0.sent[0]
            $0.lose(.client, 27)
            for _ in 0..<3 {
                $0.data(.client, Sample.request)
                $0.ack(.server, upTo: lost)
            }
            $0.data(.client, Sample.request, at: lost)
            $0.ack(.server)
        }
        #expect(paid == [40, 120, 0, 0, 40])
    }

    @Test("a window update of a server that was sent nothing is the connection's")
    func chargesConnection() {
        var talk = Dialogue()
        talk.handshake()
        talk.ack(.server)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].costs.down.lines == ["setup.tcp": 40, "ack": 40])
        #expect(capture.result.hosts[0].unassigned.down[.ack] == 40)
    }

    /// A SACK option (RFC 2018 §3) with a block in the direction of the sender.
    private static func selective(
        _ talk: Dialogue, of sender: Dialogue.Side = .server, _ block: Range<Int>
    ) -> PacketBuilder.Option {
        let first = talk.initialSequence[sender.rawValue] + 1
        let numbers = [block.lowerBound, block.upperBound].map { first + UInt32($0) }
        return .bytes(
            [1, 1, 5, 10]
                + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } })
    }

    /// Two calls. The first response is sent twice, and its copy is reported in `place`: 0 before the second request, 1
    /// behind it, 2 behind the second response.
    private static func reportedTwice(place: Int, _ options: (Dialogue, Range<Int>) -> [PacketBuilder.Option])
        -> AuditedCapture
    {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        let first = "HTTP/1.1 204 No Content\r\n\r\n"
        talk.data(.server, first)
        talk.ack(.client)
        talk.data(.server, first, at: 0)
        for step in 0...2 {
            if step == place {
                let change = options(talk, 0..<first.utf8.count)
                talk.send(.client, .ack, at: 28 * (place == 0 ? 1 : 2), acknowledging: first.utf8.count) {
                    $0.options = change
                }
            }
            if step == 0 { talk.data(.client, "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n") }
            if step == 1 { talk.data(.server, first) }
        }
        talk.ack(.client)
        talk.close()
        return talk.audit()
    }

    @Test(
        "a duplicate ACK with D-SACK is paid by the call whose bytes came twice, wherever it stands", arguments: 0...2)
    func duplicateSelective(place: Int) {
        let capture = Self.reportedTwice(place: place) { [Self.selective($0, $1)] }
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.up[.ack] } == [92, 40])
    }

    @Test("a duplicate ACK that reports bytes behind a hole is paid by the call of the hole, though captured first")
    func selectiveAhead() {
        for isReported in [true, false] {
            var talk = Dialogue()
            talk.handshake()
            let request = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
            talk.data(.client, request)
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
            talk.ack(.client)
            let end = request.utf8.count
            let option = isReported ? Self.selective(talk, of: .client, end + 20..<end + 40) : .bytes([1, 1, 1, 1])
            talk.send(.server, .ack, at: 27, acknowledging: end) { $0.options = [option] }
            talk.data(.client, "GET /2/a/longer/path HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n", at: 27)
            talk.close()
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map { $0.costs.down[.ack] } == (isReported ? [0, 52] : [44, 0]))
        }
    }

    @Test("a block that reports nothing twice, or is no block, changes nothing")
    func otherBlocks() {
        let plain = Self.reportedTwice(place: 2) { _, _ in [.bytes([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])] }
        let expected = plain.exchanges.map { $0.costs.up[.ack] }
        #expect(expected.reduce(0, +) == 132)
        let blocks: [(Dialogue, Range<Int>) -> [PacketBuilder.Option]] = [
            { talk, first in [Self.selective(talk, first.upperBound + 500..<first.upperBound + 600)] },
            { talk, _ in [Self.selective(talk, 7..<7)] },
            { _, _ in [.bytes([1, 1, 5, 11, 0, 0, 0, 0, 0, 0, 0, 0])] },
            { _, _ in [.bytes([1, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0])] },
            { _, _ in [.bytes([1, 1, 5, 2, 1, 1, 1, 1, 1, 1, 1, 1])] },
        ]
        for (place, block) in blocks.enumerated() {
            let capture = Self.reportedTwice(place: 2, block)
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map { $0.costs.up[.ack] } == expected, "\(place)")
        }
    }
}
