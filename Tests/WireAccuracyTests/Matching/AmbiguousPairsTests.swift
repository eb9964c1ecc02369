import Testing
import WireTesting

@testable import WireAccuracy

@Suite("Ambiguous pairs")
struct AmbiguousPairsTests {
    private struct Case {
        var rows: [Int64]
        var calls: [Int64]
        var slack: Int64
        var pairs: [(row: Int, call: Int)] = []

        func fits(_ row: Int, _ call: Int) -> Bool { abs(rows[row] - calls[call]) <= slack }

        /// Rows and exchanges that fit, one to one and as many as possible, in order.
        init(_ random: inout SeededRandom) {
            let width = 4 + random.below(60)
            rows = (0..<random.below(7)).map { _ in Int64(random.below(width)) }.sorted()
            calls = (0..<random.below(7)).map { _ in Int64(random.below(width)) }.sorted()
            slack = Int64(random.below(12))
            var assignment = LineAssignment()
            assignment.solve(rows: rows, calls: calls, limit: slack)
            for (row, call) in assignment.partners.enumerated() where call >= 0 { pairs.append((row, Int(call))) }
        }

        /// By trying all: the most pairs that there can be, one of them left out.
        func most(without pair: (row: Int, call: Int)? = nil, from row: Int = 0, _ taken: Int = 0) -> Int {
            guard row < rows.count else { return 0 }
            var best = most(without: pair, from: row + 1, taken)
            for call in calls.indices where taken & 1 << call == 0 && fits(row, call) {
                if let pair, pair == (row, call) { continue }
                best = max(best, 1 + most(without: pair, from: row + 1, taken | 1 << call))
            }
            return best
        }
    }

    @Test("are those that some other assignment of as many rows, all within the slack, does not have")
    func exhaustive() {
        var tried = 0
        for seed in 1...3000 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let given = Case(&random)
            // The least total may be had with fewer pairs; then nothing is said here.
            guard given.most() == given.pairs.count else { continue }
            tried += 1
            let pairs = given.pairs.map {
                AmbiguousPairs.Pair(row: given.rows[$0.row], call: given.calls[$0.call], identity: Int32($0.row))
            }
            let freeRows = given.rows.indices.filter { row in !given.pairs.contains { $0.row == row } }
            let freeCalls = given.calls.indices.filter { call in !given.pairs.contains { $0.call == call } }
            let found = AmbiguousPairs.find(
                pairs, freeRows: freeRows.map { given.rows[$0] }, freeCalls: freeCalls.map { given.calls[$0] },
                slack: given.slack)
            let expected = given.pairs.map { given.most(without: $0) == given.pairs.count }
            #expect(found == expected, "seed \(seed): \(given)")
        }
        #expect(tried > 2500)
    }

    @Test("are not two requests in order that lie farther apart than rows scatter")
    func inOrder() {
        let pairs = [(0, 1), (10, 11)].map { AmbiguousPairs.Pair(row: $0.0, call: $0.1, identity: Int32($0.0)) }
        #expect(AmbiguousPairs.find(pairs, freeRows: [], freeCalls: [], slack: 8) == [false, false])
        #expect(AmbiguousPairs.find(pairs, freeRows: [], freeCalls: [], slack: 11) == [true, true])
    }

    @Test("are not rows that are equal in all columns, as it does not matter which is which")
    func equalRows() {
        let pairs = [1, 1, 1].map { AmbiguousPairs.Pair(row: 5, call: 5, identity: $0) }
        #expect(AmbiguousPairs.find(pairs, freeRows: [], freeCalls: [], slack: 3) == [false, false, false])
        let mixed = [1, 1, 2].map { AmbiguousPairs.Pair(row: 5, call: 5, identity: $0) }
        #expect(AmbiguousPairs.find(mixed, freeRows: [], freeCalls: [], slack: 3) == [true, true, true])
    }

    @Test("are all rows that would have to move on, one after the other, if one were another's")
    func chain() {
        let pairs = [0, 10, 20, 30].map { AmbiguousPairs.Pair(row: $0, call: $0, identity: Int32($0)) }
        #expect(AmbiguousPairs.find(pairs, freeRows: [], freeCalls: [40], slack: 9) == [false, false, false, false])
        #expect(
            AmbiguousPairs.find(pairs, freeRows: [], freeCalls: [25], slack: 9) == [false, false, true, true])
        let sliding = [0, 10, 20, 30].map { AmbiguousPairs.Pair(row: $0 + 5, call: $0, identity: Int32($0)) }
        #expect(AmbiguousPairs.find(sliding, freeRows: [], freeCalls: [40], slack: 6) == [true, true, true, true])
    }
}
