import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/2 connections")
struct HTTP2ConnectionTests {
    @Test("claim each byte of frames for its stream's exchange", arguments: HTTP2Dialogue.all)
    func claimsFrames(example: HTTP2Dialogue) {
        let bench = LayerBench()
        example.dialogue.play(bench)
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.costs == example.dialogue.costs(exchanges: example.statuses.count))
        #expect(outcome.exchanges.map(\.status) == example.statuses)
        #expect(outcome.exchanges.map(\.flags) == example.flags)
        #expect(outcome.exchanges.map(\.decodedBody) == example.bodies)
        #expect(outcome.isBalanced)
    }

    @Test("a cut at any place changes neither exchanges nor costs", arguments: HTTP2Dialogue.all)
    func survivesCuts(example: HTTP2Dialogue) {
        let bench = LayerBench()
        example.dialogue.play(bench)
        let whole = ConnectionOutcome(bench)
        for (turn, place) in example.dialogue.cuts {
            let bench = LayerBench()
            example.dialogue.play(bench, cut: turn, at: place)
            #expect(ConnectionOutcome(bench) == whole, "packet \(turn) cut at \(place)")
        }
        for size in [1, 2, 3, 5, 11] {
            let bench = LayerBench()
            example.dialogue.play(bench, each: size)
            #expect(ConnectionOutcome(bench) == whole, "packets of \(size) bytes")
        }
    }

    @Test("headers of packets go to the owners of frames in proportion, also where a frame header is cut")
    func sharesHeaders() {
        for example in HTTP2Dialogue.all {
            for size in [5, 9, 31] {
                let bench = LayerBench()
                example.dialogue.play(bench, each: size)
                var expected = [Int: [Int]]()
                for turn in example.dialogue.turns {
                    let owners = turn.runs.flatMap { [Int](repeating: $0.owner, count: $0.bytes.count) }
                    for start in stride(from: 0, to: owners.count, by: size) {
                        let list = KnownCosts.count(Array(owners[start..<min(start + size, owners.count)]))
                        for (owner, part) in KnownCosts.share(LayerBench.headers.internet, list) {
                            expected[owner, default: [0, 0]][turn.direction.index] += part
                        }
                    }
                }
                bench.finish()
                let own = Direction.both.map { bench.memory.account[$0].unattributed[.tcpip] }
                #expect(own == expected[-1], "\(example.testDescription), packets of \(size) bytes")
                for (index, record) in bench.takeRecords().enumerated() {
                    let costs = [record.costs.up[.tcpip], record.costs.down[.tcpip]]
                    #expect(costs == expected[index], "\(example.testDescription), packets of \(size) bytes")
                }
            }
        }
    }

    /// Two streams; the first has a body of 30 bytes in the last packet but one.
    private static func script() -> (dialogue: KnownDialogue, body: Range<Int>) {
        var script = HTTP2Script()
        script.frames(0, [script.get(1), script.get(3)])
        script.frames(1, [script.answer(1), script.answer(3)])
        script.frames(1, [.data(1, .filler(30), endStream: true)])
        script.frames(1, [.data(3, .filler(4), endStream: true)])
        return (script.dialogue, 9..<39)
    }

    /// Plays it with a gap in its last packet but one.
    private func play(_ talk: KnownDialogue, _ bench: LayerBench, gap: Range<Int>) -> [SkipClaim] {
        var claims: [SkipClaim] = []
        for (index, turn) in talk.turns.enumerated() {
            guard index == talk.turns.count - 2 else {
                bench.deliver(turn.bytes, turn.direction)
                continue
            }
            if gap.lowerBound > 0 { bench.deliver(Array(turn.bytes[..<gap.lowerBound]), turn.direction) }
            claims = bench.skip(gap.count, turn.direction)
            if gap.upperBound < turn.bytes.count { bench.deliver(Array(turn.bytes[gap.upperBound...]), turn.direction) }
        }
        return claims
    }

    @Test("a gap inside a DATA frame is its stream's, and the frames behind it are read")
    func skipsInData() {
        let (talk, body) = Self.script()
        let bench = LayerBench()
        talk.play(bench)
        let whole = ConnectionOutcome(bench)
        for start in body {
            for end in start + 1...body.upperBound {
                let bench = LayerBench()
                let claims = play(talk, bench, gap: start..<end)
                let outcome = ConnectionOutcome(bench)
                #expect(claims.map(\.cause) == [.body] && claims.map(\.count) == [end - start])
                #expect(outcome.exchanges[1] == whole.exchanges[1], "gap \(start)..<\(end)")
                #expect(outcome.exchanges[0].flags == ["gap"] && outcome.exchanges[0].decodedBody[1] == nil)
                #expect(
                    outcome.exchanges[0].response == whole.exchanges[0].response.replacing("whole", with: "in part"))
                #expect(outcome.connection == whole.connection)
                #expect(outcome.isBalanced, "gap \(start)..<\(end)")
            }
        }
    }

    @Test("a gap over a frame header loses the frames until others are found; all that came has one owner")
    func losesFrames() {
        let (talk, _) = Self.script()
        let count = talk.turns[talk.turns.count - 2].bytes.count
        for start in 0..<9 {
            for end in start + 1...count {
                let bench = LayerBench()
                _ = play(talk, bench, gap: start..<end)
                let outcome = ConnectionOutcome(bench)
                #expect(outcome.isBalanced, "gap \(start)..<\(end)")
                #expect(outcome.exchanges.count == 2)
                #expect(outcome.exchanges[0].flags.contains("gap"), "gap \(start)..<\(end)")
                // A packet begins with the other stream's last frame: it is found again.
                #expect(outcome.exchanges[1].response.hasSuffix("in part"))
            }
        }
    }

    @Test("bytes lost without a number break the streams that are open in the direction")
    func losesBytes() {
        let (talk, _) = Self.script()
        let bench = LayerBench()
        for turn in talk.turns.dropLast(2) { bench.deliver(turn.bytes, turn.direction) }
        bench.connection.streams.lose(1, .unread, &bench.shard.streams)
        #expect(bench.messages.directions[1].messages == .http1, "It is searched for.")
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.map { $0.flags.contains("gap") } == [true, true])
        #expect(outcome.exchanges.map(\.request) == ["HTTP/2 none whole", "HTTP/2 none whole"])
        #expect(outcome.isBalanced)
    }

    @Test("beyond the limit of streams the connection pays, and nothing is lost")
    func limitsStreams() {
        var options = AuditOptions()
        options.streamLimit = 2
        var script = HTTP2Script()
        script.frames(0, [script.get(1), script.get(3), script.get(5)])
        script.frames(1, [script.answer(5), .data(5, .filler(3), endStream: true)])
        let bench = LayerBench(options)
        script.dialogue.play(bench)
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.count == 2)
        #expect(outcome.connection.allSatisfy { $0.contains("opaque") })
        #expect(bench.findings[.streamLimit] == 1)
        #expect(outcome.isBalanced)
    }
}
