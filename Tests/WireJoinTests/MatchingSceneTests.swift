import Testing
import WireTesting

@testable import WireJoin
@testable import WireLogs

/// Scenes in which calls of one API are farther apart than rows scatter, so that every pair can be known.
enum KnowableScene: String, CaseIterable, Sendable {
    case plain, threeSeconds, foreignHosts, anHour, threeYears, minusFortyYears, aDay, oneAPI, oneAPIThreeYears, dense
    case wholeExchanges, exchangesInMilliseconds, exchangesInSeconds, pairsInMilliseconds, late, uncaptured
    case captureIsPart, logIsPart, overlap, sparse, bursts, fewAreLogged, few, tiny

    private static let year: Int64 = 365 * 86_400_000_000_000

    /// 3 s, 200 ppm, 5 % of rows lost, 5 % duplicated, shuffled.
    private static func harsh(_ change: (inout SceneOptions) -> Void) -> SceneOptions {
        SceneOptions {
            $0.offset = 3_000_000_000
            $0.drift = 200
            $0.lost = 50
            $0.duplicated = 50
            $0.shuffled = true
            change(&$0)
        }
    }

    var options: SceneOptions {
        switch self {
        case .plain: SceneOptions()
        case .threeSeconds: Self.harsh { _ in }
        case .foreignHosts: Self.harsh { ($0.offset, $0.drift, $0.foreign) = (-3_000_000_000, -300, 150) }
        case .anHour: Self.harsh { $0.offset = 3_600_000_000_000 }
        case .threeYears: Self.harsh { ($0.offset, $0.drift) = (3 * Self.year, 300) }
        case .minusFortyYears: Self.harsh { ($0.offset, $0.drift) = (-40 * Self.year, -300) }
        case .aDay: Self.harsh { ($0.drift, $0.meanGap, $0.calls) = (300, 120_000_000_000, 800) }
        case .oneAPI: Self.harsh { $0.apis = 1 }
        case .oneAPIThreeYears: Self.harsh { ($0.apis, $0.offset) = (1, 3 * Self.year) }
        case .dense: Self.harsh { ($0.apis, $0.calls, $0.meanGap) = (50, 2000, 5_000_000) }
        case .wholeExchanges: Self.harsh { ($0.wholeExchanges, $0.detailed) = (true, true) }
        case .exchangesInMilliseconds: Self.harsh { ($0.wholeExchanges, $0.resolution) = (true, 1_000_000) }
        case .exchangesInSeconds:
            Self.harsh {
                ($0.wholeExchanges, $0.resolution) = (true, 1_000_000_000)
                ($0.spacing, $0.meanGap) = (2_500_000_000, 1_000_000_000)
            }
        case .pairsInMilliseconds: Self.harsh { ($0.resolution, $0.detailed) = (1_000_000, true) }
        case .late: Self.harsh { ($0.lag, $0.spacing) = (100_000_000, 250_000_000) }
        case .uncaptured: Self.harsh { ($0.uncaptured, $0.unseen, $0.spacing) = (100, 100, 30_000_000) }
        case .captureIsPart: Self.harsh { ($0.captured, $0.calls) = (40..<55, 1000) }
        case .logIsPart: Self.harsh { ($0.logged, $0.calls, $0.offset) = (40..<55, 1000, Self.year) }
        case .overlap:
            Self.harsh { ($0.logged, $0.captured, $0.calls, $0.offset) = (0..<60, 40..<100, 1000, 3_600_000_000_000) }
        case .sparse: Self.harsh { ($0.calls, $0.meanGap, $0.drift) = (30, 2_000_000_000_000, 300) }
        case .bursts: Self.harsh { ($0.burstIn, $0.meanGap, $0.drift) = (1, 900_000_000_000, -300) }
        case .fewAreLogged: Self.harsh { ($0.unseen, $0.calls) = (800, 1000) }
        case .few: Self.harsh { $0.calls = 8 }
        case .tiny: SceneOptions { ($0.offset, $0.calls, $0.shuffled) = (3_000_000_000, 3, true) }
        }
    }
}

@Suite("Matching of a log with a capture")
struct MatchingSceneTests {
    @Test("finds every pair that exists and no other", arguments: KnowableScene.allCases)
    func exact(scene: KnowableScene) {
        for seed in 1...2 as ClosedRange<UInt64> {
            let made = LogScene(scene.options, seed: seed)
            let score = SceneScore(made, LogMatcher.match(made.log, made.calls))
            #expect(score.found == score.existing && score.wrong == 0, "\(scene), seed \(seed): \(score)")
            #expect(score.wrongDuplicates == 0, "\(scene), seed \(seed): \(score)")
            // Where rows are late, or rows and exchanges lack each other, another assignment may come near.
            let mayBeAmbiguous = scene == .late || scene == .uncaptured
            #expect(score.ambiguous <= (mayBeAmbiguous ? 2 : 0), "\(scene), seed \(seed): \(score)")
            #expect(score.existing > 0)
        }
    }

