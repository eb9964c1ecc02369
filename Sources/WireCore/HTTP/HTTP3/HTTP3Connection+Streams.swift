/// Bytes of streams: what each stream is for, and who pays for its bytes.
extension HTTP3Connection {
    /// Takes the next bytes of a stream, and posts what they are.
    func receive(
        _ bytes: RawSpan, stream id: UInt64, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard bytes.byteCount > 0 else { return }
        guard let stream = stream(id, &tracker, &context) else {
            context.attribution.book(.connection, .opaque, bytes.byteCount, direction)
            return
        }
        var offset = 0
        while offset < bytes.byteCount {
            offset += receive(bytes, offset, stream, direction, &tracker, &context)
        }
    }

    /// Takes bytes of the run from `offset` on. Returns how many.
    private func receive(
        _ run: RawSpan, _ offset: Int, _ stream: HTTP3Stream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        let rest = run.byteCount - offset
        switch stream.use {
        case .undecided:
            return receiveStreamHeader(run, offset, stream, direction, &tracker, &context)
        case .message(let message):
            guard context.attribution.isOpen(message.owner) else {
                context.attribution.book(.connection, .opaque, rest, direction)
                return rest
            }
            return receiveMessage(run, offset, stream, message, direction, &tracker, &context)
        case .control:
            context.attribution.book(.connection, .setupHTTP, rest, direction)
            receiveControl(run, offset, stream, direction, &tracker, &context)
        case .instructions:
            context.attribution.book(.connection, .setupHTTP, rest, direction)
            decoders[direction].receive(run.extracting(offset..<run.byteCount), &context)
            unblock(direction, &tracker, &context)
        case .passed(let owner, let cause):
            post(owner, cause, rest, direction, &context)
        }
        return rest
    }

    /// Posts bytes of a stream, of which the exchange goes on.
    func post(
        _ owner: Owner, _ cause: Cause, _ count: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        context.attribution.book(owner, cause, count, direction)
        noteProgress(of: owner, &context)
    }

    /// The exchange goes on.
    private func noteProgress(of owner: Owner, _ context: inout StreamContext) {
        guard context.attribution.isOpen(owner) else { return }
        let index = Int(owner.index)
        context.attribution.accounts[index].lastTime = max(
            context.attribution.accounts[index].lastTime, context.attribution.packet.time)
    }

    /// Posts the bytes of the stream's beginning, now that it is known whose they are.
    func postHeld(
        _ stream: HTTP3Stream, _ direction: Direction, _ owner: Owner, _ cause: Cause, _ context: inout StreamContext
    ) {
        if context.attribution.isTraced {
            context.attribution.traceHeld(owner, cause, stream.id, direction)
            context.attribution.post(owner, cause, stream[direction].heldBytes, direction)
            noteProgress(of: owner, &context)
        } else {
            post(owner, cause, stream[direction].heldBytes, direction, &context)
        }
        stream[direction].heldBytes = 0
    }

    /// Keeps account of bytes whose owner is not known yet.
    func hold(_ count: Int, _ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        stream[direction].heldBytes += count
        context.attribution.noteHeld(count, stream.id, direction)
    }

    // MARK: Beginnings

    /// Takes the type of a unidirectional stream, or the signal of a bidirectional one of the server (RFC 9114 §6.2).
    private func receiveStreamHeader(
        _ run: RawSpan, _ offset: Int, _ stream: HTTP3Stream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        var count = stream[direction].type.receive(run, offset)
        hold(count, stream, direction, &context)
        guard stream[direction].type.isWhole else { return count }
        let type = stream[direction].type.value
        let isSession =
            type == (stream.isUnidirectional ? HTTP3StreamType.webTransport : HTTP3FrameType.webTransport)
        if isSession || (stream.isUnidirectional && type == HTTP3StreamType.push) {
            let more = stream[direction].number.receive(run, offset + count)
            hold(more, stream, direction, &context)
            count += more
            guard stream[direction].number.isWhole else { return count }
        }
        if isSession {
            enterSession(stream[direction].number.value, stream, direction, &context)
        } else if stream.isUnidirectional {
            enter(type, stream, direction, &tracker, &context)
        } else {
            // Nothing but a session lets a server open one (RFC 9114 §6.1).
            context.findings.add(.http3FrameMalformed)
            pass(stream, direction, .connection, .opaque, &context)
        }
        return count
    }

    private func enter(
        _ type: UInt64, _ stream: HTTP3Stream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        switch type {
        case HTTP3StreamType.control where !critical[direction].hasControl:
            critical[direction].hasControl = true
            stream.use = .control
            postHeld(stream, direction, .connection, .setupHTTP, &context)
        case HTTP3StreamType.qpackEncoder where !critical[direction].hasInstructions:
            critical[direction].hasInstructions = true
            stream.use = .instructions
            postHeld(stream, direction, .connection, .setupHTTP, &context)
        case HTTP3StreamType.push where direction != tracker.requester:
            enterPush(stream[direction].number.value, stream, direction, &tracker, &context)
        default:
            // A second of those, or a push of a client, is an error (RFC 9114 §6.2, RFC 9204 §4.2).
            if type < HTTP3StreamType.qpackDecoder { context.findings.add(.http3FrameMalformed) }
            pass(stream, direction, .connection, .setupHTTP, &context)
        }
    }

