/// A stream with one request and its response, as HTTP/2 and HTTP/3 have them (RFC 9113 §8.1, RFC 9114 §4.1): how far its
/// two messages are, whatever framed and compressed them.
///
/// - Invariant: what it learns stands in the exchange of its owner. Each call but `cut` and `abandon`, which may come behind
///   the exchange's end, is made while the owner's account is open.
final class MessageStream {
    /// One message of a stream while it is read.
    struct Message {
        var hasHead = false
        /// Its head went by before it was watched.
        var isJoinedLate = false
        var isEnded = false
        /// How far the direction had come when it ended, or was ended by a reset of the other endpoint; `unset` there, and
        /// where each stream has offsets of its own.
        var endedAt = StreamPosition.unset
        /// A reset without error ended it, while it was still coming.
        var isStopped = false
        var body = MessageBody(isIdentity: true)
        /// Bytes for which the other endpoint has given back flow control.
        var credited = 0

        /// All bytes that the message announced have come, though not the end of its stream.
        var isWholeByLength: Bool { hasHead && !isJoinedLate && body.declaredLength == body.byteCount }
    }

    let owner: Owner
    private var zero = Message()
    private var one = Message()
    /// DATA carries something other than a message's body (CONNECT).
    var isTunnel = false
    var isClosed = false

    init(owner: Owner) { self.owner = owner }

    var index: Int { Int(owner.index) }

    subscript(direction: Direction) -> Message {
        _read { if direction.index == 0 { yield zero } else { yield one } }
        _modify { if direction.index == 0 { yield &zero } else { yield &one } }
    }

    // MARK: Ends

    /// The sender has ended its message. False where it had ended before.
    func end(
        _ direction: Direction, _ role: MessageRole, _ origin: StreamOrigin, _ context: inout StreamContext
    ) -> Bool {
        if self[direction].isStopped { resume(direction, role, &context) }
        guard !self[direction].isEnded else { return false }
        checkLength(direction, role, origin, &context)
        let decoded = endBody(direction, role, isWhole: true, &context)
        self[direction].isEnded = true
        if role == .request {
            context.exchanges[index].requestEndTime = context.attribution.packet.time
            context.exchanges[index].request.finish(decoded)
        } else {
            context.exchanges[index].responseEndTime = context.attribution.packet.time
            context.exchanges[index].response.finish(decoded)
            context.answeredCount += 1
        }
        return true
    }

    /// A Content-Length that is not the length of the content makes a message malformed (RFC 9113 §8.1.1, RFC 9114
    /// §4.1.2).
    private func checkLength(
        _ direction: Direction, _ role: MessageRole, _ origin: StreamOrigin, _ context: inout StreamContext
    ) {
        let body = self[direction].body
        guard let length = body.declaredLength, length != body.byteCount else { return }
        let status = context.exchanges[index].status
        let hasNoBody =
            role == .response && (context.exchanges[index].methodKind == .head || [204, 304].contains(status))
        noteMalformed(!hasNoBody && !context.exchanges[index, role].isBroken, origin, &context)
    }

    private func endBody(
        _ direction: Direction, _ role: MessageRole, isWhole: Bool, _ context: inout StreamContext
    ) -> Int? {
        let body = self[direction].body.end(isWhole: isWhole, &context)
        context.record(body, of: index, role)
        return body.decoded
    }

    /// A reset ended the message before its sender had. `mayGoOn`: by a server that needs no more of the request, of which
    /// the rest may come all the same.
    func cut(_ direction: Direction, _ role: MessageRole, mayGoOn: Bool, _ context: inout StreamContext) {
        self[direction].isStopped =
            mayGoOn && role == .request && !context.exchanges[index, role].isBroken
            && self[direction].body.isIdentity && self[direction].body.examined == nil
        _ = endBody(direction, role, isWhole: false, &context)
        self[direction].isEnded = true
        context.exchanges[index, role].isBroken = true
        context.exchanges[index].flags.formUnion([.aborted, .reset])
        context.exchanges[index, role].isFinished = true
        if role == .response { context.answeredCount += 1 }
    }

    /// The rest of a request was on its way when the server stopped it: it has come whole after all.
    private func resume(_ direction: Direction, _ role: MessageRole, _ context: inout StreamContext) {
        self[direction].isStopped = false
        self[direction].isEnded = false
        context.exchanges[index, role].isBroken = false
        if context.exchanges[index].response.isComplete { context.exchanges[index].flags.subtract([.aborted, .reset]) }
    }

    /// No more bytes come: the message ends as it is.
    func abandon(
        _ direction: Direction, _ role: MessageRole, _ reason: RecordFlags, _ context: inout StreamContext
    ) {
        _ = endBody(direction, role, isWhole: false, &context)
        self[direction].isEnded = true
        context.exchanges[index, role].isBroken = true
        context.exchanges[index].flags.insert(reason)
    }

    func noteMalformed(_ isMalformed: Bool, _ origin: StreamOrigin, _ context: inout StreamContext) {
        guard isMalformed else { return }
        context.exchanges[index].flags.insert(.malformed)
        context.findings.add(origin.malformedMessage)
    }
}
