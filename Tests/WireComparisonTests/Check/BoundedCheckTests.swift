import Testing
import WireCore

@testable import WireAccuracy
@testable import WireComparison

@Suite("Checks of calls that were not read")
struct BoundedCheckTests {
    /// A log whose rows of one API were not read, with 1,000 logged bytes up in ten rows.
    private func sample(
        _ message: ClosedRange<Int>, api: String = "GET b /z", unbounded: Int = 0, isRead: Bool = true
    ) -> SampleAccuracy {
        var sample = SampleAccuracy()
        var unread = LogBounds.API(name: api, host: "b")
        (unread.rows, unread.unbounded) = (10, unbounded)
        (unread.up.rows, unread.up.logged) = (10 - unbounded, 1000)
        (unread.up.least, unread.up.most) = (message.lowerBound, message.upperBound)
        sample.result.logs[0].bounds = LogBounds()
        sample.result.logs[0].bounds?.apis = [unread]
        guard !isRead else { return sample }
        var host = HostSummary(host: "b")
        host.costs.down[.opaque] = 900
        host.protocols = [.hidden]
        sample.audit.hosts = [host]
        sample.audit.ledger.causes.down[.opaque] = 900
        sample.audit.ledger.layers.payload = 1000
        return sample
    }

    private func check(_ sample: SampleAccuracy, _ text: String) throws -> [CheckOutcome] {
        var policy = try AccuracyPolicy(parsing: Array(text.utf8))
        policy.completeReading()
        // The first rule is on what must be read.
        return CheckReport.evaluate(policy, sample.result, sample.audit).outcomes.filter { $0.rule == 1 }
    }

    @Test(
        "are violated where all of the error is beyond the bound, kept where all is within, and else not judged",
        arguments: [
            // 1,000 logged: too low by 50 % to 47.4 %.
            (1900...2000, "violated", -50.0, -47.368421),
            // Too high by 25 % or more, whatever the messages had.
            (0...800, "violated", 25, .infinity),
            (990...1010, "passed", -0.990099, 1.010101),
            (1000...1000, "passed", 0, 0),
            // On both sides of the bound, and on both sides of the truth.
            (1000...1100, "unjudged", -9.090909, 0), (500...3000, "unjudged", -66.666667, 100),
            // At the bound is within it.
            (1000...1052, "passed", -4.942966, 0),
        ] as [(ClosedRange<Int>, String, Double, Double)])
    func verdicts(message: ClosedRange<Int>, verdict: String, low: Double, high: Double) throws {
        let outcomes = try check(sample(message), "api \"GET b*\" bias <= 5% up")
        #expect(outcomes.map { "\($0.verdict)" } == [verdict])
        guard case .measured(let figure, _)? = outcomes.first?.finding, let range = figure.range else {
            Issue.record("no figure")
            return
        }
        #expect(abs(range.lowerBound - low) < 1e-6)
        #expect(range.upperBound == high || abs(range.upperBound - high) < 1e-6)
        #expect(range.contains(figure.value))
    }

    @Test("of an API that was read in part add its calls that were read")
    func mixed() throws {
        // Two calls of 100 bytes were read, each logged with 98: (1000 − 4 − 990) / 1190.
        let outcomes = try check(sample(990...990, api: "GET a /x"), "api \"GET a*\" bias <= 5% up")
        guard case .measured(let figure, _)? = outcomes.first?.finding else {
            Issue.record("no figure")
            return
        }
        #expect(outcomes.map { "\($0.verdict)" } == ["passed"])
        #expect(abs(figure.value - 100 * 6.0 / 1190) < 1e-9)
        #expect(abs((figure.range?.upperBound ?? 0) - figure.value) < 1e-9)
    }

    @Test("are not judged where too many rows have no bounds, and where single calls are asked for")
    func lacking() throws {
        let few = try check(sample(1900...2000, unbounded: 1), "api \"GET b*\" bias <= 5% up")
        #expect(few.map { "\($0.verdict)" } == ["unjudged"])
        let single = try check(sample(1900...2000), "api \"GET b*\" p90-error <= 5% up")
        #expect(single.map { "\($0.verdict)" } == ["unjudged"])
    }

    @Test("decide of all calls together only where too little was read")
    func totals() throws {
        let read = try check(sample(1900...2000), "bias <= 5% up")
        guard case .measured(let whole, _)? = read.first?.finding else {
            Issue.record("no figure")
            return
        }
        #expect(whole.range == nil && whole.value == -2)
        let unread = try check(sample(1900...2000, isRead: false), "bias <= 5% up")
        #expect(unread.map { "\($0.verdict)" } == ["violated"])
        let open = try check(sample(500...3000, isRead: false), "bias <= 5% up")
        #expect(open.map { "\($0.verdict)" } == ["unjudged"])
        // A policy that lets little be read does not make a part the whole.
        let allowed = try check(sample(500...3000, isRead: false), "read >= 1% of bytes\nbias <= 5% up")
        #expect(allowed.map { "\($0.verdict)" } == ["unjudged"])
    }

    @Test(
        "decide of all calls together where none was read, also if the policy needs nothing to be read",
        arguments: [
            (1900...2000, "violated"), (990...1010, "passed"), (500...3000, "unjudged"),
        ])
    func nothingRead(message: ClosedRange<Int>, verdict: String) throws {
        var sample = sample(message, isRead: false)
        (sample.audit.apis, sample.audit.exchanges) = ([], 0)
        (sample.result.rows, sample.result.totals, sample.result.apis) = ([], [], [])
        sample.audit.ledger.layers.payload = 900
        let policy = try AccuracyPolicy(parsing: Array("bias <= 5% up\nread >= 0%\nwire-per-call <= 1kB".utf8))
        let outcomes = CheckReport.evaluate(policy, sample.result, sample.audit).outcomes
        let reading = outcomes.filter { $0.rule == 1 && $0.source == nil }
        #expect(reading.map { "\($0.verdict)" } == ["passed"])
        #expect(outcomes.filter { $0.rule == 0 }.map { "\($0.verdict)" } == [verdict])
        // Calls whose number nobody knows are no violation.
        #expect(outcomes.filter { $0.rule == 2 }.map(\.verdict) == [.unjudged])
        sample.result.logs = []
        sample.result.sources.removeLast()
        let simulated = CheckReport.evaluate(policy, sample.result, sample.audit).outcomes
        #expect(simulated.filter { $0.rule == 0 && $0.verdict != .notApplicable }.map(\.verdict) == [.unjudged])
    }
}
