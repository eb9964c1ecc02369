import Testing
import WireTesting

@testable import WireCore

/// Names, ports and roles promise a protocol; the bytes show which one it is.
@Suite("Audit: bytes decide, not names")
struct BytesDecideTests {
    @Test(
        "HTTP/2 inside TLS is read whatever ALPN names", arguments: [TLSSuite.aes128GCM12, .aes128GCM13],
        [["h2-16"], ["h2-14"], ["http/1.1"], ["spdy/3.1"], []])
    func readsFramesUnderAnyName(suite: TLSSuite, protocols: [String]) {
        var talk = HTTP2Talk(bare: LayeredConversation())
        talk.talk.beginTLS(suite, protocols: protocols)
        talk.begin()
        talk.exchange(1)
        talk.exchange(3, body: 300)
        let capture = talk.talk.check("\(suite) \(protocols)")
        #expect(capture.exchanges.map(\.stream) == [1, 3])
        #expect(capture.exchanges.map(\.flags) == [[], []])
        #expect(capture.connections.map(\.applicationProtocol) == ["h2"])
    }

    @Test("a server's SETTINGS before the client's preface", arguments: [["h2-16"], ["http/1.1"], ["h2"]])
    func readsFramesOfServerFirst(protocols: [String]) {
        var talk = HTTP2Talk(bare: LayeredConversation())
        talk.talk.beginTLS(.aes128GCM13, protocols: protocols)
        talk.frames(.server, [.settings()])
        let settings = HTTP2Frame.settings([(3, 100)])
        talk.talk.seal(.client, [KnownRun(HTTP2Frame.preface + settings.bytes, KnownRun.connection, .setupHTTP)])
        talk.talk.sendRest(.client)
        talk.exchange(1)
        let capture = talk.talk.check("\(protocols)")
        #expect(capture.exchanges.map(\.stream) == [1])
    }

    @Test("HTTP/1 inside TLS is read though ALPN names h2", arguments: [TLSSuite.aes128GCM12, .aes128GCM13])
    func readsMessagesUnderFramesName(suite: TLSSuite) {
        var talk = LayeredConversation(suite, protocols: ["h2"])
        talk.exchange(0)
        talk.exchange(1, body: 40)
        let capture = talk.check("\(suite)")
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map(\.request?.version) == ["HTTP/1.1", "HTTP/1.1"])
    }

    /// The server of TCP asks, the client of TCP answers.
    private func reversed(prefix: Bool) -> Dialogue {
        var talk = Dialogue()
        talk.handshake()
        if prefix {
            talk.data(.server, [5, 1, 0])
            talk.data(.client, [5, 0])
            talk.data(.server, [5, 1, 0, 1, 10, 0, 0, 1, 0, 80])
            talk.data(.client, [5, 0, 0, 1, 10, 0, 0, 1, 0, 80])
        }
        for _ in 0..<2 {
            talk.data(.server, Sample.request)
            talk.data(.client, Sample.response)
        }
        talk.ack(.server)
        talk.close()
        return talk
    }

    @Test("requests of the side that accepted the connection are read", arguments: [false, true])
    func readsReversedRequests(prefix: Bool) {
        let capture = reversed(prefix: prefix).audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map { $0.method.map { String(decoding: $0, as: UTF8.self) } } == ["GET", "GET"])
        #expect(capture.exchanges.map(\.isReversed) == [true, true])
        #expect(capture.exchanges.map(\.costs.down.message) == [27, 27])
        #expect(capture.exchanges.map(\.costs.up.message) == [43, 43])
        #expect(capture.exchanges.map(\.flags) == [[], []])
        #expect(capture.connections[0].costs.up[.opaque] == (prefix ? 12 : 0))
        #expect(capture.connections[0].costs.down[.opaque] == (prefix ? 13 : 0))
    }

    @Test("a server that only sends lines like requests' beginnings is no requester")
    func keepsServersApart() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.server, "HELP me\r\nGET lost\r\n")
        talk.data(.client, Sample.request)
        talk.data(.server, Sample.response)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [200])
        #expect(capture.exchanges.map(\.isReversed) == [false])
    }

    @Test("HTTP/2 with prior knowledge of the side that accepted the connection")
    func readsReversedFrames() {
        var encoders = [HTTP2FieldEncoder(), HTTP2FieldEncoder()]
        var talk = Dialogue()
        talk.handshake()
        talk.data(.server, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        talk.data(.client, HTTP2Frame.settings().bytes)
        let request = encoders[0].request("/a", method: "GET", host: "a", [])
        talk.data(.server, HTTP2Frame.headers(1, request, endStream: true).bytes)
        talk.data(.client, HTTP2Frame.headers(1, encoders[1].response(204, []), endStream: true).bytes)
        talk.ack(.server)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.status) == [204])
        #expect(capture.exchanges.map(\.isReversed) == [true])
    }
}

/// TLS that the capture joined late.
@Suite("Audit: TLS joined in its middle")
struct JoinedTLSTests {
    typealias Build = HelloBuilder

    @Test(
        "a first record over several segments is recognised where the other direction is",
        arguments: [0x0301, 0x0302, 0x0303], [16, 1000, 5000])
    func recognisesLongRecord(version: Int, size: Int) {
        let long = Build.record(23, version, [UInt8](repeating: 7, count: size))
        let pieces = stride(from: 0, to: long.count, by: max(6, long.count / 4)).map {
            Array(long[$0..<min(long.count, $0 + max(6, long.count / 4))])
        }
        let short = Build.record(23, version, [UInt8](repeating: 9, count: 40))
        for side in Dialogue.Side.allCases {
            var talk = Dialogue()
            talk.data(side, short + short)
            for piece in pieces { talk.data(side.other, piece) }
            talk.data(side.other, short + short)
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            let costs = side == .client ? capture.connections[0].costs.down : capture.connections[0].costs.up
            #expect(costs[.tlsRecords] == 15, "\(side)")
            #expect(costs[.opaque] == size + 80)
        }
    }

    @Test("a record's beginning alone is not believed in plain text beside records")
    func refusesOthers() {
        let short = Build.record(23, 0x0301, [UInt8](repeating: 9, count: 40))
        var talk = Dialogue()
        talk.data(.client, short + short)
        talk.data(.server, [23, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 100))
        talk.data(.server, [23, 3, 4, 0, 40] + [UInt8](repeating: 1, count: 10))
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.connections[0].costs.down[.tlsRecords] == 0)
        #expect(capture.connections[0].costs.down[.opaque] == 120)
    }
}
