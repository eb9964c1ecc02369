import Testing
import WireCore
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs
@testable import WireRecords
@testable import WireReport

/// Checks of one run against another, of a log that counts bodies alone: each header field is part of its error. From some
/// call on a cookie is in every request, and when that is differs from run to run.
@Suite("Checks of runs in which a cookie appears in mid-session")
struct CookieBaselineTests {
    private static let calls = 400
    private static let cookie = 57
    /// Bytes of the requests' header fields, and the largest request and response body.
    private static let apis = [
        (188, 0, 5000), (195, 0, 90), (212, 0, 200), (240, 0, 0), (230, 500, 300), (250, 60, 900),
    ]
    private static let names = apis.indices.map { "POST a.example /v1/\($0)" }

    /// - Parameter planted: API whose responses the log counts with 2 % more.
    private func run(planted: Int? = nil, _ random: inout SeededRandom) -> AccuracyResult {
        var result = AccuracyResult()
        result.sources = [AccuracySource(id: "one", title: "One", kind: .simulated, note: "")]
        result.apis = Self.names
        result.apiCalls = Array(repeating: 0, count: Self.names.count)
        var table = AccuracyTable(sources: 1)
        // In mid-session: a run that has the cookie nearly from beginning to end, or nearly never, shows little of it.
        let login = Self.calls / 4 + random.below(Self.calls / 2)
        var (time, call) = (Int64(1_795_831_044_000_000_000), 0)
        while call < Self.calls {
            let api = random.below(Self.apis.count)
            // A screen asks for the same several times.
            for _ in 0..<(1 + random.below(6)) {
                time += Int64(random.below(30_000_000))
                call += 1
                result.apiCalls[api] += 1
                add(api, hasCookie: call > login, isPlanted: api == planted, time, &table, &random)
            }
        }
        (result.rows, result.totals) = table.rows(seed: 1, jobs: 1)
        return result
    }

    private func add(
        _ api: Int, hasCookie: Bool, isPlanted: Bool, _ time: Int64, _ table: inout AccuracyTable,
        _ random: inout SeededRandom
    ) {
        let (fields, upBody, downBody) = Self.apis[api]
        for direction in Direction.allCases {
            let limit = direction == .up ? upBody : downBody
            let body = limit == 0 ? 0 : limit / 2 + random.below(limit / 2)
            var costs = CostVector()
            costs[.headers] = direction == .up ? fields + (hasCookie ? Self.cookie : 0) : 171
            costs[.body] = body
            costs[.tcpip] = 52
            var truth = DirectionTruth(costs, withLink: false, withOffload: false)
            truth.time = time
            var causes = CauseLedger()
            causes[.fieldsMissing] = -costs[.headers]
            let more = isPlanted && direction == .down ? Int((Double(body) * 0.02).rounded()) : 0
            causes[.unexplained] = more
            table.add(body + more, causes, source: 0, api: api, direction, truth)
        }
    }

    private func baseline(_ run: AccuracyResult) throws -> AccuracyBaseline {
        try AccuracyBaseline(json: Array(accuracyJSON(run, audit: AuditResult(), options: ReportOptions()).text.utf8))
    }

    private func check(_ now: AccuracyResult, _ then: AccuracyResult) throws -> CheckReport {
        try CheckReport.evaluate(
            AccuracyPolicy(parsing: Array("baseline old.json".utf8)), now, AuditResult(),
            baselines: ["old.json": baseline(then)])
    }

    @Test("38 of 40 unchanged pairs pass")
    func unchanged() throws {
        var random = SeededRandom(seed: 43)
        var violated: [String] = []
        for pair in 0..<40 {
            let report = try check(run(&random), run(&random))
            #expect(report.outcomes.count { $0.verdict == .passed } > 40)
            if report.violations > 0 { violated.append("\(pair): \(report.lines(verbose: false))") }
        }
        #expect(violated.count <= 2, "\(violated)")
    }

    @Test("2 % more of what a log counts is found in 19 of 20 pairs, though the cookie appears")
    func planted() throws {
        var random = SeededRandom(seed: 44)
        var found = 0
        for _ in 0..<40 {
            let report = try check(run(planted: 0, &random), run(&random))
            if report.outcomes.contains(where: {
                $0.verdict == .violated && $0.api == Self.names[0] && $0.direction == .down
            }) {
                found += 1
            }
        }
        #expect(found >= 38)
    }

    @Test("an estimate of 0 in both runs is no change, whatever the messages are")
    func nothingEstimated() throws {
        var random = SeededRandom(seed: 45)
        var (now, then) = (run(&random), run(&random))
        // Without blocks of time, as an earlier version wrote it.
        for index in now.rows.indices { now.rows[index].spread?.blocks = [] }
        for index in then.rows.indices { then.rows[index].spread?.blocks = [] }
        let outcomes = try check(now, then).outcomes
        for (api, sizes) in Self.apis.enumerated() where sizes.1 == 0 {
            let errors = outcomes.filter { $0.api == Self.names[api] && $0.direction == .up && $0.source != nil }
            let changes = errors.compactMap { outcome -> Double? in
                guard case .compared(let figure, _, _, _, let allowance) = outcome.finding,
                    [.bias, .error].contains(figure.metric)
                else { return nil }
                return allowance?.change
            }
            #expect(changes == [0, 0])
        }
    }

    @Test("a baseline without blocks of time is judged by those of this run")
    func earlierVersion() throws {
        var random = SeededRandom(seed: 46)
        var passed = 0
        for _ in 0..<40 {
            var then = run(&random)
            for index in then.rows.indices { then.rows[index].spread?.blocks = [] }
            if try check(run(&random), then).violations == 0 { passed += 1 }
        }
        #expect(passed >= 34)
    }
}
