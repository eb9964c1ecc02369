import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: snapped ends")
struct TLSSnapTests {
    @Test("a body of HTTP/1.1 whose end was snapped has its size", arguments: [0, 1, 57, 399])
    func snappedEndOfBody(kept: Int) {
        var talk = LayeredConversation()
        talk.write(.client, LayeredConversation.request(0, body: 400))
        talk.sendRest(.client)
        talk.write(.server, LayeredConversation.response(0))
        talk.sendRest(.server)
        var frames = talk.talk.frames
        let index = frames.firstIndex { $0.bytes.count > 400 }!
        frames[index].originalLength = frames[index].bytes.count
        frames[index].bytes.removeLast(400 - kept)
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map { $0.costs.up[.body] } == [400])
        #expect(capture.exchanges.map(\.decodedBody.up) == [400])
    }
}
