/// The streams of one connection: from the bytes that TCP delivers to exchanges. Here alone it is known what lies in what.
struct ConnectionStreams {
    var messages: MessageStreams
    /// Since when its packets wait for a key that may still come: nanoseconds; nil while they do not.
    private(set) var keyAwaitedSince: Int64?
    /// The packet with which the waiting began.
    private var keyAwaitedAt = FindingPlace()

    @inline(__always)
    init(_ messages: MessageStreams) { self.messages = messages }

    /// Bytes must not be delivered for now: packets that come wait for a key with those before them.
    @inline(__always)
    var isWaiting: Bool { keyAwaitedSince != nil }

    var connection: ConnectionFacts {
        _read { yield messages.tracker.connection }
        _modify { yield &messages.tracker.connection }
    }

    // MARK: What TCP tells

    /// An endpoint closed its side or reset the connection.
    mutating func noteClosing(
        _ closing: RequesterClosing, by direction: Direction, at time: Int64, _ context: inout StreamContext
    ) {
        messages.tracker.noteClosing(closing, by: direction, at: time, &context)
    }

    /// Data of a connection of Multipath TCP are missing, or their place is not known: no call of it is known to be whole. Of a
    /// subflow that joined a connection which is not known (`isJoined`) no message begins here. `lacksStart`: its own handshake
    /// was not captured.
    mutating func markIncomplete(isJoined: Bool, lacksStart: Bool, _ context: inout StreamContext) {
        connection.doubts.insert(.gap)
        connection.flags.insert(.gap)
        context.findings.add(isJoined || lacksStart ? .multipathApart : .multipath)
        guard isJoined else { return }
        for direction in Direction.both { messages.directions[direction].messages = .tunnel }
    }

    /// Bytes of a gap are of an exchange: it is flagged.
    func noteUnseen(_ claim: SkipClaim, _ context: inout StreamContext) {
        guard context.attribution.isOpen(claim.owner) else { return }
        context.attribution.accounts[Int(claim.owner.index)].unseen += claim.count
        context.exchanges[Int(claim.owner.index)].flags.insert(.gap)
    }

    /// The end of a direction is missing: `count` bytes behind the last one seen were acknowledged.
    mutating func missEnd(_ count: Int, _ direction: Direction, _ context: inout StreamContext) {
        messages.missEnd(count, direction, &context)
    }

    /// Nothing more comes, in no direction: units and heads that are incomplete stay so.
    mutating func abandon(_ direction: Direction, _ context: inout StreamContext) {
        flush(direction, &context)
        messages.http1.abandonHead(direction, &context)
    }

    // MARK: Carriers

    /// Takes bytes as the direction's carrier says. Returns how many: the carrier may go away before the run ends.
    private mutating func receiveCarried(
        _ run: RawSpan, at start: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) -> Int {
        switch messages.directions[direction].carrier {
        case .stream: return 0
        case .undecided(let undecided): return receiveUndecided(run, at: start, direction, undecided, &context)
        case .proxyHeader(let end):
            let count = min(run.byteCount, end - start)
            context.attribution.claim(.connection, .setupHTTP, count, direction)
            if start + count == end { messages.directions[direction].carrier = .stream }
            return count
        case .records: receiveRecords(run, at: start, direction, &context)
        case .frames: messages.receive(run, at: start, direction, &context)
        }
        return run.byteCount
    }

    private mutating func receiveRecords(
        _ run: RawSpan, at start: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard let records = messages.records, let stream = records[direction] else { return }
        if messages.tracker.security == nil, stream.isAtHeader {
            let security = TLSRecordLayer.protection(context)
            messages.tracker.security = security
            records.tls = security
        }
        records.receive(run, at: start, direction, &messages, &context)
        if stream.awaitsKey { awaitKey(&context) }
    }

    private mutating func receiveUndecided(
        _ run: RawSpan, at start: StreamPosition, _ direction: Direction, _ undecided: UndecidedStart,
        _ context: inout StreamContext
    ) -> Int {
        let count = min(run.byteCount, UndecidedStart.limit - undecided.bytes.count)
        run.append(0..<count, to: &undecided.bytes)
        context.buffered.records += count
        undecided.pieces.append(context.attribution.deferPiece(start, count))
        let isTunnel = isTunnelStart(direction)
        let kept = undecided.bytes
        let result = messages.probe(unsafe kept.span.bytes, 0, direction, isTunnel ? .tunnel : .start)
        if result != .maybe || undecided.bytes.count >= UndecidedStart.limit {
            decide(result, direction, undecided, &context)
        }
        context.attribution.noteCursor(start + count)
        return count
    }

    private func isTunnelStart(_ direction: Direction) -> Bool {
        guard messages.directions[direction].messages == .http1 else { return false }
        if case .switched = messages.http1.directions[direction].reader.state { return true }
        return false
    }

    /// Delivers again what had been kept, now that it is known what it is.
    private mutating func decide(
        _ result: MessageStreams.DetectionResult, _ direction: Direction, _ undecided: UndecidedStart,
        _ context: inout StreamContext
    ) {
        context.buffered.records -= undecided.bytes.count
        messages.keepUndecided(undecided, direction, context)
        if isTunnelStart(direction) {
            if result.isFound {
                messages.openTunnel(result, at: undecided.origin, direction, &context)
            } else {
                messages.directions[direction].messages = .tunnel
            }
        } else if result.isFound {
            _ = messages.enter(result, at: undecided.origin, direction, isStart: true, &context)
        } else {
            messages.directions[direction].isProbed = true
        }
        redeliver(undecided.bytes, from: undecided.origin, undecided.pieces, direction, &context)
    }

