/// HTTP/3 of one connection (RFC 9114): takes the bytes of QUIC's streams, and says of each whose it is and why.
///
/// Bytes of a stream come in order, each once: received or skipped. What is received is posted at once, but for the first
/// bytes of a stream that begins a push or belongs to a WebTransport session: those, at most 16, are posted when it is
/// known whose they are. Field sections are booked when they come, and read when what they refer to has come; what follows
/// them on their stream waits.
///
/// - Invariant: a stream in `streams` whose use is a message has an exchange; the tracker has it forgotten when that is given
///   out. `blocked` holds the streams whose direction has something waiting.
final class HTTP3Connection: MultiplexedStreams {
    /// What a direction must have once.
    struct CriticalStreams {
        var hasControl = false
        var hasInstructions = false
        var hasSettings = false
    }

    var streams: [UInt64: HTTP3Stream] = [:]
    /// Pushes that were promised or have begun.
    var pushes: [UInt64: MessageStream] = [:]
    /// By the direction whose sections they read.
    let decoders = ObjectPair<FieldDecoder> { FieldDecoder() }
    var blocked = DirectionPair(repeating: Set<UInt64>())
    var critical = DirectionPair(repeating: CriticalStreams())
    /// Why bytes of a direction were lost last.
    var lossReason = DirectionPair(repeating: RecordFlags())
    private var closed = ClosedStreams()
    /// The capture begins inside the connection.
    let isLate: Bool
    var isDraining = false

    init(isLate: Bool) { self.isLate = isLate }

    func origin(_ direction: Direction) -> StreamOrigin {
        StreamOrigin(version: .http3, isLate: isLate, lossReason: lossReason[direction])
    }

    // MARK: Streams and their owners

    /// Whose a stream is. A request stream that was not seen before gets its exchange; of a push, and of a stream of a
    /// WebTransport session, the exchange is known when its first bytes have come.
    func owner(
        of id: UInt64, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Owner {
        guard let stream = stream(id, &tracker, &context) else { return .connection }
        switch stream.use {
        case .message(let message): return context.attribution.isOpen(message.owner) ? message.owner : .connection
        case .passed(let owner, _): return context.attribution.isOpen(owner) ? owner : .connection
        default: return .connection
        }
    }

    /// A stream, which begins to be read if it is new. Nil where it is over, or there is no room for it.
    func stream(
        _ id: UInt64, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> HTTP3Stream? {
        if let stream = streams[id] { return stream }
        guard !closed.contains(id) || !HTTP3Stream.isOfRequest(id) else { return nil }
        guard streams.count + pushes.count < context.options.streamLimit else {
            context.findings.add(.http3StreamLimit)
            return nil
        }
        let stream = HTTP3Stream(id: id)
        streams[id] = stream
        if HTTP3Stream.isOfRequest(id) { stream.use = .message(openMessage(id, &tracker, &context)) }
        return stream
    }

    /// A message stream with a new exchange.
    func openMessage(
        _ id: UInt64, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> MessageStream {
        tracker.httpVersion = .http3
        let index = tracker.begin(&context)
        context.exchanges[index].stream = Int(id)
        context.exchanges[index].isSecure = true
        return MessageStream(owner: context.attribution.owner(Int32(index)))
    }

    /// A stream turns out to belong to a session: what was taken for an exchange is none.
    func cancelMessage(_ stream: HTTP3Stream, _ tracker: inout ExchangeTracker, _ context: inout StreamContext) {
        guard let message = stream.message, context.attribution.isOpen(message.owner) else { return }
        tracker.cancel(message.index, &context)
    }

    // MARK: What the tracker asks

    /// QUIC's acknowledgments name packets, not bytes.
    func mayLackFrames(stream: Int, acknowledged: DirectionPair<StreamPosition>) -> Bool { false }

    func forget(stream: Int, of owner: Owner) {
        let id = UInt64(truncatingIfNeeded: stream)
        if let stream = streams[id], stream.message?.owner == owner {
            // What is kept of it is let go of when it is looked at next: here nothing can be counted.
            if Direction.both.allSatisfy({ stream[$0].keptBytes == 0 && stream[$0].waiting.isEmpty }) {
                streams[id] = nil
            }
            if HTTP3Stream.isOfRequest(id) { closed.insert(id) }
        }
        if !pushes.isEmpty, let push = pushes.first(where: { $0.value.owner == owner }) { pushes[push.key] = nil }
    }
}
