import Testing

@testable import WireComparison
@testable import WireStatistics

@Suite("Calls of two runs, one by one")
struct CallComparisonTests {
    private func series(_ calls: [(error: Int, truth: Int)]) -> ErrorSeries {
        var sums = ErrorSums()
        for call in calls { sums.add(error: call.error, truth: call.truth) }
        return sums.series
    }

    /// Messages of 567 to 1,189 bytes, of which a log lacks a constant; it may also count a share too much.
    private func events(_ count: Int, lacks: Int, share: Double = 0) -> [(error: Int, truth: Int)] {
        (0..<count).map { index in
            let truth = 567 + index * 67
            let estimate = truth - lacks
            return (estimate + Int((Double(estimate) * share).rounded()) - truth, truth)
        }
    }

    @Test(
        "show two percent more of ten calls that all lacked the same, and not a byte more or less",
        arguments: [(203, 0.02, true), (203, -0.02, true), (203, 0, false), (202, 0, false), (204, 0, false)])
    func constantErrors(lacks: Int, share: Double, isSeen: Bool) throws {
        let change = try #require(
            RunChange.errors(series(events(10, lacks: lacks, share: share)), series(events(10, lacks: 203))))
        #expect((abs(change.change) > change.allowance(bothTails: 0.0005)) == isSeen, "\(change)")
        #expect(change.visible(bothTails: 0.0005) > change.allowance(bothTails: 0.0005))
    }

    @Test("do not depend on the order of calls, with any number of different errors", arguments: [10, 24, 25, 400])
    func order(count: Int) {
        let calls = (0..<count).map { (error: ($0 * 7919 % 5003) - 2500, truth: 100 + $0) }
        let (there, back) = (series(calls), series(calls.reversed()))
        #expect(there == back)
        #expect(there.calls == count)
        #expect(there.groups.count <= ErrorSums.limit)
        let sum = there.groups.reduce(0) { $0 + $1.error * Double($1.calls) }
        #expect(abs(sum - Double(calls.reduce(0) { $0 + $1.error })) < 1e-6)
    }

    @Test("leave out messages without a byte and survive sizes from files")
    func extremes() {
        let series = series([(5, 0), (Int.min, 1), (Int.max, Int.max), (-1, -1)])
        #expect(series.calls == 2)
        #expect(RunChange.errors(series, ErrorSeries()) == nil)
    }
}
