import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: records between the parts of a unit")
struct TLSBetweenTests {
    @Test("other records inside of a frame header")
    func recordsInsideOfHeader() {
        for cut in 1..<9 {
            for kind in 0..<3 {
                var talk = HTTP2Talk(.aes128GCM13)
                talk.frames(.client, [.headers(1, talk.request("/"), endStream: true)])
                let runs = talk.runs([.headers(1, talk.response()), .data(1, .filler(20), endStream: true)])
                var stream: [KnownRun] = []
                for run in runs { stream += run.bytes.map { KnownRun([$0], run.owner, run.cause) } }
                talk.talk.seal(.server, Array(stream[..<cut]))
                switch kind {
                case 0: talk.talk.seal(.server, [])
                case 1: talk.talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket() }
                default: talk.talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.keyUpdate(.server) }
                }
                talk.talk.seal(.server, Array(stream[cut...]))
                talk.talk.sendRest(.server)
                talk.talk.acknowledge(.client)
                talk.talk.check("cut \(cut), kind \(kind)")
            }
        }
    }
}
