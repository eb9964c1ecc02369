/// The one-to-one assignment of rows to exchanges with the least total cost, where a row has a few candidates and may
/// stay without an exchange.
///
/// Successive shortest paths with potentials (Jonker and Volgenant's method on a sparse graph). Rows are added one by
/// one; each search ends at the first free exchange, so work stays near the row. The potentials that remain give, for
/// every pair, how much the next best assignment without that pair costs: `SparseAssignment+Margins`.
struct SparseAssignment {
    struct Edge {
        var call: Int32
        /// Thousandths of a natural logarithm of odds; smaller is more likely.
        var cost: Int32
    }

    /// Invariant: for every edge, cost ≥ rowPotential + callPotential, with equality for pairs; potentials of
    /// exchanges are ≤ 0, and 0 for free ones; the potential of a row without exchange is the cost of leaving it out.
    private(set) var rowPotential: [Int64]
    private(set) var callPotential: [Int64]
    /// By row, its exchange; -1 for none.
    private(set) var callOfRow: [Int32]
    /// By exchange, its row; -1 for none.
    private(set) var rowOfCall: [Int32]
    /// Rows whose search was given up: they stay without an exchange, and nothing is known of them.
    private(set) var givenUp: Set<Int32> = []
    /// By row that repeats another and has an exchange, what the pair costs if it is no repetition, see `takeAlike`.
    private(set) var alikeCosts: [Int32: Int64] = [:]
    let starts: [Int32]
    private(set) var edges: [Edge]
    /// By row: what it costs to leave it without an exchange.
    let leaveCosts: [Int32]
    /// By row: the same were it no repetition of another row.
    let leaveLimits: [Int32]
    var work = MatchingWork()
    /// Edges looked at when all rows were assigned.
    private(set) var edgesBeforeMargins = 0

    /// Exchanges that one search may look at; less once the budget is spent, so that senseless logs end too.
    private static let searchLimit = 2000
    private static let spentSearchLimit = 4
    /// Edges that searches may look at, all together: for each row, and at least.
    private static let edgesPerRow = 40
    private static let leastBudget = 400_000

    private var search: PathSearch

    /// - Parameters:
    ///   - starts: by row, where its edges begin in `edges`; one more at the end.
    init(starts: [Int32], edges: [Edge], leaveCosts: [Int32], leaveLimits: [Int32], calls: Int) {
        self.starts = starts
        self.edges = edges
        self.leaveCosts = leaveCosts
        self.leaveLimits = leaveLimits
        rowPotential = Array(repeating: 0, count: leaveCosts.count)
        callPotential = Array(repeating: 0, count: calls)
        callOfRow = Array(repeating: -1, count: leaveCosts.count)
        rowOfCall = Array(repeating: -1, count: calls)
        search = PathSearch(calls: calls)
    }

    func edgeRange(_ row: Int32) -> Range<Int> { Int(starts[Int(row)])..<Int(starts[Int(row) + 1]) }

    /// So many edges were looked at that searches are kept short from now on.
    func isSpent(_ edges: Int) -> Bool {
        edges > max(SparseAssignment.leastBudget, SparseAssignment.edgesPerRow * leaveCosts.count)
    }

    /// Of all pairs and of all rows left out.
    var totalCost: Int64 {
        callOfRow.indices.reduce(0) { sum, place in
            let row = Int32(truncatingIfNeeded: place)
            guard callOfRow[place] >= 0 else { return sum + Int64(leaveCosts[place]) }
            let edge = edges[edgeRange(row)].first { $0.call == callOfRow[place] }
            return sum + Int64(edge?.cost ?? 0)
        }
    }

    /// Finds the best assignment of all rows, added in the given order.
    mutating func solve(order: [Int32]) {
        for row in order { insert(row) }
        work.heapSteps += search.heapSteps
        edgesBeforeMargins = work.comparedPairs
    }

    /// Gives rows that repeat another row a free exchange that is alike to that row's: equal rows are as many calls as
    /// there are exchanges for them. Whatever such a row would be, no figure of the exchanges that have rows changes.
    ///
    /// - Parameter rows: rows of which there are several that are equal in all columns.
    /// - Returns: how many pairs were compared.
    mutating func takeAlike(rows: [Int32], rowClasses: [Int32], callClasses: [Int32]) -> Int {
        var alike: [Int32: Set<Int32>] = [:]
        for row in rows where callOfRow[Int(row)] >= 0 {
            alike[rowClasses[Int(row)], default: []].insert(callClasses[Int(callOfRow[Int(row)])])
        }
        var compared = 0
        for row in rows where callOfRow[Int(row)] < 0 {
            guard let classes = alike[rowClasses[Int(row)]] else { continue }
            compared += edgeRange(row).count
            let free = edgeRange(row).filter {
                rowOfCall[Int(edges[$0].call)] < 0 && classes.contains(callClasses[Int(edges[$0].call)])
            }
            guard let place = free.min(by: { (edges[$0].cost, edges[$0].call) < (edges[$1].cost, edges[$1].call) }),
                Int64(edges[place].cost) < Int64(leaveLimits[Int(row)])
            else { continue }
            let best = edges[place]
            callOfRow[Int(row)] = best.call
            rowOfCall[Int(best.call)] = row
            // The pair's cost becomes that of leaving the row out: potentials stay those of a best assignment.
            alikeCosts[row] = Int64(best.cost)
            edges[place].cost = Int32(truncatingIfNeeded: rowPotential[Int(row)] + callPotential[Int(best.call)])
        }
        return compared
    }

