import Testing
import WireCore
import WireTesting

/// Hellos in hellos (RFC 9849): the key log names the connection by a random that the capture does not show.
@Suite("TLS: key logs that name the inner hello")
struct EncryptedHelloTests {
    private static let inner = [UInt8](repeating: 0xEC, count: 32)

    /// What stands in front of the connection's own lines.
    private static func others(_ count: Int) -> String {
        (0..<count).map { number in
            var peers = TLSPeers(.aes128GCM13, seed: UInt64(1000 + number))
            _ = peers.handshake()
            return peers.keyLog
        }.joined()
    }

    private func capture(innerRandom: [UInt8]?, _ keys: (String) -> String) -> AuditedCapture {
        var peers = TLSPeers(.aes128GCM13)
        peers.innerRandom = innerRandom
        var talk = Dialogue()
        talk.handshake()
        for flight in peers.handshake() { talk.data(flight.side, flight.bytes) }
        for path in ["a", "b"] {
            talk.data(.client, peers.seal(.client, "GET /\(path) HTTP/1.1\r\nHost: h\r\n\r\n"))
            talk.data(.server, peers.seal(.server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        }
        talk.close()
        return audit(talk.frames, keys: keys(peers.keyLog))
    }

    private static let lines = ["GET /a none 200 content-length", "GET /b none 200 content-length"]

    @Test("the secrets that open the server's first record are the connection's", arguments: [0, 1, 40])
    func findsInner(count: Int) {
        let capture = capture(innerRandom: Self.inner) { Self.others(count) + $0 + Self.others(2) }
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(EvasionCase.line) == Self.lines)
        #expect(capture.findings(.keyMissing) == 0)
        #expect(capture.connections.map { $0.tls?.isDecrypted } == [true])
        #expect(capture.keysMatched)
    }

    @Test("QUIC: the secrets that open the first packet of the handshake are the connection's")
    func findsInnerOfQUIC() {
        var peers = QUICPeers(innerRandom: Self.inner)
        var datagrams = peers.handshake()
        datagrams.append(peers.datagram(.client, QUICWire.stream(0, 0, [1, 0], isFinal: true)))
        let capture = audit(peers.frames(datagrams), keys: Self.others(3) + peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.connections.map { $0.tls?.isDecrypted } == [true])
        #expect(capture.keysMatched)
        #expect(capture.findings(.keyMissing) == 0)
    }

    @Test("without its lines the connection stays unread, and the finding says why")
    func findsNone() {
        let capture = capture(innerRandom: Self.inner) { _ in Self.others(5) }
        #expect(capture.exchanges.isEmpty)
        #expect(capture.findings(.keyMissing) == 1)
        #expect(capture.connections.map { $0.tls?.blindness } == [.keyMissing])
        #expect(!capture.keysMatched)
    }

    @Test("lines of other connections are not tried where there is no encrypted hello")
    func triesNone() {
        let capture = capture(innerRandom: nil) { log in
            log.split(separator: "\n").map { line in
                let fields = line.split(separator: " ")
                return "\(fields[0]) \(String(repeating: "ec", count: 32)) \(fields[2])\n"
            }.joined()
        }
        #expect(capture.exchanges.isEmpty)
        #expect(capture.findings(.keyMissing) == 1)
    }
}
