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
        /// HTTP/2 whose server allows few calls at one time: here as HTTP/1, though several may go on.
        case limited
    }

    /// Servers should allow as many streams at one time or more (RFC 9113 §6.5.2).
    static let fewStreams: UInt32 = 100

    public var kind: Kind
    /// From the first byte of the first request to the last byte of the last response: nanoseconds since the epoch.
    public var begin: Int64
    public var end: Int64
    /// Nothing could have followed on it: it became a tunnel or another protocol, a message on it was not finished, or the
    /// server said with GOAWAY, while it still answered, that it takes no more.
    public var isSpent: Bool
    /// Of one that was not read: which key of the server the client encrypted its hello with, as the hello shows it
    /// (config_id of Encrypted Client Hello) plus 1; 0 where it encrypted none.
    var helloKey: UInt16 = 0
    /// How long it had been idle when the server closed it, before the client did: nanoseconds. Nil where the client was first,
    /// where nobody closed it, or where not all of it was read. Of TCP.
    package var closedAfter: Int64?
    /// Set-up and closing, with the headers of packets that only say close_notify, without what HTTP/2 and HTTP/3 send to
    /// steer it while it carries calls: that grows with them. Bytes of IP.
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
    /// HTTP/1, and HTTP/2 with few calls at one time: when calls went on; nil where there was no pause.
    var times: CallTimes?
    /// Who sent the first FIN or RST, and when.
    var firstClose: (by: Direction, time: Int64)?

    /// What ends a connection's use for calls: it goes on as something else, or it broke.
    private static let spending: RecordFlags = [.upgraded, .tunnel, .aborted, .reset]

    /// Notes when an exchange went on that is given out. `isLimited`: few of them may go on at one time.
    @inline(__always)
    mutating func add(_ index: Int, isLimited: Bool, _ context: borrowing StreamContext) {
        let isSequential = context.exchanges[index].stream < 0
        let isSpent =
            isSequential
            && (!context.exchanges[index].response.isFinished
                || !context.exchanges[index].flags.isDisjoint(with: CallSpan.spending))
        let last = context.exchanges[index].responseEndTime ?? context.attribution.accounts[index].lastTime
        let first = context.exchanges[index].firstTime
        if isSequential || isLimited, end != .min, end != .max { addTime(CallTime(begin: first, end: last)) }
        begin = min(begin, first)
        end = isSpent ? .max : max(end, last)
    }

    /// Notes when one more call went on. The first may be given out last: it pays for the connection.
    @inline(__always)
    private mutating func addTime(_ call: CallTime) {
        // Most connections carry calls without pause, and then their begin and end say all.
        let (from, to) = call.begin < begin ? (call.end, begin) : (end, call.begin)
        let pause = to.subtractingReportingOverflow(from).partialValue
        guard times != nil || pause >= CallTimes.leastPause else { return }
        noteTime(call)
    }

    @inline(never)
    private mutating func noteTime(_ call: CallTime) {
        if times == nil {
            times = CallTimes()
            times?.add(CallTime(begin: begin, end: end))
        }
        times?.add(call)
    }

    /// When calls went on, where there were pauses in which another connection could have used this one.
    @inline(__always)
    func times(of use: ConnectionUse?) -> CallTimes? {
        guard let times, let use, use.kind == .sequential || use.kind == .limited, !use.isSpent, use.end == end
        else { return nil }
        return times
    }
}

extension ConnectionUse {
    /// Of a connection that has ended. Nil where it carried nothing. Of one that was not read all, it is known when it was
    /// open. `steering`: what HTTP/2 and HTTP/3 sent to steer it.
    init?(_ tracker: borrowing ExchangeTracker, _ setup: SetupSummary, steering: Int) {
        let isUnread = setup.unreadConnections > 0 && tracker.hiddenProtocol != nil
        guard tracker.count > 0 || isUnread else { return nil }
        self.init(
            kind: isUnread ? .unread : tracker.multiplexed == nil ? .sequential : .multiplexed,
            begin: min(tracker.calls.begin, tracker.calls.end), end: tracker.calls.end,
            cost: setup.setupBytes + setup.teardownBytes - steering)
        if isUnread || setup.partlyReadConnections > 0 || end == .min {
            begin = tracker.connection.firstTime
            end = max(end, tracker.connection.lastTime)
        } else if let close = tracker.calls.firstClose, close.by != tracker.client, end != .max {
            closedAfter = max(close.time.subtractingReportingOverflow(end).partialValue, 0)
        }
        isSpent = end == .max
        if kind == .multiplexed, let streams = tracker.multiplexed {
            if streams.allowFewCalls(tracker.client.opposite) { kind = .limited }
            if streams.isDraining { isSpent = true }
        } else if kind == .unread, let key = tracker.security?.handshake.known.helloKey {
            helloKey = UInt16(key) + 1
        }
    }

    /// What HTTP/2 sent to open the connection, with the headers of packets and records that belong to no call.
    @inline(never)
    static func opening(
        _ control: ControlBytes, _ all: Directions<CostVector>, _ own: Directions<CostVector>
    ) -> Int {
        control.opening(
            of: all.up[.setupHTTP] + all.down[.setupHTTP] + own.up[.tcpip] + own.down[.tcpip] + own.up[.tlsRecords]
                + own.down[.tlsRecords])
    }

    /// Headers of packets that carried nothing but close_notify: of HTTP/1 over TLS a connection has no others of its own,
    /// unless something of it was not read.
    @inline(never)
    static func closingHeaders(_ own: Directions<CostVector>) -> Int {
        let others = [own.up, own.down].reduce(0) { $0 + $1.message + $1[.tlsRecords] + $1[.opaque] }
        return others == 0 ? own.up[.tcpip] + own.down[.tcpip] : 0
    }
}
