/// Where the HTTP/1 readers of a connection are in their messages, as far as it decides when exchanges may end.
struct ReaderPhases {
    /// The direction is in a message, or in what a message turned it into.
    var isInMessage = DirectionPair(repeating: false)
    /// The direction is in a start line that has not come whole.
    var isInStartLine = DirectionPair(repeating: false)

    static let betweenMessages = ReaderPhases()
}

/// Streams of a connection that carries several at a time, as far as the tracker tells them of their exchanges.
protocol MultiplexedStreams: AnyObject {
    /// Frames of a stream may be missing, by what each direction's receiver acknowledged.
    func mayLackFrames(stream: Int, acknowledged: DirectionPair<StreamPosition>) -> Bool
    /// The exchange of a stream was given out.
    func forget(stream: Int, of owner: Owner)
    /// Streams that a direction's sender lets the other endpoint have open at one time.
    func streamLimit(_ direction: Direction) -> UInt32
    /// GOAWAY came while answers were still to come: what was asked behind it needed another connection.
    var isDraining: Bool { get }
    /// Bytes that steer the connection, not its streams.
    var control: ControlBytes { get }
}

extension MultiplexedStreams {
    /// QUIC limits how many streams there may be in all, and allows more as they end (RFC 9000 §4.6).
    func streamLimit(_ direction: Direction) -> UInt32 { .max }

    /// Of HTTP/3 they are not told apart.
    var control: ControlBytes { ControlBytes() }

    /// Servers should allow as many streams at one time as `ConnectionUse.fewStreams`, or more.
    func allowFewCalls(_ server: Direction) -> Bool { streamLimit(server) < ConnectionUse.fewStreams }
}

/// The exchanges of one connection: begins them, pairs responses with requests, and gives exchanges out when they are
/// over.
///
/// Exchanges form a chain in the order of their requests. HTTP/1 pairs by order, HTTP/2 by stream: there an exchange is
/// opened with its stream, and pairing has nothing to do.
///
/// - Invariant: numbers ascend in the chain; `oldestUnanswered` is the first exchange in it without a response, of those
///   whose request was not sent on a stream.
struct ExchangeTracker {
    var connection: ConnectionFacts
    /// What TLS shows of the connection; nil where there is none.
    var security: RecordProtection?
    /// What carries several streams; nil where nothing does.
    var multiplexed: (any MultiplexedStreams)?
    /// The direction that carries requests, once one was seen.
    var requester: Direction?
    /// How far the requester has gone in closing the connection.
    var closing = RequesterClosing.open
    /// Messages of the direction lie in TLS records.
    var isSecure = DirectionPair(repeating: false)
    /// Whole messages may have been lost since the last one of the direction.
    var isLost = DirectionPair(repeating: false)
    /// Of those losses, one came after the latest response of the other direction began.
    private(set) var isLostUnanswered = DirectionPair(repeating: false)
    /// Why messages may have been lost at any time.
    var losses = DirectionPair(repeating: RecordFlags())
    /// A request was sent while another waited for its answer.
    var hasPipelined = false
    /// Ends of the chain; below 0 where it is empty.
    private(set) var first: Int32 = -1
    private(set) var last: Int32 = -1
    /// The oldest exchange whose final response has not begun to be paired.
    var oldestUnanswered: Int32 = -1
    /// The exchange whose response came before its request, which may still come; below 0 when there is none.
    var orphanResponse: Int32 = -1
    /// Its request begins before this position.
    var orphanAcknowledged = StreamPosition.never
    /// Exchanges so far, and those in the chain.
    private(set) var count = 0
    private(set) var liveCount = 0
    /// How far the packet of the latest request's beginning acknowledged the server; `unset` where it did not.
    var ackAtLastRequest = StreamPosition.unset
    /// Requests whose exchanges were given out unanswered; nil where there were none.
    var abandoned: AbandonedRequests?
    /// From the exchange of this number on messages may have been missed as a whole, and why.
    var uncertainFrom = Int.max
    var uncertainty: RecordFlags = []
    var httpVersion = HTTPVersion.none
    /// The host of its first exchange that opens no tunnel, else of its first; nil when there was none.
    var host: [UInt8]?
    /// How early that exchange came.
    var hostRank = 0
    /// Exchanges that were given out and whose end was not captured.
    var unfinished = 0
    /// When those of its exchanges went on that were given out.
    var calls = CallSpan()

    @inline(__always)
    init(_ connection: ConnectionFacts) { self.connection = connection }

    /// The client's direction: of who sent the SYN, else of who sent a ClientHello, else requests, else from the higher
    /// port (ByteLedger.md §2.2).
    @inline(__always)
    var client: Direction {
        if let client = connection.client ?? security?.client ?? requester { return client }
        return connection.key.likelyServer.opposite
    }

    /// Which kind of message the direction carries, once a request was seen.
    @inline(__always)
    func role(_ direction: Direction) -> MessageRole { direction == requester ? .request : .response }

    // MARK: The chain

