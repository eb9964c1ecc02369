/// How certain a pair is.
struct PairMargin {
    /// What the best assignment costs more, of those that moving rows along one path or circle from this row reaches, in
    /// which the exchange has a row that differs from this one, or none while the row has another exchange. Thousandths;
    /// no more than was asked for.
    var change: Int64
    /// The same for the row without exchange and the exchange without row.
    var leave: Int64
    /// Rows without exchange that might have this exchange.
    var rivals: [Int32] = []
}

extension SparseAssignment {
    /// Exchanges that one search may look at.
    private static let marginSearchLimit = 256
    private static let spentMarginSearchLimit = 4

    /// How much worse the best assignment is that changes what is known of the row's exchange.
    ///
    /// Rows of one class are alike in all figures, exchanges of one class in all truths: where they change places among
    /// each other, nothing changes.
    ///
    /// - Parameters:
    ///   - rowClasses: by row.
    ///   - callClasses: by exchange.
    ///   - rowsOfCall: rows that have an edge to an exchange.
    ///   - limit: differences from this on need not be known.
    mutating func margin(
        of row: Int32, rowClasses: [Int32], callClasses: [Int32], rowsOfCall: ReverseEdges, limit: Int64,
        _ search: inout PathSearch
    ) -> PairMargin {
        let own = callOfRow[Int(row)]
        let freed = -callPotential[Int(own)]
        let leave = Int64(leaveLimits[Int(row)]) - rowPotential[Int(row)] + freed
        var margin = PairMargin(change: limit, leave: leave)
        let rivals = rowsOfCall[own].filter { rival in
            callOfRow[Int(rival)] < 0 && rowClasses[Int(rival)] != rowClasses[Int(row)]
        }
        // The cheapest way for the row to end elsewhere, exchanges of the same class apart.
        var elsewhere = min(limit, leave - freed)
        search.begin()
        relaxMargin(row, 0, without: own, limit, &search)
        var pops = 0
        let popLimit =
            isSpent(work.comparedPairs - edgesBeforeMargins)
            ? SparseAssignment.spentMarginSearchLimit : SparseAssignment.marginSearchLimit
        // With rivals the search goes on until it is known how cheaply the row ends elsewhere.
        while let (call, cost) = search.popFirst(), cost < max(margin.change, rivals.isEmpty ? 0 : elsewhere) {
            pops += 1
            if pops > popLimit { break }
            search.settle(call, cost)
            let isDirect = search.previousRow(call) == row
            let isAlike = isDirect && callClasses[Int(call)] == callClasses[Int(own)]
            let other = rowOfCall[Int(call)]
            guard other >= 0 else {
                elsewhere = min(elsewhere, cost)
                if !isAlike { margin.change = min(margin.change, cost + freed) }
                continue
            }
            if rowClasses[Int(other)] != rowClasses[Int(row)], !isAlike, let back = reducedCost(other, own) {
                margin.change = min(margin.change, cost + back)
            }
            let without = cost + Int64(leaveCosts[Int(other)]) - rowPotential[Int(other)]
            elsewhere = min(elsewhere, without)
            if rowClasses[Int(other)] != rowClasses[Int(row)] {
                margin.change = min(margin.change, without + freed)
            }
            relaxMargin(other, cost, without: own, max(margin.change, rivals.isEmpty ? 0 : elsewhere), &search)
        }
        for rival in rivals {
            guard let back = reducedCost(rival, own), back + elsewhere < limit else { continue }
            margin.rivals.append(rival)
            margin.change = min(margin.change, back + elsewhere)
        }
        work.heapSteps &+= pops
        return margin
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
