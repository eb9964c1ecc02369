import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: HTTP/2 out of step")
struct HTTP2ResyncTests {
    @Test("a stream opened while the other direction is out of step is not taken for whole")
    func openedMeanwhile() {
        var talk = HTTP2Talk()
        talk.frames(.client, [.headers(1, talk.request("/a"), endStream: true)])
        talk.frames(.server, [.headers(1, talk.response()), .data(1, .filler(20))])
        let lost = talk.talk.talk.frames.count
        talk.talk.write(.server, talk.runs([.data(1, .filler(300))]))
        talk.talk.sendRest(.server, cuts: [100, 200])
        talk.talk.acknowledge(.client)
        // The hole is given up, and nothing can be read as a frame until a segment begins with one.
        talk.frames(.client, [.ping()])
        talk.frames(.client, [.headers(3, talk.request("/b"), endStream: true)])
        talk.talk.write(.server, talk.runs([.data(1, .filler(50)), .headers(3, talk.response(103, [("link", "x")]))]))
        talk.talk.sendRest(.server, cuts: [20])
        talk.talk.acknowledge(.client)
        talk.frames(.server, [.headers(3, talk.response(), endStream: true)])
        talk.talk.acknowledge(.client)
        talk.exchange(5)
        talk.talk.close()
        var frames = talk.talk.talk.frames
        frames.remove(at: lost)
        var options = AuditOptions()
        options.setup = .separate
        options.reorderingWindow = 1000
        let capture = audit(frames, options)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(\.stream) == [1, 3, 5])
        #expect(capture.exchanges.map(\.status) == [200, 200, 200])
        #expect(capture.exchanges[2].flags == [])
        #expect(capture.exchanges[0].flags.contains(.gap))
        let isWhole = capture.exchanges[1].costs.down[.headers] == 16
        #expect(isWhole || capture.exchanges[1].flags.contains(.gap))
    }
}
