import Testing
import WireCore
import WireTesting

@Suite("HTTP/1: messages that are not whole")
struct BrokenMessageTests {
    private func dialogue() -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        return talk
    }

    /// Sends the bytes but for those in the hole, which the client acknowledges with the rest.
    private func send(_ text: String, withoutBytes hole: Range<Int>, _ talk: inout Dialogue) {
        let bytes = Array(text.utf8)
        let start = talk.sent[1]
        talk.data(.server, Array(bytes[..<hole.lowerBound]))
        talk.lose(.server, hole.count)
        talk.data(.server, Array(bytes[hole.upperBound...]), at: start + hole.upperBound)
        talk.ack(.client)
        talk.time += 3_000_000_000
    }

    @Test("a request without response, and a response without request")
    func keepsHalves() throws {
        var talk = dialogue()
        talk.data(.client, Sample.request)
        var capture = talk.audit()
        #expect(capture.exchanges.map(\.flags) == [[.noResponse, .noEnd]])
        #expect(capture.exchanges[0].response == nil)

        talk = Dialogue()
        talk.data(.server, Sample.response)
        talk.ack(.client)
        capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.exchanges.count == 1)
        #expect(capture.exchanges[0].request == nil)
        #expect(capture.exchanges[0].flags == [.noRequest, .noStart, .noEnd])
        #expect(capture.exchanges[0].status == 200)
        #expect(String(decoding: capture.exchanges[0].api, as: UTF8.self) == "? 10.0.0.2")
        #expect(capture.exchanges[0].costs.down.message == 43)
    }

    @Test("an answer that was captured before its request is still its answer")
    func pairsEarlyResponse() {
        var talk = dialogue()
        talk.data(.client, Sample.request)
        talk.data(.server, Sample.response)
        talk.exchange()
        talk.frames.swapAt(3, 4)
        for index in talk.frames.indices { talk.frames[index].time = Int64(index) }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.flags) == [[], []])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges[0].timeToFirstByte == nil)
    }

    @Test("a reset or the end of the capture inside a body")
    func endsInBody() {
        var talk = dialogue()
        talk.data(.client, Sample.request)
        talk.data(.server, Array(Sample.response.utf8.dropLast(2)))
        #expect(talk.audit().exchanges.map(\.flags) == [.noEnd])
        talk.rst(.client)
        #expect(talk.audit().exchanges.map(\.flags) == [[.aborted, .reset]])
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].response?.complete == false)
        #expect(capture.exchanges[0].costs.down[.body] == 3)
    }

    @Test("a FIN inside a body of known length aborts it")
    func abortsBody() {
        var talk = dialogue()
        talk.data(.client, Sample.request)
        talk.data(.server, Array(Sample.response.utf8.dropLast(2)))
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.flags) == [.aborted])
    }

    @Test("a hole in a body of known length leaves the next message in step", arguments: [38..<39, 40..<42, 38..<43])
    func bridgesBody(hole: Range<Int>) {
        var talk = dialogue()
        talk.data(.client, Sample.request + Sample.request)
        send(Sample.response + Sample.response, withoutBytes: hole, &talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.unseenBytes) == [hole.count, 0])
        #expect(capture.exchanges.map { $0.flags.contains(.gap) } == [true, false])
        #expect(capture.exchanges.map { $0.costs.down.message } == [43 - hole.count, 43])
        #expect(capture.exchanges.map { $0.response?.complete } == [false, true])
    }

    @Test("a hole in the data of a chunk leaves the chunks behind it in step")
    func bridgesChunk() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        var talk = dialogue()
        talk.data(.client, Sample.request + Sample.request)
        let start = head.utf8.count + 3
        send(head + "a\r\n0123456789\r\n0\r\n\r\n" + Sample.response, withoutBytes: start + 2..<start + 7, &talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.unseenBytes) == [5, 0])
        #expect(capture.exchanges[0].costs.down[.body] == 5)
        #expect(capture.exchanges[0].costs.down[.framing] == 3 + 7)
        #expect(capture.exchanges[1].response?.complete == true)
    }

    @Test(
        "a hole in a head, in a chunk's size, or over the end of a message: the next start line is found again",
        arguments: [5..<12, 20..<30, 30..<60, 40..<70])
    func findsNextMessage(hole: Range<Int>) throws {
        var talk = dialogue()
        talk.data(.client, Sample.request + Sample.request + Sample.request)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        send(chunked + Sample.response + Sample.response, withoutBytes: hole, &talk)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].counts.down.unseen == hole.count)
        #expect(capture.exchanges[0].flags.contains(.gap))
        #expect(capture.exchanges.contains { $0.response?.complete == true })
        let unseen = capture.exchanges.reduce(0) { $0 + $1.unseenBytes }
        #expect(unseen == hole.count)
        let message = capture.exchanges.reduce(0) { $0 + $1.costs.down.message + $1.costs.down[.opaque] }
        #expect(message == chunked.utf8.count + 86 - hole.count)
    }

    @Test("after lost messages a response answers the request that its packet acknowledges")
    func pairsAfterLoss() {
        var talk = dialogue()
        for index in 0..<4 {
            talk.data(.client, "GET /\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
            // The second response is lost whole.
            if index == 1 { talk.lose(.server, 43) } else { talk.data(.server, Sample.response) }
            talk.ack(.client)
            talk.time += 3_000_000_000
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, nil, 200, 200])
        #expect(capture.connections[0].counts.down.unseen == 43)
    }

    @Test("garbage between messages is the connection's, and is said")
    func bridgesGarbage() {
        var talk = dialogue()
        talk.exchange()
        talk.data(.client, "\u{1}garbage\r\n")
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map { $0.response?.complete } == [true, true])
        #expect(capture.connections[0].costs.up[.opaque] == 10)
        #expect(
            capture.result.hosts[0].unassigned.up.lines
                == ["tcpip": 40, "opaque": 10, "ack": 0].filter { $0.value > 0 })
        #expect(capture.findings(.messageMalformed) == 1)
    }

    @Test("a header section beyond the limit is no longer read, and counted all the same")
    func limitsHeaderSection() {
        var options = AuditOptions()
        options.headerSectionLimit = 1000
        for isSplit in [false, true] {
            var talk = dialogue()
            talk.data(.client, Sample.request)
            let head = "HTTP/1.1 200 OK\r\n" + String(repeating: "X: some field\r\n", count: 100)
            for part in isSplit ? [head.prefix(500), head.dropFirst(500)] : [head[...]] {
                talk.data(.server, String(part))
            }
            let capture = talk.audit(options)
            #expect(capture.contradictions == [])
            #expect(capture.findings(.headerSectionLimit) == 1)
            #expect(capture.exchanges[0].flags.contains(.malformed))
            #expect(capture.exchanges[0].costs.down.message == head.utf8.count)
        }
    }

    @Test("a connection that carries no HTTP is opaque, whatever its bytes look like later")
    func keepsOpaque() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, "\u{16}\u{3}\u{1}\u{2}hello")
        talk.data(.server, "\u{16}\u{3}\u{3}\u{2}HTTP/1.1")
        talk.data(.client, "more\r\nGET / HTTP/1.1\r\n\r\n")
        talk.close()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == 0)
        #expect(capture.connections[0].costs.up.lines == ["opaque": 33, "tcpip": 80, "setup.tcp": 80, "teardown": 80])
        #expect(capture.connections[0].applicationProtocol == nil)
        #expect(capture.result.hosts.map(\.connectionsWithoutExchange) == [1])
    }

    @Test("a second head in the same packet as the end of a body is read whole, wherever it is cut")
    func readsHeadBehindBody() {
        var talk = dialogue()
        let second = "GET /second HTTP/1.1\r\nHost: b\r\n\r\n"
        talk.data(.client, Array((Sample.post + second).utf8.prefix(68 + 24)))
        talk.data(.client, Array(second.utf8.dropFirst(24)))
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.target.map { String(decoding: $0, as: UTF8.self) } } == ["/", "/second"])
        #expect(capture.exchanges.map { String(decoding: $0.host, as: UTF8.self) } == ["a", "b"])
    }
}
