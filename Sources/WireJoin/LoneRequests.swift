import WireLogs

/// Rows of requests that have no exchange, by their names: an SDK writes two rows for a call, and of a call that was never
/// sent both have none. Where each request near the row of a response has an exchange, the response hardly has none.
struct LoneRequests {
    private struct Names: Hashable {
        var host: Int32
        var path: Int32

        init(_ row: LogRow) { (host, path) = (row.host, row.path) }
    }

    /// Times of rows, ascending.
    private struct Times {
        var all: [Int64] = []
        var alone: [Int64] = []
    }

    private var times: [Names: Times] = [:]

    /// A call lasts no longer, nanoseconds; and late rows are in no worse disorder.
    private static let reach: Int64 = 120_000_000_000
    private static let disorder: Int64 = 1_000_000_000

    /// - Parameter fates: what was found of the rows of requests.
    init(_ log: [LogRow], _ fates: [LogMatching.Fate]) {
        for (row, fate) in zip(log, fates) where row.kind == .request && UsableTime.contains(row.time) {
            times[Names(row), default: Times()].all.append(row.time)
            if fate != .matched { times[Names(row)]?.alone.append(row.time) }
        }
        for names in times.keys {
            times[names]?.all.sort()
            times[names]?.alone.sort()
        }
    }

    /// Whether a response without exchange would have no request: those of its names before it all have one. False where
    /// there is none at all, which says nothing: redirected calls have rows of other names.
    func isRefuted(_ response: LogRow) -> Bool {
        guard UsableTime.contains(response.time), let known = times[Names(response)] else { return false }
        return LoneRequests.hasOne(known.all, before: response.time)
            && !LoneRequests.hasOne(known.alone, before: response.time)
    }

    private static func hasOne(_ times: [Int64], before time: Int64) -> Bool {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= time.saturatingAdd(disorder) { low = middle + 1 } else { high = middle }
        }
        return low > 0 && times[low - 1] >= time.saturatingSubtract(reach)
    }
}
