/// When calls of a connection went on: nanoseconds since the epoch.
package struct CallTime: Sendable, Equatable {
    package var begin: Int64
    package var end: Int64

    package init(begin: Int64, end: Int64) { (self.begin, self.end) = (begin, end) }
}

/// The times at which calls went on on one connection, in their order, none into another.
package struct CallTimes: Sendable, Equatable {
    /// Below this nobody could have known that the connection is idle: nanoseconds.
    static let leastPause: Int64 = 10_000_000
    /// Times of one connection that are remembered; the pauses between further ones are unknown.
    static let most = 4096

    package private(set) var list: [CallTime] = []

    package init() {}

    /// Takes another call, in any order; most come in that of their times.
    package mutating func add(_ call: CallTime) {
        var end = list.count
        while end > 0, isPause(call.end, list[end - 1].begin) { end -= 1 }
        var begin = end
        while begin > 0, !isPause(list[begin - 1].end, call.begin) { begin -= 1 }
        if begin < end {
            let last = max(list[end - 1].end, call.end)
            list.replaceSubrange(begin..<end, with: [CallTime(begin: min(list[begin].begin, call.begin), end: last)])
        } else if list.count < CallTimes.most {
            list.insert(call, at: begin)
        } else if begin > 0 {
            list[begin - 1].end = call.end
        } else {
            list[0].begin = call.begin
        }
    }

    /// Some pauses may be unknown.
    var isFull: Bool { list.count >= CallTimes.most }

    private func isPause(_ from: Int64, _ to: Int64) -> Bool {
        let (pause, isFar) = to.subtractingReportingOverflow(from)
        return isFar ? to > from : pause >= CallTimes.leastPause
    }
}