    private mutating func insert(_ root: Int32) {
        search.begin()
        // The best end of a path: the row on it that goes without an exchange, and the exchange it leaves.
        var end = PathSearch.End(cost: Int64(leaveCosts[Int(root)]), row: root, call: -1)
        relax(root, 0, isRoot: true, &end)
        var free: Int32 = -1
        var pops = 0
        while let (call, cost) = search.popFirst(), cost < end.cost {
            if rowOfCall[Int(call)] < 0 {
                free = call
                end.cost = cost
                break
            }
            pops += 1
            guard
                pops <= (isSpent(work.comparedPairs) ? SparseAssignment.spentSearchLimit : SparseAssignment.searchLimit)
            else {
                givenUp.insert(root)
                return
            }
            search.settle(call, cost)
            relax(rowOfCall[Int(call)], cost, isRoot: false, &end)
        }
        for (call, cost) in search.settled where cost < end.cost {
            callPotential[Int(call)] += cost - end.cost
            rowPotential[Int(rowOfCall[Int(call)])] += end.cost - cost
        }
        rowPotential[Int(root)] = end.cost
        augment(root, free: free, end)
    }

    private mutating func relax(_ row: Int32, _ base: Int64, isRoot: Bool, _ end: inout PathSearch.End) {
        let own = isRoot ? 0 : rowPotential[Int(row)]
        let leave = base + Int64(leaveCosts[Int(row)]) - own
        if !isRoot, leave < end.cost { end = PathSearch.End(cost: leave, row: row, call: callOfRow[Int(row)]) }
        for edge in edges[edgeRange(row)] {
            let cost = base + Int64(edge.cost) - own - callPotential[Int(edge.call)]
            if cost < end.cost || (cost == end.cost && rowOfCall[Int(edge.call)] < 0) {
                search.offer(edge.call, cost, from: row)
            }
        }
        work.comparedPairs &+= edgeRange(row).count
    }

    /// Moves every row of the path to its next exchange.
    private mutating func augment(_ root: Int32, free: Int32, _ end: PathSearch.End) {
        var call = free
        if free < 0 {
            // The row at the end goes without; its exchange is taken by the row before it.
            callOfRow[Int(end.row)] = -1
            if end.row == root { return }
            call = end.call
        }
        while true {
            let row = search.previousRow(call)
            let left = callOfRow[Int(row)]
            callOfRow[Int(row)] = call
            rowOfCall[Int(call)] = row
            if row == root { return }
            call = left
        }
    }
}

/// A shortest path search over exchanges, reset in no time.
struct PathSearch {
    struct End {
        var cost: Int64
        /// The row that goes without an exchange, and the exchange it had; -1 for none.
        var row: Int32
        var call: Int32
    }

    private struct Entry {
        var cost: Int64
        var call: Int32
    }

    private var heap: [Entry] = []
    private(set) var settled: [(call: Int32, cost: Int64)] = []
    private var stamps: [Int32]
    private var costs: [Int64]
    private var previous: [Int32]
    private var isSettled: [Bool]
    private var stamp: Int32 = 0
    private(set) var heapSteps = 0

    init(calls: Int) {
        stamps = Array(repeating: 0, count: calls)
        costs = Array(repeating: 0, count: calls)
        previous = Array(repeating: -1, count: calls)
        isSettled = Array(repeating: false, count: calls)
    }

    mutating func begin() {
        heap.removeAll(keepingCapacity: true)
        settled.removeAll(keepingCapacity: true)
        stamp &+= 1
    }

    func previousRow(_ call: Int32) -> Int32 { previous[Int(call)] }

    mutating func offer(_ call: Int32, _ cost: Int64, from row: Int32) {
        let place = Int(call)
        if stamps[place] == stamp {
            if isSettled[place] || costs[place] <= cost { return }
        } else {
            stamps[place] = stamp
            isSettled[place] = false
        }
        costs[place] = cost
        previous[place] = row
        push(Entry(cost: cost, call: call))
    }

    /// The nearest exchange that is not settled yet.
    mutating func popFirst() -> (call: Int32, cost: Int64)? {
        while let first = heap.first {
            removeFirst()
            if !isSettled[Int(first.call)], costs[Int(first.call)] == first.cost { return (first.call, first.cost) }
        }
        return nil
    }

    mutating func settle(_ call: Int32, _ cost: Int64) {
        isSettled[Int(call)] = true
        settled.append((call, cost))
    }

    private func isBefore(_ left: Entry, _ right: Entry) -> Bool {
        (left.cost, left.call) < (right.cost, right.call)
    }

    private mutating func push(_ entry: Entry) {
        var place = heap.count
        heap.append(entry)
        while place > 0 {
            let parent = (place - 1) / 2
            heapSteps &+= 1
            guard isBefore(entry, heap[parent]) else { break }
            heap[place] = heap[parent]
            place = parent
        }
        heap[place] = entry
    }

    private mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            heapSteps &+= 1
            if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
            guard isBefore(heap[child], last) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = last
    }
}
