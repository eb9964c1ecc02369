import Testing
import WireTesting

@testable import WireJoin
@testable import WireLogs

@Suite("Matching of logs that make no sense")
struct SenselessLogTests {
    @Test("never traps, and gives each row a fate and each exchange at most one row")
    func anything() {
        let times: [Int64] = [
            .min, .min + 1, .min / 2, -1, 0, 1, .max / 2, .max - 1, .max, 1_790_000_000_000_000_000,
            1_790_000_000_500_000_000, 1_790_000_001_000_000_000,
        ]
        for seed in 1...120 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var log = SDKLog(path: "log", format: .har, pathForm: .decoded)
            log.timeResolution = random.element([0, 1, 1_000_000, 1_000_000_000, .max, -5])
            let calls = (0..<random.below(30)).map { number in
                WireCall(
                    number: random.oneIn(20) ? random.element([-1, Int.max, 0]) : number,
                    host: Int32(random.below(3)) - 1, path: Int32(random.below(3)) - 1,
                    method: Int32(random.below(2)) - 1, status: random.element([0, 200, 304]),
                    clientPort: UInt16(random.below(3)), serverPort: 0, start: random.element(times),
                    end: random.element(times))
            }
            for number in 0..<random.below(40) {
                var row = LogRow(kind: random.element([.request, .response, .exchange]), number: number)
                (row.host, row.path) = (Int32(random.below(3)) - 1, Int32(random.below(3)) - 1)
                (row.method, row.status) = (Int32(random.below(2)) - 1, random.element([0, 200, 304]))
                (row.time, row.end) = (random.element(times), random.element(times))
                log.rows.append(row)
            }
            let matching = LogMatcher.match(log, calls)
            #expect(matching.fates.count == log.rows.count && matching.requestRows.count == calls.count)
            for rows in [matching.requestRows, matching.responseRows] {
                let made = rows.filter { $0 >= 0 }
                #expect(Set(made).count == made.count, "seed \(seed)")
                for (number, row) in rows.enumerated() where row >= 0 {
                    #expect(matching.exchanges[Int(row)] == Int32(number), "seed \(seed)")
                }
            }
            for (row, number) in matching.exchanges.enumerated() {
                #expect(number < 0 || [.matched, .ambiguous].contains(matching.fates[row]), "seed \(seed)")
                #expect(number >= 0 || matching.fates[row] != .matched, "seed \(seed)")
            }
        }
    }

    /// Logs whose work is the hardest.
    enum Shape: CaseIterable { case manyAPIs, oneAPI, oneMoment, equalRows, noFit, untimed, everyCallItsOwnAPI }

    @Test("takes work that grows with n log n", arguments: Shape.allCases)
    func growth(shape: Shape) {
        let work = [2000, 16_000].map { count -> Double in
            var scene = LogScene(
                SceneOptions {
                    ($0.calls, $0.shuffled, $0.offset, $0.meanGap) = (count / 2, true, 3_000_000_000, 60_000_000)
                    ($0.lost, $0.duplicated, $0.apis) = (50, 50, shape == .oneAPI ? 1 : 40)
                    if shape == .everyCallItsOwnAPI { $0.apis = count }
                }, seed: 3)
            scene.change { log, calls in SenselessLogTests.deform(shape, &log, &calls) }
            return Double(LogMatcher.counted(scene.log, scene.calls).work.total)
        }
        // Eight times as many rows. The search for the clock has a part that depends on the pattern, but has a bound.
        #expect(work[1] <= 8 * 1.5 * max(work[0], 500_000), "\(shape): \(work)")
        #expect(work[1] <= 16_000 * 14 * 40, "\(shape): \(work)")
    }

    private static func deform(_ shape: Shape, _ log: inout SDKLog, _ calls: inout [WireCall]) {
        for index in log.rows.indices {
            switch shape {
            case .manyAPIs, .oneAPI, .everyCallItsOwnAPI: break
            case .oneMoment: log.rows[index].time = 1_790_000_000_000_000_000
            case .equalRows:
                let number = log.rows[index].number
                log.rows[index] = log.rows[0]
                log.rows[index].number = number
            case .noFit: log.rows[index].time = 1_690_000_000_000_000_000 + Int64(index % 7919) * 1_000_003_337
            case .untimed: log.rows[index].time = .min
            }
        }
        guard shape == .oneMoment else { return }
        for index in calls.indices {
            (calls[index].start, calls[index].end) = (1_790_000_000_000_000_000, 1_790_000_000_000_000_000)
        }
    }
}
