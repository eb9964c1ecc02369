import WireLogs

extension WireCall {
    /// When an app gave up a call that failed, the wire tells only where it closed the connection.
    fileprivate var hasKnownEnd: Bool { !isFailed || isGivenUp }
}

extension LogMatcher {
    private static let orderRounds = 3

    /// Joins rows without any time. Where the log is seen to be in the order of time, a row lies between the rows
    /// around it; elsewhere each exchange of its names is as good as the other.
    func joinUntimed(_ kind: LogRow.Kind) -> (join: RowJoin, found: [RowJoin.Found], crowds: UntimedCrowds?)? {
        let classes = untimedClasses(kind)
        guard !classes.isEmpty else { return nil }
        let seen = calls(for: kind)
        let (usesEnd, first) = bestOrder(kind, classes, seen)
        var order = first
        guard order.isOrder else {
            let spread = MatchingBook.length(calls)
            let crowds = makeCrowds(kind, classes, seen)
            var others = seen
            for place in crowds.calls { others[place].number = -1 }
            var join = makeUntimedJoin(kind, crowds.rest, others, usesEnd: usesEnd, spread, .none) { _ in middle }
            let found = join.solve(rounds: 2)
            return (join, found, crowds)
        }
        var result: (join: RowJoin, found: [RowJoin.Found], crowds: UntimedCrowds?)?
        for _ in 0..<LogMatcher.orderRounds {
            let spread = max(order.spread, 1_000_000)
            var join = makeUntimedJoin(kind, classes, seen, usesEnd: usesEnd, spread, .order) { order.time(of: $0) }
            let found = join.solve(rounds: 2)
            result = (join, found, nil)
            order = RowOrder(
                found.filter { $0.call >= 0 && !$0.isAmbiguous && seen[Int($0.call)].hasKnownEnd }.map { item in
                    RowOrder.Point(row: item.row, time: time(of: seen[Int(item.call)], usesEnd))
                })
            if !order.isOrder { break }
        }
        return result
    }

    private func makeCrowds(_ kind: LogRow.Kind, _ rowClasses: [RowClass], _ seen: [WireCall]) -> UntimedCrowds {
        UntimedCrowds(
            rowClasses, of: log.rows, classes, seen,
            // Of redirected calls the wire may leave open which followed which redirection.
            isAlike: { seen[$0].redirectedFrom < 0 },
            isFree: { seen[$0].number >= 0 && book.isFree(call: Int32(truncatingIfNeeded: $0), for: kind) })
    }

    private func untimedClasses(_ kind: LogRow.Kind) -> [RowClass] {
        rowClasses.compactMap { rowClass in
            guard rowClass.kind == kind else { return nil }
            var untimed = rowClass
            untimed.rows = rowClass.rows.filter { index in
                kind.channels.allSatisfy { !UsableTime.contains($0.time(of: log.rows[Int(index)])) }
            }
            return untimed.rows.isEmpty ? nil : untimed
        }
    }

    private func time(of call: WireCall, _ usesEnd: Bool) -> Int64 {
        let (first, second) = usesEnd ? (call.end, call.start) : (call.start, call.end)
        return UsableTime.contains(first) ? first : second
    }

    private var middle: Int64 {
        let times = calls.lazy.map(\.start).filter { UsableTime.contains($0) }
        guard let first = times.min(), let last = times.max() else { return 0 }
        return first + last.saturatingSubtract(first) / 2
    }

    /// The order of starts or of ends, whichever the rows follow more closely, as far as groups tell that have as many
    /// rows as exchanges.
    private func bestOrder(
        _ kind: LogRow.Kind, _ classes: [RowClass], _ seen: [WireCall]
    ) -> (usesEnd: Bool, order: RowOrder) {
        func order(_ usesEnd: Bool) -> RowOrder {
            RowOrder(classes.flatMap { points($0, seen, usesEnd) })
        }
        switch kind {
        case .request: return (false, order(false))
        case .response: return (true, order(true))
        case .exchange:
            let (byEnd, byStart) = (order(true), order(false))
            return byStart.share > byEnd.share ? (false, byStart) : (true, byEnd)
        }
    }

    private func points(_ rowClass: RowClass, _ seen: [WireCall], _ usesEnd: Bool) -> [RowOrder.Point] {
        let groups = MatchingGroups(rowClass.rows, of: log.rows, rowClass.kind, rowClass.columns, seen) {
            seen[$0].number >= 0 && book.isFree(call: Int32(truncatingIfNeeded: $0), for: rowClass.kind)
        }
        var times = [[Int64]](repeating: [], count: groups.count)
        for (place, group) in groups.callGroups.enumerated() where group >= 0 {
            let time = time(of: seen[place], usesEnd)
            if UsableTime.contains(time) { times[Int(group)].append(time) }
        }
        var rows = [[Int32]](repeating: [], count: groups.count)
        for (place, group) in groups.rowGroups.enumerated() { rows[Int(group)].append(groups.rows[place]) }
        return zip(rows, times).flatMap { rows, times -> [RowOrder.Point] in
            guard rows.count == times.count else { return [] }
            return zip(rows, times.sorted()).map { RowOrder.Point(row: $0, time: $1) }
        }
    }

    /// A join in which the rows have given times by the capture's clock.
    private func makeUntimedJoin(
        _ kind: LogRow.Kind, _ classes: [RowClass], _ seen: [WireCall], usesEnd: Bool, _ spread: Int64,
        _ timing: RowTiming, time: (Int32) -> Int64
    ) -> RowJoin {
        var rows = log.rows
        for rowClass in classes {
            for row in rowClass.rows {
                let told = time(row)
                if usesEnd, kind == .exchange { rows[Int(row)].end = told } else { rows[Int(row)].time = told }
            }
        }
        let noise = TimeNoise(lag: 0, slack: spread, limit: spread)
        let fit = ClockFit(offset: 0, drift: 0, origin: 0, pairs: 0, spread: 0)
        let clock = ClockModel(fit: fit, noise: TimeChannel.allCases.map { _ in noise })
        var join = makeJoin(kind, classes, seen, clock: clock, rows: rows, resolution: 1, timing: timing)
        join.isInOrderOfEnds = timing == .order && usesEnd
        return join
    }
}
