import Testing
import WireTesting

@testable import WireJoin

/// A small random problem; ids of edges ascend within a row.
private struct SmallProblem {
    var edges: [[SparseAssignment.Edge]] = []
    var leaveCosts: [Int32] = []
    var rowClasses: [Int32] = []
    let calls: Int

    init(seed: UInt64, largest: Int, coarse: Bool = false) {
        var random = SeededRandom(seed: seed)
        let rows = 1 + random.below(largest)
        calls = 1 + random.below(largest)
        let density = 20 + random.below(81)
        // Coarse costs make many assignments equally good.
        let unit = coarse ? 1000 : 1
        for _ in 0..<rows {
            edges.append([])
            for call in 0..<calls where random.below(100) < density {
                let cost = Int32((random.below(12_000 / unit) - 3000 / unit) * unit)
                edges[edges.count - 1].append(SparseAssignment.Edge(call: Int32(call), cost: cost))
            }
            leaveCosts.append(Int32((1000 / unit + random.below(9000 / unit)) * unit))
            rowClasses.append(Int32(random.below(rows + 1)))
        }
    }

    func solved() -> SparseAssignment {
        var starts: [Int32] = [0]
        for row in edges { starts.append(starts[starts.count - 1] + Int32(row.count)) }
        var assignment = SparseAssignment(
            starts: starts, edges: edges.flatMap { $0 }, leaveCosts: leaveCosts, leaveLimits: leaveCosts, calls: calls)
        assignment.solve(order: leaveCosts.indices.map { Int32($0) })
        return assignment
    }

    /// All assignments, by row the exchange or -1, with their costs.
    func all() -> [(calls: [Int32], cost: Int64)] {
        var found: [(calls: [Int32], cost: Int64)] = []
        var taken = Set<Int32>()
        var chosen: [Int32] = []
        func go(_ row: Int, _ cost: Int64) {
            guard row < edges.count else {
                found.append((chosen, cost))
                return
            }
            chosen.append(-1)
            go(row + 1, cost + Int64(leaveCosts[row]))
            for edge in edges[row] where taken.insert(edge.call).inserted {
                chosen[row] = edge.call
                go(row + 1, cost + Int64(edge.cost))
                taken.remove(edge.call)
            }
            chosen.removeLast()
        }
        go(0, 0)
        return found
    }
}

/// Whether another assignment changes what is known of a row's exchange.
private func isChange(_ best: [Int32], _ other: [Int32], row: Int, classes: [Int32]) -> Bool {
    let own = best[row]
    guard other[row] != own else { return false }
    if let holder = other.firstIndex(of: own) { return classes[holder] != classes[row] }
    var last = row
    while other[last] >= 0, let next = best.firstIndex(of: other[last]) { last = next }
    // A row of the same class left out in place of this one is this row without its exchange.
    return other[row] >= 0 && (other[last] >= 0 || classes[last] != classes[row])
}

@Suite("The sparse assignment of rows to exchanges")
struct SparseAssignmentTests {
    private static let limit: Int64 = 5000

    @Test("its cost is the least of all assignments", arguments: [false, true])
    func leastCost(coarse: Bool) throws {
        for seed in 0..<250 as Range<UInt64> {
            let problem = SmallProblem(seed: seed, largest: 6, coarse: coarse)
            let assignment = problem.solved()
            let least = try #require(problem.all().map(\.cost).min())
            #expect(assignment.totalCost == least, "seed \(seed)")
            for (row, call) in assignment.callOfRow.enumerated() where call >= 0 {
                #expect(assignment.rowOfCall[Int(call)] == Int32(row), "seed \(seed)")
                #expect(assignment.reducedCost(Int32(row), call) == 0, "seed \(seed)")
            }
            #expect(assignment.rowOfCall.count { $0 >= 0 } == assignment.callOfRow.count { $0 >= 0 }, "seed \(seed)")
            #expect(assignment.givenUp.isEmpty)
        }
    }

    @Test("potentials prove the cost: no edge is cheaper, free exchanges cost nothing, rows at most their leaving")
    func potentials() {
        for seed in 0..<500 as Range<UInt64> {
            let problem = SmallProblem(seed: seed, largest: 12)
            let assignment = problem.solved()
            for (row, edges) in problem.edges.enumerated() {
                for edge in edges {
                    #expect((assignment.reducedCost(Int32(row), edge.call) ?? -1) >= 0, "seed \(seed)")
                }
                let potential = assignment.rowPotential[row]
                #expect(potential <= Int64(problem.leaveCosts[row]), "seed \(seed)")
                if assignment.callOfRow[row] < 0 {
                    #expect(potential == Int64(problem.leaveCosts[row]), "seed \(seed)")
                }
            }
            for (call, potential) in assignment.callPotential.enumerated() {
                #expect(assignment.rowOfCall[call] < 0 ? potential == 0 : potential <= 0, "seed \(seed)")
            }
            // Both sides of the duality are equal.
            let dual = assignment.rowPotential.reduce(0, +) + assignment.callPotential.reduce(0, +)
            #expect(dual == assignment.totalCost, "seed \(seed)")
        }
    }

