import Testing
import WireTesting

@testable import WireCore

@Suite("TCP connections: segments that run ahead of the other direction")
struct SegmentOrderTests {
    private static let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody".utf8)

    private func next(_ bench: SegmentBench, _ direction: Direction) -> Int {
        bench.bench.memory.assembly[direction].next.value
    }

    private var asked: Int { Self.request.count }
    private var answered: Int { Self.answer.count }

    /// Whether a segment is held now.
    private func holds(_ bench: SegmentBench) -> Bool { bench.bench.shard.waitingBytes > 0 }

    @Test("an answer waits for its request, and with it what its sender sent behind it")
    func holdsAnswer() {
        let bench = SegmentBench()
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        bench.send(1, at: answered, acknowledging: asked, flags: [.fin])
        #expect(next(bench, 1) == 0 && holds(bench) && bench.facts.closedTime == nil)
        bench.send(0, at: 0, Self.request, acknowledging: 0)
        #expect(next(bench, 1) == answered && !holds(bench))
        bench.send(0, at: asked, acknowledging: answered + 1, flags: [.fin])
        #expect(bench.facts.close == .fin)
        let costs = bench.end()
        #expect(bench.records.map { EvasionCase.line($0) } == ["GET / none 200 content-length"])
        #expect(bench.records.map(\.timeToFirstByte) == [nil], "The answer was captured before its request.")
        #expect(costs.map(\.internet) == bench.internet && bench.bench.findings.isEmpty)
    }

    @Test("the server's SYN may come first, and the client's acknowledgment before it is set-up all the same")
    func ordersHandshake() {
        for order in [[1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 1, 0]] {
            let bench = SegmentBench(hasHandshake: false)
            for step in order {
                switch step {
                case 0: bench.send(0, at: -1, flags: [.syn])
                case 1: bench.send(1, at: -1, acknowledging: 0, flags: [.syn])
                default: bench.send(0, at: 0, acknowledging: 0)
                }
            }
            #expect(!holds(bench), "\(order)")
            let costs = bench.end()
            #expect(costs.map(\.text) == ["setup.tcp 80", "setup.tcp 40"], "\(order)")
            #expect(bench.facts.client == 0 && bench.facts.startWasSeen, "\(order)")
        }
    }

    @Test("segments are taken in the order of their acknowledgments, though shown in another")
    func ordersByAcknowledgment() {
        let bench = SegmentBench()
        // The second request, which knows the answer to the first, is shown first of all.
        bench.send(0, at: asked, Self.request, acknowledging: answered)
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        #expect(next(bench, 0) == 0 && next(bench, 1) == 0)
        bench.send(0, at: 0, Self.request, acknowledging: 0)
        #expect(next(bench, 0) == 2 * asked && next(bench, 1) == answered)
        bench.send(1, at: answered, Self.answer, acknowledging: 2 * asked)
        _ = bench.end()
        #expect(bench.records.map(\.status) == [200, 200])
        #expect(bench.records.allSatisfy { $0.flags.isEmpty })
    }

    @Test("what never comes is waited for as long as a gap, and then known to be missing")
    func waitsInVain() {
        for (wait, isGivenUp) in [(900_000_000 as Int64, false), (1_100_000_000, true)] {
            let bench = SegmentBench()
            bench.send(1, at: 0, Self.answer, acknowledging: asked)
            bench.send(0, at: asked, acknowledging: answered, after: wait)
            #expect(next(bench, 1) == (isGivenUp ? answered : 0))
            let costs = bench.end()
            #expect(bench.records.map { EvasionCase.line($0) } == ["- - - 200 content-length gap no-end no-request"])
            #expect(costs.map(\.internet) == bench.internet)
            #expect(bench.counts(1).payloadNew == answered)
        }
    }

    @Test("requests that were lost and later ones: the gap is told before the answer")
    func gapBeforeAnswer() {
        let bench = SegmentBench()
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        bench.send(0, at: asked, Self.request, acknowledging: answered)
        bench.send(1, at: answered, Self.answer, acknowledging: 2 * asked)
        bench.send(1, at: 2 * answered, acknowledging: 2 * asked, after: 1_100_000_000)
        #expect(next(bench, 0) == 2 * asked && next(bench, 1) == 2 * answered)
        _ = bench.end()
        let lines = bench.records.map { EvasionCase.line($0) }
        #expect(lines == ["- - - 200 content-length gap no-end no-request", "GET / none 200 content-length"])
        #expect(bench.bench.findings[.streamGap] == 1)
    }

    @Test("the place of a FIN that was lost is no missing byte")
    func lostFinish() {
        let bench = SegmentBench()
        bench.send(0, at: 0, Self.request, acknowledging: 0)
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        bench.send(0, at: asked, acknowledging: answered + 1, flags: [.fin])
        bench.send(0, at: asked + 1, acknowledging: answered + 1, after: 1_500_000_000)
        #expect(!holds(bench))
        let costs = bench.end()
        #expect(bench.records.map { $0.flags.contains(.gap) } == [false])
        #expect(bench.bench.findings.isEmpty && bench.counts(1).unseen == 0)
        #expect(costs.map(\.internet) == bench.internet)
    }

