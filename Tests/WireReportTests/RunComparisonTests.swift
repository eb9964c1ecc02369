import Testing
import WireAccuracy
import WireComparison
import WireRecords
import WireReport
import WireTesting

@Suite("Checks of one run against another")
struct RunComparisonTests {
    private static let pairs = 400

    private func check(_ now: AccuracyResult, _ then: AccuracyResult, _ rule: String = "baseline old.json") throws
        -> CheckReport
    {
        let json = Array(accuracyJSON(then, audit: sampleAudit(), options: ReportOptions()).text.utf8)
        return try CheckReport.evaluate(
            AccuracyPolicy(parsing: Array(rule.utf8)), now, sampleAudit(),
            baselines: ["old.json": AccuracyBaseline(json: json)])
    }

    @Test("pass as a whole in 19 of 20 runs of the same app, though calls, sizes and mix differ")
    func unchanged() throws {
        var passed = 0
        var judged = 0
        for pair in 0..<RunComparisonTests.pairs {
            let app = GeneratedApp(seed: UInt64(pair / 10))
            let report = try check(app.run(seed: UInt64(2 * pair + 1000)), app.run(seed: UInt64(2 * pair + 1001)))
            judged += report.outcomes.count { $0.verdict != .notApplicable }
            if report.violations == 0 { passed += 1 }
        }
        print("unchanged: \(passed) of \(Self.pairs) runs pass, with \(judged / Self.pairs) figures each")
        #expect(passed * 20 >= Self.pairs * 19)
        #expect(judged > Self.pairs * 100)
    }

    /// An API that both runs called often enough to be judged alone.
    private func api(_ now: AccuracyResult, _ then: AccuracyResult, _ random: inout SeededRandom) -> String? {
        let names = now.apis.indices.filter { api in
            let before = then.apis.firstIndex(of: now.apis[api]).map { then.apiCalls[$0] } ?? 0
            return min(now.apiCalls[api], before) >= 6
        }.map { now.apis[$0] }
        return names.isEmpty ? nil : random.element(names)
    }

    @Test("fail in 19 of 20 runs where the figures of one API with 6 calls or more grew by 2 % of its messages")
    func planted() throws {
        var random = SeededRandom(seed: 1)
        var (tried, failed, named) = (0, 0, 0)
        var seed: UInt64 = 50_000
        while tried < RunComparisonTests.pairs {
            seed += 2
            let app = GeneratedApp(seed: seed / 20)
            let then = app.run(seed: seed)
            guard let api = api(app.run(seed: seed + 1), then, &random) else { continue }
            tried += 1
            let plant = GeneratedApp.Plant(api: app.number(of: api), share: 0.02)
            let report = try check(app.run(seed: seed + 1, plant: plant), then)
            let violations = report.outcomes.filter { $0.verdict == .violated }
            if !violations.isEmpty { failed += 1 }
            if violations.contains(where: { $0.api == api }) { named += 1 }
        }
        print("planted: \(failed) of \(tried) runs fail, \(named) of them name the API")
        #expect(failed * 20 >= tried * 19)
        #expect(named * 20 >= tried * 18)
    }

    @Test("say what changed, what may change and how many calls that rests on")
    func words() throws {
        let app = GeneratedApp(seed: 3)
        let then = app.run(seed: 1, calls: 600...700)
        let most = try #require(then.apiCalls.indices.max { then.apiCalls[$0] < then.apiCalls[$1] })
        let plant = GeneratedApp.Plant(api: app.number(of: then.apis[most]), share: 0.05)
        let now = app.run(seed: 2, calls: 600...700, plant: plant)
        let lines = try check(now, then).lines()
        let line = try #require(lines.first { $0.hasPrefix("\(then.apis[most]) (sdk.sqlite): request error ") })
        #expect(line.contains(" % at equal message sizes; allowance ±"), "\(line)")
        #expect(line.contains(" % from the spread of both runs, n="), "\(line)")
        #expect(line.contains("all of the change: not explained by the log's known formulas (?)"), "\(line)")
        #expect(try check(now, then, "baseline old.json within 6%").violations == 0)
    }

    @Test("judge an old baseline without spread by the tolerance alone, and say so")
    func oldBaseline() throws {
        let app = GeneratedApp(seed: 3)
        let then = app.run(seed: 1, calls: 600...700)
        let json = accuracyJSON(then, audit: sampleAudit(), options: ReportOptions()).text
        let spread =
            /"spread":\{"message":[^}]*\},"wire":[^}]*\},"size":[^}]*\},"calls":null,"sessions":null,"blocks":\[[^\]]*\]\}/
        let old = json.replacing(spread, with: "\"spread\":null")
        #expect(!old.contains("log2_mean"))
        let report = try CheckReport.evaluate(
            AccuracyPolicy(parsing: Array("baseline old.json".utf8)), app.run(seed: 2, calls: 600...700),
            sampleAudit(), baselines: ["old.json": AccuracyBaseline(json: Array(old.utf8))])
        #expect(report.violations > 10)
        let line = try #require(report.lines().first { $0.contains("error") })
        #expect(
            line.contains("nothing worse is allowed: the baseline does not contain the spread of the calls"), "\(line)")
    }
}
