/// Payload: which bytes are new, who owns them, and what the packet's headers are booked to.
extension Connection {
    /// `headers` is nil where the packet's headers are booked already (SYN).
    mutating func acceptPayload(
        _ segment: Segment, _ start: StreamPosition, _ transport: RawSpan, headers: HeaderCost?, _ books: inout Books
    ) {
        let side = segment.side
        var headers = headers
        headers?.hidden = hiddenHeaderBytes(segment)
        let content = transport.extracting(min(segment.headerLength, transport.byteCount)..<transport.byteCount)
        let isRead = needsContent(side)
        let isSuspect = isRead && isSuspect(segment, transport)
        if isRead { inspect(segment, isSuspect: isSuspect, &books) }
        if start == sides[side].assembler.next, sides[side].assembler.held.isEmpty, !isSuspect,
            keyAwaitedSince == nil, !isBlocked(side, books.moment.acknowledged)
        {
            if isRead { sides.remember(content, total: segment.payload, at: start, side) }
            sides[side].assembler.acceptNext(segment.payload)
            sides[side].counts.payloadNew += segment.payload
            books.shares.removeAll()
            books.carrier.cost = headers ?? HeaderCost()
            deliver(content, segment.payload, at: start, side, &books)
            if books.carrier.debt < 0 {
                settleHeaders(headers, books.shares, side, &books)
            } else {
                leaveDebt(side, &books)
            }
            if sides[side].isFinished { noteBehindEnd(side, &books) } else { finishIfReached(side, &books) }
            if !sides[1 - side].assembler.held.isEmpty { drain(1 - side, &books) }
            return
        }
        if !isSuspect, isUnfounded(side, by: start) {
            restart(segment)
            return acceptPayload(segment, .zero, transport, headers: headers, &books)
        }
        acceptOutOfOrder(segment, start, content, headers, isSuspect: isSuspect, &books)
    }

    /// Header bytes of the packets behind a super-segment (ledger §6); 0 where the segment size is not known.
    @inline(__always)
    private func hiddenHeaderBytes(_ segment: Segment) -> Int {
        guard segment.payload > 536, let mine = sides[segment.side].maximumSegmentSize,
            let theirs = sides[1 - segment.side].maximumSegmentSize
        else { return 0 }
        let size = min(mine, theirs) - (segment.headerLength - 20)
        guard size >= 64, segment.payload > size else { return 0 }
        return ((segment.payload + size - 1) / size - 1) * segment.cost.internet
    }

    private mutating func acceptOutOfOrder(
        _ segment: Segment, _ start: StreamPosition, _ content: RawSpan, _ headers: HeaderCost?, isSuspect: Bool,
        _ books: inout Books
    ) {
        let side = segment.side
        let distance = start - sides[side].assembler.highest
        guard abs(distance) < StreamAssembler.farthest else {
            refuse(segment, headers, &books)
            return
        }
        let wasHighest = sides[side].assembler.highest
        let wasNext = sides[side].assembler.next
        sides[side].assembler.divide(start..<start + segment.payload, books.held, into: &books.pieces)
        let pieces = books.pieces
        sides[side].counts.payloadNew += pieces.newByteCount
        sides[side].counts.payloadRepeated += pieces.repeatedByteCount
        let isProbe = pieces.newByteCount == 0 && isProbe(segment, start, wasHighest)
        if !isSuspect, !isProbe, !pieces.repeated.isEmpty { compareRepeated(segment, start, content, &books) }
        guard pieces.newByteCount > 0 else {
            drain(side, &books)
            bookRepeated(segment, start, headers, isProbe: isProbe, &books)
            return
        }
        if sides[side].finish < start + segment.payload { books.findings.add(.endContradiction) }
        if start < wasHighest, start >= wasNext { sides[side].counts.outOfOrderSegments += 1 }
        for range in pieces.repeated { chargeRepeated(range, side, HeaderCost(), &books) }
        hold(pieces, segment, start, content, headers, isSuspect: isSuspect, &books)
        drain(side, &books)
        drain(1 - side, &books)
    }

    /// A payload byte that probes: one byte, seen and acknowledged before, or sent into a zero window.
    @inline(__always)
    private func isProbe(_ segment: Segment, _ start: StreamPosition, _ highest: StreamPosition) -> Bool {
        guard segment.payload == 1, !segment.flags.contains(.fin) else { return false }
        if sides[1 - segment.side].windowIsZero { return true }
        return start == highest - 1 && sides[segment.side].acknowledged >= highest
    }

    private mutating func refuse(_ segment: Segment, _ headers: HeaderCost?, _ books: inout Books) {
        let side = segment.side
        sides[side].counts.payloadRefused += segment.payload
        sides[side].own[.opaque] += segment.payload + (headers?.internet ?? 0)
        sides[side].own.link += headers?.link ?? 0
        books.findings.add(.refusedSegment)
    }

