/// A start and an end by predicted times.
struct TimeSpan {
    var start: Int64
    var end: Int64
}

/// Matches rows of whole exchanges by start and end together. Exchanges that start at the same moment are told apart
/// by how long they take.
struct SpanMatcher {
    struct Pair {
        var row: Int
        var call: Int
        var isAmbiguous: Bool
    }

    let start: TimeNoise
    let end: TimeNoise
    /// A row near whose start more exchanges start is left to its start alone.
    private static let reach = 64
    /// Larger knots, of rows and exchanges that could be any of the others, are left to their starts alone.
    private static let largestKnot = 24

    /// - Parameters:
    ///   - rows: by start. A missing end is `Int64.min`.
    ///   - calls: by start. A missing end is `Int64.min`.
    func match(_ rows: [TimeSpan], _ calls: [TimeSpan], _ work: inout MatchingWork) -> [Pair] {
        var links: [(row: Int32, call: Int32)] = []
        var first = 0
        for (row, span) in rows.enumerated() where span.end != .min {
            while first < calls.count, calls[first].start.saturatingSubtract(span.start) < -start.limit { first += 1 }
            var end = first
            while end < calls.count, end - first <= SpanMatcher.reach,
                calls[end].start.saturatingSubtract(span.start) <= start.limit
            {
                end += 1
            }
            work.comparedPairs &+= end - first
            guard end - first <= SpanMatcher.reach else { continue }
            for call in first..<end where calls[call].end != .min && fits(span, calls[call]) {
                links.append((Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: call)))
            }
        }
        return knots(links, rows.count, calls.count).flatMap { solve($0, rows, calls, &work) }
    }

    private func fits(_ row: TimeSpan, _ call: TimeSpan) -> Bool {
        row.start.distance(from: call.start) <= start.limit && row.end.distance(from: call.end) <= end.limit
    }

    private struct Knot {
        var rows: [Int] = []
        var calls: [Int] = []
    }

    /// Sets of rows and exchanges that are linked with each other and with nothing else.
    private func knots(_ links: [(row: Int32, call: Int32)], _ rows: Int, _ calls: Int) -> [Knot] {
        var parents = Array(0..<Int32(truncatingIfNeeded: rows + calls))
        func root(_ point: Int32) -> Int32 {
            var point = point
            while parents[Int(point)] != point {
                parents[Int(point)] = parents[Int(parents[Int(point)])]
                point = parents[Int(point)]
            }
            return point
        }
        for link in links {
            let (left, right) = (root(link.row), root(Int32(truncatingIfNeeded: rows) + link.call))
            if left != right { parents[Int(max(left, right))] = min(left, right) }
        }
        var places = [Int32](repeating: -1, count: rows + calls)
        var knots: [Knot] = []
        for point in 0..<rows + calls {
            let top = Int(root(Int32(truncatingIfNeeded: point)))
            if places[top] < 0 {
                places[top] = Int32(truncatingIfNeeded: knots.count)
                knots.append(Knot())
            }
            if point < rows {
                knots[Int(places[top])].rows.append(point)
            } else {
                knots[Int(places[top])].calls.append(point - rows)
            }
        }
        return knots.filter { !$0.rows.isEmpty && !$0.calls.isEmpty }
    }

    private func solve(_ knot: Knot, _ rows: [TimeSpan], _ calls: [TimeSpan], _ work: inout MatchingWork) -> [Pair] {
        guard max(knot.rows.count, knot.calls.count) <= SpanMatcher.largestKnot else { return [] }
        if knot.rows.count == 1, knot.calls.count == 1 {
            return [Pair(row: knot.rows[0], call: knot.calls[0], isAmbiguous: false)]
        }
        work.comparedPairs &+= knot.rows.count * knot.calls.count
        let costs = knot.rows.map { row in
            knot.calls.map { call -> Int64? in
                guard fits(rows[row], calls[call]) else { return nil }
                return rows[row].start.distance(from: calls[call].start)
                    + rows[row].end.distance(from: calls[call].end)
            }
        }
        let chosen = SmallAssignment.solve(costs, price: start.limit + end.limit)
        var pairs: [Pair] = []
        var freeCalls = Set(knot.calls)
        var freeRows: [Int] = []
        for (place, call) in chosen.enumerated() {
            if let call {
                pairs.append(Pair(row: knot.rows[place], call: knot.calls[call], isAmbiguous: false))
                freeCalls.remove(knot.calls[call])
            } else {
                freeRows.append(knot.rows[place])
            }
        }
        for index in pairs.indices {
            let pair = pairs[index]
            let span = (rows[pair.row], calls[pair.call])
            pairs[index].isAmbiguous =
                freeCalls.contains { isAsGood(rows[pair.row], calls[$0], span) }
                || freeRows.contains { isAsGood(rows[$0], calls[pair.call], span) }
                || pairs.contains { other in
                    other.row != pair.row && isAsGood(rows[pair.row], calls[other.call], span)
                        && isAsGood(rows[other.row], calls[pair.call], (rows[other.row], calls[other.call]))
                }
        }
        return pairs
    }

    /// Two spans are as near as rows usually are, or nearer than the pair at hand.
    private func isAsGood(_ row: TimeSpan, _ call: TimeSpan, _ pair: (TimeSpan, TimeSpan)) -> Bool {
        row.start.distance(from: call.start) <= max(start.slack, pair.0.start.distance(from: pair.1.start))
            && row.end.distance(from: call.end) <= max(end.slack, pair.0.end.distance(from: pair.1.end))
    }
}
