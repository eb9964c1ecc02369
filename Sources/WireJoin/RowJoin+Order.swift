/// What the order of a log tells of the rows that times leave open.
extension RowJoin {
    private static let leastAnchors = 20
    private static let leastShare = 0.9
    /// Exchanges so much less likely than the likeliest one of a row do not matter: e^10. Of those that a row has which is
    /// equal in all figures, e^6: were the two to change places, nothing would change.
    private static let pruning: Int32 = 10_000
    private static let equalPruning: Int32 = 6000
    /// Steps that all groups together may take.
    private static let orderBudget = 1_000_000

    /// Decides rows that lie near each other in a log in the order of ends, all of a group at once. Each row of such a log
    /// is joined by its own time, which is coarse or none: that it would have been written before a row that stands in
    /// front of it is not in that.
    mutating func decideByOrder(_ found: [Found]) -> [Found] {
        guard isInOrderOfEnds, found.contains(where: { $0.isAmbiguous }) else { return found }
        let points = anchors(found)
        let order = RowOrder(points)
        guard points.count >= RowJoin.leastAnchors, order.isOrder, order.share >= RowJoin.leastShare else {
            return found
        }
        let rates = LatenessRates(points)
        var decided = found
        var budget = RowJoin.orderBudget
        let around = OrderAround(order.anchors, rates)
        for group in openGroups(found, around) {
            guard let ordered = OrderedRows(group, self, around),
                let outcome = ordered.group.solve(rates, budget: &budget)
            else { continue }
            enter(outcome, ordered, &decided)
        }
        work.comparedPairs += RowJoin.orderBudget - max(0, budget)
        return decided
    }

    /// Rows with known exchanges, in the order of the log. Which of several equal rows has which of their exchanges is left
    /// to the order: times that are coarse choose any.
    private func anchors(_ found: [Found]) -> [RowOrder.Point] {
        var rowsOfClass: [Int32: [(row: Int32, end: Int64)]] = [:]
        for item in found where isAnchor(item) {
            rowsOfClass[classes.numbers[Int(item.row)], default: []].append((item.row, calls[Int(item.call)].end))
        }
        return rowsOfClass.values.flatMap { items in
            zip(items.map(\.row).sorted(), items.map(\.end).sorted()).map { RowOrder.Point(row: $0, time: $1) }
        }.sorted { $0.row < $1.row }
    }

    /// Known to have been written behind the end of its exchange.
    private func isAnchor(_ item: Found) -> Bool {
        guard item.call >= 0, !item.isAmbiguous, !log[Int(item.row)].tellsFailure else { return false }
        return calls[Int(item.call)].hasHeardEnd
    }

    /// Open rows, by places, with the edges to exchanges that no row of another class is known to have; those apart that
    /// share none. Rows of zeros that are known to have one of these exchanges belong to them if they are equal to an open
    /// row: which of several has which exchange is open, too.
    private func openGroups(_ found: [Found], _ around: OrderAround) -> [OrderedRows.Open] {
        var holders: [Int32: Int] = [:]
        for (place, item) in found.enumerated() where item.call >= 0 && !item.isAmbiguous { holders[item.call] = place }
        var groupOfCall: [Int32: Int] = [:]
        var groups: [OrderedRows.Open] = []
        var next = openRows(found)
        var isOpen = Set(next)
        while let place = next.popLast() {
            let edges = openEdges(place, holders, around)
            let others = edges.compactMap { holders[edgeCalls[$0]] }.filter { isOpen.insert($0).inserted }
            next += others
            guard !edges.isEmpty else { continue }
            var own: OrderedRows.Open = [(place, edges)]
            for group in Set(edges.compactMap { groupOfCall[edgeCalls[$0]] }).sorted() {
                own += groups[group]
                groups[group] = []
            }
            for edge in own.flatMap(\.edges) { groupOfCall[edgeCalls[edge]] = groups.count }
            groups.append(own)
        }
        return groups.filter { !$0.isEmpty }
    }

