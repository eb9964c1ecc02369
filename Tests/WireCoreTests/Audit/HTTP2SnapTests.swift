import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: HTTP/2 snapped")
struct HTTP2SnapTests {
    @Test("a snapped frame: the bytes have their causes while frames can be followed")
    func snappedInData() {
        let (talk, first) = interleavedStreams()
        var frames = talk.talk.talk.frames
        frames[first + 2].originalLength = frames[first + 2].bytes.count
        frames[first + 2].bytes.removeLast(50)
        let capture = audited(frames)
        #expect(capture.exchanges.map(\.flags) == [[.snapped], [], []])
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [491 + 91, 181 + 91, 5])
        #expect(capture.exchanges.map(\.decodedBody.down) == [582, 272, 5])
        #expect(capture.exchanges.map(\.unseenBytes) == [0, 0, 0])
    }

    @Test("a snapped record flags what it carries, and no gap", arguments: [TLSSuite.aes128GCM13, .aes128GCM12])
    func snappedRecord(suite: TLSSuite) {
        for hasFrames in [false, true] {
            var talk = HTTP2Talk(bare: LayeredConversation(suite, protocols: [hasFrames ? "h2" : "http/1.1"]))
            if hasFrames {
                talk.begin()
                talk.frames(.client, [.headers(1, talk.request("/"), endStream: true)])
                talk.frames(.server, [.headers(1, talk.response())])
                talk.frames(.server, [.data(1, .filler(500))])
                talk.frames(.server, [.data(1, .filler(5), endStream: true)])
                talk.exchange(3)
            } else {
                talk.talk.seal(.client, LayeredConversation.request(0))
                talk.talk.sendRest(.client)
                for run in LayeredConversation.response(0, body: 500) {
                    talk.talk.seal(.server, [run])
                    talk.talk.sendRest(.server)
                }
                talk.talk.exchange(1)
            }
            var frames = talk.talk.talk.frames
            let index = frames.lastIndex { $0.bytes.count > 500 }!
            frames[index].originalLength = frames[index].bytes.count
            frames[index].bytes.removeLast(100)
            let capture = audited(frames, keys: talk.talk.peers?.keyLog ?? "")
            #expect(capture.exchanges.first?.flags.contains(.snapped) == true, "HTTP/2 \(hasFrames)")
            #expect(capture.exchanges.first?.flags.contains(.gap) == false, "HTTP/2 \(hasFrames)")
            #expect(capture.exchanges.map(\.status) == [200, 200], "HTTP/2 \(hasFrames)")
        }
    }

    @Test("a hole that is waited for up to the end flags nothing behind it")
    func holeAtEnd() {
        let (talk, first) = interleavedStreams()
        var frames = talk.talk.talk.frames
        // HEADERS and DATA of stream 1 end at 510: the sixth segment has the next header.
        frames.remove(at: first + 5)
        let capture = audited(frames, window: 1_000_000_000)
        #expect(capture.exchanges.count == 3)
        #expect(capture.exchanges.map(\.path).count == 3)
        // Nothing of stream 5 is lost.
        #expect(capture.exchanges[2].status == 200 && capture.exchanges[2].flags == [])
        #expect(capture.exchanges[0].flags.contains(.gap) && capture.exchanges[1].flags.contains(.gap))
        #expect(capture.connections[0].counts.down.unseen == 100)
    }
}
