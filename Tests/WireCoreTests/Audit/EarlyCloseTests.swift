import Testing
import WireCore
import WireTesting

@Suite("Audit: exchanges that the client gave up")
struct EarlyCloseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Of the only exchange: the packet with which it was given up, counted from 0; nil where it was not.
        var packet: Int?
        var hadHead = false
        var body = 0
        var talk: @Sendable (inout Dialogue) -> Void

        init(
            _ name: String, packet: Int?, hadHead: Bool = false, body: Int = 0,
            talk: @escaping @Sendable (inout Dialogue) -> Void
        ) {
            testDescription = name
            (self.packet, self.hadHead, self.body) = (packet, hadHead, body)
            self.talk = talk
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"

    // Packets 0 to 2 are the handshake, 3 is the request.
    static let cases = [
        Case("a FIN in the middle of the body", packet: 5, hadHead: true, body: 4) { talk in
            talk.data(.server, head + "abcd")
            talk.fin(.client)
            talk.data(.server, "ef")
            talk.rst(.client)
        },
        Case("a reset in the middle of the body", packet: 6, hadHead: true, body: 6) { talk in
            talk.data(.server, head + "abcd")
            talk.data(.server, "ef")
            talk.rst(.client)
        },
        Case("a FIN before the answer, which is refused", packet: 4) { talk in
            talk.fin(.client)
            talk.data(.server, head + "abcdefghij")
            talk.rst(.client)
        },
        Case("a FIN within the head", packet: 5) { talk in
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Le")
            talk.fin(.client)
            talk.data(.server, "ngth: 10\r\n\r\nab")
            talk.rst(.client)
        },
        Case("no answer at all", packet: 4) { talk in talk.close() },
        Case("the first of several FINs", packet: 4) { talk in
            talk.fin(.client)
            talk.data(.server, head + "ab")
            talk.fin(.client)
            talk.rst(.client)
        },
        Case("a client that closes its side only reads the answer", packet: nil) { talk in
            talk.fin(.client)
            talk.data(.server, head + "abcdefghij")
            talk.ack(.client)
            talk.fin(.server)
            talk.ack(.client)
        },
        Case("a server that cuts its answer", packet: nil) { talk in
            talk.data(.server, head + "abcd")
            talk.fin(.server)
            talk.fin(.client)
        },
        Case("an answer that came whole before the close", packet: nil) { talk in
            talk.data(.server, head + "abcdefghij")
            talk.rst(.client)
        },
    ]

    @Test("have the time of the first FIN or RST, and what had come of the answer by then", arguments: cases)
    func http1(given: Case) throws {
        var talk = Dialogue()
        let start = talk.time
        talk.handshake()
        talk.data(.client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        given.talk(&talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.exchanges.count == 1)
        let expected = given.packet.map {
            EarlyClose(time: start + Int64($0) * talk.interval, hadHead: given.hadHead, body: given.body)
        }
        #expect(capture.exchanges[0].earlyClose == expected)
    }

    @Test("each stream of HTTP/2 for itself, where the client resets it", arguments: [true, false])
    func http2(byClient: Bool) throws {
        var talk = HTTP2Talk()
        talk.frames(
            .client,
            [.headers(1, talk.request("/a"), endStream: true), .headers(3, talk.request("/b"), endStream: true)])
        talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(70)), .headers(3, talk.response())])
        let time = talk.talk.talk.time
        talk.frames(byClient ? .client : .server, [.reset(1)])
        talk.frames(.server, [.data(3, .filler(9), endStream: true)])
        talk.talk.acknowledge(.client)
        let capture = talk.talk.audit()
        try #require(capture.exchanges.count == 2)
        #expect(capture.exchanges[0].earlyClose == (byClient ? EarlyClose(time: time, hadHead: true, body: 70) : nil))
        #expect(capture.exchanges[1].earlyClose == nil)
    }
}
