import Testing
import WireTesting

@testable import WireCore

/// Ports and first bytes that promise another protocol than what follows.
@Suite("Evasion: ports and protocols that lie")
struct LyingPortTests {
    private func talk(port: UInt16, clientPort: UInt16 = 51_234) -> Dialogue {
        var talk = Dialogue(clientPort: clientPort)
        talk.template.destinationPort = port
        return talk
    }

    /// The same packets to and from another port; their checksums are left for the hardware.
    private func moved(_ talk: Dialogue, to port: UInt16) -> [CapturedFrame] {
        let old = [UInt8](be16: talk.template.destinationPort)
        return talk.frames.map { frame in
            var frame = frame
            for place in [34, 36] where Array(frame.bytes[place..<place + 2]) == old {
                frame.bytes.replaceSubrange(place..<place + 2, with: [UInt8](be16: port))
            }
            frame.bytes.replaceSubrange(50..<52, with: [0, 0])
            return frame
        }
    }

    @Test("HTTP is found on any port", arguments: [0, 1, 22, 53, 80, 443, 853, 3544, 4789, 6081, 65_535] as [UInt16])
    func findsHTTP(port: UInt16) {
        var talk = talk(port: port)
        talk.handshake()
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "port \(port)")
        #expect(capture.exchanges.map(EvasionCase.line) == ["GET / none 200 content-length"])
        #expect(capture.findingCounts == [:])
    }

    @Test("HTTP/2 by prior knowledge is found on any port", arguments: [1, 25, 80, 443] as [UInt16])
    func findsFrames(port: UInt16) {
        var talk = HTTP2Talk(bare: LayeredConversation())
        talk.begin()
        talk.exchange(1)
        let capture = checkEvasion(moved(talk.talk.talk, to: port), "port \(port)")
        #expect(capture.connections.map(\.server.port) == [port])
        #expect(capture.exchanges.map(\.stream) == [1])
        #expect(capture.findingCounts == [:])
    }

    @Test(
        "TLS is found on any port, its hello in pieces of any size", arguments: [80, 8080, 22] as [UInt16],
        [1, 3, 1400])
    func findsTLS(port: UInt16, piece: Int) {
        var talk = LayeredConversation()
        talk.beginTLS(.aes128GCM13, segment: piece)
        talk.exchange(0, body: 20)
        let capture = checkEvasion(moved(talk.talk, to: port), "port \(port), pieces of \(piece)")
        #expect(capture.connections.map { $0.tls != nil } == [true])
        #expect(capture.connections[0].tls?.blindness == .noKeys)
        #expect(capture.exchanges.isEmpty)
    }

    static let strangers: [(name: String, client: String, server: String)] = [
        ("SSH", "SSH-2.0-client\r\n", "SSH-2.0-server\r\n"),
        ("mail", "EHLO a\r\n", "220 a ESMTP\r\n"),
        ("a line that is nearly a request", "GET / HTTQ/1.1\r\nHost: a\r\n\r\n", "what?\r\n"),
        ("a request in lower-case version", "GET / http/1.1\r\n\r\n", "what?\r\n"),
        ("records of no kind", "\u{19}\u{3}\u{3}\u{0}\u{5}abcde", "\u{15}\u{9}\u{3}\u{0}\u{5}abcde"),
        ("nearly a preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\rX", "no\r\n"),
        ("zero bytes", String(repeating: "\0", count: 50), String(repeating: "\0", count: 50)),
    ]

    @Test("what is no HTTP is opaque on HTTP's ports", arguments: strangers.indices)
    func takesStrangers(index: Int) {
        let (name, client, server) = Self.strangers[index]
        for piece in [1, 5, 1000] {
            var talk = talk(port: 80)
            talk.handshake()
            for (side, text) in [(Dialogue.Side.client, client), (.server, server)] {
                let bytes = Array(text.utf8)
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    talk.data(side, Array(bytes[start..<min(start + piece, bytes.count)]))
                }
            }
            talk.close()
            let capture = checkEvasion(talk.frames, "\(name), pieces of \(piece)")
            #expect(capture.exchanges.isEmpty, "\(name), pieces of \(piece)")
            #expect(capture.connections[0].costs.up[.opaque] == client.utf8.count, "\(name), pieces of \(piece)")
            #expect(capture.connections[0].costs.down[.opaque] == server.utf8.count, "\(name), pieces of \(piece)")
        }
    }

    @Test("a request that begins with TLS bytes, and a hello behind a request")
    func mixesTLSAndHTTP() {
        let hello = [0x16, 3, 1, 0, 50] + [UInt8](repeating: 1, count: 50)
        var talk = talk(port: 443)
        talk.handshake()
        talk.data(.client, [0x16, 3, 1] + Array(Sample.request.utf8))
        talk.data(.server, Sample.response)
        talk.close()
        var capture = checkEvasion(talk.frames, "TLS bytes in front")
        #expect(capture.connections[0].costs.up.message + capture.connections[0].costs.up[.opaque] == 30)

        talk = self.talk(port: 80)
        talk.handshake()
        talk.exchange()
        talk.data(.client, hello)
        talk.exchange()
        talk.close()
        capture = checkEvasion(talk.frames, "a hello behind a request")
        #expect(capture.exchanges.map(\.status).filter { $0 == 200 }.count == 2)
        #expect(capture.findings(.messageMalformed) == 1)
        #expect(capture.connections[0].costs.up[.opaque] == 55)
    }

    static let upgrades: [(status: String, line: String)] = [
        ("200 OK", "GET / none 200 close"), ("400 Bad", "GET / none 400 close"),
        ("101 Switching Protocols", "GET / none 101 tunnel upgraded"),
    ]

    @Test("an upgrade is one when the server says so", arguments: upgrades.indices)
    func judgesUpgrades(index: Int) {
        let (status, line) = Self.upgrades[index]
        var talk = talk(port: 80)
        talk.handshake()
        talk.data(.client, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
        talk.data(.server, "HTTP/1.1 \(status)\r\nUpgrade: websocket\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
        talk.close()
        let capture = checkEvasion(talk.frames, status)
        #expect(capture.exchanges.map(EvasionCase.line) == [line])
        let costs = capture.exchanges[0].costs.down
        #expect((costs[.body], costs[.opaque]) == (index < 2 ? (19, 0) : (0, 19)))
    }

    @Test("CONNECT that is refused opens no tunnel")
    func refusesTunnel() {
        var talk = talk(port: 3128)
        talk.handshake()
        talk.data(.client, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")
        talk.data(.server, "HTTP/1.1 407 No\r\nContent-Length: 5\r\n\r\nhello")
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "refused")
        #expect(
            capture.exchanges.map(EvasionCase.line) == [
                "CONNECT a:443 none 407 content-length", "GET / none 200 content-length",
            ])
        #expect(capture.findingCounts == [:])
    }

    @Test("calls in clear text inside of a tunnel are calls, and what is none stays in the tunnel")
    func readsTunnel() {
        var talk = talk(port: 3128)
        talk.handshake()
        talk.data(.client, "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n")
        talk.data(.server, "HTTP/1.1 200 OK\r\n\r\n")
        talk.exchange()
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "HTTP in a tunnel")
        let call = "GET / none 200 content-length"
        #expect(capture.exchanges.map(EvasionCase.line) == ["CONNECT a:80 none 200 tunnel tunnel", call, call])
        #expect(capture.connections[0].costs.up[.opaque] + capture.connections[0].costs.down[.opaque] == 0)

        talk = self.talk(port: 3128)
        talk.handshake()
        talk.data(.client, "CONNECT a:25 HTTP/1.1\r\nHost: a:25\r\n\r\n")
        talk.data(.server, "HTTP/1.1 200 OK\r\n\r\n")
        talk.data(.client, "EHLO me\r\n")
        talk.data(.server, "250 OK\r\n")
        talk.close()
        let mail = checkEvasion(talk.frames, "mail in a tunnel")
        #expect(mail.exchanges.map(EvasionCase.line) == ["CONNECT a:25 none 200 tunnel tunnel"])
        #expect((mail.exchanges[0].costs.up[.opaque], mail.exchanges[0].costs.down[.opaque]) == (9, 8))
        #expect(mail.findingCounts == [:])
    }

    @Test("behind a refused upload a request is one, and a body is one", arguments: [true, false])
    func refusesUpload(isSent: Bool) {
        let head = "PUT /p HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
        var talk = talk(port: 80)
        talk.handshake()
        talk.data(.client, head)
        talk.data(.server, "HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\nno")
        if isSent { talk.data(.client, "PUT ") }
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "refused upload")
        let first = isSent ? "PUT /p content-length 401 content-length" : "PUT /p none 401 content-length malformed"
        #expect(capture.exchanges.map(EvasionCase.line) == [first, "GET / none 200 content-length"])
        #expect(capture.exchanges[0].costs.up[.body] == (isSent ? 4 : 0))
        #expect(capture.connections[0].costs.up[.opaque] == 0)
    }

    @Test("datagrams are what their ports say of DNS, and what their bytes say of QUIC")
    func classifiesDatagrams() {
        let rest = [UInt8](repeating: 7, count: 30)
        let long: [UInt8] = [0xc0, 0, 0, 0, 1, 8] + rest
        let short: [UInt8] = [0x40, 0, 0, 0, 1, 8] + rest
        let unknown: [UInt8] = [0xc0, 0, 0, 0, 9, 8] + rest
        let tooLong: [UInt8] = [0xc0, 0, 0, 0, 1, 21] + rest
        let network: [UInt8] = [8] + [UInt8](repeating: 0x45, count: 60)
        let cases: [(UInt16, [UInt8], WritableKeyPath<OtherTotals, Int>)] = [
            (53, Array("no look-up at all".utf8), \.dns), (53, long, \.dns), (443, long, \.quic), (1, long, \.quic),
            (443, short, \.udp), (443, unknown, \.udp), (443, tooLong, \.udp), (443, [0xc0, 0, 0], \.udp),
            (53, [], \.dns), (4789, network, \.udp), (2152, long, \.quic), (3544, long, \.quic),
        ]
        for (index, (port, payload, place)) in cases.enumerated() {
            var packet = PacketBuilder()
            packet.transport = .udp
            packet.destinationPort = port
            packet.sourcePort = UInt16(30_000 + index)
            packet.payload = payload
            let capture = checkEvasion([CapturedFrame(time: 0, packet)], "case \(index)")
            var expected = OtherTotals()
            expected[keyPath: place] = 28 + payload.count
            #expect(capture.result.ledger.other == expected, "case \(index)")
        }
    }
}
