import Testing
import WireAccuracy
import WireTesting

@Suite("Log rows matched to exchanges")
struct LogMatchingTests {
    /// Scenes with calls of one API at least 12 ms apart, but for bursts, which stand in other tests.
    static let scenes: [(name: String, options: SceneOptions)] = [
        ("as it should be", SceneOptions { $0.burstIn = 1 << 30 }),
        ("3 s, 200 ppm, 5 % lost, 5 % twice, shuffled", harsh()),
        ("an hour behind", harsh { $0.offset = -3_600_000_000_000 }),
        ("three years ahead", harsh { $0.offset = 94_608_000_000_000_000 }),
        (
            "300 ppm over hours",
            harsh {
                $0.drift = -300
                $0.meanGap = 20_000_000_000
            }
        ),
        (
            "foreign hosts and uncaptured exchanges",
            harsh {
                $0.foreign = 200
                $0.uncaptured = 100
            }
        ),
        ("the capture is a part of the log", harsh { $0.captured = 30..<70 }),
        ("the log is a part of the capture", harsh { $0.logged = 20..<60 }),
        ("one row for both directions", harsh { $0.wholeExchanges = true }),
        ("rows with method, status and port", harsh { $0.detailed = true }),
        ("calls that the SDK does not see", harsh { $0.unseen = 100 }),
    ]

    private static func harsh(_ change: (inout SceneOptions) -> Void = { _ in }) -> SceneOptions {
        SceneOptions {
            $0.burstIn = 1 << 30
            $0.offset = 3_000_000_000
            $0.drift = 200
            $0.lost = 50
            $0.duplicated = 50
            $0.shuffled = true
            change(&$0)
        }
    }

    @Test("every pair that exists is found, and no other", arguments: scenes.indices, 1...2 as ClosedRange<UInt64>)
    func pairs(index: Int, seed: UInt64) {
        let (name, options) = Self.scenes[index]
        let scene = LogScene(options, seed: seed)
        let matching = LogMatcher.match(scene.log, scene.calls)
        let score = SceneScore(scene, matching)
        #expect(score.existing > 100, "\(name), seed \(seed)")
        #expect(score.found == score.existing, "\(name), seed \(seed): \(score)")
        #expect(score.wrong == 0, "\(name), seed \(seed): \(score)")
        #expect(score.wrongDuplicates == 0, "\(name), seed \(seed): \(score)")
    }

    @Test("it is one to one, and both sides of the result agree", arguments: 1...6 as ClosedRange<UInt64>)
    func oneToOne(seed: UInt64) {
        let scene = LogScene(Self.harsh { $0.burstIn = 3 }, seed: seed)
        let matching = LogMatcher.match(scene.log, scene.calls)
        for rows in [matching.requestRows, matching.responseRows] {
            let used = rows.filter { $0 >= 0 }
            #expect(Set(used).count == used.count, "seed \(seed)")
            for (exchange, row) in rows.enumerated() where row >= 0 {
                #expect(matching.exchanges[Int(row)] == Int32(exchange), "seed \(seed)")
            }
        }
        for (row, exchange) in matching.exchanges.enumerated() {
            let isMatched = matching.fates[row] == .matched || matching.fates[row] == .ambiguous
            #expect((exchange >= 0) == isMatched, "seed \(seed), row \(row)")
        }
    }

    @Test("in bursts closer than the jitter hardly a pair is wrong without being called ambiguous")
    func bursts() {
        var (wrong, rows) = (0, 0)
        for seed in 1...8 as ClosedRange<UInt64> {
            let scene = LogScene(
                Self.harsh {
                    $0.burstIn = 3
                    $0.spacing = 500_000
                }, seed: seed)
            let matching = LogMatcher.match(scene.log, scene.calls)
            rows += scene.truth.count
            for (row, truth) in scene.truth.enumerated() where matching.exchanges[row] >= 0 {
                if matching.exchanges[row] != truth, matching.fates[row] == .matched { wrong += 1 }
            }
        }
        #expect(wrong * 100 <= rows, "\(wrong) of \(rows) rows, seeds 1 to 8")
    }

