import Testing
import WireTesting

@testable import WireCore

@Suite("Exchange tracker: the chain and when exchanges leave it")
struct ExchangeRetirementTests {
    @Test(
        "exchanges keep their numbers without a gap when one is cancelled or given out",
        arguments: [1, 2, 3] as [UInt64])
    func numbersExchanges(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<60 {
            let bench = TrackerBench()
            // The slow chain: exchanges by their names, with numbers.
            var slow: [(index: Int, number: Int)] = []
            var count = 0
            for step in 0..<60 {
                switch random.below(6) {
                case 0, 1, 2:
                    let before = random.oneIn(3) ? slow.randomElement(using: &random)?.index : nil
                    let index = bench.tracker.begin(before: Int32(before ?? -1), &bench.bench.shard.streams)
                    let place = slow.firstIndex { $0.index == before } ?? slow.count
                    slow.insert((index, count), at: place)
                    count += 1
                case 3:
                    guard let place = slow.indices.randomElement(using: &random) else { continue }
                    let number = slow[place].number
                    bench.tracker.cancel(slow[place].index, &bench.bench.shard.streams)
                    slow.remove(at: place)
                    for other in slow.indices where slow[other].number > number { slow[other].number -= 1 }
                    count -= 1
                default:
                    guard let place = slow.indices.randomElement(using: &random) else { continue }
                    bench.retire(slow[place].index)
                    slow.remove(at: place)
                }
                let place = "seed \(seed), round \(round), step \(step)"
                #expect(bench.chain == slow.map(\.index), "\(place)")
                #expect(bench.chain.map { bench.context.exchanges[$0].number } == slow.map(\.number), "\(place)")
                #expect(bench.tracker.count == count && bench.tracker.liveCount == slow.count, "\(place)")
                #expect(bench.context.attribution.openCount == slow.count, "\(place)")
            }
        }
    }

    @Test("what a cancelled exchange has cost is the connection's, its messages as opaque bytes")
    func cancels() {
        let bench = TrackerBench()
        let index = bench.tracker.begin(&bench.bench.shard.streams)
        let causes: [Cause] = [.startLine, .headers, .framing, .body, .tcpip, .ack]
        for (place, cause) in causes.enumerated() {
            bench.context.attribution.accounts[index].costs.add(cause, 1 << place, 1)
        }
        bench.tracker.cancel(index, &bench.bench.shard.streams)
        #expect(bench.bench.memory.account[1].unattributed.text == "tcpip 16 ack 32 opaque 15")
        #expect(bench.chain.isEmpty && bench.tracker.count == 0)
    }

    @Test("an exchange leaves the chain of owners: no late packet finds it any more")
    func unlinks() {
        let bench = TrackerBench()
        for _ in 0..<3 {
            bench.ask()
            bench.answer()
        }
        #expect((0..<3).map { bench.owner(at: 10 * $0 + 5, 0) } == bench.asked)
        bench.retire(bench.asked[1])
        #expect(bench.owner(at: 15, 0) == -1)
        bench.retire(bench.asked[2])
        #expect(bench.bench.memory.account[0].latest == Int32(bench.asked[0]), "It pays for what comes late.")
        #expect(bench.owner(at: 5, 1) == bench.answered[0])
        #expect(bench.owner(at: 25, 0) == -1)
    }

    // MARK: Times

    private static let second: Int64 = 1_000_000_000

