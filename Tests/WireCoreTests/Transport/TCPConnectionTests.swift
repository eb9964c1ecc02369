import Testing
import WireTesting

@testable import WireCore

@Suite("TCP connections")
struct TCPConnectionTests {
    @Test(
        "count each place of the sequence space once, as a plain set of places does",
        arguments: [1, 2, 3, 4] as [UInt64])
    func agreesWithSetOfPlaces(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<60 {
            let bench = SegmentBench()
            var seen: [Set<Int>] = [[], []]
            var (repeated, payload) = ([0, 0], [0, 0])
            var reach = [0, 0]
            for _ in 0..<40 {
                let direction = Direction(random.below(2))
                let side = direction.index
                let start = max(0, reach[side] + random.below(60) - 40)
                let range = start..<start + 2 + random.below(30)
                let wait = Int64(random.oneIn(10) ? 2_000_000_000 : 1_000_000)
                let known = random.below(reach[1 - side] + 1)
                bench.send(
                    direction, at: start, [UInt8](repeating: 46, count: range.count), acknowledging: known, after: wait)
                payload[side] += range.count
                repeated[side] += range.filter { seen[side].contains($0) }.count
                seen[side].formUnion(range)
                reach[side] = max(reach[side], range.upperBound)
            }
            let costs = bench.end()
            for direction in Direction.both {
                let side = direction.index
                let counts = bench.counts(direction)
                let place = "seed \(seed), round \(round), direction \(direction)"
                #expect(counts.payload == payload[side], "\(place)")
                #expect(counts.payloadNew == seen[side].count, "\(place)")
                #expect(counts.payloadRepeated == repeated[side], "\(place)")
                #expect(counts.payloadRefused == 0, "\(place)")
                #expect(counts.unseen == (seen[side].max() ?? -1) + 1 - seen[side].count, "\(place)")
                #expect(costs[side][.opaque] == seen[side].count, "\(place)")
                #expect(costs[side].internet == bench.internet[side], "\(place)")
                #expect(bench.bench.memory.assembly[direction].waiting.isEmpty, "\(place)")
            }
            #expect(bench.bench.shard.waitingBytes == 0 && bench.bench.shard.streams.attribution.pending.count == 0)
        }
    }

    /// One exchange with a body of 60 bytes.
    private static let talk: KnownDialogue = {
        var talk = KnownDialogue()
        talk.say(0, 0, (.startLine, "GET / HTTP/1.1\r\n"), (.headers, "Host: a\r\n\r\n"))
        talk.say(
            1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 60\r\n\r\n"),
            (.body, String(repeating: "b", count: 60)))
        return talk
    }()

    @Test(
        "segments out of order, repeated and overlapping: messages cost what they cost in order",
        arguments: [1, 2, 3] as [UInt64])
    func reorders(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let request = Self.talk.turns[0].bytes
        let answer = Self.talk.turns[1].bytes
        for round in 0..<150 {
            let bench = SegmentBench()
            bench.send(0, at: 0, request, acknowledging: 0)
            var ranges: [Range<Int>] = []
            var start = 0
            while start < answer.count {
                let end = min(answer.count, start + 2 + random.below(20))
                ranges.append(max(0, start - (random.oneIn(3) ? random.below(9) : 0))..<end)
                if random.oneIn(4) { ranges.append(start..<end) }
                start = end
            }
            ranges.shuffle(using: &random)
            for range in ranges {
                bench.send(1, at: range.lowerBound, Array(answer[range]), acknowledging: request.count)
            }
            bench.send(0, at: request.count, acknowledging: answer.count)
            let costs = bench.end()
            let place = "seed \(seed), round \(round): \(ranges)"
            #expect(bench.records.count == 1 && bench.records[0].response?.complete == true, "\(place)")
            #expect(bench.records.map(\.costs.down.message) == [answer.count], "\(place)")
            #expect(bench.records.map(\.costs.down[.body]) == [60], "\(place)")
            let repeated = ranges.reduce(0) { $0 + $1.count } - answer.count
            #expect(bench.counts(1).payloadRepeated == repeated, "\(place)")
            #expect(costs[1][.retransmission] >= repeated && costs[1][.opaque] == 0, "\(place)")
            #expect(costs[1][.retransmission] - repeated == 40 * bench.counts(1).retransmittedSegments, "\(place)")
            #expect(costs[0].internet == bench.internet[0] && costs[1].internet == bench.internet[1], "\(place)")
        }
    }

