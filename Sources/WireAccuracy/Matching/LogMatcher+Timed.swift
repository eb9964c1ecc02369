extension LogMatcher {
    /// Matches rows by their times, group by group.
    mutating func matchTimed(_ tables: [TimeTable]) {
        for table in tables {
            for group in 0..<table.groupCount {
                let (rows, calls) = (table.rows[table.rowRange(group)], table.calls[table.callRange(group)])
                if rows.isEmpty || calls.isEmpty { continue }
                switch table.channel {
                case .requestStart: match(rows, calls, table.channel, .request)
                case .responseEnd: match(rows, calls, table.channel, .response)
                case .exchangeStart: matchSpans(rows, calls)
                case .exchangeEnd: matchEnds(rows, calls)
                }
            }
        }
    }

    /// By one time, among rows and exchanges that have no partner yet.
    private mutating func match(
        _ rows: ArraySlice<TimedEntry>, _ calls: ArraySlice<TimedEntry>, _ channel: TimeChannel, _ kind: LogRow.Kind
    ) {
        let noise = clock.noise[channel.rawValue]
        if rows.count == 1, calls.count == 1, let row = rows.first, let call = calls.first {
            let distance = row.time.saturatingSubtract(noise.lag).distance(from: clock.logTime(call.time))
            if distance <= noise.farLimit, !book.isMatched(row: row.index), book.isFree(call: call.index, for: kind) {
                book.pair(row: row.index, call: call.index, kind, isAmbiguous: false)
            }
            return
        }
        let freeRows = rows.compactMap { entry -> TimedEntry? in
            if book.isMatched(row: entry.index) { return nil }
            return TimedEntry(time: entry.time.saturatingSubtract(noise.lag), index: entry.index)
        }
        let freeCalls = calls.compactMap { entry -> TimedEntry? in
            guard book.isFree(call: entry.index, for: kind) else { return nil }
            return TimedEntry(time: clock.logTime(entry.time), index: entry.index)
        }
        if freeRows.isEmpty || freeCalls.isEmpty { return }
        for pair in groupMatcher.match(freeRows, freeCalls, noise) {
            book.pair(
                row: pair.row, call: freeCalls[Int(pair.call)].index, kind, isAmbiguous: pair.isAmbiguous)
        }
    }

    /// By start and end together where both have both, then by start. Groups with rows that stand for several equal
    /// ones go by start alone.
    private mutating func matchSpans(_ rows: ArraySlice<TimedEntry>, _ calls: ArraySlice<TimedEntry>) {
        let matcher = SpanMatcher(
            start: clock.noise[TimeChannel.exchangeStart.rawValue],
            end: clock.noise[TimeChannel.exchangeEnd.rawValue])
        let standForMore = !groupMatcher.copies.isEmpty && rows.contains { groupMatcher.copies[$0.index] != nil }
        if rows.count > 1 || calls.count > 1, !standForMore {
            let freeRows = rows.filter { !book.isMatched(row: $0.index) }
            let freeCalls = calls.filter { book.isFree(call: $0.index, for: .exchange) }
            let rowSpans = freeRows.map { entry in
                TimeSpan(
                    start: entry.time.saturatingSubtract(matcher.start.lag),
                    end: known(log.rows[Int(entry.index)].end)?.saturatingSubtract(matcher.end.lag) ?? .min)
            }
            let callSpans = freeCalls.map { entry in
                TimeSpan(
                    start: clock.logTime(entry.time),
                    end: known(self.calls[Int(entry.index)].end).map(clock.logTime) ?? .min)
            }
            for pair in matcher.match(rowSpans, callSpans, &work) {
                book.pair(
                    row: freeRows[pair.row].index, call: freeCalls[pair.call].index, .exchange,
                    isAmbiguous: pair.isAmbiguous)
            }
        }
        match(rows, calls, .exchangeStart, .exchange)
    }

    private func known(_ time: Int64) -> Int64? { UsableTime.contains(time) ? time : nil }

    /// By end alone, where the row or the exchange has no start.
    private mutating func matchEnds(_ rows: ArraySlice<TimedEntry>, _ calls: ArraySlice<TimedEntry>) {
        let endOnly = rows.filter { known(log.rows[Int($0.index)].time) == nil && !book.isMatched(row: $0.index) }
        if !endOnly.isEmpty { match(endOnly[...], calls, .exchangeEnd, .exchange) }
        let startless = calls.filter { known(self.calls[Int($0.index)].start) == nil }
        if !startless.isEmpty { match(rows, startless[...], .exchangeEnd, .exchange) }
    }
}