    @Test("equal clocks win where polling fits at many offsets")
    func polling() {
        var log = SDKLog(path: "poll", format: .dmNDJSON, pathForm: .decoded)
        log.timeResolution = 1
        let (host, path) = (log.texts.number(Array("api".utf8)), log.texts.number(Array("/poll".utf8)))
        var random = SeededRandom(seed: 4)
        var calls: [WireCall] = []
        for index in -50..<150 {
            let time = 1_795_000_000_000_000_000 + Int64(index) * 2_000_000_000
            var row = LogRow(kind: .request, number: log.rows.count + 1)
            (row.host, row.path) = (host, path)
            row.time = time - Int64(random.below(2_000_000))
            log.rows.append(row)
            guard (0..<100).contains(index) else { continue }
            calls.append(
                WireCall(
                    number: calls.count, host: host, path: path, method: -1, status: 200, clientPort: 0, serverPort: 80,
                    start: time, end: time + 30_000_000))
        }
        let matching = LogMatcher.match(log, calls)
        #expect(matching.clock.offset.magnitude < 5_000_000)
        for (row, exchange) in matching.exchanges.enumerated() where exchange >= 0 {
            #expect(Int(exchange) == row - 50)
        }
        #expect(matching.exchanges.count { $0 >= 0 } == 100)
    }

    @Test("a log written within moments has an offset too", arguments: [3_000_000_000, -12_500_000_000] as [Int64])
    func moments(offset: Int64) {
        var log = SDKLog(path: "moment", format: .dmNDJSON, pathForm: .decoded)
        log.timeResolution = 1
        var random = SeededRandom(seed: 11)
        var calls: [WireCall] = []
        let host = log.texts.number(Array("api".utf8))
        for index in 0..<16 {
            let path = log.texts.number(Array("/\(index)".utf8))
            let start = 1_795_000_000_000_000_000 + Int64(index) * 1_500_000
            calls.append(
                WireCall(
                    number: index, host: host, path: path, method: -1, status: 200, clientPort: 0, serverPort: 80,
                    start: start, end: start + 1_000_000))
            for kind in [LogRow.Kind.request, .response] {
                var row = LogRow(kind: kind, number: log.rows.count + 1)
                (row.host, row.path) = (host, path)
                row.time = offset + (kind == .request ? start : start + 1_000_000) + Int64(random.below(1_500_000))
                log.rows.append(row)
            }
        }
        let matching = LogMatcher.match(log, calls)
        #expect(abs(matching.clock.offset - offset) < 3_000_000)
        #expect(matching.exchanges == log.rows.indices.map { Int32($0 / 2) })
    }

    @Test("rows without times are certain only where their order is confirmed")
    func untimed() {
        let ordered = LogScene(SceneOptions { $0.burstIn = 1 << 30 }, seed: 5)
        func matching(shuffled: Bool) -> LogMatching {
            var log = ordered.log
            log.timeResolution = 0
            for index in log.rows.indices { (log.rows[index].time, log.rows[index].end) = (.min, .min) }
            var random = SeededRandom(seed: 6)
            if shuffled { log.rows.shuffle(using: &random) }
            return LogMatcher.match(log, ordered.calls)
        }
        #expect(matching(shuffled: false).fates.count { $0 == .matched } > ordered.log.rows.count / 2)
        #expect(matching(shuffled: true).fates.count { $0 == .matched } < ordered.log.rows.count / 10)
    }

    @Test("times at the ends of their range, and rows that know nothing, trap nothing")
    func absurd() {
        let scene = LogScene(SceneOptions { $0.calls = 60 }, seed: 8)
        for times: [Int64] in [[.min, .max], [.max], [.min + 1], [0], [-1, 1]] {
            var log = scene.log
            for index in log.rows.indices {
                log.rows[index].time = times[index % times.count]
                log.rows[index].end = times[(index + 1) % times.count]
            }
            let matching = LogMatcher.match(log, scene.calls)
            #expect(matching.fates.count == log.rows.count)
        }
        var bare = SDKLog(path: "bare", format: .cfnetwork, pathForm: .encodedWithQuery)
        bare.rows = (1...50).map { LogRow(kind: .exchange, number: $0) }
        #expect(LogMatcher.match(bare, scene.calls).exchanges.count == 50)
        #expect(LogMatcher.match(bare, []).exchanges.allSatisfy { $0 == -1 })
        #expect(LogMatcher.match(SDKLog(path: "", format: .har, pathForm: .encoded), scene.calls).fates.isEmpty)
    }
}