    @Test("a gap that was acknowledged is given up when it was waited for long enough, no earlier")
    func givesUpGaps() {
        let request = Self.talk.turns[0].bytes
        let answer = Self.talk.turns[1].bytes
        let waits: [(wait: Int64, isAcknowledged: Bool, isGivenUp: Bool)] = [
            (500_000_000, true, false), (1_100_000_000, true, true), (1_100_000_000, false, false),
        ]
        for (wait, isAcknowledged, isGivenUp) in waits {
            let bench = SegmentBench()
            bench.send(0, at: 0, request, acknowledging: 0)
            bench.send(1, at: 0, Array(answer[..<50]), acknowledging: request.count)
            bench.send(1, at: 70, Array(answer[70...]), acknowledging: request.count)
            bench.send(0, at: request.count, acknowledging: isAcknowledged ? answer.count : 50)
            bench.send(0, at: request.count, acknowledging: isAcknowledged ? answer.count : 50, after: wait)
            #expect(bench.bench.memory.assembly[1].next.value == (isGivenUp ? answer.count : 50))
            #expect(bench.bench.findings[.streamGap] == (isGivenUp ? 1 : nil))
            // It comes after all: its bytes are the body's still.
            bench.send(1, at: 50, Array(answer[50..<70]), acknowledging: request.count)
            let costs = bench.end()
            #expect(bench.records.map(\.costs.down[.body]) == [60])
            #expect(bench.records.map { $0.flags.contains(.gap) } == [isGivenUp])
            #expect(bench.records.map(\.unseenBytes) == [0])
            #expect(costs[1].internet == bench.internet[1])
        }
    }

    @Test("the server's answer waits for a request that is still missing")
    func waitsForRequest() {
        let request = Self.talk.turns[0].bytes
        let answer = Self.talk.turns[1].bytes
        let bench = SegmentBench()
        bench.send(0, at: 10, Array(request[10...]), acknowledging: 0)
        bench.send(1, at: 0, answer, acknowledging: request.count)
        #expect(bench.bench.memory.assembly[1].next == .zero)
        bench.send(0, at: 0, Array(request[..<10]), acknowledging: 0)
        #expect(bench.bench.memory.assembly[1].next.value == answer.count)
        _ = bench.end()
        #expect(bench.records.map(\.status) == [200] && bench.records.map(\.costs.up.message) == [request.count])
    }

    @Test("a FIN that comes before its bytes ends the direction at its place")
    func finishesAtPlace() {
        let bench = SegmentBench()
        bench.send(0, at: 0, Array("GET / HTTP/1.0\r\n\r\n".utf8), acknowledging: 0)
        let answer = Array("HTTP/1.0 200 OK\r\n\r\nuntil the end".utf8)
        bench.send(1, at: answer.count, acknowledging: 18, flags: [.fin])
        #expect(!bench.bench.memory.tcp[1].isFinished)
        bench.send(1, at: 5, Array(answer[5...]), acknowledging: 18)
        #expect(!bench.bench.memory.tcp[1].isFinished)
        bench.send(1, at: 0, Array(answer[..<5]), acknowledging: 18)
        #expect(bench.bench.memory.tcp[1].isFinished)
        #expect(bench.facts.closedTime == nil)
        bench.send(0, at: 18, acknowledging: answer.count + 1, flags: [.fin])
        #expect(bench.facts.closedTime == bench.time && bench.facts.close == .fin)
        bench.send(1, at: answer.count + 1, acknowledging: 19)
        let costs = bench.end()
        #expect(bench.records.map { $0.response?.complete } == [true])
        #expect(bench.records.map(\.costs.down[.body]) == [13])
        // Both FINs, and the acknowledgment of the client's.
        #expect(costs.map { $0[.teardown] } == [40, 80])
        #expect(bench.bench.findings.isEmpty)
    }

    @Test("bytes behind a FIN, and a second FIN elsewhere, are contradictions")
    func findsContradictions() {
        let steps: [(at: Int, count: Int, isEnd: Bool)] = [
            (10, 15, false), (15, 10, false), (30, 5, false), (40, 0, true), (5, 0, true),
        ]
        for (at, count, isEnd) in steps {
            let bench = SegmentBench()
            bench.send(1, at: 0, [UInt8](repeating: 46, count: 10), acknowledging: 0)
            bench.send(1, at: 20, acknowledging: 0, flags: [.fin])
            bench.send(1, at: at, [UInt8](repeating: 46, count: count), acknowledging: 0, flags: isEnd ? [.fin] : [])
            let costs = bench.end()
            #expect((bench.bench.findings[.endContradiction] ?? 0) > 0, "at \(at)")
            #expect(costs[1].internet == bench.internet[1])
        }
    }

