/// When a connection was in use, and what its opening and closing cost: what decides whether another connection could have
/// done its work.
public struct ConnectionUse: Sendable, Equatable {
    public enum Kind: UInt8, Sendable {
        /// HTTP/1: one call at a time.
        case sequential
        /// HTTP/2 and HTTP/3: calls at one time share it.
        case multiplexed
        /// What it carried was not read: it was in use as long as it was open.
        case unread
    }

    public var kind: Kind
    /// From the first byte of the first request to the last byte of the last response: nanoseconds since the epoch.
    public var begin: Int64
    public var end: Int64
    /// Nothing could have followed on it: it became a tunnel or another protocol, or a message on it was not finished.
    public var isSpent: Bool
    /// Set-up and closing, without what HTTP/2 and HTTP/3 send to steer it: that grows with what it carries. Bytes of IP.
    public var cost: Int

    public init(kind: Kind, begin: Int64, end: Int64, isSpent: Bool = false, cost: Int) {
        (self.kind, self.begin, self.end) = (kind, begin, end)
        (self.isSpent, self.cost) = (isSpent, cost)
    }
}

/// From when to when the calls of a connection went on, while they are given out.
struct CallSpan: Sendable {
    /// `max` before the first.
    var begin = Int64.max
    /// `max` where nothing could have followed.
    var end = Int64.min

    /// What ends a connection's use for calls: it goes on as something else, or it broke.
    private static let spending: RecordFlags = [.upgraded, .tunnel, .aborted, .reset]

    /// Notes when an exchange went on that is given out.
    @inline(__always)
    mutating func add(_ index: Int, _ context: borrowing StreamContext) {
        begin = min(begin, context.exchanges[index].firstTime)
        let isSpent =
            context.exchanges[index].stream < 0
            && (!context.exchanges[index].response.isFinished
                || !context.exchanges[index].flags.isDisjoint(with: CallSpan.spending))
        let last = context.exchanges[index].responseEndTime ?? context.attribution.accounts[index].lastTime
        end = isSpent ? .max : max(end, last)
    }
}

extension ConnectionUse {
    /// Of a connection that has ended; `all`: what it cost with its exchanges. Nil where it carried nothing. Of one that was
    /// not read all, it is known when it was open.
    init?(_ tracker: borrowing ExchangeTracker, _ setup: SetupSummary, _ all: Directions<CostVector>) {
        let isUnread = setup.unreadConnections > 0 && tracker.hiddenProtocol != nil
        guard tracker.count > 0 || isUnread else { return nil }
        let steering = all.up[.setupHTTP] + all.down[.setupHTTP]
        self.init(
            kind: isUnread ? .unread : tracker.multiplexed == nil ? .sequential : .multiplexed,
            begin: min(tracker.calls.begin, tracker.calls.end), end: tracker.calls.end,
            cost: setup.setupBytes + setup.teardownBytes - steering)
        if isUnread || setup.partlyReadConnections > 0 || end == .min {
            begin = tracker.connection.firstTime
            end = max(end, tracker.connection.lastTime)
        }
        isSpent = end == .max
    }
}
