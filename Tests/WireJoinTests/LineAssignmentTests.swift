import Testing
import WireTesting

@testable import WireJoin

@Suite("Assignment of rows to exchanges on a line")
struct LineAssignmentTests {
    /// The least cost of all one-to-one assignments, by trying them all: row by row, a free exchange or none.
    private func leastCost(_ rows: [Int64], _ calls: [Int64], _ price: Int64) -> Int64 {
        func best(_ row: Int, _ taken: Int) -> Int64 {
            guard row < rows.count else { return 0 }
            var least = price + best(row + 1, taken)
            for call in calls.indices where taken & 1 << call == 0 {
                least = min(least, abs(rows[row] - calls[call]) + best(row + 1, taken | 1 << call))
            }
            return least
        }
        return best(0, 0)
    }

    private func times(_ count: Int, _ width: Int, _ random: inout SeededRandom) -> [Int64] {
        (0..<count).map { _ in Int64(random.below(width)) }.sorted()
    }

    @Test("has the least total of differences of all assignments", arguments: [3, 12, 40, 200, 2000])
    func leastTotal(width: Int) {
        for seed in 1...300 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let rows = times(random.below(8), width, &random)
            let calls = times(random.below(8), width, &random)
            let limit = Int64(random.below(60))
            var assignment = LineAssignment()
            assignment.solve(rows: rows, calls: calls, limit: limit)
            let partners = assignment.partners
            #expect(partners.count == rows.count)
            let made = partners.filter { $0 >= 0 }
            #expect(Set(made).count == made.count, "an exchange has two rows, width \(width), seed \(seed)")
            #expect(made == made.sorted(), "pairs cross, width \(width), seed \(seed)")
            var cost: Int64 = 0
            for (row, call) in zip(rows, partners) {
                let distance = call < 0 ? limit + 1 : abs(row - calls[Int(call)])
                #expect(call < 0 || distance <= limit, "width \(width), seed \(seed)")
                cost += distance
            }
            #expect(cost == leastCost(rows, calls, limit + 1), "width \(width), seed \(seed)")
        }
    }

    @Test("leaves a row out rather than give it a neighbour's exchange")
    func leavesOut() {
        var assignment = LineAssignment()
        assignment.solve(rows: [0, 100, 200], calls: [101, 150], limit: 20)
        #expect(assignment.partners == [-1, 0, -1])
    }

    @Test("does not depend on where the times lie, up to the ends of what can be counted")
    func farAway() {
        var assignment = LineAssignment()
        for origin in [Int64.min, -5, 0, Int64.max - 300] {
            assignment.solve(rows: [origin, origin + 50], calls: [origin + 40, origin + 45, origin + 300], limit: 60)
            #expect(assignment.partners == [0, 1])
        }
    }

    @Test("takes work that grows with n log n, however dense the points", arguments: [1, 1000, 1_000_000_000])
    func work(width: Int) {
        for count in [1000, 16_000] {
            var random = SeededRandom(seed: 5)
            var assignment = LineAssignment()
            assignment.solve(
                rows: times(count, width, &random), calls: times(count, width, &random), limit: 1_000_000)
            let points = 2 * count
            #expect(assignment.work.heapSteps <= 2 * points * (Int.bitWidth - points.leadingZeroBitCount))
        }
    }
}
