import Testing
import WireTesting

@testable import WireCore

/// A key log opens TLS 1.3 whose handshake the capture lacks: the tag of a record proves its key and its number.
@Suite("Audit: TLS that began before the capture")
struct TLSLateTests {
    private static func request(_ number: Int) -> String { "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n" }
    private static let response = "HTTP/1.1 204 No Content\r\n\r\n"

    /// Key lines of connections that have nothing to do with the capture.
    private static func otherKeys(_ count: Int) -> String {
        (0..<count).map { number in
            var peers = TLSPeers(number.isMultiple(of: 2) ? .aes128GCM13 : .aes256GCM13, seed: UInt64(1000 + number))
            _ = peers.handshake()
            return peers.keyLog
        }
        .joined()
    }

    /// Calls on one connection; the capture begins behind the first ones.
    private static func late(
        _ suite: TLSSuite, calls: Int, seenFrom first: Int, change: (inout TLSPeers, Int) -> [UInt8] = { _, _ in [] }
    ) -> (frames: [CapturedFrame], keys: String) {
        var talk = Dialogue()
        talk.interval = 1000
        var peers = TLSPeers(suite)
        talk.handshake()
        for flight in peers.handshake() { talk.data(flight.side, flight.bytes) }
        var start = 0
        for number in 0..<calls {
            if number == first { start = talk.frames.count }
            let before = change(&peers, number)
            if !before.isEmpty { talk.data(.server, before) }
            talk.data(.client, peers.seal(.client, request(number)))
            talk.data(.server, peers.seal(.server, response))
        }
        talk.data(.client, peers.closeNotify(.client))
        talk.close()
        return (Array(talk.frames[start...]), peers.keyLog)
    }

    private static func targets(_ capture: AuditedCapture) -> [String] {
        capture.exchanges.map { String(decoding: $0.target ?? [], as: UTF8.self) }
    }

    @Test(
        "all calls of the capture are read, whatever the suite, and however many went before",
        arguments: [TLSSuite.aes128GCM13, .aes256GCM13, .chaCha13], [1, 40, 700])
    func calls(suite: TLSSuite, before: Int) {
        let late = Self.late(suite, calls: before + 3, seenFrom: before)
        let capture = audit(late.frames, keys: Self.otherKeys(3) + late.keys + Self.otherKeys(2))
        #expect(Self.targets(capture) == (before..<before + 3).map { "/\($0)" })
        #expect(capture.exchanges.map(\.status) == [204, 204, 204])
        let record = capture.connections[0]
        #expect(record.client.port == 51_234 && record.flags.names.contains("no-start"))
        #expect(record.tls?.version == .tls13 && record.tls?.isDecrypted == true && record.tls?.blindness == nil)
        #expect(record.tls?.closeNotify.up == true && record.costs.up[.opaque] == 0)
        #expect(capture.findings(.secrecyBeganBefore) == 0 && capture.findings(.capturedInPart) == 0)
        #expect(capture.contradictions == [])
    }

    @Test("a capture that begins inside of the handshake, or of a record", arguments: 1..<5)
    func inside(dropped: Int) {
        var talk = Dialogue()
        var peers = TLSPeers(.aes128GCM13)
        for flight in peers.handshake() { talk.data(flight.side, flight.bytes) }
        let body = "POST /0 HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2000)
        let record = peers.seal(.client, body)
        talk.data(.client, Array(record[..<1000]))
        talk.data(.client, Array(record[1000...]))
        talk.data(.server, peers.seal(.server, Self.response))
        talk.data(.client, peers.seal(.client, Self.request(1)))
        talk.data(.server, peers.seal(.server, Self.response))
        talk.close()
        let capture = audit(Array(talk.frames.dropFirst(dropped)), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(Self.targets(capture).last == "/1" && capture.exchanges.last?.status == 204)
        #expect(capture.connections[0].tls?.isDecrypted == true)
    }

    @Test("HTTP/2 goes on; fields that refer to what went before are not known")
    func http2() {
        var talk = Dialogue()
        var peers = TLSPeers(.aes128GCM13, protocols: ["h2"])
        for flight in peers.handshake() { talk.data(flight.side, flight.bytes) }
        talk.data(.client, peers.seal(.client, HTTP2Frame.preface + HTTP2Frame.settings([]).bytes))
        talk.data(.server, peers.seal(.server, HTTP2Frame.settings([]).bytes))
        let start = talk.frames.count
        // GET https /, the authority from the dynamic table.
        let fields: [UInt8] = [0x82, 0x87, 0x84, 0xBE]
        for stream in [3, 5] {
            let request = HTTP2Frame(1, flags: 5, stream: stream, payload: fields).bytes
            talk.data(.client, peers.seal(.client, request))
            let answer = HTTP2Frame(1, flags: 4, stream: stream, payload: [0x88]).bytes
            talk.data(.server, peers.seal(.server, answer + HTTP2Frame.data(stream, [1, 2, 3], endStream: true).bytes))
        }
        talk.close()
        let capture = audit(Array(talk.frames[start...]), keys: peers.keyLog)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.stream) == [3, 5])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [3, 3])
        #expect(capture.connections[0].applicationProtocol == "h2")
    }

    @Test("a key update in the capture is followed")
    func keyUpdate() {
        let late = Self.late(.aes128GCM13, calls: 6, seenFrom: 2) { peers, number in
            number == 4 ? peers.keyUpdate(.server) : []
        }
        let capture = audit(late.frames, keys: late.keys)
        #expect(Self.targets(capture) == ["/2", "/3", "/4", "/5"] && capture.exchanges.allSatisfy { $0.status == 204 })
    }

    @Test("what cannot be opened says that the capture began too late", arguments: [true, false])
    func unread(isTLS13: Bool) {
        let late = Self.late(isTLS13 ? .aes128GCM13 : .aes128GCM12, calls: 20, seenFrom: 3)
        let capture = audit(late.frames, keys: isTLS13 ? Self.otherKeys(4) : late.keys)
        #expect(capture.exchanges.isEmpty)
        #expect(capture.connections[0].tls?.blindness == .noHandshake)
        #expect(capture.findings(.secrecyBeganBefore) == 1 && capture.findings(.capturedInPart) == 0)
        #expect(capture.contradictions == [])
    }
}