    @Test("tells the clock's offset and drift")
    func clock() {
        for (offset, drift) in [(0, 0), (3_000_000_000, 200), (-2_500_000_000, -300), (94_608_000_000_000_000, 150)] {
            let options = SceneOptions {
                ($0.offset, $0.drift, $0.calls) = (Int64(offset), Double(drift), 1000)
                ($0.lost, $0.duplicated, $0.shuffled) = (50, 50, true)
            }
            for seed in 1...3 as ClosedRange<UInt64> {
                let made = LogScene(options, seed: seed)
                let clock = LogMatcher.match(made.log, made.calls).clock
                #expect(abs(clock.offset - Int64(offset)) < 2_000_000, "seed \(seed): \(clock)")
                #expect(abs(clock.drift - Double(drift)) < 8, "seed \(seed): \(clock)")
                #expect(clock.pairs > 300 && clock.spread < 1_500_000, "seed \(seed): \(clock)")
                #expect(clock.origin == made.calls.first?.start)
            }
        }
    }

    @Test("says of pairs that may be wrong that they are ambiguous: in bursts closer than rows scatter")
    func bursts() {
        var (pairs, wrong, ambiguous, wrongButAmbiguous) = (0, 0, 0, 0)
        for seed in 1...12 as ClosedRange<UInt64> {
            let options = SceneOptions {
                ($0.offset, $0.drift, $0.spacing, $0.apis) = (3_000_000_000, 200, 0, 4)
                ($0.lost, $0.duplicated, $0.shuffled) = (50, 50, true)
            }
            let made = LogScene(options, seed: seed)
            let score = SceneScore(made, LogMatcher.match(made.log, made.calls))
            pairs += score.existing
            wrong += score.wrong
            ambiguous += score.ambiguous
            wrongButAmbiguous += score.wrongButAmbiguous
        }
        #expect(wrong * 2000 <= pairs, "\(wrong) of \(pairs)")
        #expect(ambiguous * 10 < pairs, "\(ambiguous) of \(pairs)")
        #expect(wrongButAmbiguous * 5 > ambiguous, "too much is called ambiguous")
    }

    @Test("finds rows that are far later than most, where nothing else fits")
    func stragglers() {
        var (found, existing, wrong) = (0, 0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            let options = SceneOptions {
                ($0.late, $0.spacing, $0.calls, $0.shuffled) = (50, 20_000_000, 1500, true)
                ($0.offset, $0.drift, $0.lost, $0.duplicated) = (3_000_000_000, 200, 50, 50)
            }
            let made = LogScene(options, seed: seed)
            let score = SceneScore(made, LogMatcher.match(made.log, made.calls))
            found += score.found
            existing += score.existing
            wrong += score.wrong
        }
        #expect(found * 100 >= existing * 98, "\(found) of \(existing)")
        #expect(wrong * 1000 <= existing, "\(wrong) of \(existing)")
    }

    @Test("sees that a log and a capture have nothing to do with each other", arguments: [1, 12])
    func unrelated(apis: Int) {
        for seed in 1...6 as ClosedRange<UInt64> {
            let options = SceneOptions { $0.apis = apis }
            let (log, other) = (LogScene(options, seed: seed).log, LogScene(options, seed: seed + 1000))
            let calls = other.calls.map { call in
                var call = call
                call.host = log.texts.find(other.log.texts[call.host]) ?? -1
                call.path = log.texts.find(other.log.texts[call.path]) ?? -1
                return call
            }
            let matching = LogMatcher.match(log, calls)
            #expect(matching.clock.pairs == 0, "seed \(seed): \(matching.clock)")
            #expect(matching.exchanges.count { $0 >= 0 } * 20 < log.rows.count, "seed \(seed)")
        }
    }

    @Test("finds clockwork calls by where the log begins and ends", arguments: [(10, 300), (100, 300), (1000, 80)])
    func clockwork(period: Int64, calls: Int) {
        for offset in [0, 3_000_000_000, -1_234_567_890] as [Int64] {
            let scene = ClockworkScene(calls: calls, period: period * 1_000_000, offset: offset)
            let matching = LogMatcher.match(scene.log, scene.calls)
            #expect(matching.exchanges == scene.truth, "offset \(offset), period \(period)")
        }
    }
}

/// Calls of one API at equal distances.
struct ClockworkScene {
    var log = SDKLog(path: "log", format: .dmCSV, pathForm: .decoded)
    var calls: [WireCall] = []
    var truth: [Int32] = []

    init(calls count: Int, period: Int64, offset: Int64) {
        log.timeResolution = 1
        let host = log.texts.number([0x68])
        for number in 0..<count {
            let start = 1_790_000_000_000_000_000 + Int64(number) * period
            calls.append(
                WireCall(
                    number: number, host: host, path: host, method: -1, status: 200, clientPort: 0, serverPort: 0,
                    start: start, end: start + period / 2))
            for kind in [LogRow.Kind.request, .response] {
                var row = LogRow(kind: kind, number: log.rows.count + 1)
                (row.host, row.path) = (host, host)
                row.time = offset + (kind == .request ? start : start + period / 2)
                row.up.total = number
                log.rows.append(row)
                truth.append(Int32(number))
            }
        }
    }
}
