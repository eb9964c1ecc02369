/// Streams as exchanges: where they begin, and their ends, orderly or not (RFC 9113 §5, §8).
extension HTTP2Connection {
    /// Opens a stream with its exchange; at the limit the connection pays.
    func openStream(
        _ id: Int, _ direction: Direction, isRequest: Bool = false, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) -> (Owner, Cause?) {
        retireClosed(&tracker, &context)
        guard streams.count < context.options.streamLimit else {
            context.findings.add(.streamLimit)
            refusedUpTo = max(refusedUpTo, id)
            return (.connection, .opaque)
        }
        let index = tracker.begin(&context)
        context.exchanges[index].stream = Int32(truncatingIfNeeded: id)
        context.exchanges[index].isSecure = tracker.isSecure[direction]
        if isLate, !isRequest { context.exchanges[index].flags.insert(.noStart) }
        let owner = context.attribution.owner(Int32(index))
        streams[id] = Stream(owner: owner)
        noteUnbroken(id, 0)
        noteUnbroken(id, 1)
        return (owner, nil)
    }

    /// An exchange of HTTP/1 goes on as stream 1 (RFC 7540 §3.2): its request has ended there.
    func adopt(_ index: Int, requester: Direction, _ context: borrowing StreamContext) {
        let stream = Stream(owner: context.attribution.owner(Int32(index)))
        stream[requester].hasHead = true
        stream[requester].isEnded = true
        stream[requester].endedAt = assembly[requester].next
        streams[1] = stream
        noteUnbroken(1, 0)
        noteUnbroken(1, 1)
    }

    /// A frame is whole: what follows from it.
    func endFrame(
        _ frames: Frames, at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let frame = frames.reader.frame
        if frames.reader.isMalformed { context.findings.add(.frameMalformed) }
        noteRange(frames, at: position, direction, &context)
        if frame.type == FrameType.pushPromise { frames.block?.promised = frames.reader.promisedStreamID }
        var endsStream = frame.type == FrameType.data && frame.endsStream
        if frame.endsFieldBlock {
            endsStream = frames.block?.endsStream == true
            endBlock(frames, direction, &tracker, &context)
        }
        if endsStream { endMessage(frame.stream, at: position, direction, tracker, &context) }
        if frame.type == FrameType.resetStream {
            reset(frame.stream, frames.reader.errorCode, by: direction, tracker, &context)
        }
    }

    private func noteRange(
        _ frames: Frames, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard context.attribution.isOpen(frames.owner) else { return }
        let index = Int(frames.owner.index)
        if !context.attribution.accounts[index].ranges[direction].isPresent {
            context.attribution.accounts[index].ranges[direction].start = frames.frameStart
        }
        if context.attribution.accounts[index].ranges[direction].end != .never {
            context.attribution.accounts[index].ranges[direction].end = position
        }
    }

    private func endMessage(
        _ id: Int, at position: StreamPosition, _ direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let stream = streams[id], context.attribution.isOpen(stream.owner) else { return }
        let index = Int(stream.owner.index)
        let role = tracker.role(direction)
        if stream[direction].isStopped { resume(stream, index, direction, role, &context) }
        guard !stream[direction].isEnded else { return }
        checkLength(stream[direction].body, index, role, &context)
        let decoded = endBody(stream, index, direction, role, isWhole: true, &context)
        stream[direction].isEnded = true
        stream[direction].endedAt = position
        context.attribution.accounts[index].ranges[direction].end = position
        if role == .request {
            context.exchanges[index].requestEndTime = context.attribution.packet.time
            context.exchanges[index].request.finish(decoded)
        } else {
            context.exchanges[index].responseEndTime = context.attribution.packet.time
            context.exchanges[index].response.finish(decoded)
            context.answeredCount += 1
        }
        if stream[direction.opposite].isEnded { close(id, stream) }
    }

    /// A Content-Length that is not the length of the content makes a message malformed (RFC 9113 §8.1.1).
    private func checkLength(_ body: MessageBody, _ index: Int, _ role: MessageRole, _ context: inout StreamContext) {
        guard let length = body.declaredLength, length != body.byteCount else { return }
        let status = context.exchanges[index].status
        let hasNoBody =
            role == .response && (context.exchanges[index].methodKind == .head || [204, 304].contains(status))
        noteMalformed(!hasNoBody && !context.exchanges[index][role].isBroken, index, &context)
    }

