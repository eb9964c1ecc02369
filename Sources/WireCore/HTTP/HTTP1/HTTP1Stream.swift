/// HTTP/1 of one connection (RFC 9112): takes the bytes of both directions, claims each for its message, and says where
/// messages begin and end.
///
/// - Invariant: a direction whose reader is in a message has an exchange, which is its account's latest owner.
struct HTTP1Stream {
    let directions: UnsafePair<HTTP1Direction>
    /// How far each direction was delivered.
    let streams: UnsafePair<StreamAssembler>

    /// Claims bytes of the run from `offset` on; may claim none when only the reader's state changes. The reader is in
    /// step: not searching, nor behind a switch of protocol.
    @inline(__always)
    mutating func receive(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        switch directions[direction].reader.state {
        case .body(let remaining):
            if directions[direction].mayLackBody,
                endWithoutBody(run, offset, at: position, direction, &tracker, &context)
            {
                return 0
            }
            let count = min(remaining, run.byteCount - offset)
            receiveBody(run, offset, count, direction, &context)
            if count == remaining {
                endMessage(direction, at: position + count, &tracker, &context)
            } else {
                directions[direction].reader.state = .body(remaining: remaining - count)
            }
            return count
        case .untilClose:
            receiveBody(run, offset, run.byteCount - offset, direction, &context)
            return run.byteCount - offset
        case .chunked: return receiveChunk(run, offset, at: position, direction, &tracker, &context)
        case .head: return receiveHead(run, offset, at: position, direction, &tracker, &context)
        case .idle: return receiveBetween(run, offset, at: position, direction, &tracker, &context)
        case .searching, .switched: return 0
        }
    }

    /// Claims bytes for the message that the direction is in.
    @inline(__always)
    func claim(_ cause: Cause, _ count: Int, _ direction: Direction, _ context: inout StreamContext) {
        guard count > 0 else { return }
        let index = context.attribution.connection[direction].latest
        guard index >= 0 else { return context.attribution.claimUnowned(count, direction) }
        context.attribution.claim(account: index, cause, count, direction)
    }

    // MARK: Bodies

    @inline(__always)
    private func receiveBody(
        _ run: RawSpan, _ offset: Int, _ count: Int, _ direction: Direction, _ context: inout StreamContext
    ) {
        claim(.body, count, direction, &context)
        directions[direction].body.receive(run.extracting(offset..<offset + count), &context)
    }

    private mutating func receiveChunk(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        if directions[direction].mayLackBody,
            endWithoutBody(run, offset, at: position, direction, &tracker, &context)
        {
            return 0
        }
        switch directions[direction].reader.chunks.next(run, offset) {
        case .framing(let count):
            claim(.framing, count, direction, &context)
            return count
        case .data(let count):
            receiveBody(run, offset, count, direction, &context)
            return count
        case .end(let count):
            claim(.framing, count, direction, &context)
            if directions[direction].reader.chunks.isAmbiguous { context.findings.add(.framingAmbiguous) }
            endMessage(direction, at: position + count, &tracker, &context)
            return count
        case .malformed:
            context.findings.add(.messageMalformed)
            breakMessage(direction, .malformed, &tracker, &context)
            return 0
        }
    }

    /// A message that began behind a FIN has no exchange any more that its rest could go to.
    func leaveUnowned(_ direction: Direction) {
        switch directions[direction].reader.state {
        case .head, .body, .chunked, .untilClose: directions[direction].reader.state = .searching
        case .idle, .searching, .switched: break
        }
    }

    // MARK: Between messages

    /// Empty lines before a start line belong to no message (RFC 9112 §2.2).
    private mutating func receiveBetween(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        var end = offset
        while end < run.byteCount, run.u8(end) == 0x0D || run.u8(end) == 0x0A { end += 1 }
        if end > offset {
            context.attribution.claimUnowned(end - offset, direction)
            return end - offset
        }
        if direction == tracker.requester {
            if awaitsTunnel(tracker, context), StartLinePlausibility.probe(run, at: offset) == .no {
                // The answer to CONNECT or an upgrade is still to come, but the client goes on already.
                directions[direction].reader.state = .switched
                return 0
            }
            beginRequest(at: position, direction, &tracker, &context)
        } else {
            beginResponse(run, offset, at: position, direction, &tracker, &context)
        }
        return 0
    }

