import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: limits of exchanges")
struct ExchangeLimitTests {
    @Test("requests without an answer are bounded, and answered ones become final early")
    func exchanges() {
        let open = LimitCase(
            "exchanges-open", .exchangeLimit, 15,
            .with {
                $0.unansweredLimit = 4
                $0.exchangeLimit = 4
            }
        ) {
            talk in
            talk.handshake()
            for _ in 0..<20 { talk.data(.client, Sample.request) }
        }
        #expect(open.check().exchanges.count == 20)
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<20 { talk.exchange() }
        for limit in [3, 4096] {
            var options = AuditOptions()
            options.exchangeLimit = limit
            let sink = CountingSink()
            _ = audit(talk.frames, options, sink: sink, examiner: nil, beforeEnd: { sink.early = sink.count })
            #expect(sink.count == 20)
            #expect(sink.early == (limit == 3 ? 16 : 0))
        }
    }

    @Test("responses that no request was seen for become final like answered ones", arguments: [3, 4096])
    func responsesAlone(limit: Int) {
        for asksFirst in [false, true] {
            var talk = Dialogue()
            talk.handshake()
            if asksFirst { talk.data(.client, Sample.request) }
            for _ in 0..<20 { talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n") }
            talk.ack(.client)
            // By then the first ones have settled.
            talk.time += 3_000_000_000
            for _ in 0..<5 { talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n") }
            talk.time += 600_000_000
            talk.ack(.client)
            let sink = CountingSink()
            let options = AuditOptions.with { $0.exchangeLimit = limit }
            _ = audit(talk.frames, options, sink: sink, examiner: nil, beforeEnd: { sink.early = sink.count })
            #expect(talk.audit(options).contradictions == [])
            #expect(sink.count == 25)
            #expect(sink.early >= 18, "\(sink.early)")
        }
    }

    @Test("a limit of open exchanges below that of kept ones holds too")
    func openBelowKept() {
        let open = LimitCase("exchanges-open", .exchangeLimit, 15, .with { $0.unansweredLimit = 4 }) { talk in
            talk.handshake()
            for _ in 0..<20 { talk.data(.client, Sample.request) }
        }
        #expect(open.check().exchanges.count == 20)
    }

    @Test("exchanges of all connections are bounded: those that go on keep their latest two")
    func allExchanges() {
        for isAnswered in [true, false] {
            var frames: [CapturedFrame] = []
            for client in 0..<40 {
                var talk = Dialogue(clientPort: UInt16(20_000 + client))
                talk.handshake()
                for _ in 0..<10 {
                    if isAnswered { talk.exchange() } else { talk.data(.client, Sample.request) }
                }
                frames += talk.frames
            }
            frames.sort { $0.time < $1.time }
            var test = WatchedAudit(frames: frames)
            test.options.totalExchangeLimit = 64
            test.transcribes = false
            var most = 0
            let capture = test.run { auditor, _ in
                most = max(most, auditor.liveExchanges)
            }
            .capture
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.count == 400)
            // Two of each connection stay, and one that begins; and four of each of 16 parts.
            #expect(most <= 40 * 3 + 64 && most >= 64, "\(most)")
            #expect((capture.findings(FindingCode.exchangeLimit) > 0) == !isAnswered)
        }
    }
}
