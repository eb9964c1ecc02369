import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: TLS behind a gap")
struct TLSGapTests {
    @Test(
        "records are found and opened again behind a gap that hides their boundary",
        arguments: [TLSSuite.aes128GCM13, .chaCha13, .aes128GCM12, .chaCha12, .aes128CBC12])
    func resumes(suite: TLSSuite) throws {
        var talk = LayeredConversation(suite)
        for number in 0..<8 { talk.exchange(number, answer: 600) }
        let frames = talk.talk.frames
        let keys = try #require(talk.peers?.keyLog)
        let whole = audit(frames, keys: keys)
        #expect(whole.exchanges.count == 8)
        // Data packets of the server, each with one or more records; the first ones are the handshake.
        let candidates = frames.indices.dropFirst(12).filter { frames[$0].bytes.count > 200 }
        #expect(candidates.count >= 4)
        for lost in candidates.dropLast(2) {
            var kept = frames
            kept.remove(at: lost)
            let capture = audit(kept, keys: keys)
            #expect(capture.contradictions == [], "without frame \(lost + 1)")
            let connection = try #require(capture.connections.first)
            #expect(connection.flags.contains(.gap), "without frame \(lost + 1)")
            // The last exchanges are read again, and nothing unflagged differs from the truth.
            let last = try #require(capture.exchanges.last)
            #expect(last.status == 200, "without frame \(lost + 1)")
            for record in capture.exchanges where record.flags.isEmpty {
                let truth = whole.exchanges.first { $0.path == record.path && $0.time == record.time }
                #expect(truth?.costs.up.message == record.costs.up.message, "without frame \(lost + 1)")
                #expect(truth?.costs.down.message == record.costs.down.message, "without frame \(lost + 1)")
            }
        }
    }

    @Test("tickets that are lost could have been an answer: the pairs behind them are in doubt", arguments: [1, 2, 3])
    func lostTickets(requests: Int) throws {
        var talk = LayeredConversation(.aes128GCM13)
        talk.seal(.client, LayeredConversation.request(0))
        talk.sendRest(.client)
        let lost = talk.talk.frames.count
        talk.sealOther(.server, KnownRun.handshake, .setupTLS) { $0.ticket() }
        talk.sendRest(.server)
        for number in 1..<requests {
            talk.seal(.client, LayeredConversation.request(number))
            talk.sendRest(.client)
        }
        for number in 0..<requests {
            talk.seal(.server, LayeredConversation.response(number, body: 10 + number))
            talk.sendRest(.server)
        }
        talk.acknowledge(.client)
        for number in requests..<requests + 3 { talk.exchange(number, answer: 600 + number) }
        var frames = talk.talk.frames
        frames.remove(at: lost)
        let capture = audit(frames, keys: try #require(talk.peers?.keyLog))
        #expect(capture.contradictions == [])
        for record in capture.exchanges where record.flags.isEmpty || record.flags == .noEnd {
            let number = try #require(record.path.map { Int(String(decoding: $0.dropFirst(), as: UTF8.self)) ?? -1 })
            #expect(record.costs.down[.body] == (number < requests ? 10 : 600) + number)
        }
        // The pairs behind stay in doubt (flagged) longer than they need to.
        withKnownIssue("answers of the last calls are not found again") {
            #expect(capture.exchanges.suffix(2).allSatisfy { $0.costs.down[.body] > 600 })
        }
    }

    @Test("without keys record counting goes on behind a gap")
    func counts() throws {
        var talk = LayeredConversation(.aes128GCM13)
        for number in 0..<8 { talk.exchange(number, answer: 600) }
        var frames = talk.talk.frames
        let lost = try #require(frames.indices.dropFirst(12).first { frames[$0].bytes.count > 200 })
        let whole = try #require(audit(frames, keys: "").connections.first?.tls)
        frames.remove(at: lost)
        let capture = audit(frames, keys: "")
        #expect(capture.contradictions == [])
        let facts = try #require(capture.connections.first?.tls)
        let missing =
            whole.directions.up.records + whole.directions.down.records
            - facts.directions.up.records - facts.directions.down.records
        #expect((0...3).contains(missing))
    }
}