    /// A packet whose payload was all seen before.
    private mutating func bookRepeated(
        _ segment: Segment, _ start: StreamPosition, _ headers: HeaderCost?, isProbe: Bool, _ books: inout Books
    ) {
        let side = segment.side
        let cost = headers ?? HeaderCost()
        if isProbe {
            addOverhead(.keepalive, side, segment.payload + cost.internet, cost.link)
            sides[side].probeIsOpen = true
            return
        }
        sides[side].counts.retransmittedSegments += 1
        chargeRepeated(start.value..<start.value + segment.payload, side, cost, &books)
    }

    /// The owners of the original bytes pay, now or when it is known who they are.
    private mutating func chargeRepeated(_ range: Range<Int>, _ side: Int, _ cost: HeaderCost, _ books: inout Books) {
        let charge = PendingCharge(
            start: StreamPosition(range.lowerBound), end: StreamPosition(range.upperBound), cause: .retransmission,
            payer: side, cost: cost)
        if charge.end <= sides[side].known {
            settle(charge, on: side, isFinal: false, &books)
        } else {
            deferCharge(charge, on: side, &books)
        }
    }

    /// Puts the new pieces of a segment into the chain, and books those that fill a hole given up before.
    private mutating func hold(
        _ pieces: SegmentPieces, _ segment: Segment, _ start: StreamPosition, _ content: RawSpan,
        _ headers: HeaderCost?, isSuspect: Bool, _ books: inout Books
    ) {
        let side = segment.side
        let debt = books.debts.insert(headers ?? HeaderCost(), outstanding: pieces.new.count)
        for piece in pieces.late {
            let owner = Owner(index: piece.hole.owner, serial: piece.hole.ownerSerial)
            let isOwned = books.exchanges.isLive(owner)
            let cause: Cause = isOwned && piece.hole.kind == Cause.body.rawValue ? .body : .opaque
            post(owner, side, cause, piece.range.count, &books)
            if isOwned {
                books.exchanges.slots[Int(owner.index)].unseen -= piece.range.count
            }
            books.debts.slots[Int(debt)].shares.add(isOwned ? owner : .connection, piece.range.count)
        }
        for range in pieces.new {
            let lower = min(range.lowerBound - start.value, content.byteCount)
            let upper = min(range.upperBound - start.value, content.byteCount)
            let held = HeldSegment(
                start: StreamPosition(range.lowerBound), end: StreamPosition(range.upperBound),
                bytes: content.array(lower..<upper), time: segment.time,
                acknowledged: books.moment.acknowledged, debt: debt, place: books.findings.place,
                isSuspect: isSuspect)
            books.held.insert(held, into: &sides[side].assembler.held)
        }
        if pieces.new.isEmpty { payDebt(debt, side, &books) }
    }

    /// Whether bytes that acknowledge `acknowledged` must wait: the other direction has a hole before that, and what
    /// fills it comes first in life (ledger §2).
    @inline(__always)
    private func isBlocked(_ side: Int, _ acknowledged: StreamPosition) -> Bool {
        !sides[1 - side].assembler.held.isEmpty && acknowledged > sides[1 - side].assembler.next
    }

    /// Whether the first held segment, though it is next, must wait for another direction's or a better one.
    private func mustWait(_ side: Int, _ books: borrowing Books) -> Bool {
        if keyAwaitedSince != nil { return true }
        let chain = sides[side].assembler.held
        if let end = books.held.firstSuspectEnd(chain), sides[side].acknowledged < end { return true }
        return isBlocked(side, books.held.firstAcknowledged(chain))
    }

    /// Delivers held segments that have become next.
    mutating func drain(_ side: Int, _ books: inout Books, isForced: Bool = false) {
        var isFirst = isForced
        while books.held.firstStart(sides[side].assembler.held) == sides[side].assembler.next {
            if !isFirst, mustWait(side, books) { break }
            isFirst = false
            guard let segment = sides[side].assembler.takeReady(&books.held) else { break }
            deliverHeld(segment, side, &books)
        }
        finishIfReached(side, &books)
    }

    private mutating func deliverHeld(_ segment: HeldSegment, _ side: Int, _ books: inout Books) {
        if needsContent(side) {
            let content = unsafe segment.bytes.span.bytes
            sides.remember(content, total: segment.end - segment.start, at: segment.start, side)
        }
        let outer = books.moment
        let outerCarrier = books.carrier
        let outerPlace = books.findings.place
        books.findings.place = segment.place
        books.moment = Moment(time: segment.time, acknowledged: segment.acknowledged)
        books.carrier = Carrier(debt: segment.debt)
        var shares = ShareList()
        swap(&books.shares, &shares)
        swap(&books.shares, &books.debts.slots[Int(segment.debt)].shares)
        unsafe deliver(segment.bytes.span.bytes, segment.end - segment.start, at: segment.start, side, &books)
        leaveDebt(side, &books)
        swap(&books.shares, &shares)
        books.carrier = outerCarrier
        books.moment = outer
        books.findings.place = outerPlace
    }
}
