extension LogMatcher {
    /// Matches rows without any time, by the order in which they were written: requests in the order of starts, all
    /// others in that of ends. Certain only where a group has as many rows as exchanges, where it does not matter at
    /// which of the two a row was written, and where the log is seen to be in the order of time.
    mutating func matchUntimed(_ rowClass: RowClass) {
        let rows = rowClass.rows.filter { index in
            rowClass.kind.channels.allSatisfy { $0.time(of: log.rows[Int(index)]) == .min }
        }
        if rows.isEmpty { return }
        let groups = MatchingGroups(rows, of: log.rows, rowClass.kind, rowClass.columns, calls) {
            book.isFree(call: Int32(truncatingIfNeeded: $0), for: rowClass.kind)
        }
        let candidates = groups.callGroups.indices.filter { groups.callGroups[$0] >= 0 }
        let starts = candidates.sorted { order($0, \.start, \.end) < order($1, \.start, \.end) }
        let ends = candidates.sorted { order($0, \.end, \.start) < order($1, \.end, \.start) }
        let byStart = sorted(starts, groups)
        let ordered = rowClass.kind == .request ? byStart : sorted(ends, groups)
        var groupRows = [[Int32]](repeating: [], count: groups.count)
        for (place, group) in groups.rowGroups.enumerated() { groupRows[Int(group)].append(Int32(place)) }
        var ranks: RowRanks?
        let isInOrder = RowRanks.areInOrder(groupRows, ordered)
        for group in groupRows.indices {
            let (own, calls) = (groupRows[group], ordered[group])
            if own.count == calls.count {
                for (place, (row, call)) in zip(own, calls).enumerated() {
                    let isTold = rowClass.kind != .exchange || byStart[group][place].index == call.index
                    let isCertain = calls.count == 1 || (isTold && isInOrder)
                    book.pair(row: rows[Int(row)], call: call.index, rowClass.kind, isAmbiguous: !isCertain)
                }
            } else if !calls.isEmpty {
                if ranks == nil { ranks = RowRanks(groupRows, ordered) }
                for (row, call) in ranks?.pairs(own, calls, &work) ?? [] {
                    book.pair(row: rows[Int(row)], call: call, rowClass.kind, isAmbiguous: true)
                }
            }
        }
    }

    /// Exchanges by group. Their times are their ranks among all.
    private func sorted(_ calls: [Int], _ groups: MatchingGroups) -> [[TimedEntry]] {
        var sorted = [[TimedEntry]](repeating: [], count: groups.count)
        for (rank, call) in calls.enumerated() {
            sorted[Int(groups.callGroups[call])].append(
                TimedEntry(time: Int64(rank), index: Int32(truncatingIfNeeded: call)))
        }
        return sorted
    }

    private func order(
        _ call: Int, _ first: KeyPath<WireCall, Int64>, _ second: KeyPath<WireCall, Int64>
    ) -> (Int64, Int) {
        let own = calls[call]
        return (own[keyPath: first] == .min ? own[keyPath: second] : own[keyPath: first], call)
    }
}

/// Where rows without times lie among the exchanges, as told by the groups that have as many rows as exchanges: what
/// stands between two rows in the log happened between their exchanges.
struct RowRanks {
    /// Rows of such groups, in the order of the log, with the ranks of their exchanges: both ascending.
    private var anchors: [(row: Int32, rank: Int64)] = []
    private let callCount: Int64
    private var assignment = LineAssignment()

    /// - Parameters:
    ///   - rows: by group, places in the log, ascending.
    ///   - calls: by group, in the order of ranks.
    init(_ rows: [[Int32]], _ calls: [[TimedEntry]]) {
        callCount = calls.reduce(0) { $0 + Int64($1.count) }
        let all = RowRanks.points(rows, calls)
        let ascending = RowRanks.longestAscending(all)
        // A log that is not in the order of time tells nothing.
        if ascending.count * 2 > all.count { anchors = ascending }
    }

    /// Rows of several groups, whose order among each other the exchanges confirm but for one in twenty. One group
    /// alone confirms nothing.
    static func areInOrder(_ rows: [[Int32]], _ calls: [[TimedEntry]]) -> Bool {
        guard zip(rows, calls).count(where: { !$0.isEmpty && $0.count == $1.count }) > 1 else { return false }
        let all = points(rows, calls)
        return longestAscending(all).count * 20 >= all.count * 19
    }

    private static func points(_ rows: [[Int32]], _ calls: [[TimedEntry]]) -> [(row: Int32, rank: Int64)] {
        var all: [(row: Int32, rank: Int64)] = []
        for (own, calls) in zip(rows, calls) where own.count == calls.count {
            all += zip(own, calls).map { ($0, $1.time) }
        }
        return all.sorted { $0.row < $1.row }
    }

    /// The longest part, in order, in which ranks ascend.
    private static func longestAscending(_ points: [(row: Int32, rank: Int64)]) -> [(row: Int32, rank: Int64)] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: points.count)
        for (index, point) in points.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if points[tails[middle]].rank < point.rank { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? tails[low - 1] : -1
            if low < tails.count { tails[low] = index } else { tails.append(index) }
        }
        var found: [(row: Int32, rank: Int64)] = []
        var next = tails.last ?? -1
        while next >= 0 {
            found.append(points[next])
            next = previous[next]
        }
        return found.reversed()
    }

    /// Rows and exchanges of a group that has more of one than of the other: in order, those left out that fit least.
    mutating func pairs(
        _ rows: [Int32], _ calls: [TimedEntry], _ work: inout MatchingWork
    ) -> [(row: Int32, call: Int32)] {
        guard !anchors.isEmpty else { return zip(rows, calls).map { ($0, $1.index) } }
        assignment.solve(rows: rows.map(rank), calls: calls.map(\.time), limit: callCount)
        work.heapSteps += assignment.work.heapSteps
        assignment.work = MatchingWork()
        return zip(rows, assignment.partners).compactMap { row, call in
            call >= 0 ? (row, calls[Int(call)].index) : nil
        }
    }

    /// Between the ranks of the anchors around it.
    private func rank(_ row: Int32) -> Int64 {
        var (low, high) = (0, anchors.count)
        while low < high {
            let middle = (low + high) / 2
            if anchors[middle].row < row { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return max(0, anchors[0].rank - Int64(anchors[0].row - row)) }
        let before = anchors[low - 1]
        guard low < anchors.count else { return min(callCount, before.rank + Int64(row - before.row)) }
        let after = anchors[low]
        return before.rank + (after.rank - before.rank) * Int64(row - before.row) / Int64(after.row - before.row)
    }
}
