import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: tunnels and beginnings")
struct TunnelTests {
    private static let connect = "CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n"
    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// A conversation that opens a tunnel first; exchange 0 is CONNECT's.
    private func writeConnect(_ talk: inout LayeredConversation) {
        for (side, text) in [(Dialogue.Side.client, Self.connect), (.server, Self.established)] {
            let bytes = Array(text.utf8)
            let line = bytes.firstIndex(of: 0x0A)! + 1
            talk.write(
                side, [KnownRun(Array(bytes[..<line]), 0, .startLine), KnownRun(Array(bytes[line...]), 0, .headers)])
            talk.sendRest(side)
        }
        talk.acknowledge(.client)
    }

    @Test(
        "TLS in a tunnel has exchanges of its own", arguments: [TLSSuite.chaCha13, .aes128GCM12], [1, 2, 5, 9, 1400])
    func tlsInTunnel(suite: TLSSuite, segment: Int) {
        var talk = LayeredConversation()
        writeConnect(&talk)
        talk.beginTLS(suite, segment: segment)
        talk.exchange(1)
        talk.exchange(2, body: 30)
        let capture = talk.check("\(suite), segments of \(segment)")
        #expect(capture.exchanges.map(\.flags) == [[.tunnel], [], []])
        #expect(capture.exchanges.map(\.tlsVersion) == [nil, suite.version.rawValue, suite.version.rawValue])
        #expect(capture.exchanges.map(\.status) == [200, 200, 200])
    }

    @Test("TLS in a tunnel without keys is the connection's", arguments: [TLSSuite.chaCha13, .aes128CBC12])
    func lockedTunnel(suite: TLSSuite) {
        var talk = LayeredConversation()
        writeConnect(&talk)
        talk.beginTLS(suite)
        talk.exchange(1)
        let capture = talk.audit(keys: "")
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.flags) == [[.tunnel]])
        #expect(capture.exchanges[0].costs.up[.opaque] == 0 && capture.exchanges[0].costs.up[.tlsRecords] == 0)
        let own = capture.result.hosts.map(\.unassigned.up)
        #expect(own.contains { $0[.opaque] > 0 && $0[.tlsRecords] > 0 && $0[.setupTLS] > 0 })
        #expect(capture.connections[0].tls?.blindness == .noKeys)
    }

    @Test("HTTP/2 in TLS in a tunnel")
    func framesInTunnel() {
        var talk = HTTP2Talk(bare: LayeredConversation())
        writeConnect(&talk.talk)
        talk.exchanges[-1] = 0
        talk.talk.beginTLS(.aes128GCM13, protocols: ["h2"], segment: 1400)
        talk.begin()
        talk.exchange(1)
        talk.exchange(3, body: 300)
        let capture = talk.talk.check()
        #expect(capture.exchanges.map(\.stream) == [nil, 1, 3])
        #expect(capture.exchanges.map(\.flags) == [[.tunnel], [], []])
    }

    @Test(
        "what is in a tunnel, and no TLS, is CONNECT's",
        arguments: ["\u{16}\u{3}\u{1}xyz", "SSH-2.0-x\r\n", "P", "PRI *", "\u{17}"])
    func otherInTunnel(text: String) {
        var talk = LayeredConversation()
        writeConnect(&talk)
        talk.write(.client, [KnownRun(Array(text.utf8), 0, .opaque)])
        talk.sendRest(.client, each: 2)
        talk.write(.client, [KnownRun(.filler(200), 0, .opaque)])
        talk.sendRest(.client)
        talk.write(.server, [KnownRun(.filler(100), 0, .opaque)])
        talk.sendRest(.server)
        talk.acknowledge(.client)
        let capture = talk.check(text)
        #expect(capture.exchanges.map(\.flags) == [[.tunnel]])
    }

    @Test("a client that begins TLS before the proxy answers")
    func impatientClient() {
        var talk = LayeredConversation()
        let bytes = Array(Self.connect.utf8)
        let line = bytes.firstIndex(of: 0x0A)! + 1
        talk.write(
            .client, [KnownRun(Array(bytes[..<line]), 0, .startLine), KnownRun(Array(bytes[line...]), 0, .headers)])
        var peers = TLSPeers(.aes128GCM13)
        let flights = peers.handshake()
        talk.write(.client, [KnownRun(flights[0].bytes, KnownRun.handshake, .setupTLS)])
        talk.sendRest(.client)
        let answer = Array(Self.established.utf8)
        let end = answer.firstIndex(of: 0x0A)! + 1
        talk.write(
            .server, [KnownRun(Array(answer[..<end]), 0, .startLine), KnownRun(Array(answer[end...]), 0, .headers)])
        talk.write(.server, [KnownRun(flights[1].bytes, KnownRun.handshake, .setupTLS)])
        talk.sendRest(.server)
        talk.write(.client, [KnownRun(flights[2].bytes, KnownRun.handshake, .setupTLS)])
        talk.sendRest(.client)
        talk.adopt(peers)
        talk.exchange(1)
        let capture = talk.check()
        #expect(capture.exchanges.map(\.flags) == [[.tunnel], []])
    }

    @Test("CONNECT on a stream of HTTP/2, and WebSocket over one", arguments: [true, false])
    func streamTunnel(isWebSocket: Bool) {
        var talk = HTTP2Talk(.aes128GCM13)
        let block =
            isWebSocket
            ? talk.encoders[0].block(
                [
                    (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"), (":path", "/chat"),
                    (":authority", "a"),
                ].map { HTTP2FieldEncoder.Field($0.0, $0.1) })
            : talk.encoders[0].block(
                [(":method", "CONNECT"), (":authority", "b:443")].map { HTTP2FieldEncoder.Field($0.0, $0.1) })
        talk.frames(.client, [.headers(1, block)])
        talk.frames(.server, [.headers(1, talk.response())])
        var expected = 0
        for count in [1, 50, 300] {
            for side in Dialogue.Side.allCases {
                let frame = HTTP2Frame.data(1, .filler(count))
                let runs = frame.runs(0).map { $0.cause == .body ? KnownRun($0.bytes, 0, .opaque) : $0 }
                talk.talk.seal(side, runs)
                talk.talk.sendRest(side)
            }
            expected += count
        }
        talk.frames(.client, [.data(1, [], endStream: true)])
        talk.frames(.server, [.data(1, [], endStream: true)])
        let capture = talk.talk.check()
        #expect(capture.exchanges.map(\.flags) == [[isWebSocket ? .upgraded : .tunnel]])
        #expect(capture.exchanges[0].costs.up[.opaque] == expected)
        #expect(capture.exchanges[0].request?.framing == .tunnel)
    }
}