    /// Decides what is undecided, because nothing more will come.
    private mutating func decideUndecided(_ direction: Direction, _ context: inout StreamContext) {
        guard case .undecided(let undecided) = messages.directions[direction].carrier else { return }
        decide(.none, direction, undecided, &context)
    }

    /// Delivers bytes that were kept, as if their packets had just come.
    private mutating func redeliver(
        _ bytes: [UInt8], from start: StreamPosition, _ pieces: [UnitPiece], _ direction: Direction,
        _ context: inout StreamContext
    ) {
        for piece in pieces {
            let offset = piece.start - start
            let run = unsafe bytes.span.bytes.extracting(offset..<offset + piece.count)
            context.attribution.noteCursor(piece.start)
            if context.attribution.isInnermost(piece.overhead) {
                receive(run, at: piece.start, direction, &context)
                context.attribution.release(piece.overhead, direction)
            } else {
                context.attribution.resume(piece.overhead, piece.packet)
                receive(run, at: piece.start, direction, &context)
                context.attribution.leave(direction)
            }
        }
    }

    // MARK: Keys that are written while the capture is

    private mutating func awaitKey(_ context: inout StreamContext) {
        guard keyAwaitedSince == nil else { return }
        keyAwaitedSince = connection.lastTime
        keyAwaitedAt = context.findings.place
        context.awaitingKeys += 1
    }

    /// Whether a key is waited for still.
    enum KeyWait {
        case goesOn
        case keyCame
        /// Too much waits, or it was waited for long enough.
        case isGivenUp
    }

    func keyWait(at time: Int64, isCrowded: Bool, _ context: borrowing StreamContext) -> KeyWait {
        guard let since = keyAwaitedSince else { return .goesOn }
        if isCrowded || time - since > context.options.keyPatience { return .isGivenUp }
        return messages.records?.lacksAnyKey == true ? .goesOn : .keyCame
    }

    /// Goes on with what waited. `isGivenUp`: without a key, and none is waited for any more.
    mutating func resumeRecords(isGivenUp: Bool, _ context: inout StreamContext) {
        guard keyAwaitedSince != nil else { return }
        if isGivenUp { messages.tracker.security?.mayAwaitKeys = false }
        keyAwaitedSince = nil
        context.awaitingKeys -= 1
        // What is found now was met there.
        let place = context.findings.place
        context.findings.place = keyAwaitedAt
        for direction in Direction.both {
            guard let stream = messages.records?[direction], stream.awaitsKey else { continue }
            let bytes = stream.buffer
            let start = stream.bufferStart
            let pieces = stream.takePieces(&context)
            stream.stage = .header
            redeliver(bytes, from: start, pieces, direction, &context)
        }
        context.findings.place = place
    }
}

extension ConnectionStreams: StreamReader {
    @inline(__always)
    mutating func receive(
        _ bytes: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext
    ) {
        var offset = 0
        while offset < bytes.byteCount {
            if messages.directions[direction].isPlain {
                offset += messages.claim(bytes, offset, at: position + offset, direction, &context)
            } else {
                offset += receiveCarried(
                    bytes.extracting(offset..<bytes.byteCount), at: position + offset, direction, &context)
            }
        }
    }

    mutating func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ context: inout StreamContext
    ) -> SkipClaim {
        decideUndecided(direction, &context)
        if case .proxyHeader(let end) = messages.directions[direction].carrier {
            if position + count >= end { messages.directions[direction].carrier = .stream }
            return SkipClaim(owner: .connection, count: min(count, end - position), cause: .setupHTTP)
        }
        guard case .records = messages.directions[direction].carrier, let records = messages.records else {
            return messages.skip(count, at: position, direction, reason, &context)
        }
        if records[direction]?.awaitsKey == true {
            resumeRecords(isGivenUp: true, &context)
            return skip(count, at: position, direction, reason, &context)
        }
        return records.skip(count, at: position, direction, reason, &messages, &context)
    }

    mutating func lose(_ direction: Direction, _ reason: SkipReason, _ context: inout StreamContext) {
        if case .proxyHeader = messages.directions[direction].carrier {
            messages.directions[direction].carrier = .stream
        }
        messages.lose(direction, reason, &context)
    }

    mutating func extendLoss(_ direction: Direction, upTo position: StreamPosition) {
        messages.extendLoss(direction, upTo: position)
    }

    mutating func miss(at position: StreamPosition?, _ direction: Direction, _ reason: SkipReason) {
        messages.miss(at: position, direction, reason)
    }

    mutating func finish(_ direction: Direction, isOrderly: Bool, _ context: inout StreamContext) {
        flush(direction, &context)
        messages.finish(direction, isOrderly: isOrderly, &context)
    }

    /// What waits for the rest of its unit waits no longer.
    mutating func flush(_ direction: Direction, _ context: inout StreamContext) {
        decideUndecided(direction, &context)
        guard case .stream = messages.directions[direction].carrier else {
            context.attribution.abandonUnresolved(direction)
            messages.records?.finish(direction, &messages, &context)
            return
        }
    }
}