    private func endBody(
        _ stream: Stream, _ index: Int, _ direction: Direction, _ role: MessageRole, isWhole: Bool,
        _ context: inout StreamContext
    ) -> Int? {
        let body = stream[direction].body.end(isWhole: isWhole, &context)
        if let examined = body.examined { context.exchanges[index][role].examined = examined }
        return body.decoded
    }

    private func close(_ id: Int, _ stream: Stream) {
        guard !stream.isClosed else { return }
        stream.isClosed = true
        closed.append((id, stream.owner))
    }

    /// RST_STREAM ends a stream at once, in both directions (RFC 9113 §6.4): what of its messages has not ended will not
    /// come.
    private func reset(
        _ id: Int, _ errorCode: Int?, by sender: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard let stream = streams[id], context.attribution.isOpen(stream.owner) else { return }
        let index = Int(stream.owner.index)
        if tracker.role(sender) == .request {
            tracker.noteGivenUp(index, by: sender, at: context.attribution.packet.time, &context)
        }
        for direction in Direction.both where !stream[direction].isEnded {
            let role = tracker.role(direction)
            let isBroken = context.exchanges[index][role].isBroken
            if errorCode == HTTP2Connection.noError, !isBroken, isWholeByLength(stream[direction]) {
                endMessage(id, at: assembly[direction].next, direction, tracker, &context)
            } else {
                stream[direction].isStopped =
                    errorCode == HTTP2Connection.noError && role == .request && !isBroken
                    && stream[direction].body.isIdentity && stream[direction].body.examined == nil
                cut(stream, index, direction, role, &context)
            }
        }
        // Its sender is done with the stream, whatever still comes to it.
        stream[sender.opposite].endedAt = .unset
        close(id, stream)
    }

    /// The error code of a server that has answered and needs no more of the request (RFC 9113 §8.1).
    private static let noError = 0

    /// All bytes that the message announced have come, though not the end of its stream.
    private func isWholeByLength(_ message: Message) -> Bool {
        message.hasHead && !message.isJoinedLate && message.body.declaredLength == message.body.byteCount
    }

    private func cut(
        _ stream: Stream, _ index: Int, _ direction: Direction, _ role: MessageRole, _ context: inout StreamContext
    ) {
        _ = endBody(stream, index, direction, role, isWhole: false, &context)
        stream[direction].isEnded = true
        stream[direction].endedAt = assembly[direction].next
        context.exchanges[index][role].isBroken = true
        context.exchanges[index].flags.formUnion([.aborted, .reset])
        context.exchanges[index][role].isFinished = true
        if role == .response { context.answeredCount += 1 }
        if context.attribution.accounts[index].ranges[direction].isPresent {
            context.attribution.accounts[index].ranges[direction].end = assembly[direction].next
        }
    }

    /// The rest of a request was on its way when the server stopped it: it has come whole after all.
    private func resume(
        _ stream: Stream, _ index: Int, _ direction: Direction, _ role: MessageRole, _ context: inout StreamContext
    ) {
        stream[direction].isStopped = false
        stream[direction].isEnded = false
        context.exchanges[index][role].isBroken = false
        if context.exchanges[index].response.isComplete { context.exchanges[index].flags.subtract([.aborted, .reset]) }
    }

    /// No more bytes come in the direction: its open messages end as they are.
    func finish(
        _ direction: Direction, isOrderly: Bool, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        forgetInflater(direction, &context)
        let reason: RecordFlags = tracker.connection.close == .open && !isOrderly ? .noEnd : .aborted
        let role = tracker.role(direction)
        for id in streams.keys.sorted() {
            guard let stream = streams[id], !stream[direction].isEnded, context.attribution.isOpen(stream.owner)
            else { continue }
            let index = Int(stream.owner.index)
            _ = endBody(stream, index, direction, role, isWhole: false, &context)
            stream[direction].isEnded = true
            context.exchanges[index][role].isBroken = true
            context.exchanges[index].flags.insert(reason)
        }
    }

    /// Gives out the exchanges of closed streams where there are too many.
    private func retireClosed(_ tracker: inout ExchangeTracker, _ context: inout StreamContext) {
        while closedHead < closed.count {
            let owner = closed[closedHead].owner
            if context.attribution.isOpen(owner), !tracker.isKept(owner.index, context) {
                guard tracker.liveCount > context.options.exchangeLimit,
                    tracker.isOver(Int(owner.index), .betweenMessages, context)
                else { break }
                tracker.retire(Int(owner.index), &context)
            }
            closedHead += 1
        }
        if closedHead > 1024, closedHead * 2 > closed.count {
            closed.removeFirst(closedHead)
            closedHead = 0
        }
    }
}
