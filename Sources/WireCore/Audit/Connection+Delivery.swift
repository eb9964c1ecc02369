/// Why bytes cannot be looked at.
struct Missing: Sendable {
    /// What an exchange that they belong to is flagged with.
    var flag: RecordFlags
    /// They are counted as what they are all the same.
    var isCounted: Bool

    /// No packet held them.
    static let hole = Missing(flag: .gap, isCounted: false)
    /// They were on the wire, but the frame was snapped.
    static let snapped = Missing(flag: .snapped, isCounted: true)
    /// They lie in a record that could not be opened.
    static let unread = Missing(flag: .gap, isCounted: false)
    /// They are there, and no message that can be read.
    static let unreadable = Missing(flag: .malformed, isCounted: true)
}

/// What a reader claimed of bytes that are not there to be looked at.
struct SkipClaim {
    var owner: Owner
    var count: Int
    var cause: Cause
}

/// The stream in order, handed to the reader of its direction; each byte is posted as it is claimed.
extension Connection {
    /// Delivers `total` bytes of stream from `start`, of which `content` is the captured beginning.
    @inline(__always)
    mutating func deliver(
        _ content: RawSpan, _ total: Int, at start: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        var offset = 0
        let count = min(content.byteCount, total)
        let run = content.byteCount > total ? content.extracting(first: total) : content
        while offset < count {
            if sides[side].layer == nil {
                offset += claim(run, offset, at: start + offset, side, &books)
            } else {
                offset += deliverLayered(run.extracting(offset..<count), at: start + offset, side, &books)
            }
        }
        if offset < total { deliverUnknown(total - offset, at: start + offset, side, &books) }
    }

    /// Bytes that were on the wire but not captured (snapped frames).
    private mutating func deliverUnknown(
        _ count: Int, at start: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        var offset = 0
        while offset < count {
            let claim = skip(count - offset, at: start + offset, side, missing: .snapped, &books)
            post(claim.owner, side, claim.cause, claim.count, &books)
            books.shares.add(claim.owner, claim.count)
            offset += claim.count
            sides[side].layer?.owners.append(claim.owner, upTo: start + offset)
        }
    }

    /// Claims bytes of the run from `offset` on; may claim none when only the reader's state changes.
    @inline(__always)
    mutating func claim(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        let available = run.byteCount - offset
        switch sides[side].reader.state {
        case .body(let remaining):
            let count = min(remaining, available)
            takeBody(run, offset, count, side, &books)
            if count == remaining {
                endMessage(side, at: position + count, &books)
            } else {
                sides[side].reader.state = .body(remaining: remaining - count)
            }
            return count
        case .untilClose:
            takeBody(run, offset, available, side, &books)
            return available
        case .chunked: return claimChunk(run, offset, at: position, side, &books)
        case .head: return claimHead(run, offset, at: position, side, &books)
        case .idle: return claimIdle(run, offset, at: position, side, &books)
        case .searching: return search(run, offset, at: position, side, &books)
        case .frames: return claimFrames(run, offset, at: position, side, &books)
        case .tunnelStart: return enterTunnel(run, offset, at: position, side, &books)
        case .tunnel:
            take(.opaque, available, side, &books)
            return available
        }
    }

    /// Posts bytes to the message that the direction is in.
    @inline(__always)
    mutating func take(_ cause: Cause, _ count: Int, _ side: Int, _ books: inout Books) {
        guard count > 0 else { return }
        let index = sides[side].current
        guard index >= 0 else {
            takeUnowned(count, side, &books)
            return
        }
        let slot = Int(index)
        books.exchanges.slots[slot].costs.add(cause, count, side)
        books.exchanges.slots[slot].lastTime = max(books.exchanges.slots[slot].lastTime, books.moment.time)
        books.shares.add(Owner(index: index, serial: books.exchanges.slots[slot].serial), count)
    }

    /// Posts bytes that are part of no message.
    mutating func takeUnowned(_ count: Int, _ side: Int, _ books: inout Books) {
        sides[side].own[.opaque] += count
        books.shares.add(.connection, count)
    }

    @inline(__always)
    private mutating func takeBody(
        _ run: RawSpan, _ offset: Int, _ count: Int, _ side: Int, _ books: inout Books
    ) {
        take(.body, count, side, &books)
        guard let body = sides[side].examined, let examiner = books.examiner else { return }
        let bytes = run.extracting(offset..<offset + count)
        if !examiner.take(body, bytes, captured: books.bytesSoFar) {
            books.findings.add(.decodeLimit)
            abandonBody(side, &books)
        }
    }

    private mutating func claimChunk(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        switch sides[side].reader.chunks.next(run, offset) {
        case .framing(let count):
            take(.framing, count, side, &books)
            return count
        case .data(let count):
            takeBody(run, offset, count, side, &books)
            return count
        case .end(let count):
            take(.framing, count, side, &books)
            if sides[side].reader.chunks.isAmbiguous { books.findings.add(.framingAmbiguous) }
            endMessage(side, at: position + count, &books)
            return count
        case .malformed:
            books.findings.add(.messageMalformed)
            breakMessage(side, [.malformed], &books)
            return 0
        }
    }