    /// Ambiguous rows, and rows of zeros without an exchange that are equal to one of them.
    private func openRows(_ found: [Found]) -> [Int] {
        let classes = Set(found.lazy.filter { $0.isAmbiguous }.map { self.classes.numbers[Int($0.row)] })
        return found.indices.filter { place in
            let row = Int(found[place].row)
            return found[place].isAmbiguous
                || (found[place].call < 0 && log[row].tellsFailure && classes.contains(self.classes.numbers[row]))
        }
    }

    private func openEdges(_ place: Int, _ holders: [Int32: Int], _ around: OrderAround) -> [Int] {
        let row = rows[place]
        let isFailure = log[Int(row)].tellsFailure
        let costs = (Int(starts[place])..<Int(starts[place + 1])).compactMap { edge -> (edge: Int, cost: Int32)? in
            guard let cost = orderedCost(of: edge, at: place) else { return nil }
            return (edge, cost + around.cost(row, bounds(of: edge, at: place)))
        }
        let least = min(leaveCostByOrder(place), costs.map(\.cost).min() ?? 0)
        return costs.filter { item in
            guard let holder = holders[edgeCalls[item.edge]] else { return item.cost <= least + RowJoin.pruning }
            if holder == place { return true }
            return isFailure && classes.numbers[Int(row)] == classes.numbers[Int(rows[holder])]
                && item.cost <= least + RowJoin.equalPruning
        }.map(\.edge)
    }

    /// When a row that has the exchange of an edge was written: no earlier than the first, and usually no later than the
    /// other.
    fileprivate func bounds(of edge: Int, at place: Int) -> (earliest: Int64, latest: Int64) {
        let call = calls[Int(edgeCalls[edge])]
        let isTold = call.hasHeardEnd && !log[Int(rows[place])].tellsFailure
        return (isTold ? call.end : call.start, UsableTime.contains(call.end) ? call.end : .max)
    }

    /// Times that the order tells are no times beside the order.
    fileprivate func orderedCost(of edge: Int, at place: Int) -> Int32? {
        let isFailure = log[Int(rows[place])].tellsFailure
        guard model.timing == .order else { return cost(of: edge, rows[place], isFailure: isFailure) }
        return model.orderedCost(log[Int(rows[place])], isFailure: isFailure, calls[Int(edgeCalls[edge])])
            .map { $0 + evidence[edge] }
    }

    fileprivate func leaveCostByOrder(_ place: Int) -> Int32 {
        model.timing == .order
            ? model.orderedLeaveCost(log[Int(rows[place])]) : leaveCost(at: place, asRepeat: true)
    }

    private func enter(_ outcome: OrderedGroup.Outcome, _ ordered: OrderedRows, _ found: inout [Found]) {
        // Exchanges that were known to have a row of a class.
        var known: [Int32: Int] = [:]
        for (row, place) in zip(ordered.group.rows, ordered.places)
        where !found[place].isAmbiguous && found[place].call >= 0 {
            known[found[place].call] = row.rowClass
        }
        var (unsure, margins): (Set<Int>, [Int: (call: Int32, margin: Int64)]) = ([], [:])
        for (call, verdict) in zip(ordered.calls, outcome.verdicts) {
            let rowClass = verdict.row.map { ordered.group.rows[$0].rowClass }
            if let before = known[call], before != rowClass { return }
            guard let row = verdict.row, let rowClass else { continue }
            let isSure = verdict.margin >= RowJoin.certainty && verdict.leave >= RowJoin.leaveCertainty
            if !isSure, known[call] == nil { unsure.insert(rowClass) }
            margins[row] = (call, isSure || known[call] != nil ? max(0, verdict.margin) : -1)
        }
        guard margins.values.contains(where: { $0.margin >= 0 }) else { return }
        for (number, place) in ordered.places.enumerated() {
            let rowClass = ordered.group.rows[number].rowClass
            let (call, margin) = margins[number] ?? (-1, -1)
            var alternatives = found[place].alternatives.filter { $0 != call }
            let old = found[place].call
            if old >= 0, old != call, !alternatives.contains(old) { alternatives.insert(old, at: 0) }
            found[place].call = call
            found[place].hasAlike = false
            found[place].isAmbiguous =
                call >= 0 ? margin < 0 : unsure.contains(rowClass) || outcome.mayHaveMore.contains(rowClass)
            found[place].margin = min(RowJoin.certainty, max(0, margin))
            found[place].alternatives = found[place].isAmbiguous ? alternatives : []
        }
    }
}