    private func enterPush(
        _ push: UInt64, _ stream: HTTP3Stream, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let message = pushes[push] ?? openMessage(stream.id, &tracker, &context)
        pushes[push] = message
        stream.use = .message(message)
        message[direction.opposite].isEnded = true
        guard context.attribution.isOpen(message.owner) else {
            return postHeld(stream, direction, .connection, .opaque, &context)
        }
        context.exchanges[message.index].stream = Int(stream.id)
        context.exchanges[message.index].flags.insert(.pushed)
        postHeld(stream, direction, message.owner, .framing, &context)
    }

    /// The stream carries what a session makes of it: its bytes stay with the call that opened the session.
    func enterSession(
        _ session: UInt64, _ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext
    ) {
        let owner = streams[session]?.message?.owner ?? .connection
        pass(stream, direction, owner, .opaque, &context)
    }

    private func pass(
        _ stream: HTTP3Stream, _ direction: Direction, _ owner: Owner, _ cause: Cause,
        _ context: inout StreamContext
    ) {
        stream.use = .passed(owner, cause)
        postHeld(stream, direction, owner, cause, &context)
    }

    // MARK: Missing bytes

    /// Passes bytes of a stream that nobody will see. Nothing is posted.
    func skip(
        _ count: Int, stream id: UInt64, _ direction: Direction, _ reason: SkipReason,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard count > 0, let stream = stream(id, &tracker, &context) else { return }
        lossReason[direction] = reason.flag
        switch stream.use {
        case .undecided:
            // Whatever it was, nobody can tell any more: it may have been what the table is made of, or the SETTINGS.
            pass(stream, direction, .connection, .setupHTTP, &context)
            guard stream.isUnidirectional else { return }
            loseTables(
                direction, instructions: !critical[direction].hasInstructions,
                settings: !critical[direction].hasControl, &tracker, &context)
        case .message(let message):
            guard context.attribution.isOpen(message.owner) else { return }
            skipMessage(count, stream, message, direction, reason, tracker, &context)
        case .control:
            stream[direction].isLost = true
            loseTables(direction, instructions: false, settings: true, &tracker, &context)
        case .instructions:
            loseTables(direction, instructions: true, settings: false, &tracker, &context)
        case .passed(let owner, _):
            guard context.attribution.isOpen(owner) else { return }
            context.exchanges[Int(owner.index)].flags.insert(reason.flag)
        }
    }

    /// Bytes of a unidirectional stream are missing, which may have been instructions, or the SETTINGS that the other
    /// direction's sections count by.
    private func loseTables(
        _ direction: Direction, instructions: Bool, settings: Bool, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        if instructions { decoders[direction].lose(&context) }
        if settings, decoders[direction.opposite].awaitsCapacity { decoders[direction.opposite].lose(&context) }
        for direction in Direction.both { unblock(direction, &tracker, &context) }
    }

    // MARK: Ends

    /// The sender has ended the stream, and all its bytes have come or were skipped.
    func finish(
        stream id: UInt64, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard let stream = stream(id, &tracker, &context) else { return }
        releaseHeld(stream, direction, &context)
        guard let message = stream.message, context.attribution.isOpen(message.owner) else { return }
        let isCut = !stream[direction].isLost && !stream[direction].reader.isAtFrameStart
        deliver(.end(isCut: isCut), stream, message, direction, &tracker, &context)
    }

    /// RESET_STREAM of the direction's sender (RFC 9000 §3.2).
    func reset(
        stream id: UInt64, by direction: Direction, errorCode: UInt64, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let stream = stream(id, &tracker, &context) else { return }
        releaseHeld(stream, direction, &context)
        guard let message = stream.message, context.attribution.isOpen(message.owner) else { return }
        if tracker.role(direction) == .request {
            tracker.noteGivenUp(message.index, by: direction, at: context.attribution.packet.time, &context)
        }
        deliver(.reset(errorCode), stream, message, direction, &tracker, &context)
    }

    /// STOP_SENDING: the sender of the direction wants no more of what comes the other way (RFC 9000 §3.5).
    func stopSending(
        stream id: UInt64, by direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let message = stream(id, &tracker, &context)?.message, context.attribution.isOpen(message.owner),
            tracker.role(direction) == .request
        else { return }
        tracker.noteGivenUp(message.index, by: direction, at: context.attribution.packet.time, &context)
    }

    /// The connection is over: what is open ends as it is.
    func finishAll(isOrderly: Bool, _ tracker: inout ExchangeTracker, _ context: inout StreamContext) {
        for direction in Direction.both { unblock(direction, isLast: true, &tracker, &context) }
        let reason: RecordFlags = tracker.connection.close == .open && !isOrderly ? .noEnd : .aborted
        for id in streams.keys.sorted() {
            guard let stream = streams[id] else { continue }
            for direction in Direction.both {
                releaseHeld(stream, direction, &context)
                keep(-stream[direction].keptBytes, stream, direction, &context)
            }
            if let message = stream.message { abandon(message, reason, tracker, &context) }
        }
        for push in pushes.keys.sorted() {
            if let message = pushes[push] { abandon(message, reason, tracker, &context) }
        }
        for direction in Direction.both { decoders[direction].end(&context) }
    }

    private func abandon(
        _ message: MessageStream, _ reason: RecordFlags, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard context.attribution.isOpen(message.owner) else { return }
        for direction in Direction.both where !message[direction].isEnded {
            message.abandon(direction, tracker.role(direction), reason, &context)
        }
    }

    /// What the first bytes of the stream begin will not come.
    private func releaseHeld(_ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        guard stream[direction].heldBytes > 0 else { return }
        let owner = stream.message?.owner ?? .connection
        postHeld(stream, direction, owner, owner == .connection ? .setupHTTP : .framing, &context)
    }
}
