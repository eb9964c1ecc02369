import Testing
import WireJoin
import WireLogs
import WireTesting

@Suite("Log rows matched to exchanges")
struct LogMatchingTests {
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
            // An ambiguous row may have no likeliest exchange.
            #expect(exchange < 0 || isMatched, "seed \(seed), row \(row)")
            #expect(exchange >= 0 || matching.fates[row] != .matched, "seed \(seed), row \(row)")
        }
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