/// Ends of rows with known exchanges around a row.
private struct OrderAround {
    /// Ascending.
    let anchors: [RowOrder.Point]
    let rates: LatenessRates

    init(_ anchors: [RowOrder.Point], _ rates: LatenessRates) { (self.anchors, self.rates) = (anchors, rates) }

    /// Of a row that was written between these times, thousandths.
    func cost(_ row: Int32, _ bounds: (earliest: Int64, latest: Int64)) -> Int32 {
        let next = place(of: row)
        let before = next > 0 ? rates.cost(anchors[next - 1].time.saturatingSubtract(bounds.latest)) : 0
        let behind = next < anchors.count ? rates.cost(bounds.earliest.saturatingSubtract(anchors[next].time)) : 0
        return before + behind
    }

    /// How many lie before a row.
    func place(of row: Int32) -> Int {
        var (low, high) = (0, anchors.count)
        while low < high {
            let middle = (low + high) / 2
            if anchors[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func ends(_ range: Range<Int>) -> ClosedRange<Int64>? {
        range.isEmpty ? nil : anchors[range.lowerBound].time...anchors[range.upperBound - 1].time
    }
}

/// The open rows of a group in the order of the log, and what is known around them.
private struct OrderedRows {
    typealias Open = [(place: Int, edges: [Int])]

    /// Of rows.
    let places: [Int]
    let calls: [Int32]
    let group: OrderedGroup

    /// Nil where there are too many.
    init?(_ open: Open, _ join: RowJoin, _ around: OrderAround) {
        let open = open.sorted { join.rows[$0.place] < join.rows[$1.place] }
        let calls = Set(open.flatMap { $0.edges.map { join.edgeCalls[$0] } }).sorted()
        guard open.count <= OrderedGroup.rowLimit, calls.count <= OrderedGroup.exchangeLimit else { return nil }
        let numbers = open.map { join.classes.numbers[Int(join.rows[$0.place])] }
        let classes = Set(numbers).sorted()
        var rows: [OrderedGroup.Row] = []
        // Of the rows before the first one the last tells enough.
        var next = max(0, around.place(of: join.rows[open[0].place]) - 1)
        for (item, number) in zip(open, numbers) {
            let first = next
            next = around.place(of: join.rows[item.place])
            rows.append(
                OrderedGroup.Row(
                    rowClass: classes.firstIndex(of: number) ?? 0, leaveCost: join.leaveCostByOrder(item.place),
                    options: item.edges.compactMap { OrderedRows.option($0, item.place, calls, join) },
                    before: around.ends(first..<next)))
        }
        group = OrderedGroup(rows: rows, exchanges: calls.count, behind: around.ends(next..<around.anchors.count))
        places = open.map(\.place)
        self.calls = calls
    }

    private static func option(_ edge: Int, _ place: Int, _ calls: [Int32], _ join: RowJoin) -> OrderedGroup.Option? {
        guard let exchange = calls.firstIndex(of: join.edgeCalls[edge]),
            let cost = join.orderedCost(of: edge, at: place)
        else { return nil }
        let bounds = join.bounds(of: edge, at: place)
        return OrderedGroup.Option(
            exchange: exchange, cost: cost, earliest: bounds.earliest, latest: bounds.latest)
    }
}

extension WireCall {
    /// The app that tells of an answer has seen the end that the wire tells.
    fileprivate var hasHeardEnd: Bool { !isFailed && !isGivenUp && UsableTime.contains(end) }
}
