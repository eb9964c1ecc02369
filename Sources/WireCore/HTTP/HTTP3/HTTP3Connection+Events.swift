/// What frames say of messages, in the order of their stream: behind a field section that cannot be read yet it waits.
extension HTTP3Connection {
    /// Something comes on a stream: it happens now, or waits behind what waits already.
    func deliver(
        _ kind: WaitingEvent.Kind, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        if stream[direction].waiting.isEmpty,
            handle(kind, stream, message, direction, isLast: false, &tracker, &context)
        {
            return
        }
        let event = WaitingEvent(kind: kind, time: context.attribution.packet.time)
        stream[direction].waiting.append(event)
        blocked[direction].insert(stream.id)
        keep(event.byteCount, stream, direction, &context)
        guard context.isCrowdedWithHeads else { return }
        context.findings.add(.qpackLimit)
        replay(stream, direction, isLast: true, &tracker, &context)
    }

    /// Bytes that are kept of a stream are so many more.
    func keep(_ count: Int, _ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        stream[direction].keptBytes += count
        context.buffered.heads += count
    }

    /// The table of a direction has changed: sections that waited may be read. `isLast`: what they wait for will not come.
    func unblock(
        _ direction: Direction, isLast: Bool = false, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard !blocked[direction].isEmpty else { return }
        for id in blocked[direction].sorted() {
            guard let stream = streams[id] else {
                blocked[direction].remove(id)
                continue
            }
            replay(stream, direction, isLast: isLast, &tracker, &context)
        }
    }

    /// Goes on with what waits of a stream, as if it had just come, as far as it can.
    private func replay(
        _ stream: HTTP3Stream, _ direction: Direction, isLast: Bool, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let message = stream.message else { return }
        let now = context.attribution.packet.time
        // While it is handled nothing waits, so that what is handled does not go behind the rest.
        let events = stream[direction].waiting
        stream[direction].waiting = []
        var count = 0
        for event in events {
            context.attribution.packet.time = event.time
            if context.attribution.isOpen(message.owner),
                !handle(event.kind, stream, message, direction, isLast: isLast, &tracker, &context)
            {
                break
            }
            keep(-event.byteCount, stream, direction, &context)
            if case .content(let bytes) = event.kind, message.isTunnel, context.attribution.isOpen(message.owner) {
                context.attribution.reclassify(message.index, bytes.count, from: .body, to: .opaque, direction)
            }
            count += 1
        }
        context.attribution.packet.time = now
        stream[direction].waiting = Array(events[count...])
        if count == events.count { blocked[direction].remove(stream.id) }
    }

