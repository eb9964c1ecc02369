import WireLogs

/// Finer times of rows whose log has whole seconds: rows were written in the order of their ends, so that each lies
/// between the ends of the rows around it whose exchanges are known.
struct RefinedTimes {
    /// The log's rows; those of the kind with a finer end, by the log's clock.
    let rows: [LogRow]
    /// Half of the rows lie within so much of it, nanoseconds.
    let spread: Int64

    private static let leastPairs = 20
    private static let leastShare = 0.9

    /// Nil where times are finer, or the order of rows does not tell more.
    init?(_ kind: LogRow.Kind, _ log: [LogRow], _ found: [RowJoin.Found], _ calls: [WireCall], _ clock: ClockModel) {
        guard kind != .request else { return nil }
        let channel = kind == .response ? TimeChannel.responseEnd : .exchangeEnd
        let times = found.lazy.flatMap { [log[Int($0.row)].time, log[Int($0.row)].end] }
            .filter { UsableTime.contains($0) }
        guard times.allSatisfy({ $0 % TimeChannel.second == 0 }) else { return nil }
        let pairs = found.filter { item in
            guard item.call >= 0, !item.isAmbiguous else { return false }
            let call = calls[Int(item.call)]
            return !call.isFailed && UsableTime.contains(call.end)
                && UsableTime.contains(channel.time(of: log[Int(item.row)]))
        }
        let order = RowOrder(
            pairs.map { RowOrder.Point(row: $0.row, time: clock.logTime(calls[Int($0.call)].end)) })
        guard pairs.count >= RefinedTimes.leastPairs, order.isOrder, order.share >= RefinedTimes.leastShare,
            order.spread * 8 < TimeChannel.second
        else { return nil }
        spread = max(order.spread, 1_000_000)
        // Where in its second a row was written, as far as the clocks are known: all but a few lie between these.
        let offsets = pairs.map {
            clock.logTime(calls[Int($0.call)].end).saturatingSubtract(channel.time(of: log[Int($0.row)]))
        }.sorted()
        let cut = offsets.count / 50
        let (low, high) = (offsets[cut], offsets[offsets.count - 1 - cut])
        var refined = log
        for item in found {
            let row = Int(item.row)
            let time = channel.time(of: log[row])
            guard UsableTime.contains(time) else { continue }
            let told = min(max(order.time(of: item.row), time.saturatingAdd(low)), time.saturatingAdd(high))
            if kind == .response { refined[row].time = told } else { refined[row].end = told }
        }
        rows = refined
    }
}
