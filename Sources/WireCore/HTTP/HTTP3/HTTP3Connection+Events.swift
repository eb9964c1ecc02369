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
        guard isCrowded(context) else { return }
        context.findings.add(.qpackLimit)
        replay(stream, direction, isLast: true, &tracker, &context)
    }

    /// Bytes that are kept of a stream are so many more.
    func keep(_ count: Int, _ stream: HTTP3Stream, _ direction: Direction, _ context: inout StreamContext) {
        stream[direction].keptBytes += count
        context.buffered.heads += count
    }

    /// What is kept over all connections is too much.
    func isCrowded(_ context: borrowing StreamContext) -> Bool {
        context.buffered.heads > context.options.limitPerShard(of: context.options.totalHeadBytesLimit)
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
            return unsafe readSection(
                bytes.span.bytes, count, stream, message, direction, isLast: isLast, &tracker, &context)
        case .section(nil, let count):
            let fields = MessageFields(section: FieldSection(), bytes: count, isBroken: true)
            receive(fields, stream, message, direction, tracker, &context)
        case .promise(let bytes, let count, let push):
            return readPromise(bytes ?? [], count, push, stream, direction, isLast: isLast, &tracker, &context)
        case .data: beginData(stream, message, direction, tracker, &context)
        case .content(let bytes): unsafe message[direction].body.receive(bytes.span.bytes, &context)
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
        isLast: Bool, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Bool {
        let owner = message.owner
        let role = tracker.role(direction)
        guard
            let fields = readFields(
                bytes, count, stream.id, owner, role, direction, isLast: isLast, keepsText: true, &context)
        else { return false }
        receive(fields, stream, message, direction, tracker, &context)
        return true
    }

    /// The fields of a section; nil where what it refers to has not come.
    private func readFields(
        _ bytes: RawSpan, _ count: Int, _ id: UInt64, _ owner: Owner, _ role: MessageRole, _ direction: Direction,
        isLast: Bool, keepsText: Bool, _ context: inout StreamContext
    ) -> MessageFields? {
        var fields = MessageFields(
            section: FieldSection(keepsText: keepsText && context.options.keepsHeads), bytes: count)
        let limit = isCrowded(context) ? 0 : context.options.headerSectionLimit
        var use: (bytes: Int, taken: [Share]) = (0, [])
        let outcome = decoders[direction].read(
            bytes, into: &fields.section, limit: limit, isLast: isLast, &context
        ) { uses, insertions in
            use = uses.note(insertions, stream: id, owner)
        }
        switch outcome {
        case .blocked: return nil
        case .read: noteUse(use.bytes, use.taken, owner, role, &context)
        case .inPart: context.findings.add(.qpackFieldsUnknown)
        case .failed:
            context.findings.add(.qpackMalformed)
            fields.isBroken = true
        }
        if fields.section.isCut { context.findings.add(.headerSectionLimit) }
        return fields
    }

    /// A message is the first to refer to insertions, which others may have been taken to be before.
    private func noteUse(
        _ bytes: Int, _ taken: [Share], _ owner: Owner, _ role: MessageRole, _ context: inout StreamContext
    ) {
        for share in taken where context.attribution.isOpen(share.owner) {
            context.exchanges[Int(share.owner.index)][role].insertedBytes -= share.bytes
        }
        if context.attribution.isOpen(owner) { context.exchanges[Int(owner.index)][role].insertedBytes += bytes }
    }

    private func receive(
        _ fields: borrowing MessageFields, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
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
        let fields = unsafe readFields(
            bytes.span.bytes, count, stream.id, owner, .request, direction, isLast: isLast, keepsText: false, &context)
        guard let fields else { return false }
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
            context.exchanges[message.index][role].isBroken = true
        }
        beginBody(stream, message, direction, endsStream: true, &context)
        _ = message.end(direction, role, origin(direction), &context)
    }

    private func resetMessage(
        _ errorCode: UInt64, _ stream: HTTP3Stream, _ message: MessageStream, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        guard !message[direction].isEnded else { return }
        let role = tracker.role(direction)
        beginBody(stream, message, direction, endsStream: false, &context)
        let isBroken = context.exchanges[message.index][role].isBroken
        if errorCode == HTTP3Connection.noError, !isBroken, message[direction].isWholeByLength,
            stream[direction].reader.isAtFrameStart
        {
            _ = message.end(direction, role, origin(direction), &context)
        } else {
            message.cut(direction, role, mayGoOn: false, &context)
        }
    }

    /// H3_NO_ERROR (RFC 9114 §8.1).
    private static let noError: UInt64 = 0x100
}
