/// When calls of a connection went on: nanoseconds since the epoch.
package struct CallTime: Sendable, Equatable {
    package var begin: Int64
    package var end: Int64

    package init(begin: Int64, end: Int64) { (self.begin, self.end) = (begin, end) }
}

/// The times at which calls went on on one connection of HTTP/1, in their order, none into another.
package struct CallTimes: Sendable, Equatable {
    /// Below this nobody could have known that the connection is idle: nanoseconds.
    static let leastPause: Int64 = 10_000_000
    /// Pauses of one connection that are remembered; behind them it counts as busy.
    static let most = 1024

    package private(set) var list: [CallTime] = []

    package init() {}

    /// Takes the next call, which may go on while the last one does, or the first of all.
    package mutating func add(_ call: CallTime) {
        guard let first = list.first, let last = list.last else { return list.append(call) }
        if call.begin >= last.begin {
            if isPause(last.end, call.begin) {
                list.append(call)
            } else {
                list[list.count - 1].end = max(last.end, call.end)
            }
        } else if call.begin < first.begin, isPause(call.end, first.begin) {
            list.insert(call, at: 0)
        } else if call.begin < first.begin, call.end <= first.end {
            list[0].begin = call.begin
        } else {
            // They do not come in their order: nothing is known of pauses.
            list = [CallTime(begin: min(first.begin, call.begin), end: max(last.end, call.end))]
        }
    }

    /// It is long enough to be remembered, and there is room.
    private func isPause(_ from: Int64, _ to: Int64) -> Bool {
        list.count < CallTimes.most && to.subtractingReportingOverflow(from).partialValue >= CallTimes.leastPause
    }
}

/// A connection that is kept, with the times at which calls go on on it: its own, and those of connections that it stands
/// in for.
struct KeptConnection {
    private var calls: [CallTime]

    init(_ calls: [CallTime]) { self.calls = calls }

    var end: Int64 { calls[calls.count - 1].end }

    /// Place of the first call that begins later.
    private func following(_ time: Int64) -> Int {
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle].begin > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// How long it has been idle when a call begins that it could carry; nil where it could not.
    func idle(before call: CallTime) -> Int64? {
        let next = following(call.begin)
        guard next > 0, calls[next - 1].end <= call.begin, next == calls.count || call.end <= calls[next].begin
        else { return nil }
        return call.begin.subtractingReportingOverflow(calls[next - 1].end).partialValue
    }

    /// It was still open when a later call began on it.
    func isUsed(after call: CallTime) -> Bool { following(call.begin) < calls.count }

    /// Takes a call that it could carry.
    mutating func insert(_ call: CallTime) { calls.insert(call, at: following(call.begin)) }

    /// Forgets calls that nothing can follow any more but the last of them.
    mutating func forget(before time: Int64) {
        let next = following(time)
        if next > 1 { calls.removeFirst(next - 1) }
    }
}
