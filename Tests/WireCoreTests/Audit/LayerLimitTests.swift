import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: limits of HTTP/2 and TLS")
struct LayerLimitTests {
    /// Audits with set-up apart and a limit; nothing may be left over.
    private func audited(
        _ talk: LayeredConversation, keysBefore: Int? = nil, _ set: (inout AuditOptions) -> Void
    ) -> AuditedCapture {
        var options = AuditOptions()
        options.setup = .separate
        set(&options)
        var isEmptyHanded = false
        let capture = audit(talk.talk.frames, options, keys: talk.peers?.keyLog ?? "", keysBefore: keysBefore) {
            isEmptyHanded = $0.isEmptyHanded
        }
        #expect(capture.contradictions == [])
        #expect(isEmptyHanded)
        return capture
    }

    @Test("the text of a field block is kept up to the limit", arguments: [false, true])
    func fieldText(keepsHeads: Bool) {
        var talk = HTTP2Talk(.aes128GCM13)
        let long = "/" + String(repeating: "x", count: 200)
        talk.frames(.client, [.headers(1, talk.request(long), endStream: true)])
        talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(5), endStream: true)])
        talk.exchange(3)
        let whole = audited(talk.talk) { $0.keepsHeads = keepsHeads }
        #expect(whole.findings(.headerSectionLimit) == 0)
        #expect(whole.exchanges.map(\.path?.count) == [201, 2])
        let cut = audited(talk.talk) {
            $0.headerSectionLimit = 120
            $0.keepsHeads = keepsHeads
        }
        #expect(cut.findings(.headerSectionLimit) == 1)
        #expect(cut.exchanges.map(\.path?.count) == [nil, 2])
        #expect(cut.exchanges.map { $0.flags.contains(.gap) } == [true, false])
        #expect(cut.exchanges.map(\.costs) == whole.exchanges.map(\.costs))
    }

    @Test("field blocks that have not ended are bounded all together")
    func fieldTexts() {
        var talk = HTTP2Talk(.aes128GCM13)
        let fields = (0..<40).map { ("x-field-\($0)", String(repeating: "v", count: 50)) }
        let block = talk.request("/", fields)
        let parts = stride(from: 0, to: block.count, by: 500).map { Array(block[$0..<min($0 + 500, block.count)]) }
        for (index, part) in parts.enumerated() {
            let frame: HTTP2Frame =
                index == 0
                ? .headers(1, part, endStream: true, endHeaders: false)
                : .continuation(1, part, endHeaders: index == parts.count - 1)
            talk.frames(.client, [frame])
        }
        talk.frames(.server, [.headers(1, talk.response(), endStream: true)])
        talk.exchange(3)
        let cut = audited(talk.talk) {
            $0.keepsHeads = true
            $0.totalHeadBytesLimit = 16 * 1000
        }
        #expect(cut.findings(.headerSectionLimit) == 1)
        #expect(cut.exchanges.map { $0.requestHead == nil } == [true, false])
        let whole = audited(talk.talk) { $0.keepsHeads = true }
        #expect(whole.findings(.headerSectionLimit) == 0)
        #expect(whole.exchanges.map { $0.requestHead == nil } == [false, false])
        #expect(cut.exchanges.map(\.costs) == whole.exchanges.map(\.costs))
        // A block that never ends is not held for ever either.
        var open = HTTP2Talk(.aes128GCM13)
        open.frames(.client, [.headers(1, open.request("/", fields), endHeaders: false)])
        _ = audited(open.talk) { $0.keepsHeads = true }
    }

    @Test("tables of field compression are bounded all together: behind that fields stay unknown")
    func fieldTables() {
        var talk = HTTP2Talk(.aes128GCM13)
        for stream in [1, 3, 5] { talk.exchange(stream) }
        let capture = audited(talk.talk) { $0.totalFieldTableLimit = 16 * 100 }
        #expect(capture.findings(.fieldTableLimit) == 2)
        #expect(capture.exchanges.map { $0.path == nil } == [false, true, true])
        #expect(capture.exchanges.map(\.costs) == audited(talk.talk) { _ in }.exchanges.map(\.costs))
    }

    @Test("records that have not come whole are bounded all together")
    func records() {
        var talk = LayeredConversation(.aes128GCM13)
        talk.seal(.client, LayeredConversation.request(0, body: 400))
        talk.seal(.server, LayeredConversation.response(0))
        let start = talk.streams[0].sent
        talk.send(.client, start..<start + 300)
        // The server's record comes while the client's waits for its rest.
        talk.sendRest(.server, cuts: [20])
        talk.send(.client, start + 300..<talk.streams[0].bytes.count)
        talk.skipSent(.client)
        talk.exchange(1)
        let capture = audited(talk) { $0.totalRecordBytesLimit = 16 * 200 }
        #expect(capture.findings(.recordLimit) == 1)
        #expect(audited(talk) { _ in }.findings(.recordLimit) == 0)
        #expect(capture.exchanges.contains { $0.path == Array("/1".utf8) })
    }

    @Test("early data that waits is bounded: beyond that it is counted, not read", arguments: [1, 5, 60])
    func earlyData(records: Int) {
        var talk = LayeredConversation()
        var peers = TLSPeers(.aes128GCM13)
        let request = LayeredConversation.request(0, body: 2000)
        for flight in peers.earlyHandshake(request.flatMap(\.bytes), records: records) {
            talk.write(flight.side, [KnownRun(flight.bytes, KnownRun.handshake, .setupTLS)])
            talk.sendRest(flight.side, each: 700)
        }
        talk.adopt(peers)
        talk.seal(.server, LayeredConversation.response(0))
        talk.sendRest(.server)
        talk.exchange(1)
        let whole = audited(talk) { _ in }
        #expect(whole.findings(.recordLimit) == 0)
        #expect(whole.exchanges.map(\.flags) == [[], []])
        let cut = audited(talk) { $0.totalEarlyDataLimit = 16 * 1500 }
        #expect(cut.findings(.recordLimit) > 0)
        #expect(cut.exchanges.first?.path != Array("/0".utf8) || cut.exchanges.first?.flags != [])
        #expect(cut.exchanges.last?.path == Array("/1".utf8))
        #expect(cut.connections[0].counts == whole.connections[0].counts)
    }

    @Test("units that wait behind half a frame header are bounded")
    func unitsBehindHalfHeader() {
        var talk = HTTP2Talk(.aes128GCM13)
        talk.frames(.client, [.headers(1, talk.request("/1"), endStream: true)])
        let answer = HTTP2Frame.headers(1, talk.response(), endStream: true).bytes
        talk.talk.seal(.server, [KnownRun(Array(answer[..<5]), 0, .framing)])
        for _ in 0..<4200 { talk.talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket(20) } }
        talk.talk.seal(.server, [KnownRun(Array(answer[5...]), 0, .framing)])
        talk.talk.sendRest(.server, each: 1400)
        talk.exchange(3)
        let capture = audited(talk.talk) { _ in }
        #expect(capture.findings(.recordLimit) == 1)
        #expect(capture.exchanges.last?.path == Array("/3".utf8) && capture.exchanges.last?.status == 200)
    }

    @Test("packets wait for a key so long and no longer", arguments: [Int64(1), 20])
    func keyWait(seconds: Int64) {
        var talk = LayeredConversation(.aes128GCM13)
        talk.exchange(0)
        talk.talk.time += 5_000_000_000
        talk.talk.ack(.client)
        talk.talk.ack(.client)
        let capture = audited(talk, keysBefore: talk.talk.frames.count - 1) {
            $0.keyPatience = seconds * 1_000_000_000
        }
        #expect(capture.exchanges.isEmpty == (seconds == 1))
        #expect(capture.connections[0].tls?.blindness == (seconds == 1 ? .keyMissing : nil))
    }
}