    @Test("a reset closes the connection if its receiver would believe it")
    func judgesResets() {
        let table: [(at: Int, acknowledged: Int, closes: Bool)] = [
            (30, 30, true), (30, 0, true), (29, 30, true), (28, 30, false), (0, 30, false), (31, 30, true),
            (30 + 1 << 22, 30, true), (31 + 1 << 23, 30, false), (-5, 0, false),
        ]
        for (at, acknowledged, closes) in table {
            let bench = SegmentBench()
            bench.send(1, at: 0, [UInt8](repeating: 46, count: 30), acknowledging: 0)
            bench.send(0, at: 0, acknowledging: acknowledged)
            bench.send(1, at: at, Array("text".utf8), flags: [.rst])
            let place = "reset at \(at), \(acknowledged) acknowledged"
            #expect((bench.facts.close == .reset) == closes, "\(place)")
            #expect((bench.facts.closedTime != nil) == closes, "\(place)")
            #expect(bench.bench.findings[.resetRefused] == (closes ? nil : 1), "\(place)")
            #expect(bench.counts(1).payloadRefused == 4 && bench.bench.findings[.refusedSegment] == 1)
            let costs = bench.end()
            #expect(costs[1][.teardown] == 44 && costs[1].internet == bench.internet[1], "\(place)")
        }
    }

    @Test("segments far from everything are refused")
    func refusesFarSegments() {
        let bench = SegmentBench()
        bench.send(0, at: 0, [UInt8](repeating: 46, count: 30), acknowledging: 0)
        bench.send(0, at: 1 << 29, [UInt8](repeating: 46, count: 9), acknowledging: 0)
        let costs = bench.end()
        #expect(bench.counts(0).payloadRefused == 9 && bench.counts(0).payloadNew == 30)
        #expect(bench.bench.findings[.refusedSegment] == 1)
        #expect(costs[0].internet == bench.internet[0])
    }

    @Test("kinds of packets without payload: set-up, keep-alives with their answers, acknowledgments")
    func tellsControlSegments() {
        let bench = SegmentBench()
        let request = Self.talk.turns[0].bytes
        bench.send(0, at: 0, request, acknowledging: 0)
        bench.send(1, at: 0, acknowledging: request.count)
        bench.send(0, at: request.count - 1, acknowledging: 0)
        bench.send(1, at: 0, acknowledging: request.count)
        let costs = bench.end()
        #expect(costs.map { $0[.setupTCP] } == [80, 40])
        #expect(costs.map { $0[.keepalive] } == [40, 40])
        #expect(costs.map { $0[.ack] } == [0, 40])
        #expect(bench.records.map(\.costs.down[.ack]) == [40], "The owner of the bytes acknowledged pays.")
    }

    @Test("bytes sent again with other content are noticed, and the first ones are read")
    func comparesRepeated() {
        let bench = SegmentBench()
        bench.send(0, at: 0, Array("GET /first HTTP/1.1\r\nHost: a\r\n\r\n".utf8), acknowledging: 0)
        bench.send(0, at: 4, Array("/other".utf8), acknowledging: 0)
        bench.send(0, at: 4, Array("/first".utf8), acknowledging: 0)
        _ = bench.end()
        #expect(bench.bench.findings[.inconsistentRetransmission] == 1)
        #expect(bench.records.map { $0.target ?? [] } == [Array("/first".utf8)])
        #expect(bench.counts(0).retransmittedSegments == 2)
        #expect(bench.records.map(\.costs.up[.retransmission]) == [92])
    }

    @Test("a connection joined late begins with its first packet, and earlier bytes are new", arguments: [true, false])
    func joinsLate(isInOrder: Bool) {
        let bench = SegmentBench(hasHandshake: false)
        let text = [UInt8](repeating: 46, count: 20)
        for place in isInOrder ? [100, 120, 140] : [120, 100, 140] { bench.send(1, at: place, text) }
        let costs = bench.end()
        #expect(bench.counts(1).payloadNew == 60 && bench.counts(1).unseen == 0)
        #expect(costs[1].text == "tcpip 120 opaque 60")
        #expect(bench.facts.flags.contains(.noStart))
    }
}
