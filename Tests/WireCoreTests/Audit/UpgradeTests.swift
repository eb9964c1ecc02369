import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: upgrades and tunnels")
struct UpgradeTests {
    private static let upgrade = """
        GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\
        Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n
        """
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

    /// The exchange that asked for the upgrade pays the headers of its packet, and what the connection has of the
    /// request is set-up.
    private func check(_ capture: AuditedCapture, _ answer: [HTTP2Frame]) {
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.stream) == [1, 3])
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.exchanges.map(\.flags) == [[], []])
        #expect(capture.exchanges.map { $0.path.map { String(decoding: $0, as: UTF8.self) } } == ["/first", "/3"])
        #expect(capture.exchanges[0].costs.up.message == 0)
        let message = answer.filter { $0.stream == 1 }.reduce(0) { $0 + $1.bytes.count }
        #expect(capture.exchanges[0].costs.down.message == message)
        #expect(capture.result.findings.isEmpty)
        #expect(capture.connections[0].applicationProtocol == "h2c")
        let own = capture.result.hosts[0].unassigned
        #expect(own.up[.setupHTTP] == Self.upgrade.utf8.count + 24 + 9)
        #expect(own.down[.setupHTTP] == Self.switching.utf8.count + 9)
        #expect(own.up[.opaque] == 0 && own.down[.opaque] == 0)
    }

    @Test("an upgrade to HTTP/2 makes the request stream 1, wherever segments end")
    func upgradesEverywhere() {
        var encoder = HTTP2FieldEncoder()
        let block = encoder.response()
        let answer: [HTTP2Frame] = [
            .settings(), .headers(1, block), .data(1, .filler(10), endStream: true),
        ]
        let down = Array(Self.switching.utf8) + answer.bytes
        let up = HTTP2Frame.preface + HTTP2Frame.settings().bytes
        for cut in 0..<down.count {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Self.upgrade)
            for part in [down[..<cut], down[cut...]] where !part.isEmpty { talk.data(.server, Array(part)) }
            let place = cut % (up.count + 1)
            for part in [up[..<place], up[place...]] where !part.isEmpty { talk.data(.client, Array(part)) }
            talk.data(.client, HTTP2Frame.headers(3, encoder.request("/3"), endStream: true).bytes)
            talk.data(.server, HTTP2Frame.headers(3, block, endStream: true).bytes)
            var options = AuditOptions()
            options.setup = .separate
            var isEmptyHanded = false
            let capture = audit(talk.frames, options, keys: "") { isEmptyHanded = $0.isEmptyHanded }
            #expect(isEmptyHanded)
            check(capture, answer)
        }
    }

    @Test("a client that does not wait for the answer sends HTTP/2 behind its request")
    func doesNotWait() {
        var encoder = HTTP2FieldEncoder()
        let block = encoder.response()
        let answer: [HTTP2Frame] = [.settings(), .headers(1, block, endStream: true)]
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Self.upgrade)
        talk.data(.server, Array(Self.switching.utf8))
        talk.data(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        talk.data(.client, HTTP2Frame.headers(3, encoder.request("/3"), endStream: true).bytes)
        talk.data(.server, answer.bytes)
        talk.data(.server, HTTP2Frame.headers(3, block, endStream: true).bytes)
        var options = AuditOptions()
        options.setup = .separate
        check(talk.audit(options), answer)
    }

    @Test("an upgrade that is refused leaves HTTP/1.1")
    func refusedUpgrade() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Self.upgrade)
        talk.data(.server, Sample.response)
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.stream) == [nil, nil])
        #expect(capture.exchanges[0].costs.up[.headers] > 0)
        #expect(capture.connections[0].applicationProtocol == "http/1.1")
    }

    private static let webSocket = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    private static let accepted = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"

    @Test("a WebSocket is opaque, and its exchange's", arguments: [nil, TLSSuite.aes128GCM13])
    func webSocket(suite: TLSSuite?) {
        var talk = LayeredConversation(suite)
        let request = Array(Self.webSocket.utf8)
        let line = request.firstIndex(of: 0x0A)! + 1
        talk.seal(
            .client, [KnownRun(Array(request[..<line]), 0, .startLine), KnownRun(Array(request[line...]), 0, .headers)])
        talk.sendRest(.client)
        let answer = Array(Self.accepted.utf8)
        let end = answer.firstIndex(of: 0x0A)! + 1
        talk.seal(
            .server, [KnownRun(Array(answer[..<end]), 0, .startLine), KnownRun(Array(answer[end...]), 0, .headers)])
        talk.seal(.server, [KnownRun([0x81, 5] + Array("hello".utf8), 0, .opaque)])
        talk.sendRest(.server)
        for count in [1, 2, 30, 1000] {
            talk.seal(.client, [KnownRun([0x82, 0x80] + .filler(count), 0, .opaque)])
            talk.sendRest(.client, each: 200)
            talk.seal(.server, [KnownRun([0x82, UInt8(count & 0x7F)] + .filler(count), 0, .opaque)])
            talk.sendRest(.server, each: 300)
            talk.acknowledge(.client)
        }
        let capture = talk.check()
        #expect(capture.exchanges.map(\.flags) == [[.upgraded]])
        #expect(capture.exchanges.map(\.status) == [101])
    }

    @Test("where all behind 101 was snapped, the missing response of stream 1 has a flag")
    func snappedBehindSwitch() {
        var encoder = HTTP2FieldEncoder()
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Self.upgrade)
        talk.data(.server, Self.switching)
        let kept = talk.frames.count
        talk.data(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        talk.data(.server, [HTTP2Frame.settings(), .headers(1, encoder.response(), endStream: true)].bytes)
        talk.close()
        for place in talk.frames.indices where place >= kept {
            talk.frames[place].originalLength = talk.frames[place].bytes.count
            talk.frames[place].bytes.removeLast(talk.frames[place].bytes.count - 54)
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.flags.contains(.snapped) } == [true])
    }

    @Test("the ACK of the switching response belongs to the call, before or behind the first frames")
    func acknowledgmentOfSwitch() {
        let costs = [0, 1, 2].map { place in
            var encoder = HTTP2FieldEncoder()
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, Self.upgrade)
            talk.data(.server, Self.switching)
            let answered = [Self.switching.utf8.count, Self.upgrade.utf8.count]
            for step in 0...2 {
                if step == place { talk.send(.client, .ack, at: answered[1], acknowledging: answered[0]) }
                if step == 0 {
                    talk.data(
                        .server, [HTTP2Frame.settings(), .headers(1, encoder.response(), endStream: true)].bytes,
                        acknowledging: answered[1])
                }
                if step == 1 {
                    talk.data(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes, acknowledging: answered[0])
                }
            }
            talk.close()
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            return capture.exchanges.map { $0.costs.up[.ack] }
        }
        #expect(costs[0] == [40] && costs[1] == [40], "\(costs)")
    }
}