    /// Adds an exchange to the chain. Returns its index.
    mutating func begin(before following: Int32 = -1, _ context: inout StreamContext) -> Int {
        let owner = context.openExchange()
        let index = Int(owner.index)
        let previous = following < 0 ? last : context.attribution.accounts[Int(following)].previous
        context.exchanges[index].number = count
        context.exchanges[index].firstTime = context.attribution.packet.time
        context.attribution.accounts[index].lastTime = context.attribution.packet.time
        context.attribution.accounts[index].previous = previous
        context.attribution.accounts[index].following = following
        if previous >= 0 {
            context.attribution.accounts[Int(previous)].following = owner.index
        } else {
            first = owner.index
        }
        if following >= 0 {
            context.attribution.accounts[Int(following)].previous = owner.index
        } else {
            last = owner.index
        }
        count += 1
        liveCount += 1
        context.timers.add(
            TimerWheel.Entry(place: connection.place, number: connection.number, owner: owner),
            at: context.attribution.packet.time + TimerWheel.lateSegmentWindow)
        return index
    }

    /// Takes an exchange out of the chain.
    mutating func unlink(_ index: Int, _ context: inout StreamContext) {
        let account = context.attribution.connection
        for direction in Direction.both {
            if account[direction].latest == Int32(index) {
                account[direction].latest = endedBefore(index, direction, context)
            }
            if account[direction].hint == Int32(index) { account[direction].hint = -1 }
        }
        liveCount -= 1
        let previous = context.attribution.accounts[index].previous
        let following = context.attribution.accounts[index].following
        if previous >= 0 {
            context.attribution.accounts[Int(previous)].following = following
        } else {
            first = following
        }
        if following >= 0 {
            context.attribution.accounts[Int(following)].previous = previous
        } else {
            last = previous
        }
    }

    /// The exchange before it in the direction, which pays for late packets still, if its message has ended there.
    private func endedBefore(_ index: Int, _ direction: Direction, _ context: borrowing StreamContext) -> Int32 {
        let before = previous(index, direction, context)
        guard before >= 0, context.attribution.accounts[Int(before)].ranges[direction].end != .never,
            !context.exchanges[Int(before)].awaitsFinalResponse
        else { return -1 }
        return before
    }

    /// The latest exchange before `index` that has a message in the direction.
    func previous(_ index: Int, _ direction: Direction, _ context: borrowing StreamContext) -> Int32 {
        var cursor = context.attribution.accounts[index].previous
        while cursor >= 0, !context.attribution.accounts[Int(cursor)].ranges[direction].isPresent {
            cursor = context.attribution.accounts[Int(cursor)].previous
        }
        return cursor
    }

    /// Takes an exchange back that turned out to be none: it had no start line. The connection pays what it had cost.
    mutating func cancel(_ index: Int, _ context: inout StreamContext) {
        let account = context.attribution.connection
        for direction in Direction.both {
            context.attribution.disownAll(index, direction)
            if account[direction].latest == Int32(index) {
                account[direction].latest = previous(index, direction, context)
            }
        }
        if oldestUnanswered == Int32(index) { oldestUnanswered = unanswered(behind: index, context) }
        if orphanResponse == Int32(index) { orphanResponse = -1 }
        closeNumbers(behind: context.exchanges[index].number, &context)
        unlink(index, &context)
        context.closeExchange(Int32(index))
    }

    /// Exchanges are numbered without a gap: those behind one that goes move up.
    private mutating func closeNumbers(behind number: Int, _ context: inout StreamContext) {
        count -= 1
        var cursor = number == count ? -1 : last
        while cursor >= 0 {
            if context.exchanges[Int(cursor)].number > number { context.exchanges[Int(cursor)].number -= 1 }
            cursor = context.attribution.accounts[Int(cursor)].previous
        }
    }

    // MARK: Losses

    /// Whole messages of the direction may be missing from here on, until one of it begins.
    mutating func loseMessages(_ direction: Direction) {
        isLost[direction] = true
        isLostUnanswered[direction] = true
    }

    /// A message of the direction begins: it may answer what was lost of the other one.
    mutating func noteAnswer(_ direction: Direction) { isLostUnanswered[direction.opposite] = false }

    /// Why bytes that begin no message are not read: behind a head that the snap length cut, they are its rest or its body.
    func unreadReason(_ direction: Direction) -> SkipReason {
        isLost[direction] && losses[direction].contains(.snapped) ? .truncated : .unreadable
    }

    /// Whole messages may be missing: where requests were sent without waiting for answers, nobody can tell from here
    /// on which answers which.
    mutating func noteUncertain(_ reason: SkipReason, _ direction: Direction, _ context: inout StreamContext) {
        losses[direction].formUnion(reason.flag)
        uncertainty.formUnion(reason.flag)
        // Some of the answer that is waited for may be what is missing.
        if direction != requester, oldestUnanswered >= 0 {
            context.exchanges[Int(oldestUnanswered)].flags.insert(reason.flag)
        }
        let waiting = oldestUnanswered >= 0 ? context.exchanges[Int(oldestUnanswered)].number : count
        uncertainFrom = min(uncertainFrom, waiting)
    }
}
