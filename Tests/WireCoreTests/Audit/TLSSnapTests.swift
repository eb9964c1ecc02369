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

    @Test("a response is not an earlier request's where snapped records lie between them", arguments: 0...2)
    func snappedBetween(first: Int) {
        var talk = LayeredConversation(.aes128GCM12)
        var snapped: [Int] = []
        for number in 0..<5 {
            talk.seal(.client, LayeredConversation.request(number))
            talk.sendRest(.client)
            if number == 3 { snapped.append(talk.talk.frames.count - 1) }
            talk.seal(.server, LayeredConversation.response(number, body: 10 + number))
            talk.sendRest(.server)
            if (first..<3).contains(number) { snapped.append(talk.talk.frames.count - 1) }
        }
        talk.close()
        for place in snapped {
            talk.talk.frames[place].originalLength = talk.talk.frames[place].bytes.count
            talk.talk.frames[place].bytes.removeLast(talk.talk.frames[place].bytes.count - 54)
        }
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        for record in capture.exchanges where record.status != 0 && record.flags.isEmpty {
            let number = record.path.flatMap { Int(String(decoding: $0.dropFirst(), as: UTF8.self)) }
            #expect(record.costs.down[.body] == number.map { 10 + $0 }, "\(first)")
        }
        #expect(capture.exchanges.count { $0.status != 0 && $0.flags.isEmpty } >= first)
    }
}