    /// Compared with all assignments. A margin may be too small: where two paths from the row and from its exchange meet, the
    /// search takes the sum of their costs.
    @Test(
        "a margin is at most what the next assignment costs more that changes the exchange's row",
        arguments: [false, true])
    func margins(coarse: Bool) {
        var (pairs, small) = (0, 0)
        for seed in 0..<250 as Range<UInt64> {
            let problem = SmallProblem(seed: seed &+ 10_000, largest: 5, coarse: coarse)
            var assignment = problem.solved()
            let others = problem.all()
            let reverse = ReverseEdges(assignment, calls: problem.calls)
            var search = PathSearch(calls: problem.calls)
            let releases = ReleaseCosts(assignment, limit: Self.limit, &search)
            let best = assignment.callOfRow
            for row in best.indices where best[row] >= 0 {
                let margin = assignment.margin(
                    of: Int32(row), rowClasses: problem.rowClasses, callClasses: (0..<problem.calls).map { Int32($0) },
                    rowsOfCall: reverse, releases: releases, limit: Self.limit, &search)
                var expected = Self.limit
                var rivals = Set<Int32>()
                for other in others {
                    let cost = other.cost - assignment.totalCost
                    guard cost < Self.limit, isChange(best, other.calls, row: row, classes: problem.rowClasses) else {
                        continue
                    }
                    expected = min(expected, cost)
                    if let holder = other.calls.firstIndex(of: best[row]), best[holder] < 0 {
                        rivals.insert(Int32(holder))
                    }
                }
                #expect(margin.change <= expected, "seed \(seed), row \(row)")
                #expect(Set(margin.rivals).isSuperset(of: rivals), "seed \(seed), row \(row)")
                pairs += 1
                if margin.change < expected { small += 1 }
                let own = problem.edges[row].first { $0.call == best[row] }
                #expect(margin.leave == Int64(problem.leaveCosts[row]) - Int64(own?.cost ?? 0), "seed \(seed)")
            }
        }
        #expect(pairs > 300 && small * 100 <= pairs, "\(small) of \(pairs) margins are smaller than need be")
    }

    @Test("a release costs what the best assignment costs more in which the exchange's row is gone")
    func releases() {
        for seed in 0..<250 as Range<UInt64> {
            let problem = SmallProblem(seed: seed &+ 20_000, largest: 5)
            let assignment = problem.solved()
            let others = problem.all()
            var search = PathSearch(calls: problem.calls)
            let releases = ReleaseCosts(assignment, limit: Self.limit, &search)
            for (row, call) in assignment.callOfRow.enumerated() where call >= 0 {
                // Without the row: what the others cost at least, and what its potential says it is worth.
                let without = others.filter { $0.calls[row] < 0 }.map(\.cost).min() ?? 0
                let cost =
                    without - Int64(problem.leaveCosts[row]) - (assignment.totalCost - assignment.rowPotential[row])
                #expect(releases[call] == min(Self.limit, cost), "seed \(seed), row \(row)")
            }
        }
    }

    // MARK: Classes

    private func solved(_ edges: [[(Int32, Int32)]], leave: Int32 = 9000, limits: [Int32]? = nil, calls: Int)
        -> SparseAssignment
    {
        var starts: [Int32] = [0]
        for row in edges { starts.append(starts[starts.count - 1] + Int32(row.count)) }
        let leaveCosts = [Int32](repeating: leave, count: edges.count)
        var assignment = SparseAssignment(
            starts: starts, edges: edges.joined().map { SparseAssignment.Edge(call: $0.0, cost: $0.1) },
            leaveCosts: leaveCosts, leaveLimits: limits ?? leaveCosts, calls: calls)
        assignment.solve(order: edges.indices.map { Int32($0) })
        return assignment
    }

    private func change(_ assignment: SparseAssignment, row: Int32, _ rows: [Int32], _ calls: [Int32]) -> Int64 {
        var assignment = assignment
        var search = PathSearch(calls: calls.count)
        let releases = ReleaseCosts(assignment, limit: Self.limit, &search)
        return assignment.margin(
            of: row, rowClasses: rows, callClasses: calls, rowsOfCall: ReverseEdges(assignment, calls: calls.count),
            releases: releases, limit: Self.limit, &search
        ).change
    }

