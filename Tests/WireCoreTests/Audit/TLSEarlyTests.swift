import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: early data")
struct TLSEarlyTests {
    @Test(
        "early data is the first exchange", arguments: [TLSSuite.aes128GCM13, .aes256GCM13, .chaCha13], [1, 40, 2000])
    func earlyData(suite: TLSSuite, segment: Int) {
        var talk = LayeredConversation()
        var peers = TLSPeers(suite)
        let request = LayeredConversation.request(0, body: 20)
        let flights = peers.earlyHandshake(request.flatMap(\.bytes))
        for (index, flight) in flights.enumerated() {
            for (place, record) in flight.records.enumerated() {
                if index == 0, place == 1 {
                    talk.write(record: record, lead: 5, .client, request)
                } else {
                    talk.write(flight.side, [KnownRun(record, KnownRun.handshake, .setupTLS)])
                }
            }
            talk.sendRest(flight.side, each: segment)
        }
        talk.adopt(peers)
        talk.seal(.server, LayeredConversation.response(0))
        talk.sendRest(.server)
        talk.exchange(1)
        let capture = talk.check("\(suite), \(segment)")
        #expect(capture.exchanges.map(\.flags) == [[], []])
        #expect(capture.connections.first?.tls?.earlyData == .accepted)
        #expect(capture.connections.first?.tls?.resumption == .preSharedKey)
    }
}
