import Testing
import WireTesting

@testable import WireStatistics

@Suite("Merged error statistics")
struct ErrorMergingTests {
    @Test("do not depend on the order of calls, nor on how parts were merged", arguments: ErrorShape.allCases)
    func anyTree(shape: ErrorShape) {
        for seed in 1...6 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let calls = shape.calls(seed < 4 ? 300 : 3000, &random)
            let expected = accumulate(calls).statistics(seed: 9)
            var parts = Array(repeating: ErrorAccumulator(), count: 1 + random.below(12))
            for call in calls.shuffled(using: &random) {
                parts[random.below(parts.count)].add(estimate: call.estimate, truth: call.truth)
            }
            while parts.count > 1 {
                let part = parts.remove(at: random.below(parts.count))
                parts[random.below(parts.count)].merge(part)
            }
            #expect(parts[0].statistics(seed: 9) == expected, "\(shape), seed \(seed)")
        }
    }

    @Test("with nothing are unchanged")
    func neutral() {
        let calls = [EstimatedCall(1, 2), EstimatedCall(9, 2)]
        var left = accumulate(calls)
        left.merge(ErrorAccumulator())
        var right = ErrorAccumulator()
        right.merge(left)
        #expect(left.statistics(seed: 1) == accumulate(calls).statistics(seed: 1))
        #expect(right.statistics(seed: 1) == left.statistics(seed: 1))
    }
}

@Suite("Pools of error statistics")
struct ErrorPoolTests {
    /// Calls with their cells. Cells differ in how many calls they have and in how wide their errors are.
    private func work(_ count: Int, _ random: inout SeededRandom) -> [(cell: Int, call: EstimatedCall)] {
        (0..<count).map { _ in
            let cell = random.below(1 + random.below(40))
            let width = 1 << (cell % 5 * 4)
            return (cell, EstimatedCall(random.below(width) - width / 2, 0))
        }
    }

    @Test(
        "give the same whatever the order and however merged",
        arguments: [200, 1000, 1500, 2500, 3500, 4500, 5500, 10_000])
    func anyOrder(budget: Int) {
        for seed in 1...2 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let work = work(15_000, &random)
            var expected = ErrorPool(cells: 40, budget: budget)
            for (cell, call) in work { expected.add(estimate: call.estimate, truth: call.truth, to: cell) }
            var parts = Array(repeating: ErrorPool(cells: 40, budget: budget), count: 4)
            for (cell, call) in work.shuffled(using: &random) {
                parts[random.below(4)].add(estimate: call.estimate, truth: call.truth, to: 39 - cell)
            }
            while parts.count > 1 {
                let part = parts.remove(at: random.below(parts.count))
                parts[random.below(parts.count)].merge(part, into: Array(0..<40))
            }
            for cell in 0..<40 {
                let (left, right) = (expected.cells[cell], parts[0].cells[39 - cell])
                #expect(left.statistics(seed: 5) == right.statistics(seed: 5), "budget \(budget), seed \(seed)")
                #expect(left.buckets == right.buckets)
            }
        }
    }

    @Test("go through all resolutions as their budget shrinks")
    func resolutions() {
        var random = SeededRandom(seed: 1)
        let work = work(15_000, &random)
        var seen: [Int] = []
        for budget in stride(from: 8000, to: 200, by: -200) {
            var pool = ErrorPool(cells: 40, budget: budget)
            for (cell, call) in work { pool.add(estimate: call.estimate, truth: call.truth, to: cell) }
            let bits = pool.cells.compactMap { $0.buckets?.bits }.min() ?? 7
            if seen.last != bits { seen.append(bits) }
        }
        #expect(seen == seen.sorted(by: >))
        #expect(Set(seen).isSuperset(of: [7, 5, 4, 3, 2, 1, 0]), "\(seen)")
    }

    @Test(
        "stay within their budget, keep sums exact, and say how far quantiles may be off",
        arguments: [1500, 6000, 50_000])
    func bounded(budget: Int) {
        var random = SeededRandom(seed: 7)
        let work = work(20_000, &random)
        var pool = ErrorPool(cells: 40, budget: budget)
        for (cell, call) in work {
            pool.add(estimate: call.estimate, truth: call.truth, to: cell)
            let used = pool.cells.lazy.map { $0.entries.count + 2 * ($0.buckets?.buckets.count ?? 0) }.reduce(0, +)
            guard used <= budget else { return #expect(used <= budget) }
        }
        for cell in 0..<40 {
            let reference = ErrorReference(work.filter { $0.cell == cell }.map(\.call))
            let found = pool.cells[cell].statistics(seed: 1)
            reference.expectSums(found, "cell \(cell)")
            reference.expectQuantiles(found, tolerance: found.quantileError, "cell \(cell)")
        }
    }

    @Test("hold at most 4 kB for a cell in the end, whatever the errors")
    func coarsest() {
        var random = SeededRandom(seed: 3)
        var pool = ErrorPool(budget: 1)
        let cell = pool.addCell()
        for _ in 0..<100_000 {
            let error = Int(truncatingIfNeeded: random.next()) >> random.below(64)
            pool.add(estimate: max(error, -Int.max), truth: 0, to: cell)
        }
        let buckets = pool.cells[cell].buckets?.buckets.count ?? 0
        #expect(buckets > 100)
        #expect(buckets * MemoryLayout<ErrorBuckets.Bucket>.stride <= 4096)
        #expect(pool.cells[cell].statistics(seed: 1).quantileError == 1)
    }
}
