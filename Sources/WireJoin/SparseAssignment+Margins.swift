/// How certain a pair is.
struct PairMargin {
    /// At most what the best assignment costs more in which the exchange has a row that differs from this one, or none while
    /// the row has another exchange. Thousandths; no more than was asked for.
    var change: Int64
    /// The same for the row without exchange and the exchange without row.
    var leave: Int64
    /// Rows without exchange that might have this exchange.
    var rivals: [Int32] = []
    /// The row might as well have another exchange that is alike in all truths, which changes nothing.
    var hasAlike = false
}

extension SparseAssignment {
    /// Exchanges that one search may look at.
    private static let marginSearchLimit = 256
    private static let spentMarginSearchLimit = 4

    /// How much worse the best assignment is that changes what is known of the row's exchange.
    ///
    /// Rows of one class are alike in all figures: where they change places, nothing changes. Exchanges of one class are alike
    /// in all truths: nothing changes where a row has one without a row instead. Where rows of two classes change places among
    /// such exchanges no sum changes, but which exchange each row is of does.
    ///
    /// - Parameters:
    ///   - rowClasses: by row.
    ///   - callClasses: by exchange.
    ///   - rowsOfCall: rows that have an edge to an exchange.
    ///   - releases: what it costs that exchanges lose their rows.
    ///   - limit: differences from this on need not be known.
    mutating func margin(
        of row: Int32, rowClasses: [Int32], callClasses: [Int32], rowsOfCall: ReverseEdges,
        releases: ReleaseCosts, limit: Int64, _ search: inout PathSearch
    ) -> PairMargin {
        let own = callOfRow[Int(row)]
        let freed = -callPotential[Int(own)]
        let leave = Int64(leaveLimits[Int(row)]) - (alikeCosts[row] ?? rowPotential[Int(row)]) + freed
        var margin = PairMargin(change: limit, leave: leave)
        let rivals = rivals(of: row, rowClasses, rowsOfCall[own], releases, limit)
        // The cheapest way for the row to end elsewhere, exchanges of the same class apart.
        var elsewhere = min(limit, leave - freed, Int64(leaveCosts[Int(row)]) - rowPotential[Int(row)])
        search.begin()
        relaxMargin(row, 0, without: own, limit, &search)
        var pops = 0
        let popLimit =
            isSpent(work.comparedPairs - edgesBeforeMargins)
            ? SparseAssignment.spentMarginSearchLimit : SparseAssignment.marginSearchLimit
        // For rivals without an exchange the search goes on until it is known how cheaply the row ends elsewhere.
        var nearest = limit
        for rival in rivals where callOfRow[Int(rival.row)] < 0 { nearest = min(nearest, rival.cost) }
        var reach: Int64 { max(margin.change, min(elsewhere, limit - nearest)) }
        while let (call, cost) = search.popFirst(), cost < reach {
            pops += 1
            if pops > popLimit { break }
            search.settle(call, cost)
            let other = rowOfCall[Int(call)]
            guard other >= 0 else {
                elsewhere = min(elsewhere, cost)
                let isAlike = callClasses[Int(call)] == callClasses[Int(own)]
                if !isAlike || !isPathOfEqualRows(to: call, from: row, rowClasses, search) {
                    margin.change = min(margin.change, cost + freed)
                } else if cost + freed < limit {
                    margin.hasAlike = true
                }
                continue
            }
            if rowClasses[Int(other)] != rowClasses[Int(row)], let back = reducedCost(other, own) {
                margin.change = min(margin.change, cost + back)
            }
            let without = cost + Int64(leaveCosts[Int(other)]) - rowPotential[Int(other)]
            elsewhere = min(elsewhere, without)
            if rowClasses[Int(other)] != rowClasses[Int(row)] {
                margin.change = min(margin.change, without + freed)
            }
            relaxMargin(other, cost, without: own, reach, &search)
        }
        for rival in rivals where rival.cost + elsewhere < limit {
            if callOfRow[Int(rival.row)] < 0 { margin.rivals.append(rival.row) }
            margin.change = min(margin.change, rival.cost + elsewhere)
        }
        work.heapSteps &+= pops
        return margin
    }

    /// Whether all rows that a path moves are of the row's class: together they give up the row's exchange, and get the free
    /// one at the end of the path.
    private func isPathOfEqualRows(
        to free: Int32, from row: Int32, _ rowClasses: [Int32], _ search: borrowing PathSearch
    ) -> Bool {
        var mover = search.previousRow(free)
        while mover != row {
            if rowClasses[Int(mover)] != rowClasses[Int(row)] { return false }
            mover = search.previousRow(callOfRow[Int(mover)])
        }
        return true
    }

