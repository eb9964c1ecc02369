import Testing
import WireCore
import WireEstimates
import WireTesting

@testable import WireAccuracy
@testable import WireComparison
@testable import WireLogs
@testable import WireRecords
@testable import WireReport

/// Checks of a fleet against another one: the calls of a session are alike, so chance is measured by sessions.
@Suite("Checks of one fleet against another")
struct FleetBaselineTests {
    private static let apis = ["GET a.example /v1/a", "GET a.example /v1/b"]
    private static let sessions = 30
    private static let calls = 20
    private static let pairs = 60

    /// A session whose device adds a header field of its own length to every call. The source does not see the field.
    private func session(_ number: Int, growth: Int, _ random: inout SeededRandom) -> PartialResult {
        let field = 4 + random.below(56)
        var (audit, result) = (AuditResult(), AccuracyResult())
        result.sources = [AccuracySource(id: "one", title: "One", kind: .simulated, note: "")]
        result.apis = Self.apis
        result.apiCalls = [Self.calls, Self.calls]
        var table = AccuracyTable(sources: 1)
        for api in Self.apis.indices {
            for _ in 0..<Self.calls {
                var costs = CostVector()
                costs[.headers] = 150 + field + random.below(4) + (api == 0 ? growth : 0)
                costs[.tcpip] = 40
                let truth = DirectionTruth(costs, withLink: false, withOffload: false)
                for direction in Direction.allCases { table.count(api: api, direction, truth) }
                var causes = CauseLedger()
                causes[.fieldsMissing] = -field - (api == 0 ? growth : 0)
                table.add(truth.message + causes.sum, causes, source: 0, api: api, .up, truth)
            }
        }
        result.exchanges = Self.calls * Self.apis.count
        result.counted = result.exchanges
        (result.rows, result.totals) = table.rows(seed: 1, jobs: 1)
        audit.files = [CaptureFileSummary(path: "\(number).pcap", format: "pcap")]
        var part = PartialResult(.accuracy, choices: ["layer": ["ip"]])
        part.take(audit)
        part.take(result, sums: table.sums(result.sources, result.apis))
        part.setSession("session \(number)", content: SessionContent())
        return part
    }

    private func fleet(
        of count: Int = FleetBaselineTests.sessions, growth: Int = 0, _ random: inout SeededRandom
    ) throws -> PartialResult {
        var fleet = session(0, growth: growth, &random)
        for number in 1..<count { try fleet.merge(session(number, growth: growth, &random)) }
        return fleet
    }

    private func check(_ now: PartialResult, _ then: PartialResult) throws -> CheckReport {
        let json = Array(accuracyJSON(then.accuracy, audit: then.audit, options: ReportOptions()).text.utf8)
        return try CheckReport.evaluate(
            AccuracyPolicy(parsing: Array("baseline old.json".utf8)), now.accuracy, now.audit,
            baselines: ["old.json": AccuracyBaseline(json: json)])
    }

    @Test("unchanged fleets pass in 19 of 20 pairs, though their sessions differ", arguments: [30, 8])
    func unchanged(sessions: Int) throws {
        var random = SeededRandom(seed: 7)
        var passed = 0
        for _ in 0..<Self.pairs {
            let report = try check(fleet(of: sessions, &random), fleet(of: sessions, &random))
            #expect(report.outcomes.contains { $0.verdict == .passed })
            if report.violations == 0 { passed += 1 }
        }
        print("unchanged: \(passed) of \(Self.pairs) pairs of \(sessions) sessions pass")
        #expect(passed * 20 >= Self.pairs * 19)
    }

    @Test("a field that one API has from now on is found in 19 of 20 pairs, and the sessions are named")
    func planted() throws {
        var random = SeededRandom(seed: 8)
        var found = 0
        for _ in 0..<Self.pairs {
            let report = try check(fleet(growth: 60, &random), fleet(&random))
            let violated = report.outcomes.filter { $0.verdict == .violated }
            if violated.contains(where: { $0.api == Self.apis[0] }) { found += 1 }
            let text = report.lines(verbose: true).joined(separator: "\n")
            #expect(text.contains("calls of 30/30 sessions"), "\(text)")
        }
        print("planted: found in \(found) of \(Self.pairs) pairs")
        #expect(found * 20 >= Self.pairs * 19)
    }

    @Test("one session against a fleet may lie as far away as one of its sessions")
    func single() throws {
        var random = SeededRandom(seed: 9)
        var passed = 0
        for number in 0..<Self.pairs {
            let one = session(number, growth: 0, &random)
            if try check(one, fleet(&random)).violations == 0 { passed += 1 }
        }
        #expect(passed * 20 >= Self.pairs * 19, "\(passed) of \(Self.pairs)")
    }
}
