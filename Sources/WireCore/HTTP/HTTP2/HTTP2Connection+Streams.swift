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
        context.exchanges[index].stream = id
        context.exchanges[index].isSecure = tracker.isSecure[direction]
        if isLate, !isRequest { context.exchanges[index].flags.insert(.noStart) }
        if isRequest, mayLackInterim(direction.opposite, context) { context.exchanges[index].flags.insert(.gap) }
        let owner = context.attribution.owner(Int32(index))
        streams[id] = MessageStream(owner: owner)
        noteUnbroken(id, 0)
        noteUnbroken(id, 1)
        return (owner, nil)
    }

    /// Frames of the responder were given up that the requester did not have when it sent what is read now: an interim
    /// response to it may be among them.
    private func mayLackInterim(_ responder: Direction, _ context: borrowing StreamContext) -> Bool {
        let known = context.attribution.packet.acknowledged
        guard known != .unset, let gap = assembly[responder].gaps.last else { return false }
        return gap.range.upperBound - known.value > FrameHeader.length
    }

    /// An exchange of HTTP/1 goes on as stream 1 (RFC 7540 §3.2): its request has ended there.
    func adopt(_ index: Int, requester: Direction, _ context: borrowing StreamContext) {
        let stream = MessageStream(owner: context.attribution.owner(Int32(index)))
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
            endsStream = frames.block?.fields.endsStream == true
            endBlock(frames, direction, &tracker, &context)
        }
        if endsStream { endMessage(frame.stream, at: position, direction, tracker, &context) }
        if frame.type == FrameType.resetStream {
            reset(frame.stream, frames.reader.errorCode, by: direction, tracker, &context)
        } else if let increment = frames.reader.windowIncrement {
            recordCredit(increment, frame.stream, direction)
        } else if frame.type == FrameType.goAway, direction != tracker.requester {
            noteGoAway(direction)
        }
    }

    /// WINDOW_UPDATE (RFC 9113 §6.9).
    private func recordCredit(_ increment: Int, _ id: Int, _ direction: Direction) {
        guard let stream = streams[id] else { return }
        stream[direction.opposite].credited += increment
        creditsStreams[direction] = true
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
        guard stream.end(direction, tracker.role(direction), origin(direction), &context) else { return }
        if context.answer != nil { context.tellAnswer(of: stream.index, tracker, .betweenMessages) }
        stream[direction].endedAt = position
        context.attribution.accounts[stream.index].ranges[direction].end = position
        if stream[direction.opposite].isEnded { close(id, stream) }
    }

    private func close(_ id: Int, _ stream: MessageStream) {
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
        if tracker.role(sender) == .request {
            tracker.noteGivenUp(stream.index, by: sender, at: context.attribution.packet.time, &context)
        }
        for direction in Direction.both where !stream[direction].isEnded {
            let role = tracker.role(direction)
            let isWithoutError = errorCode == HTTP2Connection.noError
            let isBroken = context.exchanges[stream.index, role].isBroken
            if isWithoutError, !isBroken, stream[direction].isWholeByLength {
                endMessage(id, at: assembly[direction].next, direction, tracker, &context)
            } else {
                stream.cut(direction, role, mayGoOn: isWithoutError, &context)
                stream[direction].endedAt = assembly[direction].next
                if context.attribution.accounts[stream.index].ranges[direction].isPresent {
                    context.attribution.accounts[stream.index].ranges[direction].end = assembly[direction].next
                }
            }
        }
        // Its sender is done with the stream, whatever still comes to it.
        stream[sender.opposite].endedAt = .unset
        close(id, stream)
    }

    /// The error code of a server that has answered and needs no more of the request (RFC 9113 §8.1).
    private static let noError = 0

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
            stream.abandon(direction, role, reason, &context)
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
