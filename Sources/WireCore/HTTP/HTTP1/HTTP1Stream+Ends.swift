/// Where messages end: properly, broken, or never begun.
extension HTTP1Stream {
    /// Ends the message that the direction is in at its proper end.
    mutating func endMessage(
        _ direction: Direction, at position: StreamPosition, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        let role = tracker.role(direction)
        let decoded = endBody(direction, role, isWhole: true, &context)
        directions[direction].reader.state = .idle
        context.attribution.accounts[index].ranges[direction].end = position
        if role == .request {
            context.exchanges[index].requestEndTime = context.attribution.packet.time
            context.exchanges[index].request.finish(decoded)
        } else {
            context.exchanges[index].responseEndTime = context.attribution.packet.time
            tracker.noteAnswered(index, &context)
            context.exchanges[index].response.finish(decoded)
            if context.answer != nil { context.tellAnswer(of: index, tracker, phases) }
        }
    }

    /// Where a segment begins with a start line instead of the first byte of a body, there was none: the request that was
    /// not seen was HEAD, or the server's answer told the client not to send what it had announced.
    @inline(never)
    mutating func endWithoutBody(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Bool {
        directions[direction].mayLackBody = false
        let loss = directions[direction].lossInDoubtfulBody
        directions[direction].lossInDoubtfulBody = nil
        let index = Int(context.attribution.connection[direction].latest)
        let role = tracker.role(direction)
        let hasNone =
            role == .response
            ? run.byteCount > 12 && StartLine.couldBegin(run, offset, .response)
            : context.exchanges[index].status >= 200 && StartLinePlausibility.probe(run, at: offset) == .request
        guard offset == 0, hasNone else { return false }
        context.exchanges[index, role].framing = .none
        let began = context.exchanges[index].responseStartTime
        endMessage(direction, at: position, &tracker, &context)
        if role == .response {
            context.exchanges[index].responseEndTime = began
        } else {
            // It had sent all that it would send when it was answered.
            context.exchanges[index].requestEndTime = began
            context.exchanges[index].flags.insert(.malformed)
            context.findings.add(.framingAmbiguous)
        }
        if let loss {
            noteLost(direction, upTo: position)
            tracker.noteUncertain(loss, direction, &context)
            tracker.loseMessages(direction)
        }
        return true
    }

    /// Returns the body's decoded size, if that is known already.
    private func endBody(
        _ direction: Direction, _ role: MessageRole, isWhole: Bool, _ context: inout StreamContext
    ) -> Int? {
        let body = directions[direction].body.end(isWhole: isWhole, &context)
        context.record(body, of: Int(context.attribution.connection[direction].latest), role)
        return body.decoded
    }

    /// The current message cannot be followed to its end. Its exchange keeps what comes until another one begins.
    mutating func breakMessage(
        _ direction: Direction, _ reasons: RecordFlags, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        abandonHead(direction, &context)
        directions[direction].reader.state = .searching
        if !reasons.contains(.malformed) { tracker.loseMessages(direction) }
        directions[direction].body.abandon(keepsSize: false, context)
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0 else { return }
        context.exchanges[index, tracker.role(direction)].isBroken = true
        context.exchanges[index].flags.formUnion(reasons)
    }

    /// Before another message begins: what the last one did not get, it will never get.
    @inline(__always)
    func finishBroken(
        _ direction: Direction, at position: StreamPosition, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        guard index >= 0, context.attribution.accounts[index].ranges[direction].end == .never else { return }
        context.attribution.accounts[index].ranges[direction].end = position
        if direction == tracker.requester {
            context.exchanges[index].request.isFinished = true
        } else {
            tracker.noteAnswered(index, &context)
            context.exchanges[index].response.isFinished = true
        }
    }

    /// No more bytes will come in this direction. An orderly end (FIN) completes a body that runs to the end.
    mutating func finish(
        _ direction: Direction, isOrderly: Bool, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        let end = streams[direction].next
        let reason: RecordFlags = tracker.connection.close == .open && !isOrderly ? .noEnd : .aborted
        if case .head = directions[direction].reader.state {
            recordCutHost(direction, tracker, &context)
            abandonHead(direction, &context)
        }
        switch directions[direction].reader.state {
        case .untilClose where isOrderly: endMessage(direction, at: end, &tracker, &context)
        case .head where directions[direction].reader.startLine == nil:
            directions[direction].reader.state = .idle
            let claimed = context.attribution.accounts[index].costs.bytes(.startLine, direction)
            context.exchanges[index].flags.insert(reason)
            withdrawMessage(direction, claimed: claimed, &tracker, &context)
        case .untilClose, .body, .chunked, .head:
            let role = tracker.role(direction)
            _ = endBody(direction, role, isWhole: false, &context)
            directions[direction].reader.state = .idle
            context.exchanges[index].flags.insert(reason)
            context.exchanges[index, role].isBroken = true
            finishBroken(direction, at: end, &tracker, &context)
        case .switched, .idle, .searching: finishBroken(direction, at: end, &tracker, &context)
        }
    }

    // MARK: Missing bytes

    /// Claims up to `count` bytes without content.
    mutating func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> SkipClaim {
        let owner = context.attribution.owner(context.attribution.connection[direction].latest)
        switch directions[direction].reader.state {
        case .body(let remaining):
            let claimed = min(remaining, count)
            skipBody(claimed, direction, reason, tracker, &context)
            if claimed == remaining {
                endMessage(direction, at: position + claimed, &tracker, &context)
            } else {
                directions[direction].reader.state = .body(remaining: remaining - claimed)
            }
            return SkipClaim(owner: owner, count: claimed, cause: .body)
        case .untilClose:
            skipBody(count, direction, reason, tracker, &context)
            return SkipClaim(owner: owner, count: count, cause: .body)
        case .chunked:
            guard let remaining = directions[direction].reader.chunks.dataRemaining else { break }
            let claimed = min(remaining, count)
            skipBody(claimed, direction, reason, tracker, &context)
            directions[direction].reader.chunks.skipData(claimed)
            return SkipClaim(owner: owner, count: claimed, cause: .body)
        case .head: recordCutHead(direction, &tracker, &context)
        case .switched: break
        case .idle:
            noteLost(direction, upTo: position + count)
            loseStep(direction, reason, &tracker, &context)
            return SkipClaim(owner: .connection, count: count, cause: .opaque)
        case .searching:
            noteLost(direction, upTo: position + count)
            loseStep(direction, reason, &tracker, &context)
            return SkipClaim(owner: searchOwner(direction, context), count: count, cause: .opaque)
        }
        noteLost(direction, upTo: position + count)
        tracker.noteUncertain(reason, direction, &context)
        breakMessage(direction, reason.flag, &tracker, &context)
        return SkipClaim(owner: owner, count: count, cause: .opaque)
    }

    private mutating func skipBody(
        _ count: Int, _ direction: Direction, _ reason: SkipReason, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        if directions[direction].mayLackBody { directions[direction].lossInDoubtfulBody = reason }
        if !reason.isCounted { context.exchanges[index, tracker.role(direction)].isBroken = true }
        directions[direction].body.skip(count, reason, context)
    }

    /// Messages may be missing whole.
    private func loseStep(
        _ direction: Direction, _ reason: SkipReason, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        tracker.noteUncertain(reason, direction, &context)
        directions[direction].reader.state = .searching
        tracker.loseMessages(direction)
    }

    func noteLost(_ direction: Direction, upTo position: StreamPosition) {
        directions[direction].lostUpTo = max(directions[direction].lostUpTo, position)
    }

    /// A response begins behind missing bytes that the client did not have yet when it sent the request: an interim
    /// response to it may be among them.
    func mayLackInterim(
        _ index: Int, _ direction: Direction, before position: StreamPosition, _ context: borrowing StreamContext
    ) -> Bool {
        guard directions[direction].lostUpTo != .unset else { return false }
        let known = context.exchanges[index].acknowledgedAtRequest
        // Inside of records it is not known how far the loss reaches, but the gaps of the stream are.
        return directions[direction].lostUpTo > known
            || streams[direction].gaps.contains {
                $0.range.upperBound > known.value && $0.range.lowerBound < position.value
            }
    }

    /// The first response that was read of a direction of TLS 1.3, and a request before its own has none: what was lost
    /// before may have been that answer, or the server's tickets, and then this is the answer.
    func mayAnswerEarlier(
        _ index: Int, _ direction: Direction, at position: StreamPosition, _ tracker: borrowing ExchangeTracker,
        _ context: borrowing StreamContext
    ) -> Bool {
        guard directions[direction].lostUpTo != .unset, tracker.isSecure[direction],
            directions[direction].isFirstContent(position, streams[direction]),
            tracker.security?.handshake.negotiation.isTLS13 == true
        else { return false }
        let previous = context.attribution.accounts[index].previous
        return previous >= 0 && !context.exchanges[Int(previous)].response.isPresent
    }

    /// An unknown number of bytes is missing.
    mutating func lose(
        _ direction: Direction, _ reason: SkipReason, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        noteLost(direction, upTo: streams[direction].next)
        switch directions[direction].reader.state {
        case .switched: break
        case .idle, .searching: loseStep(direction, reason, &tracker, &context)
        case .head, .body, .chunked, .untilClose:
            recordCutHead(direction, &tracker, &context)
            tracker.noteUncertain(reason, direction, &context)
            breakMessage(direction, reason.flag, &tracker, &context)
        }
    }

    /// Bytes after a message that was lost belong to its exchange until another message begins.
    func searchOwner(_ direction: Direction, _ context: borrowing StreamContext) -> Owner {
        let index = context.attribution.connection[direction].latest
        guard index >= 0, context.attribution.accounts[Int(index)].ranges[direction].end == .never else {
            return .connection
        }
        return context.attribution.owner(index)
    }

    // MARK: Messages that turned out to be none

    /// What was begun as a message cannot be one: its bytes, of which `claimedBefore` were posted with earlier runs, and
    /// the rest of its line are opaque after all.
    mutating func dropMessage(
        _ run: RawSpan, _ offset: Int, _ claimedBefore: Int, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        let isFirst = tracker.count == 1 && direction == tracker.requester
        withdrawMessage(direction, claimed: claimedBefore, &tracker, &context)
        directions[direction].reader.state = .searching
        if tracker.count == 0 {
            tracker.requester = nil
            directions[direction.opposite].reader.state = .searching
        }
        if !isFirst { context.findings.add(.messageMalformed) }
        tracker.noteUncertain(.unreadable, direction, &context)
        let end = run.firstLineFeed(from: offset).map { $0 + 1 } ?? run.byteCount
        context.attribution.claimUnowned(end - offset, direction)
        return end - offset
    }

    /// Takes back the message that the direction is in, of which only `claimed` bytes of a start line were posted. An
    /// exchange that has nothing else goes with it.
    private func withdrawMessage(
        _ direction: Direction, claimed: Int, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        let role = tracker.role(direction)
        guard tracker.hasOtherMessage(index, role, context) else { return tracker.cancel(index, &context) }
        context.attribution.reclassify(index, claimed, from: .startLine, to: .opaque, direction)
        context.exchanges[index].flags.insert(.malformed)
        context.exchanges[index, role] = MessageState()
        if role == .response { context.exchanges[index].responseStartTime = nil }
        guard context.exchanges[index].interim == 0 || role == .request else { return }
        context.attribution.accounts[index].ranges[direction] = OwnedRange()
        context.attribution.connection[direction].latest = tracker.previous(index, direction, context)
    }

    /// The start line that the direction is in is not waited for any more.
    func withdrawUnread(_ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext) {
        let index = Int(context.attribution.connection[direction].latest)
        abandonHead(direction, &context)
        directions[direction].reader.state = .searching
        tracker.noteUncertain(.unreadable, direction, &context)
        let claimed = context.attribution.accounts[index].costs.bytes(.startLine, direction)
        withdrawMessage(direction, claimed: claimed, &tracker, &context)
    }

    /// The direction's message, whole or not, is no longer the current one: its exchange goes on as a stream.
    func leaveMessage(_ direction: Direction, _ context: inout StreamContext) {
        switch directions[direction].reader.state {
        case .head, .body, .chunked, .untilClose:
            abandonHead(direction, &context)
            directions[direction].body.abandon(keepsSize: false, context)
            directions[direction].reader.state = .searching
        default: break
        }
        context.attribution.connection[direction].latest = -1
    }
}