/// First segments that are too short to tell what they begin.
@Suite("Audit: undecided beginnings")
struct UndecidedBeginningTests {
    @Test("any beginning of a preface, cut twice")
    func preface() {
        for first in 1...23 {
            for second in [first + 1, 24, 30] where second > first {
                var talk = HTTP2Talk(bare: LayeredConversation())
                talk.begin(cuts: [first, second])
                talk.exchange(1)
                let capture = talk.talk.check("\(first), \(second)")
                #expect(capture.exchanges.map(\.stream) == [1])
            }
        }
    }

    @Test("any beginning of a ClientHello", arguments: [TLSSuite.aes128GCM13, .aes128GCM12])
    func hello(suite: TLSSuite) {
        for first in 1...12 {
            for second in [first + 1, first + 4, 60] {
                var talk = LayeredConversation()
                talk.beginTLS(suite, cuts: [first, second])
                talk.exchange(0)
                let capture = talk.check("\(first), \(second)")
                #expect(capture.exchanges.map(\.tlsVersion) == [suite.version.rawValue])
            }
        }
    }

    @Test("a request whose first bytes come alone", arguments: ["POST", "PRI", "PUT", "GET", "H"])
    func request(method: String) {
        for first in 1...8 {
            var talk = LayeredConversation()
            talk.write(
                .client,
                [
                    KnownRun(Array("\(method) / HTTP/1.1\r\n".utf8), 0, .startLine),
                    KnownRun(Array("Host: a\r\n\r\n".utf8), 0, .headers),
                ])
            talk.sendRest(.client, cuts: [first, first + 3])
            talk.write(.server, LayeredConversation.response(0))
            for cut in 1..<10 { talk.send(.server, cut - 1..<cut) }
            talk.sendUnseen(.server, each: 100)
            talk.acknowledge(.client)
            let capture = talk.check("\(method), \(first)")
            #expect(capture.exchanges.map(\.status) == [200])
            #expect(capture.exchanges.first?.request?.version == "HTTP/1.1")
        }
    }

    @Test(
        "a beginning after which nothing comes",
        arguments: ["P", "PRI * HTTP/2.0\r\n\r\nSM", "\u{16}", "\u{16}\u{3}\u{1}\0", "\0\0"])
    func nothingFollows(text: String) {
        for side in Dialogue.Side.allCases {
            for isClosed in [false, true] {
                var talk = Dialogue()
                talk.handshake()
                talk.data(side, text)
                talk.ack(side.other)
                if isClosed { talk.close() }
                var isEmptyHanded = false
                let capture = audit(talk.frames, keys: "") { isEmptyHanded = $0.isEmptyHanded }
                #expect(isEmptyHanded, "\(text) \(side)")
                #expect(capture.contradictions == [], "\(text) \(side)")
                #expect(capture.connections.map { $0.costs.up.internet + $0.costs.down.internet } != [0])
            }
        }
    }
}