    struct Look: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Since the exchange's last byte.
        var now: Int64
        var isAnswered = true
        var isAcknowledged = true
        var phases = ReaderPhases.betweenMessages
        /// When to look again; nil: it was given out, or nobody looks again.
        var again: Int64?
        var isGone = false
    }

    private static var inMessage: ReaderPhases {
        var phases = ReaderPhases()
        phases.isInMessage[1] = true
        return phases
    }

    static let looks: [Look] = [
        Look(testDescription: "too early", now: second, again: 2 * second),
        Look(testDescription: "just in time for a late segment", now: 2 * second, again: 2 * second),
        Look(testDescription: "over and quiet", now: 2 * second + 1, isGone: true),
        Look(testDescription: "long over", now: 3600 * second, isGone: true),
        Look(testDescription: "not acknowledged", now: 4 * second, isAcknowledged: false, again: 5 * second),
        Look(testDescription: "not answered", now: 40 * second, isAnswered: false, again: 50 * second),
        Look(
            testDescription: "not answered, for half a second at least", now: 4, isAnswered: false, again: 500_000_004),
        Look(testDescription: "its answer goes on", now: 8 * second, phases: inMessage, again: 10 * second),
        Look(testDescription: "the clock was set back", now: -3600 * second, isGone: true),
    ]

    @Test("an exchange leaves some time after its last byte, when it is over and acknowledged", arguments: looks)
    func retires(look: Look) {
        let bench = TrackerBench()
        let last = 7200 * Self.second
        bench.context.attribution.packet.time = last
        bench.ask()
        if look.isAnswered { bench.answer() }
        bench.context.attribution.accounts[bench.asked[0]].lastTime = last
        var acknowledged = DirectionPair(repeating: StreamPosition(look.isAcknowledged ? 10 : 9))
        acknowledged[0] = StreamPosition(10)
        let (index, now) = (bench.asked[0], last + look.now)
        let again =
            bench.tracker.nextLook(index, at: now, since: last, look.phases, bench.bench.shard.streams)
            ?? bench.tracker.retireIfAcknowledged(
                index, at: now, since: last, acknowledged, &bench.bench.shard.streams)
        #expect(again == look.again.map { last + $0 })
        #expect(bench.tracker.liveCount == (look.isGone ? 0 : 1))
        #expect(bench.context.completed.exchanges.count == (look.isGone ? 1 : 0))
    }

    @Test("an exchange that pays for the connection's end stays until then")
    func keeps() {
        for (setup, kept) in [
            (SetupPolicy.first, [true, false]), (.even, [true, true]), (.separate, [false, false]),
        ] {
            var options = AuditOptions()
            options.setup = setup
            let bench = TrackerBench(options)
            for _ in 0..<2 {
                bench.ask()
                bench.answer()
            }
            #expect(bench.asked.map { bench.isKept($0) } == kept)
            for direction in Direction.both {
                bench.bench.memory.tcp[direction].acknowledged = bench.bench.next(direction)
            }
            let again = bench.asked.map { index in
                bench.bench.connection.retireIfOver(
                    bench.bench.shard.streams.attribution.owner(Int32(index)), at: 60 * Self.second, since: 0,
                    &bench.bench.shard)
            }
            #expect(again == [nil, nil])
            #expect(bench.chain == zip(bench.asked, kept).filter(\.1).map(\.0))
        }
    }

    @Test("an exchange stays while a start line before it may turn out to be none")
    func waitsForStartLine() {
        var options = AuditOptions()
        options.setup = .separate
        let bench = TrackerBench(options)
        let unread = bench.tracker.begin(&bench.bench.shard.streams)
        bench.context.exchanges[unread].request.isPresent = true
        let later = bench.tracker.begin(&bench.bench.shard.streams)
        bench.context.exchanges[later].request.isFinished = true
        bench.context.exchanges[later].response.isFinished = true
        bench.bench.memory.account[0].latest = Int32(unread)
        var phases = ReaderPhases()
        (phases.isInMessage[0], phases.isInStartLine[0]) = (true, true)
        let acknowledged = DirectionPair(repeating: StreamPosition.zero)
        let now = 100 * Self.second
        for isUnread in [true, false] {
            phases.isInStartLine[0] = isUnread
            let again =
                bench.tracker.nextLook(later, at: now, since: 0, phases, bench.bench.shard.streams)
                ?? bench.tracker.retireIfAcknowledged(
                    later, at: now, since: 0, acknowledged, &bench.bench.shard.streams)
            #expect((again == nil) == !isUnread)
        }
        #expect(bench.chain == [unread])
    }

    @Test("exchanges are given out in the order of the chain, with their costs")
    func retiresAll() {
        let bench = TrackerBench()
        for number in 0..<5 {
            bench.ask()
            bench.context.attribution.accounts[bench.asked[number]].costs.add(.body, number + 1, 1)
            bench.context.attribution.accounts[bench.asked[number]].costs.add(.headers, 10 + number, 0)
        }
        bench.tracker.retireAll(&bench.bench.shard.streams)
        #expect(bench.context.completed.exchangeRecords.map(\.exchange) == Array(0..<5))
        #expect(bench.context.completed.costs.map(\.internet) == (0..<5).flatMap { [10 + $0, $0 + 1] })
        #expect(bench.bench.memory.account[1].attributed.text == "body 15")
        #expect(bench.bench.memory.account[0].attributed.text == "headers 60")
        #expect(bench.context.attribution.openCount == 0 && bench.tracker.last < 0)
    }

    @Test("beyond the limit those that are over leave first, and then the oldest unanswered one")
    func retiresBeyondLimit() {
        var options = AuditOptions()
        (options.exchangeLimit, options.unansweredLimit, options.setup) = (3, 5, .separate)
        let bench = TrackerBench(options)
        for _ in 0..<4 {
            bench.ask()
            bench.answer()
        }
        bench.ask()
        #expect(bench.isBeyondLimit)
        bench.retireBeyondLimit()
        #expect(bench.chain == Array(bench.asked[2...]), "Two had to go.")
        #expect(bench.bench.findings[.exchangeLimit] == nil)
        for _ in 0..<3 { bench.ask() }
        bench.answer()
        #expect(bench.tracker.liveCount == 6)
        bench.retireBeyondLimit()
        #expect(bench.tracker.liveCount == 3, "All that was answered has left.")
    }
}