    @Test("rows of one class that could change places are certain, and others are not")
    func classesOfRows() {
        let crossed = solved([[(0, 100), (1, 150)], [(0, 150), (1, 100)]], calls: 2)
        #expect(crossed.callOfRow == [0, 1])
        for row in [0, 1] as [Int32] {
            #expect(change(crossed, row: row, [7, 7], [0, 1]) == Self.limit)
            #expect(change(crossed, row: row, [7, 8], [0, 1]) == 100)
            // Between alike exchanges too: no sum depends on it, but which exchange is the row's does.
            #expect(change(crossed, row: row, [7, 8], [3, 3]) == 100)
        }
    }

    @Test("a free exchange makes a row uncertain unless it is alike")
    func classesOfFreeExchanges() {
        let assignment = solved([[(0, 100), (1, 150)]], calls: 2)
        #expect(assignment.callOfRow == [0])
        #expect(change(assignment, row: 0, [0], [0, 1]) == 50)
        #expect(change(assignment, row: 0, [0], [4, 4]) == Self.limit)
    }

    @Test("alternatives are the other exchanges of the row, the likeliest first, as many as asked for")
    func alternatives() {
        let assignment = solved([[(0, 900), (1, 100), (2, 400), (3, 5500)]], calls: 4)
        #expect(assignment.alternatives(of: 0, limit: Self.limit, count: 8) == [2, 0])
        #expect(assignment.alternatives(of: 0, limit: Self.limit, count: 1) == [2])
        #expect(assignment.alternatives(of: 0, limit: 9000, count: 8) == [2, 0, 3])
    }

    // MARK: Repeated rows

    static let repeats: [(classes: [Int32], limit: Int32, callClasses: [Int32], expected: [Int32])] = [
        // Equal rows, and a second exchange like the first: two calls.
        ([5, 5], 9000, [1, 1], [0, 1]),
        // Another kind of exchange is not the repetition's.
        ([5, 5], 9000, [1, 2], [0, -1]),
        // Not a repetition of a row that has an exchange.
        ([5, 6], 9000, [1, 1], [0, -1]),
        // Too far off even for a row that repeats no other.
        ([5, 5], 600, [1, 1], [0, -1]),
    ]

    @Test("a row that repeats another takes a free exchange that is like the other's", arguments: repeats.indices)
    func takeAlike(place: Int) {
        let item = Self.repeats[place]
        // The second row is cheaper left out than paired.
        var starts = SparseAssignment(
            starts: [0, 2, 4],
            edges: [(0, 100), (1, 700), (0, 100), (1, 700)].map { SparseAssignment.Edge(call: $0.0, cost: $0.1) },
            leaveCosts: [9000, 300], leaveLimits: [9000, item.limit], calls: 2)
        starts.solve(order: [0, 1])
        #expect(starts.callOfRow == [0, -1])
        let compared = starts.takeAlike(rows: [0, 1], rowClasses: item.classes, callClasses: item.callClasses)
        #expect(starts.callOfRow == item.expected)
        #expect(starts.rowOfCall == (item.expected[1] < 0 ? [0, -1] : [0, 1]))
        #expect((compared > 0) == (item.classes[0] == item.classes[1]))
        for row in [0, 1] as [Int32] where starts.callOfRow[Int(row)] >= 0 {
            #expect(starts.reducedCost(row, starts.callOfRow[Int(row)]) == 0)
        }
    }

    @Test("a row that repeats another makes no other pair less certain")
    func repeatsLeaveOthersCertain() {
        // Two equal rows and two exchanges that are alike, the second one far from both; and a row that has an exchange of
        // its own and might have the first of these.
        var assignment = SparseAssignment(
            starts: [0, 2, 4, 6],
            edges: [(0, 100), (1, 8000), (0, 100), (1, 8000), (0, 7000), (2, 100)].map {
                SparseAssignment.Edge(call: $0.0, cost: $0.1)
            },
            leaveCosts: [9000, 300, 9000], leaveLimits: [9000, 9000, 9000], calls: 3)
        assignment.solve(order: [0, 1, 2])
        _ = assignment.takeAlike(rows: [0, 1], rowClasses: [5, 5, 6], callClasses: [1, 1, 2])
        #expect(assignment.callOfRow == [0, 1, 2])
        var search = PathSearch(calls: 3)
        let releases = ReleaseCosts(assignment, limit: 5000, &search)
        for call in 0..<3 as Range<Int32> { #expect(releases[call] >= 0) }
        for row in 0..<3 as Range<Int32> {
            for edge in assignment.edges[assignment.edgeRange(row)] {
                #expect(assignment.reducedCost(row, edge.call) ?? -1 >= 0)
            }
        }
        let reverse = ReverseEdges(assignment, calls: 3)
        for row in 0..<3 as Range<Int32> {
            let margin = assignment.margin(
                of: row, rowClasses: [5, 5, 6], callClasses: [1, 1, 2], rowsOfCall: reverse, releases: releases,
                limit: 5000, &search)
            #expect(margin.change == 5000)
        }
    }
}
