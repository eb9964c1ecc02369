import Testing
import WireTesting

@testable import WireCore

@Suite("HTTP/3 connections")
struct HTTP3ConnectionTests {
    private func lines(_ outcome: HTTP3Outcome) -> [[String]] {
        outcome.exchanges.map {
            ["\($0.method) \($0.target)", "\($0.status)"] + $0.costs + [$0.flags.joined(separator: " ")]
        }
    }

    @Test("book each byte of frames to its stream's exchange and to its cause", arguments: HTTP3Dialogue.all)
    func booksFrames(example: HTTP3Dialogue) {
        let outcome = example.script.play()
        #expect(lines(outcome) == example.exchanges)
        #expect(outcome.connection == example.connection)
        #expect(outcome.findings == example.findings)
        #expect(outcome.isBalanced)
    }

    @Test("come to the same in pieces of any size", arguments: HTTP3Dialogue.all)
    func survivesDripping(example: HTTP3Dialogue) {
        let whole = example.script.play()
        for size in [1, 2, 3, 5, 7, 64] {
            let dripped = example.script.dripped(size).play()
            #expect(dripped == whole, "pieces of \(size) bytes")
        }
    }

    @Test("end at any place with each byte booked once", arguments: HTTP3Dialogue.all)
    func survivesEnds(example: HTTP3Dialogue) {
        let script = example.script.dripped(1)
        for count in 0...script.turns.count {
            var prefix = script
            prefix.turns.removeLast(script.turns.count - count)
            for isOrderly in [true, false] {
                let outcome = prefix.play(isOrderly: isOrderly)
                #expect(outcome.isBalanced, "the first \(count) steps")
            }
        }
    }

    @Test("bytes that are missing anywhere are never booked, and what follows is flagged", arguments: HTTP3Dialogue.all)
    func survivesGaps(example: HTTP3Dialogue) {
        let script = example.script.dripped(1)
        var flagged = 0
        for (place, turn) in script.turns.enumerated() {
            guard case .bytes = turn.step else { continue }
            var damaged = script
            damaged.turns[place].step = .skip(1)
            let outcome = damaged.play()
            #expect(outcome.isBalanced, "step \(place)")
            guard HTTP3Stream.isOfRequest(turn.stream), outcome.exchanges.count == example.exchanges.count else {
                continue
            }
            #expect(outcome.exchanges.contains { $0.flags.contains("gap") }, "step \(place)")
            flagged += 1
        }
        #expect(flagged > 0)
    }

    @Test("messages: versions, bodies, sizes of fields as HTTP/1.1 would have them, interim answers")
    func readsMessages() {
        let outcome = HTTP3Dialogue.all[1].script.play()
        #expect(outcome.exchanges.map(\.request) == ["HTTP/3 frames whole", "HTTP/3 none whole"])
        #expect(outcome.exchanges.map(\.response) == ["HTTP/3 frames whole", "HTTP/3 none whole"])
        #expect(outcome.exchanges.map(\.decodedBody) == [[5, 3], [0, 0]])
        // "host: host.test" with a line end, and the empty line; interim, final and trailers have their empty lines.
        #expect(outcome.headers == [[17 + 2, 2 + 2 + 10 + 2], [17 + 2, 2]])
        #expect(outcome.hosts == ["host.test", "host.test"])
        #expect(outcome.interim == [HTTP3Wire.section([(":status", "100")]).count, 0])
    }

    @Test("a session whose call is not known costs the connection; a lost frame header leaves its rest to the exchange")
    func unknownOwners() {
        var script = HTTP3Script()
        script.send(HTTP3Wire.integer(0x54) + [40, 1, 2], 14, 0)
        script.send([5, 5], 1, 1)
        script.get(0)
        script.headers([(":status", "200")], 0, 1)
        script.add(.skip(1), 0, 1)
        script.send([1, 2, 3, 4], 0, 1)
        script.add(.finish, 0, 1)
        let outcome = script.play()
        #expect(outcome.connection == ["setup.http 9 opaque 5", "setup.http 9 opaque 2"])
        #expect(outcome.exchanges[0].costs[1].hasSuffix("framing 2 opaque 4"))
        #expect(
            outcome.exchanges[0].response == "HTTP/3 unknown in part"
                || outcome.exchanges[0].response.hasSuffix("in part"))
        #expect(outcome.exchanges[0].flags == ["gap"] && outcome.isBalanced)
    }

    @Test("beyond the limit of streams the connection pays, and nothing is lost")
    func limitsStreams() {
        var options = AuditOptions()
        options.streamLimit = 4
        var script = HTTP3Script()
        for stream in 0..<5 as Range<UInt64> {
            script.get(stream * 4)
            script.answer(stream * 4, body: 3)
        }
        let outcome = script.play(options)
        #expect(outcome.exchanges.count == 2)
        #expect(outcome.connection.allSatisfy { $0.contains("opaque") })
        #expect(outcome.findings[.http3StreamLimit] ?? 0 > 0)
        #expect(outcome.isBalanced)
    }

    @Test("a stream that was given out opens no second exchange")
    func givenOut() {
        let bench = LayerBench()
        let http3 = HTTP3Connection(isLate: false)
        bench.tracker.requester = 0
        bench.tracker.multiplexed = http3
        var script = HTTP3Script(capacity: nil)
        script.get(0)
        script.answer(0)
        for turn in script.turns {
            switch turn.step {
            case .bytes(let bytes):
                let span = unsafe bytes.span.bytes
                http3.receive(
                    span, stream: 0, turn.direction, &bench.tracker, &bench.shard.streams)
            default: http3.finish(stream: 0, turn.direction, &bench.tracker, &bench.shard.streams)
            }
        }
        #expect(bench.takeRecords().count == 1)
        #expect(http3.owner(of: 0, 1, &bench.tracker, &bench.shard.streams) == .connection)
        #expect(http3.owner(of: 4, 1, &bench.tracker, &bench.shard.streams) != .connection)
        #expect(bench.tracker.count == 2)
    }

    @Test("streams that were given out are remembered by few numbers")
    func closedStreams() {
        var closed = ClosedStreams()
        for id in [8, 0, 4, 400_000] as [UInt64] { closed.insert(id) }
        #expect(closed.contains(4) && closed.contains(8) && closed.contains(400_000))
        #expect(!closed.contains(12) && !closed.contains(399_996))
        for id in 0..<70_000 as Range<UInt64> { closed.insert(1 << 40 + id * 8) }
        #expect(closed.contains(12), "Older ones than all that are kept count as closed.")
    }
}