    private func awaitsTunnel(_ tracker: borrowing ExchangeTracker, _ context: borrowing StreamContext) -> Bool {
        guard tracker.oldestUnanswered >= 0, tracker.oldestUnanswered == tracker.last else { return false }
        return context.exchanges[Int(tracker.oldestUnanswered)].methodKind == .connect
    }

    mutating func beginRequest(
        at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        finishBroken(direction, at: position, &tracker, &context)
        retireBeyondLimit(&tracker, &context)
        let other = direction.opposite
        let index = tracker.exchange(
            ofRequest: direction, at: position, answers: streams[other].next, &context)
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].acknowledgedAtRequest = context.attribution.packet.acknowledged
        context.exchanges[index].isSecure = tracker.isSecure[direction]
        context.attribution.accounts[index].ranges[direction].start = position
        context.attribution.connection[direction].latest = Int32(index)
        directions[direction].reader.beginHead()
        directions[direction].beganBehindLoss = directions[direction].lostUpTo == position
        directions[direction].lostUpTo = .unset
        tracker.isLost[direction] = false
        // The other direction may answer with the first byte it sends, even without a status line.
        // In TLS it will answer with a hello first.
        let isAlike = directions[direction].isDirect || !directions[other].isDirect
        if case .searching = directions[other].reader.state, isAlike,
            directions[other].hasNoContentYet(streams[other])
        {
            directions[other].reader.state = .idle
        }
    }

    mutating func beginResponse(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let current = Int(context.attribution.connection[direction].latest)
        let followsInterim = current >= 0 && context.exchanges[current].awaitsFinalResponse
        // Where bytes were lost behind an interim response, the final one may be among them.
        if !followsInterim || tracker.isLost[direction] {
            beginAnswer(behindInterim: followsInterim, at: position, direction, &tracker, &context)
        }
        let index = Int(context.attribution.connection[direction].latest)
        if mayLackInterim(index, direction, before: position, context)
            || mayAnswerEarlier(index, direction, at: position, tracker, context)
        {
            context.exchanges[index].flags.formUnion(tracker.losses[direction])
        }
        directions[direction].lostUpTo = .unset
        context.exchanges[index].response.isPresent = true
        context.exchanges[index].awaitsFinalResponse = false
        context.exchanges[index].responseStartTime = context.attribution.packet.time
        tracker.isLost[direction] = false
        if context.exchanges[index].request.version == .http09, !StartLine.couldBegin(run, offset, .response) {
            context.exchanges[index].response.version = .http09
            startBody(BodyLength(framing: .close), nil, at: position, direction, &tracker, &context)
        } else {
            directions[direction].reader.beginHead()
        }
    }

    /// Finds the exchange that a response beginning now belongs to. It may be the one that had an interim response.
    private mutating func beginAnswer(
        behindInterim: Bool, at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let current = Int(context.attribution.connection[direction].latest)
        if !behindInterim { finishBroken(direction, at: position, &tracker, &context) }
        let count = tracker.count
        let other = direction.opposite
        let index = tracker.exchange(
            ofResponse: direction, requests: streams[other],
            requestsHaveBegun: !directions[other].hasNoContentYet(streams[other]), &context)
        if behindInterim {
            guard index != current else { return }
            finishBroken(direction, at: position, &tracker, &context)
            context.exchanges[current].awaitsFinalResponse = false
        }
        context.attribution.connection[direction].latest = Int32(index)
        if tracker.count > count { retireBeyondLimit(&tracker, &context) }
        context.exchanges[index].isSecure = tracker.isSecure[direction]
        context.attribution.accounts[index].ranges[direction].start = position
    }

    /// Where there are very many exchanges its oldest leave before another begins.
    private mutating func retireBeyondLimit(_ tracker: inout ExchangeTracker, _ context: inout StreamContext) {
        guard tracker.isBeyondLimit(context) else { return }
        for direction in Direction.both
        where tracker.mayBeCancelled(direction, before: tracker.count, phases, context) {
            withdrawUnread(direction, &tracker, &context)
        }
        tracker.retireBeyondLimit(phases, &context)
    }

    /// Where the readers are.
    var phases: ReaderPhases {
        var phases = ReaderPhases()
        for direction in Direction.both {
            switch directions[direction].reader.state {
            case .idle, .searching: break
            case .head:
                phases.isInMessage[direction] = true
                phases.isInStartLine[direction] = directions[direction].reader.startLine == nil
            default: phases.isInMessage[direction] = true
            }
        }
        return phases
    }
}