    @Test("a retransmission whose acknowledgment is younger than its bytes: neither waits for the other for long")
    func circle() {
        let bench = SegmentBench()
        // The first copy of the request was lost on the way to the capture.
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        bench.send(0, at: 0, Self.request, acknowledging: answered)
        #expect(next(bench, 0) == 0 && next(bench, 1) == 0)
        bench.send(1, at: answered, acknowledging: asked, after: 1_100_000_000)
        #expect(next(bench, 0) == asked && next(bench, 1) == answered && !holds(bench))
        _ = bench.end()
        #expect(bench.records.map { EvasionCase.line($0) } == ["GET / none 200 content-length"])
    }

    @Test("where only one direction is captured, nothing waits after the first time", arguments: [true, false])
    func oneWay(hasStart: Bool) {
        let bench = SegmentBench(hasHandshake: false)
        if hasStart { bench.send(1, at: -1, acknowledging: 0, flags: [.syn]) }
        for count in 0..<20 {
            bench.send(
                1, at: 100 * count, [UInt8](repeating: 46, count: 100), acknowledging: 50 * count, after: 400_000_000)
            #expect(holds(bench) == (count < (hasStart ? 2 : 3)), "\(count)")
        }
        let costs = bench.end()
        #expect(bench.counts(1).payloadNew == 2000 && costs[1].internet == bench.internet[1])
    }

    @Test("where what is acknowledged never comes, waiting ends; it begins anew when something came late")
    func patience() {
        let bench = SegmentBench()
        for count in 1...6 {
            bench.send(1, at: 10 * count - 10, [UInt8](repeating: 46, count: 10), acknowledging: 50 * count)
            #expect(holds(bench) == (count <= 3), "\(count)")
            bench.send(1, at: 10 * count, acknowledging: 50 * count, after: 1_100_000_000)
            #expect(!holds(bench), "\(count)")
        }
        // All of it comes after all: the next one is waited for again.
        bench.send(0, at: 0, [UInt8](repeating: 46, count: 300), acknowledging: 0)
        bench.send(1, at: 60, [UInt8](repeating: 46, count: 10), acknowledging: 350)
        bench.send(0, at: 300, [UInt8](repeating: 46, count: 50), acknowledging: 0)
        bench.send(1, at: 70, [UInt8](repeating: 46, count: 10), acknowledging: 400)
        #expect(holds(bench))
        bench.send(0, at: 350, [UInt8](repeating: 46, count: 50), acknowledging: 0)
        #expect(!holds(bench) && next(bench, 1) == 80)
        let costs = bench.end()
        #expect(costs.map(\.internet) == bench.internet)
    }

    @Test("acknowledgments of what cannot have been sent are not waited for")
    func garbage() {
        let bench = SegmentBench()
        bench.send(0, at: 0, Self.request, acknowledging: 1 << 29)
        #expect(next(bench, 0) == asked && !holds(bench))
        bench.send(1, at: 0, Self.answer, acknowledging: asked)
        _ = bench.end()
        #expect(bench.records.map(\.status) == [200])
    }

    @Test("more than may wait does not", arguments: [true, false])
    func limits(byBytes: Bool) {
        var options = AuditOptions()
        if byBytes { options.heldBytesLimit = 500 } else { options.heldSegmentLimit = 5 }
        let bench = SegmentBench(options)
        for count in 0..<40 {
            bench.send(1, at: 100 * count, [UInt8](repeating: 46, count: 100), acknowledging: 50)
            #expect(bench.bench.shard.held.byteCount < 6 * 540)
        }
        #expect(next(bench, 1) == 4000)
        let costs = bench.end()
        #expect(costs[1].internet == bench.internet[1])
    }

    @Test(
        "any order of the segments of both directions gives the same bytes once", arguments: [1, 2, 3, 4] as [UInt64])
    func anyOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<80 {
            // Segments as they were sent, each acknowledging all before it or some of that; then put in any order.
            var sent = [0, 0]
            var segments: [(direction: Direction, at: Int, count: Int, acknowledged: Int)] = []
            for _ in 0..<2 + random.below(20) {
                let direction = Direction(random.below(2))
                let count = random.oneIn(3) ? 0 : 1 + random.below(30)
                let at = random.oneIn(6) ? random.below(sent[direction.index] + 1) : sent[direction.index]
                segments.append((direction, at, count, sent[direction.opposite.index]))
                sent[direction.index] = max(sent[direction.index], at + count)
            }
            let reach = random.element([1, 3, 30])
            let places = segments.indices.map { $0 + random.below(reach + 1) }
            let order = segments.indices.sorted { (places[$0], $0) < (places[$1], $1) }
            let bench = SegmentBench()
            for index in order {
                let segment = segments[index]
                bench.send(
                    segment.direction, at: segment.at, [UInt8](repeating: 46, count: segment.count),
                    acknowledging: segment.acknowledged)
            }
            let place = "seed \(seed), round \(round)"
            #expect(!holds(bench), "\(place)")
            #expect(Direction.both.map { next(bench, $0) } == sent, "\(place)")
            let costs = bench.end()
            #expect(costs.map(\.internet) == bench.internet, "\(place)")
            #expect(Direction.both.map { bench.counts($0).payloadNew } == sent, "\(place)")
            #expect(bench.bench.shard.waitingBytes == 0, "\(place)")
        }
    }
}
