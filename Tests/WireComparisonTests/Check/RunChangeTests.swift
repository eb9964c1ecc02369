import Testing
import WireCore

@testable import WireAccuracy
@testable import WireComparison
@testable import WireStatistics

@Suite("Changes between runs")
struct RunChangeTests {
    /// From the tables of the distribution: the value that |t| exceeds with the probability.
    @Test(
        "use the limits of Student's t distribution",
        arguments: [
            (2.0, 0.05, 4.3027), (4, 0.05, 2.7764), (10, 0.01, 3.1693), (30, 0.001, 3.6460), (120, 0.05, 1.9799),
            (5, 0.05, 2.7764), (11.9, 0.01, 3.1693), (1e9, 0.05, 1.9719),
        ])
    func limits(freedom: Double, probability: Double, limit: Double) {
        #expect(abs(StudentT.limit(bothTails: probability, freedom: freedom) - limit) < 0.0001)
        #expect(StudentT.limit(bothTails: probability, freedom: 1.9) == .infinity)
    }

    private func spread(_ calls: [(estimate: Int, truth: Int)]) throws -> ErrorSpread {
        var sums = RelativeErrorSums()
        for call in calls { sums.add(estimate: call.estimate, truth: call.truth) }
        return try #require(sums.spread)
    }

    private let sizes = [200, 350, 480, 1000, 2200, 4000, 9000, 20_000, 310, 720]

    @Test("find no spread where the error is a constant and a share of the message")
    func lines() throws {
        let spread = try spread(sizes.map { (estimate: $0 * 3 / 2 - 150, truth: $0) })
        #expect(abs(spread.signed.slope + 150) < 0.01)
        #expect(spread.signed.deviation < 0.00001)
        let mean = sizes.reduce(0.0) { $0 + 0.5 - 150 / Double($1) } / 10
        #expect(abs(spread.signed.mean - mean) < 0.000001)
    }

    @Test("do not see another mix of sizes, and see 2 % more")
    func change() throws {
        func run(_ sizes: [Int], more: Double) throws -> ErrorSpread {
            try spread(sizes.map { (estimate: $0 - 150 + Int((Double($0) * more).rounded()), truth: $0) })
        }
        let then = try run(sizes, more: 0)
        let same = try #require(RunChange.errors(run(sizes.map { $0 * 7 / 3 }, more: 0), then, \.signed))
        #expect(abs(same.change) < 0.0001)
        #expect(abs(same.change) <= same.allowance(bothTails: 0.0001))
        let more = try #require(RunChange.errors(run(sizes.map { $0 * 7 / 3 }, more: 0.02), then, \.signed))
        #expect(abs(more.change - 0.02) < 0.001)
        #expect(more.change > more.allowance(bothTails: 0.0001))
    }

    @Test("do not depend on the order of calls nor trap on sizes without sense")
    func hostile() throws {
        let calls = [(Int.max, 1), (Int.min, 1), (0, Int.max), (-5, 0), (7, -3), (0, 1)]
        #expect(try spread(calls) == spread(calls.reversed()))
        var sizes = SizeSums()
        for size in [Int.max, 1, 0, -7, 1 << 40] { sizes.add(size) }
        #expect(sizes.spread?.calls == 3)
    }

    @Test(
        "allow as many lost calls as chance takes",
        arguments: [
            // n now, n before, lost before, chance, allowed: by Fisher's exact test.
            (20, 20, 0, 0.05, 4, true), (20, 20, 0, 0.05, 5, false), (10, 10, 5, 0.05, 9, true),
            (6, 6, 0, 0.001, 6, true),
        ])
    func lost(now: Int, before: Int, lostBefore: Int, chance: Double, lostNow: Int, isAllowed: Bool) {
        func run(_ calls: Int, _ lost: Int) -> LostCalls.Run {
            var coverage = Coverage()
            (coverage.calls, coverage.recordedCalls) = (calls, calls - lost)
            return LostCalls.Run(coverage)
        }
        let calls = LostCalls(now: [run(now, lostNow)], before: [run(before, lostBefore)])
        #expect((lostNow <= calls.allowed(oneTail: chance)) == isAllowed)
    }
}
