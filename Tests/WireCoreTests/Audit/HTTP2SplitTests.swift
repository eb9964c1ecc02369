import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: HTTP/2 cut anywhere")
struct HTTP2SplitTests {
    /// A connection whose frames all stand in one run for each direction: A and B by turns, with everything between.
    private func runs(_ talk: inout HTTP2Talk) -> [[KnownRun]] {
        let up: [HTTP2Frame] = [
            .headers(1, talk.request("/a", method: "POST"), padding: 2, priority: true), .data(1, .filler(3)), .ping(),
            .headers(3, talk.request("/b"), endStream: true), .windowUpdate(3), .data(1, [], endStream: true),
        ]
        let down: [HTTP2Frame] = [
            .headers(3, talk.response()), .data(3, .filler(4)), .headers(1, talk.response(), endStream: false),
            .data(1, .filler(6), padding: 1), .windowUpdate(0), .data(3, .filler(2), endStream: true),
            .data(1, .filler(1), endStream: true),
        ]
        return [talk.runs(up), talk.runs(down)]
    }

    private func check(_ talk: LayeredConversation, _ comment: String) {
        let capture = talk.check(comment)
        #expect(capture.exchanges.map(\.status) == [200, 200], "\(comment)")
        #expect(capture.exchanges.map(\.flags) == [[], []], "\(comment)")
        #expect(capture.exchanges.map(\.decodedBody.up) == [3, 0], "\(comment)")
        #expect(capture.exchanges.map(\.decodedBody.down) == [7, 6], "\(comment)")
        #expect(capture.result.findings.map(\.code) == [], "\(comment)")
    }

    @Test("segments of every length", arguments: 1...40)
    func segments(length: Int) {
        var talk = HTTP2Talk()
        let runs = runs(&talk)
        for side in Dialogue.Side.allCases {
            talk.talk.write(side, runs[side.rawValue])
            talk.talk.sendRest(side, each: length)
        }
        talk.talk.acknowledge(.client)
        check(talk.talk, "segments of \(length)")
    }

    @Test("two segments, cut anywhere")
    func twoSegments() {
        for cut in 1..<170 {
            var talk = HTTP2Talk()
            let runs = runs(&talk)
            for side in Dialogue.Side.allCases {
                talk.talk.write(side, runs[side.rawValue])
                talk.talk.sendRest(side, cuts: [cut])
                talk.talk.acknowledge(side.other)
            }
            check(talk.talk, "cut at \(cut)")
        }
    }

    @Test("records of every length", arguments: Array(1...20) + [25, 33, 40], [TLSSuite.chaCha13, .aes128CBC12])
    func records(length: Int, suite: TLSSuite) {
        for segment in [1, 30, 5000] {
            var talk = HTTP2Talk(suite)
            let runs = runs(&talk)
            for side in Dialogue.Side.allCases {
                talk.talk.sealCut(side, runs[side.rawValue], each: length)
                talk.talk.sendRest(side, each: segment == 1 ? 1 + length % 3 : segment)
            }
            talk.talk.acknowledge(.client)
            check(talk.talk, "records of \(length), segments of \(segment)")
        }
    }
}