    /// False where it cannot happen yet.
    private func handle(
        _ kind: WaitingEvent.Kind, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        isLast: Bool, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Bool {
        switch kind {
        case .section(let bytes?, let count):
            let span = unsafe bytes.span.bytes
            return readSection(span, count, stream, message, direction, isLast: isLast, tracker, &context)
        case .section(nil, let count):
            let fields = MessageFields(section: FieldSection(), bytes: count, isBroken: true)
            receive(fields, stream, message, direction, tracker, &context)
        case .promise(let bytes, let count, let push):
            return readPromise(bytes ?? [], count, push, stream, direction, isLast: isLast, &tracker, &context)
        case .data: beginData(stream, message, direction, tracker, &context)
        case .content(let bytes):
            let span = unsafe bytes.span.bytes
            message[direction].body.receive(span, &context)
        case .missing(let count, let reason): message[direction].body.skip(count, reason, context)
        case .end(let isCut): endMessage(isCut: isCut, stream, message, direction, tracker, &context)
        case .reset(let code): resetMessage(code, stream, message, direction, tracker, &context)
        }
        return true
    }

    // MARK: Field sections

    /// Reads a field section of `count` bytes. False where what it refers to has not come.
    func readSection(
        _ bytes: RawSpan, _ count: Int, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        isLast: Bool, _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) -> Bool {
        let use = SectionUse(stream: stream.id, owner: message.owner, role: tracker.role(direction))
        guard let fields = decoders[direction].fields(bytes, count, use, isLast: isLast, &context) else { return false }
        receive(fields, stream, message, direction, tracker, &context)
        return true
    }

    private func receive(
        _ fields: MessageFields, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        let start = message.receive(fields, direction, tracker.role(direction), origin(direction), &context)
        // Whether a body follows shows with the next frame, or with the end.
        if let start { stream[direction].bodyStart = start }
    }

    /// A PUSH_PROMISE: the request that its sender answers without being asked (RFC 9114 §4.6). The answer may have come
    /// before; a push may be promised more than once.
    private func readPromise(
        _ bytes: [UInt8], _ count: Int, _ push: UInt64, _ stream: HTTP3Stream, _ direction: Direction, isLast: Bool,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Bool {
        let owner = pushes[push]?.owner ?? stream.message?.owner ?? .connection
        let use = SectionUse(stream: stream.id, owner: owner, role: .request)
        let span = unsafe bytes.span.bytes
        guard let fields = decoders[direction].fields(span, count, use, isLast: isLast, &context) else { return false }
        if pushes[push] == nil {
            guard streams.count + pushes.count < context.options.streamLimit else {
                context.findings.add(.http3StreamLimit)
                return true
            }
            pushes[push] = openMessage(stream.id, &tracker, &context)
        }
        guard let message = pushes[push], context.attribution.isOpen(message.owner),
            !context.exchanges[message.index].request.isPresent
        else { return true }
        let reason = lossReason[direction].isEmpty ? RecordFlags.malformed : lossReason[direction]
        message.receivePromise(fields, direction, origin(direction), loss: reason, &context)
        return true
    }

    // MARK: Bodies and ends

    private func beginData(
        _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        if !message[direction].hasHead, !message[direction].isJoinedLate {
            // DATA without a head in front of it (RFC 9114 §4.1).
            context.findings.add(.http3FrameMalformed)
            message.joinLate(direction, tracker.role(direction), &context)
            context.exchanges[message.index].flags.insert(origin(direction).reason(.malformed))
        }
        beginBody(stream, message, direction, endsStream: false, &context)
    }

    private func beginBody(
        _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction, endsStream: Bool,
        _ context: inout StreamContext
    ) {
        guard let start = stream[direction].bodyStart else { return }
        stream[direction].bodyStart = nil
        message.beginBody(start, direction, endsStream: endsStream, &context)
    }

    private func endMessage(
        isCut: Bool, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        guard !message[direction].isEnded else { return }
        let role = tracker.role(direction)
        if isCut || (!message[direction].hasHead && !message[direction].isJoinedLate) {
            // It ends inside a frame (RFC 9114 §7.1), or has no head (§4.1).
            message.noteMalformed(true, origin(direction), &context)
            context.exchanges[message.index, role].isBroken = true
        }
        beginBody(stream, message, direction, endsStream: true, &context)
        end(message, direction, tracker, &context)
    }

    private func end(
        _ message: MessageStream, _ direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        _ = message.end(direction, tracker.role(direction), origin(direction), &context)
        if context.answer != nil { context.tellAnswer(of: message.index, tracker, .betweenMessages) }
    }

    private func resetMessage(
        _ errorCode: UInt64, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        guard !message[direction].isEnded else { return }
        let role = tracker.role(direction)
        beginBody(stream, message, direction, endsStream: false, &context)
        let isBroken = context.exchanges[message.index, role].isBroken
        if errorCode == HTTP3Connection.noError, !isBroken, message[direction].isWholeByLength,
            stream[direction].reader.isAtFrameStart
        {
            end(message, direction, tracker, &context)
        } else {
            message.cut(direction, role, mayGoOn: false, &context)
        }
    }

    /// H3_NO_ERROR (RFC 9114 §8.1).
    private static let noError: UInt64 = 0x100
}
