import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/1 streams")
struct HTTP1StreamTests {
    @Test("claim each byte for its exchange and cause", arguments: HTTP1Dialogue.all)
    func claimsBytes(example: HTTP1Dialogue) {
        let bench = LayerBench()
        example.dialogue.play(bench)
        let outcome = ConnectionOutcome(bench, isOrderly: example.isOrderly)
        #expect(outcome.costs == example.dialogue.costs(exchanges: example.statuses.count))
        #expect(outcome.exchanges.map(\.status) == example.statuses)
        #expect(outcome.exchanges.map(\.flags) == example.flags)
        #expect(outcome.isBalanced)
    }

    @Test("a cut at any place changes neither exchanges nor costs", arguments: HTTP1Dialogue.all)
    func survivesCuts(example: HTTP1Dialogue) {
        let bench = LayerBench()
        example.dialogue.play(bench)
        let whole = ConnectionOutcome(bench, isOrderly: example.isOrderly)
        for (turn, place) in example.dialogue.cuts {
            let bench = LayerBench()
            example.dialogue.play(bench, cut: turn, at: place)
            let cut = ConnectionOutcome(bench, isOrderly: example.isOrderly)
            #expect(cut == whole, "packet \(turn) cut at \(place)")
        }
        for size in [1, 2, 3, 5, 11] {
            let bench = LayerBench()
            example.dialogue.play(bench, each: size)
            #expect(ConnectionOutcome(bench, isOrderly: example.isOrderly) == whole, "packets of \(size) bytes")
        }
    }

    /// Three exchanges; the body of the second answer has 40 bytes.
    private static let three: KnownDialogue = {
        var talk = KnownDialogue()
        for exchange in 0..<3 {
            let body = String(repeating: "b", count: exchange == 1 ? 40 : 3)
            talk.say(0, exchange, (.startLine, "GET /\(exchange) HTTP/1.1\r\n"), (.headers, "Host: a\r\n\r\n"))
            talk.say(
                1, exchange, (.startLine, "HTTP/1.1 200 OK\r\n"),
                (.headers, "Content-Length: \(body.count)\r\n\r\n"), (.body, body))
        }
        return talk
    }()

    /// Plays it with a gap in one of its packets. Returns the parts that the reader made of it.
    private func play(_ talk: KnownDialogue, _ bench: LayerBench, gap: Range<Int>, in turn: Int) -> [SkipClaim] {
        var claims: [SkipClaim] = []
        for (index, item) in talk.turns.enumerated() {
            guard index == turn else {
                bench.deliver(item.bytes, item.direction)
                continue
            }
            if gap.lowerBound > 0 { bench.deliver(Array(item.bytes[..<gap.lowerBound]), item.direction) }
            claims = bench.skip(gap.count, item.direction)
            if gap.upperBound < item.bytes.count {
                bench.deliver(Array(item.bytes[gap.upperBound...]), item.direction)
            }
        }
        return claims
    }

    @Test("a gap in a body is the body's: its exchange alone is marked, and the next message follows")
    func skipsInBody() {
        let talk = Self.three
        let count = talk.turns[3].bytes.count
        let bench = LayerBench()
        talk.play(bench)
        let whole = ConnectionOutcome(bench)
        for start in count - 40..<count {
            for end in start + 1...count {
                let bench = LayerBench()
                let claims = play(talk, bench, gap: start..<end, in: 3)
                let outcome = ConnectionOutcome(bench)
                var expected = whole
                expected.exchanges[1].costs[1] = whole.exchanges[1].costs[1].replacing(
                    "body 40", with: end - start == 40 ? "" : "body \(40 - (end - start))")
                if end - start == 40 { expected.exchanges[1].costs[1].removeLast() }
                expected.exchanges[1].response = "HTTP/1.1 contentLength in part"
                expected.exchanges[1].decodedBody[1] = nil
                expected.exchanges[1].flags = ["gap"]
                #expect(claims.map(\.cause) == [.body] && claims.map(\.count) == [end - start])
                #expect(outcome == expected, "gap \(start)..<\(end)")
            }
        }
    }