    /// Between messages: empty lines before a start line belong to no message (RFC 9112 §2.2).
    private mutating func claimIdle(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        var end = offset
        while end < run.byteCount, run.u8(end) == 0x0D || run.u8(end) == 0x0A { end += 1 }
        if end > offset {
            takeUnowned(end - offset, side, &books)
            return end - offset
        }
        if side == requestSide {
            if awaitsTunnel(books), StartLinePlausibility.judge(run, at: offset) == .no {
                // The answer to CONNECT or an upgrade is still to come, but the client goes on already.
                sides[side].reader.state = .tunnelStart
                return 0
            }
            beginRequest(at: position, side, &books)
        } else {
            beginResponse(run, offset, at: position, side, &books)
        }
        return 0
    }

    private func awaitsTunnel(_ books: borrowing Books) -> Bool {
        guard nextToAnswer >= 0, nextToAnswer == lastExchange else { return false }
        return books.exchanges.slots[Int(nextToAnswer)].methodKind == .connect
    }

    /// Claims up to `count` bytes without content: a hole, or what the snap length cut.
    mutating func skip(
        _ count: Int, at position: StreamPosition, _ side: Int, missing: Missing, _ books: inout Books
    ) -> SkipClaim {
        if sides[side].layer == nil { return skipContent(count, at: position, side, missing: missing, &books) }
        return skipLayered(count, at: position, side, missing: missing, &books)
    }

    /// The same for bytes that the messages lie in.
    mutating func skipContent(
        _ count: Int, at position: StreamPosition, _ side: Int, missing: Missing, _ books: inout Books
    ) -> SkipClaim {
        let owner = books.exchanges.owner(sides[side].current)
        var claimed = count
        switch sides[side].reader.state {
        case .body(let remaining):
            claimed = min(remaining, count)
            skipBody(claimed, of: remaining, at: position, side, missing: missing, &books)
            return SkipClaim(owner: owner, count: claimed, cause: .body)
        case .untilClose:
            breakContent(side, missing: missing, &books)
            return SkipClaim(owner: owner, count: claimed, cause: .body)
        case .chunked:
            if let remaining = sides[side].reader.chunks.dataRemaining {
                claimed = min(remaining, count)
                breakContent(side, missing: missing, &books)
                sides[side].reader.chunks.skipData(claimed)
                return SkipClaim(owner: owner, count: claimed, cause: .body)
            }
        case .tunnel, .tunnelStart:
            sides[side].reader.state = .tunnel
            return SkipClaim(owner: owner, count: claimed, cause: .opaque)
        case .frames: return skipFrames(count, at: position, side, missing: missing, &books)
        case .head: break
        case .idle:
            noteUncertain(missing, side, &books)
            sides[side].reader.state = .searching
            sides[side].isLost = true
            return SkipClaim(owner: .connection, count: claimed, cause: .opaque)
        case .searching:
            noteUncertain(missing, side, &books)
            sides[side].isLost = true
            return SkipClaim(owner: searchOwner(side, books), count: claimed, cause: .opaque)
        }
        noteUncertain(missing, side, &books)
        breakMessage(side, missing.flag, &books)
        return SkipClaim(owner: owner, count: claimed, cause: .opaque)
    }

    private mutating func skipBody(
        _ count: Int, of remaining: Int, at position: StreamPosition, _ side: Int, missing: Missing,
        _ books: inout Books
    ) {
        breakContent(side, missing: missing, &books)
        guard count == remaining else {
            sides[side].reader.state = .body(remaining: remaining - count)
            return
        }
        // Snapped bytes are posted by the caller, but are part of the body that ends here.
        let index = Int(sides[side].current)
        let counted = sides[side].bodyIsIdentity && index >= 0 ? count : 0
        if counted > 0 { books.exchanges.slots[index].costs.add(.body, counted, side) }
        endMessage(side, at: position + count, &books)
        if counted > 0 { books.exchanges.slots[index].costs.add(.body, -counted, side) }
    }

    /// Whole messages may be missing: where requests were sent without waiting for answers, nobody can tell from here
    /// on which answers which.
    mutating func noteUncertain(_ missing: Missing, _ side: Int, _ books: inout Books) {
        sides[side].losses.formUnion(missing.flag)
        uncertainty.formUnion(missing.flag)
        // Some of the answer that is waited for may be what is missing.
        if side != requestSide, nextToAnswer >= 0 {
            books.exchanges.slots[Int(nextToAnswer)].flags.insert(missing.flag)
        }
        let waiting = nextToAnswer >= 0 ? books.exchanges.slots[Int(nextToAnswer)].number : exchangeCount
        uncertainFrom = min(uncertainFrom, waiting)
    }

    /// The content of the current body is not whole: its decoded size cannot be known.
    private mutating func breakContent(_ side: Int, missing: Missing, _ books: inout Books) {
        let index = Int(sides[side].current)
        if !missing.isCounted { books.exchanges.slots[index].setBroken(side == requestSide) }
        let isIdentity = sides[side].bodyIsIdentity
        abandonBody(side, &books)
        sides[side].bodyIsIdentity = isIdentity && missing.isCounted
    }
}
