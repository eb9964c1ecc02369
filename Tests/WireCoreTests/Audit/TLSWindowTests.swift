import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: window updates inside of records")
struct TLSWindowTests {
    @Test("a window update while a record is not whole is paid by the owner of what was seen last")
    func windowUpdateInRecord() {
        for hasTLS in [false, true] {
            var talk = LayeredConversation(hasTLS ? .aes128GCM13 : nil)
            talk.exchange(0)
            talk.seal(.client, LayeredConversation.request(1))
            talk.sendRest(.client)
            talk.seal(.server, LayeredConversation.response(1, body: 500))
            let start = talk.streams[1].sent
            talk.send(.server, start..<start + 100)
            talk.acknowledge(.client)
            talk.talk.ack(.client, upTo: start + 100, window: 1000)
            talk.sendUnseen(.server, each: 1000)
            talk.acknowledge(.client)
            let capture = talk.audit()
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.map { $0.costs.up[.ack] } == [40, 120], "TLS \(hasTLS)")
        }
    }
}
