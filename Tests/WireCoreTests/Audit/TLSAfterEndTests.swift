import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: layers behind the end of a direction")
struct TLSAfterEndTests {
    @Test(
        "bytes behind a FIN or a reset that stands inside of a unit", arguments: [nil, TLSSuite.aes128GCM13],
        [TCPFlags.fin, .rst])
    func behindEnd(suite: TLSSuite?, flag: TCPFlags) {
        for length in 1...24 {
            for rest in [1, 3, 9, 40] {
                var talk = HTTP2Talk(suite)
                talk.exchange(1)
                let start = talk.talk.streams[0].sent
                talk.talk.seal(.client, talk.runs([.headers(3, talk.request("/x"), endStream: true)]))
                talk.talk.seal(.client, talk.runs([.headers(5, talk.request("/x"), endStream: true)]))
                let bytes = Array(talk.talk.streams[0].bytes[start...])
                talk.talk.talk.send(.client, [.ack, flag], at: start, flag == .fin ? Array(bytes[..<length]) : [])
                talk.talk.talk.send(.client, .ack, at: start + length, Array(bytes[length..<length + rest]))
                if flag == .rst { talk.talk.talk.send(.client, .ack, at: start, Array(bytes[..<length])) }
                talk.talk.talk.send(.client, .ack, at: start + length + rest, [1, 2, 3])
                var isEmptyHanded = false
                let capture = audit(talk.talk.talk.frames, keys: talk.talk.peers?.keyLog ?? "") {
                    isEmptyHanded = $0.isEmptyHanded
                }
                #expect(isEmptyHanded, "\(length), \(rest)")
                #expect(capture.contradictions == [], "\(length), \(rest)")
            }
        }
    }
}
