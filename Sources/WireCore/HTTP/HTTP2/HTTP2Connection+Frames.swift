import WireNative

/// Frames of a direction: who pays for each, part by part (ByteLedger.md §4).
extension HTTP2Connection {
    /// Claims bytes of the run from `offset` on.
    func receive(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        guard let frames = self[direction] else {
            receiveUnreadable(run.byteCount - offset, at: position, direction, tracker, &context)
            return run.byteCount - offset
        }
        if frames.prefaceRemaining > 0 {
            return receivePreface(run, offset, frames, at: position, direction, tracker, &context)
        }
        switch frames.reader.next(run, offset) {
        case .incompleteHeader(let count):
            if context.attribution.unresolvedCount(direction) == 0 { frames.frameStart = position }
            context.attribution.deferUnresolved(position, count, direction)
            return count
        case .header(let count):
            beginFrame(count, frames, at: position, direction, &tracker, &context)
            return count
        case .bytes(let part, let count):
            receivePart(
                part, run.extracting(offset..<offset + count), frames, at: position, direction, &tracker, &context)
            return count
        }
    }

    /// Bytes of the connection that cannot be told to be frames.
    func receiveUnreadable(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        context.attribution.claimUnowned(count, direction)
        breakStreams(direction, tracker, &context)
        context.attribution.appendDirect(.connection, upTo: position + count, direction)
    }

    private func receivePreface(
        _ run: RawSpan, _ offset: Int, _ frames: Frames, at position: StreamPosition, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        let remaining = frames.prefaceRemaining
        if remaining == HTTP2Probe.prefaceLength, HTTP2Probe.probePreface(run, at: offset) == .no {
            context.findings.add(.frameMalformed)
            self[direction] = nil
            receiveUnreadable(run.byteCount - offset, at: position, direction, tracker, &context)
            return run.byteCount - offset
        }
        let count = min(remaining, run.byteCount - offset)
        frames.prefaceRemaining -= count
        control.add(count, isOpening: true)
        claim(.connection, .setupHTTP, count, at: position, direction, &context)
        return count
    }

    /// Claims bytes of a frame, and notes whose they are.
    private func claim(
        _ owner: Owner, _ cause: Cause, _ count: Int, at position: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        context.attribution.claim(owner, cause, count, direction)
        context.attribution.appendDirect(owner, upTo: position + count, direction)
    }

    /// A frame header is whole: now it is known who pays for it.
    private func beginFrame(
        _ count: Int, _ frames: Frames, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let frame = frames.reader.frame
        // Not what the reader says: a header may go on behind a FIN that ended the exchanges of its beginning.
        let before = context.attribution.unresolvedCount(direction)
        if before == 0 { frames.frameStart = position }
        let (owner, cause) = chooseOwner(frame, direction, &tracker, &context)
        if cause == .setupHTTP {
            let isOpening = frame.type == FrameType.settings || tracker.count == 0
            control.add(FrameHeader.length + frame.payloadLength, isOpening: isOpening)
        }
        frames.owner = owner
        frames.cause = cause
        context.attribution.resolveUnresolved(owner, cause ?? .framing, direction)
        claim(owner, cause ?? .framing, count, at: position, direction, &context)
        countFrame(frame, owner, tracker.role(direction), &context)
        if frame.carriesFragment { beginBlock(frame, frames, context) }
        if frames.reader.isFrameComplete {
            endFrame(frames, at: position + count, direction, &tracker, &context)
        }
    }

    private func countFrame(
        _ frame: FrameHeader, _ owner: Owner, _ role: MessageRole, _ context: inout StreamContext
    ) {
        guard context.attribution.isOpen(owner) else { return }
        switch frame.type {
        case FrameType.data: context.exchanges[Int(owner.index), role].dataFrames += FrameHeader.length
        case FrameType.headers, FrameType.continuation:
            context.exchanges[Int(owner.index), role].headerFrames += FrameHeader.length
        default: break
        }
    }

    private func receivePart(
        _ part: FramePart, _ bytes: RawSpan, _ frames: Frames, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        claim(frames.owner, cause(of: part, frames), bytes.byteCount, at: position, direction, &context)
        switch part {
        case .fragment: receiveFragment(bytes, frames, &context)
        case .data: streams[frames.reader.frame.stream]?[direction].body.receive(bytes, &context)
        default: break
        }
        if frames.reader.isFrameComplete {
            endFrame(frames, at: position + bytes.byteCount, direction, &tracker, &context)
        }
    }

    private func cause(of part: FramePart, _ frames: Frames) -> Cause {
        if let cause = frames.cause { return cause }
        switch part {
        case .data: return streams[frames.reader.frame.stream]?.isTunnel == true ? .opaque : .body
        case .fragment: return !isPush(frames) ? .headers : .framing
        default: return .framing
        }
    }

