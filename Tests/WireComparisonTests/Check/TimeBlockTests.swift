import Testing

@testable import WireComparison
@testable import WireStatistics

@Suite("Calls by blocks of time")
struct TimeBlockTests {
    private typealias Call = (time: Int64, error: Int, truth: Int)

    private func blocks(_ calls: [Call]) -> [TimeBlock] {
        var (sums, scale) = (BlockSums(), BlockScale())
        for call in calls {
            sums.add(error: call.error, withoutBodies: call.error / 2, truth: call.truth, at: call.time, &scale)
            sums.add(size: call.truth, at: call.time, &scale)
        }
        return sums.blocks(scale)
    }

    @Test("are eighths of the time, in any order of calls")
    func eighths() {
        let second: Int64 = 1_000_000_000
        let calls = (0..<80).map { (time: 1_795_831_044 * second + Int64($0) * second, error: -$0, truth: 64) }
        let found = blocks(calls)
        #expect(found == blocks(calls.reversed()))
        #expect(
            found == blocks(calls.filter { $0.error.isMultiple(of: 2) } + calls.filter { !$0.error.isMultiple(of: 2) }))
        #expect(found.map(\.block) == Array(0..<8))
        #expect(found.reduce(0) { $0 + $1.calls } == 80)
        #expect(
            found.allSatisfy {
                8...12 ~= $0.calls && $0.inverses == Double($0.calls) / 64 && $0.sizes == Double($0.calls) * 6
            })
        #expect(found.reduce(0) { $0 + $1.errors } == -79.0 * 80 / 2 / 64)
    }

    @Test("survive any time and any size")
    func hostile() {
        let found = blocks([(.min, .min, 1), (.max, .max, .max), (0, 5, 0), (-1, 7, -3), (0, 0, 1)])
        #expect(found.map(\.calls) == [1, 1, 1])
        #expect(found.map(\.block) == [0, 4, 7])
        #expect(blocks([(7, 1, 1)]).map(\.block) == [0])
    }

    /// A run whose calls lack 212 bytes, and from call `login` on 57 more.
    private func run(_ login: Int) -> (series: ErrorSeries, blocks: [TimeBlock]) {
        var errors = ErrorSums()
        let calls = (0..<64).map { number -> Call in
            let missing = number < login ? 212 : 269
            return (Int64(number) << 20, -missing, missing + 100)
        }
        for call in calls { errors.add(error: call.error, truth: call.truth) }
        return (errors.series, blocks(calls))
    }

    private func change(_ now: Int, _ then: Int) throws -> RunChange {
        let (now, then) = (run(now), run(then))
        var change = try #require(RunChange.errors(now.series, then.series))
        func residuals(_ blocks: [TimeBlock]) -> BlockResiduals? {
            BlockResiduals(blocks, { $0.errors - then.series.median * $0.inverses }, per: \.calls)
        }
        change.blocks = RunChange.Blocks(now: residuals(now.blocks), before: residuals(then.blocks))
        return change
    }

    @Test("allow what a step in mid-session makes of a mean; independent calls do not", arguments: [(8, 48), (40, 8)])
    func step(now: Int, then: Int) throws {
        var change = try change(now, then)
        #expect(abs(change.change) <= change.allowance(bothTails: 0.0001))
        #expect(change.chances.count == 2)
        change.blocks = RunChange.Blocks()
        #expect(abs(change.change) > change.allowance(bothTails: 0.0001))
    }

    @Test("take nothing from the power where calls do not depend on time")
    func noStep() throws {
        var same = try change(0, 0)
        let allowance = same.allowance(bothTails: 0.0001)
        same.blocks = RunChange.Blocks()
        #expect(allowance == same.allowance(bothTails: 0.0001))
    }
}
