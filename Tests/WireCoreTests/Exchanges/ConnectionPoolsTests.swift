import Testing
import WireTesting

@testable import WireCore

@Suite("Which connections were needed")
struct ConnectionPoolsTests {
    /// A use of a connection, in seconds.
    struct Use: Sendable {
        var begin: Double
        var end: Double
        var kind = ConnectionUse.Kind.sequential
        var isSpent = false
        var client: UInt32 = 1
        var host = 0
        var port: UInt16 = 443
        /// Pauses between its calls.
        var pauses: [(begin: Double, end: Double)] = []
        var helloKey: UInt16 = 0

        /// When calls went on.
        fileprivate var spans: [(Double, Double)] {
            Array(zip([begin] + pauses.map(\.end), pauses.map(\.begin) + [end]))
        }

        fileprivate var times: CallTimes {
            var times = CallTimes()
            guard !pauses.isEmpty else { return times }
            for (from, to) in spans { times.add(CallTime(begin: Use.nanoseconds(from), end: Use.nanoseconds(to))) }
            return times
        }

        fileprivate static func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000_000) }
    }

    /// Whether each was needed, in the order given.
    private func judge(_ uses: [Use], limit: Int = 1000, window: Int = 1024) -> [Bool] {
        verdicts(uses, limit: limit, window: window).map { $0 != .needless }
    }

    private func verdicts(_ uses: [Use], limit: Int = 1000, window: Int = 1024) -> [ConnectionPools.Verdict] {
        var pools = ConnectionPools(limit: limit, window: window)
        var found = [ConnectionPools.Verdict](repeating: .needless, count: uses.count)
        func settle(all: Bool) {
            let count = pools.prepare(all: all)
            for place in 0..<count { found[pools.waiting[place].number] = pools.judge(at: place) }
            pools.removeFirst(count)
        }
        // Connections come when they end.
        for number in uses.indices.sorted(by: { (uses[$0].end, $0) < (uses[$1].end, $1) }) {
            let one = uses[number]
            var use = ConnectionUse(
                kind: one.kind, begin: Use.nanoseconds(one.begin), end: Use.nanoseconds(one.end), isSpent: one.isSpent,
                cost: 1)
            use.helloKey = one.helloKey
            if pools.isFull { settle(all: false) }
            pools.add(
                ConnectionPools.Member(
                    use: use, client: IPAddress(version4: one.client), host: one.host, port: one.port, isSecure: true,
                    isQUIC: false, number: number, ordinal: number, finding: FindingPlace()))
            pools.add(one.times, ofLatest: number)
        }
        settle(all: true)
        return found
    }

    private static let cases: [(name: String, uses: [Use], needed: [Bool])] = [
        ("one after another", (0..<3).map { Use(begin: Double($0), end: Double($0) + 0.5) }, [true, false, false]),
        ("at one time", (0..<3).map { Use(begin: Double($0), end: 9) }, [true, true, true]),
        (
            "on HTTP/2 at one time", (0..<3).map { Use(begin: Double($0), end: 9, kind: .multiplexed) },
            [true, false, false]
        ),
        ("idle for 60 s", [Use(begin: 0, end: 1), Use(begin: 61, end: 62)], [true, false]),
        ("idle for longer", [Use(begin: 0, end: 1), Use(begin: 61.1, end: 62)], [true, true]),
        (
            "HTTP/2 idle for longer",
            [Use(begin: 0, end: 1, kind: .multiplexed), Use(begin: 61.1, end: 62, kind: .multiplexed)], [true, true]
        ),
        (
            "an hour apart", (0..<4).map { Use(begin: Double($0) * 3600, end: Double($0) * 3600 + 1) },
            [true, true, true, true]
        ),
        (
            "of other clients", (0..<3).map { Use(begin: Double($0), end: Double($0) + 0.5, client: UInt32($0)) },
            [true, true, true]
        ),
        (
            "to other hosts at one address", (0..<3).map { Use(begin: Double($0), end: Double($0) + 0.5, host: $0) },
            [true, true, true]
        ),
        ("to other ports", [Use(begin: 0, end: 1), Use(begin: 2, end: 3, port: 8443)], [true, true]),
        ("behind one that is spent", [Use(begin: 0, end: 1, isSpent: true), Use(begin: 2, end: 3)], [true, true]),
        ("one that will be spent", [Use(begin: 0, end: 1), Use(begin: 2, end: 3, isSpent: true)], [true, true]),
        ("of HTTP/1 and HTTP/2", [Use(begin: 0, end: 1), Use(begin: 2, end: 3, kind: .multiplexed)], [true, true]),
        (
            "two pairs, the later two on the earlier two",
            [Use(begin: 0, end: 2), Use(begin: 1, end: 3), Use(begin: 4, end: 6), Use(begin: 5, end: 7)],
            [true, true, false, false]
        ),
        (
            "a long one that ends last, and short ones beside it",
            [Use(begin: 0, end: 9), Use(begin: 1, end: 2), Use(begin: 3, end: 4)], [true, true, false]
        ),
        ("in a pause", [Use(begin: 0, end: 61, pauses: [(1, 60)]), Use(begin: 30, end: 31)], [true, false]),
        (
            "in a pause, into the next call",
            [Use(begin: 0, end: 61, pauses: [(1, 60)]), Use(begin: 30, end: 60.5)], [true, true]
        ),
        (
            "in a long pause, in which it stayed open",
            [Use(begin: 0, end: 201, pauses: [(1, 200)]), Use(begin: 62, end: 63)], [true, false]
        ),
        (
            "behind the last call for too long",
            [Use(begin: 0, end: 30, pauses: [(1, 29)]), Use(begin: 91, end: 92)], [true, true]
        ),
        (
            "two in one pause, at one time",
            [Use(begin: 0, end: 61, pauses: [(1, 60)]), Use(begin: 30, end: 32), Use(begin: 31, end: 33)],
            [true, false, true]
        ),
        (
            "calls in turn with those of another",
            [Use(begin: 0, end: 9, pauses: [(1, 4), (5, 8)]), Use(begin: 2, end: 7, pauses: [(3, 6)])], [true, false]
        ),
        (
            "calls on two others, which have pauses at other times",
            [
                Use(begin: 0, end: 20, pauses: [(2, 10)]), Use(begin: 1, end: 20, pauses: [(11, 18)]),
                Use(begin: 4, end: 14, pauses: [(5, 13)]),
            ], [true, true, false]
        ),
        (
            "calls of which one finds none idle",
            [
                Use(begin: 0, end: 20, pauses: [(2, 10)]), Use(begin: 1, end: 20),
                Use(begin: 4, end: 14, pauses: [(5, 13)]),
            ], [true, true, true]
        ),
        (
            "pauses that one fills are not there for another",
            [
                Use(begin: 0, end: 9, pauses: [(1, 8)]), Use(begin: 2, end: 7, pauses: [(3, 6)]),
                Use(begin: 4, end: 6.5),
            ], [true, false, true]
        ),
        (
            "behind one without pauses, and then in the pauses that it gets",
            [
                Use(begin: 0, end: 1), Use(begin: 2, end: 9, pauses: [(3, 8)]), Use(begin: 4, end: 5),
                Use(begin: 8.5, end: 10),
            ], [true, false, false, true]
        ),
        (
            "not read, hellos encrypted with one key",
            (0..<3).map { Use(begin: Double($0), end: Double($0) + 0.5, kind: .unread, helloKey: 8) },
            [true, true, true]
        ),
        (
            "not read, numbers at random",
            (0..<3).map { Use(begin: Double($0), end: Double($0) + 0.5, kind: .unread, helloKey: 8 + UInt16($0)) },
            [true, false, false]
        ),
        (
            "not read, hellos encrypted with two keys in turn",
            (0..<6).map { Use(begin: Double($0), end: Double($0) + 0.5, kind: .unread, helloKey: 8 + UInt16($0 % 2)) },
            [true, true, true, true, true, true]
        ),
        (
            "not read, hellos encrypted with one key and later with another",
            (0..<6).map { Use(begin: Double($0), end: Double($0) + 0.5, kind: .unread, helloKey: 8 + UInt16($0 / 3)) },
            [true, true, true, true, true, true]
        ),
        (
            "not read, numbers at random of which one comes again",
            [7, 80, 3, 200, 7, 91, 12].enumerated().map {
                Use(begin: Double($0), end: Double($0) + 0.5, kind: .unread, helloKey: $1)
            }, [true, false, false, false, false, false, false]
        ),
        (
            "of HTTP/2 with few calls at one time", (0..<3).map { Use(begin: Double($0), end: 9, kind: .limited) },
            [true, true, true]
        ),
        (
            "of HTTP/2 with few calls at one time, in a pause",
            [Use(begin: 0, end: 61, kind: .limited, pauses: [(1, 60)]), Use(begin: 30, end: 31, kind: .limited)],
            [true, false]
        ),
    ]

    @Test(
        "times of calls are the same in whatever order they come; what follows without a pause is one",
        arguments: [
            ([0, 10, 20], [0, 10, 20]), ([10, 20, 0], [0, 10, 20]), ([10, 0], [0, 10]), ([0, 20, 10], [0, 10, 20]),
            ([0, 1, 9], [0, 9]), ([1, 9, 0], [0, 9]), ([0], [0]), ([0, 2, 4, 1, 3], [0]), ([4, 2, 0, 3], [0, 2]),
        ] as [([Int64], [Int64])])
    func order(begins: [Int64], kept: [Int64]) {
        let second: Int64 = 1_000_000_000
        var times = CallTimes()
        for begin in begins { times.add(CallTime(begin: begin * second, end: (begin + 1) * second)) }
        #expect(times.list.map { $0.begin / second } == kept)
        #expect(times.list.last?.end == ((begins.max() ?? 0) + 1) * second)
    }

    @Test(
        "with pauses at least as many are needed as calls went on at one time", arguments: 1...12 as ClosedRange<UInt64>
    )
    func randomPauses(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let uses = (0..<200).map { _ -> Use in
            var use = Use(begin: Double(random.below(60_000)) / 1000, end: 0)
            var time = use.begin + 0.1
            for _ in 0..<random.below(6) {
                let end = time + 0.02 + Double(random.below(2000)) / 1000
                use.pauses.append((time, end))
                time = end + 0.1
            }
            use.end = time
            return use
        }
        let calls = uses.flatMap(\.spans)
        let most = calls.map { one in calls.count { $0.0 <= one.0 && one.0 < $0.1 } }.max() ?? 0
        let withPauses = judge(uses)
        let without = judge(
            uses.map {
                var use = $0
                use.pauses = []
                return use
            })
        #expect(withPauses.count { $0 } >= most && withPauses.count { $0 } < without.count { $0 })
    }

    @Test("one is needless where an earlier one of the same client to the same host was idle", arguments: cases.indices)
    func verdicts(index: Int) {
        let example = Self.cases[index]
        #expect(judge(example.uses) == example.needed, "\(example.name)")
    }

    @Test("as many are needed as were in use at one time", arguments: 1...12 as ClosedRange<UInt64>)
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let uses = (0..<900).map { _ in
            let begin = Double(random.below(60_000)) / 1000
            return Use(begin: begin, end: begin + Double(random.below(400)) / 1000, client: UInt32(random.below(3)))
        }
        var most = 0
        for client in 0..<3 as Range<UInt32> {
            let own = uses.filter { $0.client == client }
            most +=
                own.map { one in own.count { $0.begin <= one.begin && (one.begin < $0.end || $0.begin == one.begin) } }
                .max() ?? 0
        }
        let needed = judge(uses).count { $0 }
        // Uses of no length may share a moment.
        #expect(needed <= most && needed >= most - 3)
    }

    @Test("of more connections than wait, the same is told; one that ends later than they wait counts as needed")
    func late() {
        let short = (0..<5000).map { Use(begin: Double($0), end: Double($0) + 0.5) }
        #expect(judge(short).count { $0 } == 1)
        let verdicts = verdicts([Use(begin: 0.2, end: 9999)] + short)
        #expect(verdicts.count { $0 == .needed } == 1 && verdicts[0] == .undecided(.reuseLimit))
    }

    @Test("a longer window knows that pauses of a connection which ends late had room for others")
    func window() {
        let short = (0..<3000).map { Use(begin: Double($0), end: Double($0) + 0.5, host: 1 + $0) }
        var asking = Use(begin: 0, end: 3001)
        for second in stride(from: 0.0, to: 3000, by: 30) { asking.pauses.append((second + 1, second + 30)) }
        let others = stride(from: 15.0, to: 2700, by: 300).map { Use(begin: $0, end: $0 + 1) }
        #expect(judge([asking] + others + short, limit: 9000, window: 4096)[..<10].count { $0 } == 1)
        // Beyond it nothing is said to be savable that may not be.
        #expect(judge([asking] + others + short, limit: 9000, window: 256)[..<10].allSatisfy { $0 })
    }

    @Test("more pauses than are remembered are taken for none")
    func pauses() {
        var times = CallTimes()
        for second in stride(from: Int64(0), to: 5000, by: 1) {
            let begin = second * 1_000_000_000
            times.add(CallTime(begin: begin, end: begin + 1000))
        }
        #expect(times.isFull && times.list.count == CallTimes.most)
        #expect(times.list.last == CallTime(begin: 4095_000_000_000, end: 4999_000_001_000))
        #expect(zip(times.list, times.list.dropFirst()).allSatisfy { $0.end < $1.begin })
    }

    @Test("of as many connections with pauses as are remembered, others find all idle")
    func manyKept() {
        let begins = (0..<400).map { Double($0) / 10_000 }
        let kept = begins[..<200].map { Use(begin: $0, end: 71, pauses: [(1, 30), (31, 70)]) }
        let later = begins[..<200].map { Use(begin: 50 + $0, end: 51) }
        let found = judge(kept + later)
        #expect(found[..<200].allSatisfy { $0 } && !found[200...].contains(true))
        let endless = verdicts(begins.map { Use(begin: $0, end: 71, pauses: [(1, 30)]) })
        #expect(endless[..<256].allSatisfy { $0 == .needed })
        #expect(endless[256...].allSatisfy { $0 == .undecided(.reuseLimit) })
    }

    @Test("endless connections at one time are all needed; those remembered of them are bounded")
    func crowded() {
        let uses = (0..<30_000).map { Use(begin: Double($0) / 1000, end: 100) }
        #expect(judge(uses).allSatisfy { $0 })
        let later = (0..<30_000).map { Use(begin: 101 + Double($0) / 1000, end: 200) }
        #expect(judge(uses + later).count { !$0 } == 256)
    }

    @Test("clients beyond the limit need all their connections")
    func limit() {
        let uses = (0..<8).map { Use(begin: Double($0), end: Double($0) + 0.5, client: UInt32($0 % 4)) }
        #expect(judge(uses, limit: 2).count { $0 } == 6)
    }
}
