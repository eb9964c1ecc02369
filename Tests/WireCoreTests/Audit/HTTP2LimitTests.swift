import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: many HTTP/2 streams")
struct HTTP2LimitTests {
    @Test("more open streams than are followed share the connection's line")
    func streamLimit() {
        var encoder = HTTP2FieldEncoder()
        let block = encoder.request("/")
        let extra = 50
        let frames = (0..<AuditOptions().streamLimit + extra).map {
            HTTP2Frame.headers(2 * $0 + 1, block, endStream: true).bytes
        }
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, HTTP2Frame.preface + HTTP2Frame.settings().bytes)
        for start in stride(from: 0, to: frames.count, by: 500) {
            talk.data(.client, frames[start..<min(start + 500, frames.count)].flatMap { $0 })
        }
        var isEmptyHanded = false
        let capture = audit(talk.frames, keys: "") { isEmptyHanded = $0.isEmptyHanded }
        #expect(isEmptyHanded)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == AuditOptions().streamLimit)
        #expect(capture.findings(.streamLimit) == extra)
        #expect(capture.result.hosts[0].unassigned.up[.opaque] == extra * (9 + block.count))
    }

    @Test("what else comes on streams that are not followed breaks no rule, and makes no exchange later")
    func restOfRefusedStreams() {
        var talk = HTTP2Talk(.aes128GCM13)
        let post = talk.request("/1", [("content-length", "3")])
        talk.frames(.client, [.headers(1, post), .headers(3, talk.request("/3")), .headers(5, talk.request("/5"))])
        talk.frames(.client, [.data(3, .filler(4), endStream: true), .data(5, .filler(4), endStream: true)])
        talk.frames(.client, [.data(1, .filler(3), endStream: true)])
        talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(9), endStream: true)])
        talk.talk.talk.time += 5_000_000_000
        for stream in [3, 5] {
            talk.frames(.server, [.headers(stream, talk.response()), .data(stream, .filler(9), endStream: true)])
        }
        var options = AuditOptions()
        options.streamLimit = 1
        let capture = audit(talk.talk.talk.frames, options, keys: talk.talk.peers?.keyLog ?? "") { _ in }
        #expect(capture.contradictions == [])
        #expect(capture.findings(.frameMalformed) == 0)
        #expect(capture.findings(.streamLimit) == 2)
        #expect(capture.exchanges.map(\.stream) == [1])
        #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
    }

    @Test("a long connection lets go of its streams, and numbers go on", arguments: SetupPolicy.allCases)
    func longConnection(policy: SetupPolicy) {
        var talk = HTTP2Talk(.aes128GCM13)
        talk.talk.talk.interval = 500_000_000
        for stream in 0..<60 { talk.exchange(2 * stream + 1, body: stream) }
        talk.frames(.client, [.windowUpdate(1), .windowUpdate(119)])
        talk.talk.close()
        var options = AuditOptions()
        options.setup = policy
        var live = 0
        let capture = audit(talk.talk.talk.frames, options, keys: talk.talk.peers?.keyLog ?? "") {
            live = $0.sum { $0.streams.exchanges.count }
        }
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.stream) == (0..<60).map { 2 * $0 + 1 })
        #expect(capture.exchanges.map(\.decodedBody.down) == Array(0..<60))
        #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(policy == .even ? live == 60 : live < 20)
        let setup = capture.connections[0].costs.up[.setupHTTP]
        let paid = capture.exchanges.map { $0.costs.up[.setupHTTP] }
        switch policy {
        case .first: #expect(paid == [setup] + [Int](repeating: 0, count: 59))
        case .even: #expect(paid == KnownCosts.share(setup, (0..<60).map { ($0, 1) }).map(\.part))
        case .separate: #expect(paid == [Int](repeating: 0, count: 60))
        }
    }
}
