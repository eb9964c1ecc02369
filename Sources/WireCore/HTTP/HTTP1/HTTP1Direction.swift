/// Where the bytes that messages lie in begin in a direction's stream.
enum ContentOrigin: Equatable {
    /// In the stream itself: with its first byte, or behind what a proxy puts before it.
    case stream(StreamPosition)
    /// In records or frames, of which none held any so far.
    case hidden
    /// In records or frames, from here on.
    case from(StreamPosition)
}

/// One direction of HTTP/1.
struct HTTP1Direction {
    var reader = MessageReader()
    var body = MessageBody()
    var origin = ContentOrigin.stream(.zero)
    /// Bytes up to here, of those since the last message began, are missing where a message may have begun among them;
    /// `unset` where none are.
    var lostUpTo = StreamPosition.unset
    /// The message begins right behind missing bytes, which may be its first ones.
    var beganBehindLoss = false
    /// A head was read, and no byte of the body, of a response without a known request, which may have answered HEAD, or
    /// of a request that expects 100 (RFC 9110 §10.1.1), which may be refused.
    var mayLackBody = false
    /// Why bytes are missing that were taken for the beginning of such a body. If there is none, messages may be among them.
    var lossInDoubtfulBody: SkipReason?

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        reader.renew()
        body.renew()
        origin = .stream(.zero)
        lostUpTo = .unset
        (beganBehindLoss, mayLackBody) = (false, false)
        lossInDoubtfulBody = nil
    }

    /// Messages lie in the stream itself.
    var isDirect: Bool { if case .stream = origin { true } else { false } }

    /// The first of the bytes that messages lie in is at `position`, in sight of the stream's beginning.
    func isFirstContent(_ position: StreamPosition, _ stream: borrowing StreamAssembler) -> Bool {
        guard stream.startIsKnown else { return false }
        return origin == .stream(position) || origin == .from(position)
    }

    /// Nothing of the bytes that messages lie in has come yet, though the stream was watched from its beginning.
    func hasNoContentYet(_ stream: borrowing StreamAssembler) -> Bool {
        guard stream.startIsKnown else { return false }
        return if case .stream(let start) = origin { stream.next <= start } else { origin == .hidden }
    }
}
