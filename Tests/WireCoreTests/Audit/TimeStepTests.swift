import Testing
import WireTesting

@testable import WireCore

@Suite("Audit: what time does, does not depend on when it is told")
struct TimeStepTests {
    @Test(
        "an audit that is told the time between frames, and looked at, gives the same in the same order",
        arguments: RandomCapture.Clock.allCases, 0..<UInt64(Effort.rounds(4)))
    func sameResult(clock: RandomCapture.Clock, block: UInt64) {
        for seed in block * 12..<block * 12 + 12 {
            let audit = RandomCapture(seed: seed, clock: clock).audit
            var random = SeededRandom(seed: seed ^ 0x5EED)
            let (expected, capture) = audit.run()
            let (found, _) = audit.runLive(&random)
            #expect(capture.result.ledger.balanced, "seed \(seed)")
            // A full table has encrypted connections and exchanges in one row.
            if audit.options.apiLimit > 4 { #expect(capture.contradictions == [], "seed \(seed)") }
            #expect(found == expected, "seed \(seed): \(found.differences(expected).joined(separator: "\n"))")
        }
    }

    @Test(
        "after each frame, time going on to the next changes nothing in the end", arguments: 900..<902 as Range<UInt64>)
    func everyPlace(seed: UInt64) {
        let audit = RandomCapture(seed: seed).audit
        let expected = audit.run().transcript
        for place in 0...audit.frames.count {
            let found = audit.run { auditor, index in
                guard index == place else { return }
                auditor.advance(to: index < audit.frames.count ? audit.frames[index].time : .max)
            }
            #expect(found.transcript == expected, "seed \(seed), before frame \(place + 1)")
        }
    }

    @Test("the time at which a capture is ended changes nothing", arguments: 950..<954 as Range<UInt64>)
    func anyEnd(seed: UInt64) {
        let whole = RandomCapture(seed: seed).audit
        for count in stride(from: 1, through: whole.frames.count, by: 7) {
            var audit = whole
            audit.frames = Array(whole.frames[..<count])
            let expected = audit.run().transcript
            for wait: Int64 in [1, 700_000_000, 3_000_000_000, 70_000_000_000, 8_000_000_000_000] {
                let found = audit.run { auditor, index in
                    if index == count { auditor.advance(to: audit.frames[count - 1].time + wait) }
                }
                #expect(
                    found.transcript == expected,
                    "seed \(seed), \(count) frames, \(wait) ns: \(found.transcript.differences(expected))")
            }
        }
    }

    @Test("times at the ends of what can be said do no harm")
    func extremes() {
        var talk = Dialogue()
        talk.handshake()
        for _ in 0..<20 { talk.exchange() }
        talk.close()
        let times: [Int64] = [.min, .max, 0, .max - 1, .min + 1, -1, 1 << 62, -(1 << 62), (1 << 62) - 1]
        var random = SeededRandom(seed: 0x7133)
        for policy in SetupPolicy.allCases {
            for index in talk.frames.indices { talk.frames[index].time = random.element(times) }
            var audit = WatchedAudit(frames: talk.frames)
            audit.options.setup = policy
            let capture = audit.run { auditor, _ in
                auditor.advance(to: random.element(times))
                auditor.resumeAwaited(at: random.element(times))
                _ = auditor.snapshot()
            }
            .capture
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.count >= 20)
        }
    }

    // MARK: Long runs

    @Test("a day of connections leaves no more behind than its last minute", arguments: SetupPolicy.allCases)
    func day(policy: SetupPolicy) {
        var audit = WatchedAudit(frames: [])
        audit.options.setup = policy
        audit.transcribes = false
        for number in 0..<1000 {
            var talk = Dialogue(clientPort: UInt16(10_000 + number))
            talk.time = Int64(number) * 86_400_000_000
            talk.handshake()
            talk.exchange()
            talk.exchange()
            if number % 10 != 0 { talk.close() }
            audit.frames += talk.frames
        }
        var most = (due: 0, lingering: 0, exchanges: 0, kept: 0)
        let capture = audit.run { auditor, index in
            guard index % 20 == 0 else { return }
            most.due = max(most.due, auditor.sum { $0.streams.timers.count })
            most.lingering = max(most.lingering, auditor.lingeringCount)
            most.exchanges = max(most.exchanges, auditor.most { $0.streams.exchanges.count })
            most.kept = max(most.kept, auditor.snapshot().keptConnections)
        }
        .capture
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.count == 2000)
        #expect(most.due <= 8)
        #expect(most.lingering <= 3)
        // Those that were not closed stay for an hour, with the exchanges that pay for their end.
        #expect(most.kept <= 8)
        #expect(most.exchanges <= 20)
    }

    @Test(
        "a connection with very many exchanges keeps those of its last seconds", arguments: [nil, TLSSuite.aes128GCM13])
    func longConnection(suite: TLSSuite?) {
        var talk = HTTP2Talk(suite)
        talk.talk.talk.interval = 5_000_000
        for number in 0..<3000 { talk.exchange(2 * number + 1) }
        for policy in [SetupPolicy.first, .separate] {
            var audit = WatchedAudit(frames: talk.talk.talk.frames, keys: talk.talk.peers?.keyLog ?? "")
            audit.options.setup = policy
            audit.transcribes = false
            var (due, exchanges) = (0, 0)
            let capture = audit.run { auditor, _ in
                due = max(due, auditor.sum { $0.streams.timers.count })
                exchanges = max(exchanges, auditor.most { $0.streams.exchanges.count })
            }
            .capture
            #expect(capture.contradictions == [])
            #expect(capture.exchanges.count == 3000)
            // An exchange takes 15 ms, and stays for 2 s and two steps at most.
            #expect(due <= 180 && due >= 100)
            #expect(exchanges <= 180)
        }
    }

    @Test("clocks that go to and fro with every packet keep the books as small as those of a steady clock")
    func unsteady() {
        let far: [Int64] = [0, 3_600_000_000_000, -86_400_000_000_000, 20_000_000_000, 1 << 61]
        for jump in far {
            var talk = Dialogue()
            talk.handshake()
            for _ in 0..<3000 { talk.exchange() }
            for index in talk.frames.indices where index % 2 == 1 { talk.frames[index].time += jump }
            var audit = WatchedAudit(frames: talk.frames)
            audit.options.idleLimit = .max
            audit.transcribes = false
            var (due, exchanges) = (0, 0)
            let capture = audit.run { auditor, _ in
                due = max(due, auditor.sum { $0.streams.timers.count })
                exchanges = max(exchanges, auditor.most { $0.streams.exchanges.count })
            }
            .capture
            #expect(capture.contradictions == [], "jump \(jump)")
            #expect(capture.exchanges.count == 3000, "jump \(jump)")
            // 3 ms for each.
            #expect(due <= 1600 && exchanges <= 1600, "jump \(jump): \(due), \(exchanges)")
        }
    }
}
