import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: edges of records")
struct TLSEdgeTests {
    @Test(
        "the same stream cut in any way gives the same message costs",
        arguments: [nil, TLSSuite.aes128GCM13, .aes128CBC12])
    func dripFeed(suite: TLSSuite?) {
        var reference: [[String: Int]] = []
        for length in [1, 2, 3, 7, 100, 100_000] {
            var talk = HTTP2Talk(suite)
            talk.talk.write(.client, [])
            talk.frames(.client, [.headers(1, talk.request("/a")), .data(1, .filler(30), endStream: true)])
            let runs = talk.runs([.headers(1, talk.response()), .data(1, .filler(200), endStream: true), .ping()])
            talk.talk.seal(.server, runs)
            talk.talk.sendRest(.server, each: length)
            talk.talk.acknowledge(.client)
            let capture = talk.talk.check("\(length)")
            let costs = [
                capture.exchanges[0].costs.up, capture.exchanges[0].costs.down, capture.connections[0].costs.down,
            ]
            let lines = costs.map { $0.lines.filter { $0.key != "tcpip" && $0.key != "ack" } }
            if reference.isEmpty { reference = lines }
            #expect(lines == reference, "segments of \(length)")
        }
    }

    @Test("TLS 1.2 joined late is counted, not read")
    func joinedLate() {
        var talk = LayeredConversation(.aes128GCM12)
        talk.exchange(0)
        let first = talk.talk.frames.count
        talk.exchange(1)
        talk.exchange(2, body: 40)
        talk.sealOther(.client, KnownRun.connection, .teardown) { $0.closeNotify(.client) }
        talk.sendRest(.client)
        var isEmptyHanded = false
        let frames = Array(talk.talk.frames[first...])
        let capture = audit(frames, keys: talk.peers?.keyLog ?? "") { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        #expect(capture.connections[0].tls?.blindness == .noHandshake)
        #expect(capture.result.apis.map(\.isEncrypted) == [true])
        #expect(capture.connections[0].costs.up[.tlsRecords] > 0)
        #expect(capture.connections[0].costs.up[.opaque] > 0)
        #expect(capture.connections[0].client.port == 51_234)
    }

    @Test("a hole where a record begins: what follows is counted", arguments: [TLSSuite.aes128GCM13, .aes128CBC12])
    func holeAtRecordStart(suite: TLSSuite) {
        var talk = LayeredConversation(suite)
        talk.exchange(0)
        talk.seal(.client, LayeredConversation.request(1))
        talk.sendRest(.client)
        let index = talk.talk.frames.count
        talk.seal(.server, LayeredConversation.response(1))
        talk.sendRest(.server)
        talk.exchange(2)
        talk.close()
        var frames = talk.talk.frames
        frames.remove(at: index)
        var options = AuditOptions()
        options.reorderingWindow = 1000
        var isEmptyHanded = false
        let capture = audit(frames, options, keys: talk.peers?.keyLog ?? "") { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges[0].status == 200 && capture.exchanges[0].flags == [])
        #expect(capture.connections[0].tls?.blindness == .gap)
        #expect(capture.connections[0].flags.contains(.gap))
        #expect(capture.exchanges[1].flags.contains(.gap))
        // The client waits for each answer: the next pair is certain again.
        let whole = audit(talk.talk.frames, keys: talk.peers?.keyLog ?? "")
        #expect(capture.exchanges[2].flags == [] && capture.exchanges[2].status == 200)
        #expect(capture.exchanges[2].costs.down.message == whole.exchanges[2].costs.down.message)
    }

    @Test("bytes in TLS that are no HTTP are opaque", arguments: [TLSSuite.chaCha13, .aes128CBC12])
    func notHTTP(suite: TLSSuite) {
        var talk = LayeredConversation(suite, protocols: [])
        for text in ["* OK IMAP4 ready\r\n", "\u{1}\u{2}\u{3}", "a LOGIN x y\r\n", "* BYE\r\n"] {
            talk.seal(.server, [KnownRun(Array(text.utf8), KnownRun.connection, .opaque)])
            talk.sendRest(.server, each: 30)
            talk.seal(.client, [KnownRun(Array("x NOOP\r\n".utf8), KnownRun.connection, .opaque)])
            talk.sendRest(.client)
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.isEmpty)
        #expect(capture.connections[0].tls?.isDecrypted == true)
        #expect(talk.disagreements(capture) == [])
    }

    @Test("garbage behind the handshake", arguments: 0..<20 as Range<UInt64>)
    func garbage(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var talk = LayeredConversation(random.element(TLSSuite.allCases), protocols: [])
        for _ in 0..<10 {
            let side = random.element(Dialogue.Side.allCases)
            switch random.below(4) {
            case 0: talk.seal(side, [KnownRun(random.bytes(random.below(50)), KnownRun.connection, .opaque)])
            case 1: talk.seal(side, [KnownRun(Array("GET / HTTP".utf8), KnownRun.connection, .opaque)])
            case 2: talk.seal(side, [KnownRun(HTTP2Frame.preface, KnownRun.connection, .opaque)])
            default: talk.write(side, [KnownRun(random.bytes(random.below(30)), KnownRun.connection, .opaque)])
            }
            talk.sendRest(side, each: 1 + random.below(60))
        }
        var isEmptyHanded = false
        let capture = talk.audit { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded, "seed \(seed)")
        #expect(capture.contradictions == [], "seed \(seed)")
    }
}