    /// Rows of other classes that might take the row's exchange, and what that costs beside what it costs the row to go
    /// elsewhere.
    private func rivals(
        of row: Int32, _ rowClasses: [Int32], _ others: ArraySlice<Int32>, _ releases: ReleaseCosts, _ limit: Int64
    ) -> [(row: Int32, cost: Int64)] {
        let own = callOfRow[Int(row)]
        return others.compactMap { rival in
            guard rowClasses[Int(rival)] != rowClasses[Int(row)] else { return nil }
            let held = callOfRow[Int(rival)]
            let release = held < 0 ? 0 : releases[held]
            guard release < limit, let back = reducedCost(rival, own), back + release < limit else { return nil }
            return (rival, back + release)
        }
    }

    private mutating func relaxMargin(
        _ row: Int32, _ base: Int64, without own: Int32, _ limit: Int64, _ search: inout PathSearch
    ) {
        for edge in edges[edgeRange(row)] where edge.call != own && edge.call != callOfRow[Int(row)] {
            let cost = base + Int64(edge.cost) - rowPotential[Int(row)] - callPotential[Int(edge.call)]
            if cost < limit { search.offer(edge.call, cost, from: row) }
        }
        work.comparedPairs &+= edgeRange(row).count
    }

    /// Of the edge between the two; nil where there is none.
    func reducedCost(_ row: Int32, _ call: Int32) -> Int64? {
        for edge in edges[edgeRange(row)] where edge.call == call {
            return Int64(edge.cost) - rowPotential[Int(row)] - callPotential[Int(call)]
        }
        return nil
    }

    /// Exchanges that the row might have instead, the likeliest first: those whose own cost alone does not rule it out.
    func alternatives(of row: Int32, limit: Int64, count: Int) -> [Int32] {
        let own = callOfRow[Int(row)]
        var found: [(cost: Int64, call: Int32)] = []
        for edge in edges[edgeRange(row)] where edge.call != own {
            let cost = Int64(edge.cost) - rowPotential[Int(row)] - callPotential[Int(edge.call)]
            if cost < limit { found.append((cost, edge.call)) }
        }
        return found.sorted { $0 < $1 }.prefix(count).map(\.call)
    }
}

/// By exchange: what it costs, at least, that its row goes elsewhere: the exchange stays without one, or another row takes it,
/// whose own exchange loses its row in turn. What the row's new place costs is not in it.
struct ReleaseCosts {
    private var costs: [Int64]

    subscript(call: Int32) -> Int64 { costs[Int(call)] }

    /// - Parameter limit: costs from this on need not be known.
    init(_ assignment: SparseAssignment, limit: Int64, _ search: inout PathSearch) {
        costs = assignment.callPotential.map { min(limit, -$0) }
        search.begin()
        for (place, call) in assignment.callOfRow.enumerated() where call < 0 || costs[Int(call)] == 0 {
            relax(assignment, Int32(truncatingIfNeeded: place), 0, &search)
        }
        for (call, cost) in costs.enumerated() where cost > 0 && cost < limit {
            search.offer(Int32(truncatingIfNeeded: call), cost, from: -1)
        }
        while let (call, cost) = search.popFirst() {
            search.settle(call, cost)
            costs[Int(call)] = cost
            relax(assignment, assignment.rowOfCall[Int(call)], cost, &search)
        }
    }

    /// The row might take any of its other exchanges.
    private func relax(_ assignment: SparseAssignment, _ row: Int32, _ base: Int64, _ search: inout PathSearch) {
        guard row >= 0 else { return }
        let potential = assignment.rowPotential[Int(row)]
        let own = assignment.callOfRow[Int(row)]
        for edge in assignment.edges[assignment.edgeRange(row)] where edge.call != own {
            let cost = base + Int64(edge.cost) - potential - assignment.callPotential[Int(edge.call)]
            if cost < costs[Int(edge.call)] { search.offer(edge.call, cost, from: row) }
        }
    }
}

/// By exchange, the rows that have an edge to it.
struct ReverseEdges {
    private var starts: [Int32]
    private var rows: [Int32]

    init(_ assignment: SparseAssignment, calls: Int) {
        var starts = [Int32](repeating: 0, count: calls + 1)
        for edge in assignment.edges { starts[Int(edge.call) + 1] += 1 }
        for call in 0..<calls { starts[call + 1] += starts[call] }
        var next = starts
        var rows = [Int32](repeating: 0, count: assignment.edges.count)
        for row in assignment.callOfRow.indices {
            let row = Int32(truncatingIfNeeded: row)
            for edge in assignment.edges[assignment.edgeRange(row)] {
                rows[Int(next[Int(edge.call)])] = row
                next[Int(edge.call)] += 1
            }
        }
        (self.starts, self.rows) = (starts, rows)
    }

    subscript(call: Int32) -> ArraySlice<Int32> { rows[Int(starts[Int(call)])..<Int(starts[Int(call) + 1])] }
}
