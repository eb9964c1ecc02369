/// Whoever asked closed its connection, or reset the stream, before the answer had come whole: the app gave the call up.
/// What comes of the answer afterwards reaches the host and no app.
public struct EarlyClose: Sendable, Equatable {
    /// When the first FIN, RST or RST_STREAM was captured: nanoseconds since the epoch.
    public var time: Int64
    /// The final response's head had come whole by then.
    public var hadHead: Bool
    /// Bytes of the final response's body that had come by then, content-coded as sent, without framing.
    public var body: Int

    public init(time: Int64, hadHead: Bool, body: Int) {
        self.time = time
        self.hadHead = hadHead
        self.body = body
    }
}

/// How far the requests' sender has gone in closing the connection.
enum RequesterClosing: UInt8, Comparable {
    case open, closed, reset

    static func < (left: RequesterClosing, right: RequesterClosing) -> Bool { left.rawValue < right.rawValue }
}

extension ExchangeTracker {
    /// A FIN or RST came. Of the sender of requests it ends its waiting for answers.
    mutating func noteClosing(
        _ closing: RequesterClosing, by direction: Direction, at time: Int64, _ context: inout StreamContext
    ) {
        if calls.firstClose == nil { calls.firstClose = (direction, time) }
        // Each step is taken once: a repeated FIN walks along no chain.
        guard direction == requester, closing > self.closing else { return }
        self.closing = closing
        var index = first
        while index >= 0 {
            noteGivenUp(Int(index), by: direction, at: time, &context)
            index = context.attribution.accounts[Int(index)].following
        }
    }

    /// The exchange's request was taken back, or its connection closed, while its response had not ended.
    func noteGivenUp(_ index: Int, by direction: Direction, at time: Int64, _ context: inout StreamContext) {
        guard context.exchanges[index].earlyClose == nil, !context.exchanges[index].response.isFinished,
            context.exchanges[index].request.isPresent
        else { return }
        let hadHead =
            context.exchanges[index].response.isPresent && context.exchanges[index].response.framing != .unknown
        context.exchanges[index].earlyClose = EarlyClose(
            time: time, hadHead: hadHead,
            body: hadHead ? context.attribution.accounts[index].costs.bytes(.body, direction.opposite) : 0)
    }

    /// An endpoint that closes only its own direction still reads the answer: an answer that came whole was given up only
    /// if its receiver reset the connection.
    func earlyClose(_ exchange: Exchange) -> EarlyClose? {
        exchange.response.isComplete && closing != .reset ? nil : exchange.earlyClose
    }
}