    @Test("a gap in a chunk ends with the chunk, and the framing behind it is read")
    func skipsInChunk() {
        let talk = HTTP1Dialogue.all[1].dialogue
        let bytes = talk.turns[1].bytes
        let start = bytes.count - 10 - "\r\n0\r\nSum: 1\r\n\r\n".utf8.count
        for count in 1...10 {
            let bench = LayerBench()
            let claims = play(talk, bench, gap: start..<start + count, in: 1)
            let outcome = ConnectionOutcome(bench)
            #expect(claims.map(\.cause) == [.body] && claims.map(\.count) == [count])
            let expected = talk.costs(exchanges: 1)[0][1].replacing("body 13", with: "body \(13 - count)")
            #expect(outcome.exchanges.map { $0.costs[1] } == [expected], "\(count) bytes")
            #expect(outcome.exchanges.map(\.response) == ["HTTP/1.1 chunked in part"])
            #expect(outcome.isBalanced)
        }
    }

    @Test("what the snap length cut of a body is counted as the body's")
    func countsTruncatedBody() {
        let talk = Self.three
        let count = talk.turns[3].bytes.count
        let bench = LayerBench()
        talk.play(bench)
        let whole = ConnectionOutcome(bench)
        for captured in count - 40..<count {
            let bench = LayerBench()
            for (index, turn) in talk.turns.enumerated() {
                if index == 3 {
                    bench.deliver(turn.bytes, truncatedTo: captured, turn.direction)
                } else {
                    bench.deliver(turn.bytes, turn.direction)
                }
            }
            #expect(ConnectionOutcome(bench).exchanges == whole.exchanges, "captured \(captured)")
        }
    }

    @Test("a gap of whole messages between requests and answers leaves the others as they are")
    func skipsBetweenMessages() {
        let talk = Self.three
        for turn in [2, 3] {
            let bench = LayerBench()
            let claims = play(talk, bench, gap: 0..<talk.turns[turn].bytes.count, in: turn)
            #expect(claims.map(\.cause) == [.opaque] && claims.map(\.owner) == [.connection])
            let outcome = ConnectionOutcome(bench)
            #expect(outcome.isBalanced)
            let withoutGap = outcome.exchanges.filter { $0.target != "/1" && !$0.target.isEmpty }
            #expect(withoutGap.map(\.target) == ["/0", "/2"])
            #expect(withoutGap.map(\.status) == [200, 200], "packet \(turn) is missing")
        }
    }

    @Test(
        "after a gap anywhere all that came has one owner, and earlier exchanges are untouched",
        arguments: [1, 2] as [UInt64])
    func survivesGaps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let examples = HTTP1Dialogue.all
        for round in 0..<400 {
            let example = random.element(examples)
            let turn = random.below(example.dialogue.turns.count)
            let count = example.dialogue.turns[turn].bytes.count
            let start = random.below(count)
            let gap = start..<start + 1 + random.below(count - start)
            let place = "seed \(seed), round \(round): \(example.testDescription), packet \(turn), \(gap)"
            let bench = LayerBench()
            _ = play(example.dialogue, bench, gap: gap, in: turn)
            let outcome = ConnectionOutcome(bench, isOrderly: example.isOrderly)
            #expect(outcome.isBalanced, "\(place)")
            let before = example.dialogue.turns[..<turn].flatMap { $0.runs.map(\.owner) }
            let after = example.dialogue.turns[turn...].flatMap { $0.runs.map(\.owner) }
            let costs = example.dialogue.costs(exchanges: example.statuses.count)
            for exchange in Set(before).subtracting(after) where exchange >= 0 {
                #expect(outcome.exchanges[exchange].costs == costs[exchange], "\(place), exchange \(exchange)")
            }
        }
    }

    @Test("bytes lost without a number break the message they were in, and the next one is found")
    func losesBytes() {
        let talk = Self.three
        let bench = LayerBench()
        for (index, turn) in talk.turns.enumerated() {
            if index == 3 {
                bench.deliver(Array(turn.bytes.dropLast(20)), turn.direction)
                bench.connection.streams.lose(turn.direction, .unread, &bench.shard.streams)
            } else {
                bench.deliver(turn.bytes, turn.direction)
            }
        }
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.map(\.status) == [200, 200, 200])
        #expect(outcome.exchanges.map(\.flags) == [[], ["gap"], []])
        #expect(outcome.exchanges[1].response == "HTTP/1.1 contentLength in part")
        #expect(outcome.isBalanced)
    }
}