    /// The fragment belongs to a PUSH_PROMISE, or goes on with one.
    private func isPush(_ frames: Frames) -> Bool {
        frames.reader.frame.type == FrameType.pushPromise || frames.block?.isPush == true
    }

    /// Who pays for a frame, and the cause of all its bytes where it is not by its parts.
    private func chooseOwner(
        _ frame: FrameHeader, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) -> (Owner, Cause?) {
        guard frame.stream != 0 else { return (.connection, .setupHTTP) }
        if let stream = streams[frame.stream] {
            if frame.type == FrameType.data, !stream[direction].hasHead, !stream[direction].isJoinedLate {
                noteMissedHead(stream, direction, tracker, &context)
            }
            return context.attribution.isOpen(stream.owner) ? (stream.owner, nil) : (.connection, .setupHTTP)
        }
        if frame.stream <= refusedUpTo, FrameType.isOfMessage(frame.type) { return (.connection, .opaque) }
        switch frame.type {
        case FrameType.headers:
            return openStream(
                frame.stream, direction, isRequest: direction == tracker.requester, &tracker, &context)
        case FrameType.data where isLate || tracker.connection.flags.contains(.gap):
            let opened = openStream(frame.stream, direction, &tracker, &context)
            if let stream = streams[frame.stream], context.attribution.isOpen(stream.owner) {
                stream.joinLate(direction, tracker.role(direction), &context)
            }
            return opened
        case FrameType.data, FrameType.continuation:
            context.findings.add(.frameMalformed)
            return (.connection, .opaque)
        default: return (.connection, .setupHTTP)
        }
    }

    /// DATA without a head in front of it: the head was lost, or went by before.
    private func noteMissedHead(
        _ stream: MessageStream, _ direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard context.attribution.isOpen(stream.owner) else { return }
        stream.joinLate(direction, tracker.role(direction), &context)
        context.exchanges[stream.index].flags.insert(origin(direction).reason(.malformed))
    }

    // MARK: Missing bytes

    /// Passes bytes of a frame that nobody will see. Nil where it is not known which frame they are of: the direction's
    /// frames are lost then.
    func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> SkipClaim? {
        guard let frames = self[direction], frames.prefaceRemaining == 0, let skipped = frames.reader.skip(count)
        else {
            lose(direction, reason, &tracker, &context)
            return nil
        }
        let cause = cause(of: skipped.part, frames)
        let id = frames.reader.frame.stream
        if skipped.part == .fragment || frames.reader.frame.carriesFragment { frames.block?.fields.isBroken = true }
        if reason.isCounted, skipped.part == .data { streams[id]?[direction].body.addUnexamined(skipped.count) }
        if context.attribution.isOpen(frames.owner) {
            context.exchanges[Int(frames.owner.index)].flags.insert(reason.flag)
            if !reason.isCounted || skipped.part != .data {
                context.exchanges[Int(frames.owner.index), tracker.role(direction)].isBroken = true
            }
            streams[id]?[direction].body.abandon(keepsSize: reason.isCounted, context)
        }
        let owner = frames.owner
        if frames.reader.isFrameComplete {
            endFrame(frames, at: position + skipped.count, direction, &tracker, &context)
        }
        return SkipClaim(owner: owner, count: skipped.count, cause: cause)
    }

    /// Where the next frame begins is not known: it is looked for in what comes.
    func lose(
        _ direction: Direction, _ reason: SkipReason, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        context.attribution.abandonUnresolved(direction)
        forgetInflater(direction, &context)
        self[direction] = nil
        lossReason[direction] = reason.flag
        tracker.losses[direction].formUnion(reason.flag)
        breakStreams(direction, tracker, &context)
    }

    /// More is missing before frames were found again: streams that were opened meanwhile may have lost some.
    func loseMore(
        _ direction: Direction, _ reason: SkipReason, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        lossReason[direction] = reason.flag
        breakStreams(direction, tracker, &context)
    }

    /// Bytes of the direction passed that nobody could read: what is open there may have lost some, if only a
    /// WINDOW_UPDATE behind its message.
    private func breakStreams(
        _ direction: Direction, _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        let reason = lossReason[direction]
        let role = tracker.role(direction)
        for id in takeUnbroken(direction) {
            guard let stream = streams[id], context.attribution.isOpen(stream.owner), mayCarryMore(stream, direction)
            else { continue }
            context.exchanges[Int(stream.owner.index)].flags.insert(reason)
            guard !stream[direction].isEnded else { continue }
            context.exchanges[Int(stream.owner.index), role].isBroken = true
            stream[direction].body.abandon(keepsSize: false, context)
        }
    }

    /// The rest of a direction is missing: streams that may have carried more there miss some.
    func flagOpenStreams(_ direction: Direction, _ context: inout StreamContext) {
        for stream in streams.values where mayCarryMore(stream, direction) && context.attribution.isOpen(stream.owner) {
            context.exchanges[Int(stream.owner.index)].flags.insert(.gap)
        }
    }
}
