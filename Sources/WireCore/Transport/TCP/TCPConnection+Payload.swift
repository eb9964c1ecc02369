/// Payload: which bytes are new, and what the packet's headers are attributed to.
extension TCPConnection {
    /// `headers` is nil where the packet's headers are attributed already (SYN).
    mutating func receivePayload(
        _ segment: Segment, _ start: StreamPosition, _ transport: RawSpan, headers: HeaderCost?,
        _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        var headers = headers ?? HeaderCost()
        headers.hidden = hiddenHeaderBytes(segment, headers)
        let content = transport.extracting(min(segment.headerLength, transport.byteCount)..<transport.byteCount)
        let isRead = streams.messages.needsContent(direction)
        let isSuspect = isRead && segment.isSuspect(transport, streams.messages.tracker.connection.key)
        if isRead { inspect(segment, isSuspect: isSuspect, &shard) }
        if start == assembly[direction].next, assembly[direction].waiting.isEmpty, !isSuspect {
            if isRead { histories[direction].add(content, total: segment.payload, at: start) }
            assembly[direction].acceptNext(segment.payload)
            takeSample(upTo: start + segment.payload, segment)
            directions[direction].counts.payloadNew += segment.payload
            shard.streams.attribution.enter(packet: headers)
            shard.streams.attribution.noteDelivery(at: start, segment.payload, frame: shard.frame, direction)
            deliver(content, segment.payload, at: start, direction, &streams, &shard)
            shard.streams.attribution.leave(direction)
            noteBehindEnd(direction, &shard)
            finishIfReached(direction, &streams, &shard)
            return
        }
        if !isSuspect, isUnfounded(direction, by: start) {
            restart(segment)
            return receivePayload(segment, .zero, transport, headers: headers, &streams, &shard)
        }
        if start.value == 1 {
            realign(direction, at: start, &shard)
            let start = assembly[direction].position(of: segment.sequence)
            if start == .zero {
                return receivePayload(segment, start, transport, headers: headers, &streams, &shard)
            }
        }
        receiveOutOfOrder(segment, start, content, headers, isSuspect: isSuspect, &streams, &shard)
    }

    /// Header bytes of the packets behind a super-segment (ByteLedger.md §6.3); 0 where the segment size is not known, and for
    /// headers that are attributed already.
    @inline(__always)
    private func hiddenHeaderBytes(_ segment: Segment, _ headers: HeaderCost) -> Int {
        guard segment.payload > 536, headers.internet > 0,
            let mine = directions[segment.direction].maximumSegmentSize,
            let theirs = directions[segment.direction.opposite].maximumSegmentSize
        else { return 0 }
        let size = min(mine, theirs) - (segment.headerLength - 20)
        guard size >= 64, segment.payload > size else { return 0 }
        return ((segment.payload + size - 1) / size - 1) * segment.cost.internet
    }

    /// Delivers `total` bytes of stream from `start`, of which `content` is the captured beginning.
    @inline(__always)
    private mutating func deliver(
        _ content: RawSpan, _ total: Int, at start: StreamPosition, _ direction: Direction,
        _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let run = content.byteCount > total ? content.extracting(first: total) : content
        streams.receive(run, at: start, direction, &shard.streams)
        if run.byteCount < total {
            deliverTruncated(total - run.byteCount, at: start + run.byteCount, direction, &streams, &shard)
        }
        // Memory only: to ask for each packet would count references each time.
        if directions[direction].counts.packets & 15 == 0 {
            shard.streams.attribution.trimRuns(direction, acknowledged: directions[direction].acknowledged)
        }
    }

    /// Bytes that were on the wire but that the snap length cut.
    private mutating func deliverTruncated(
        _ count: Int, at start: StreamPosition, _ direction: Direction, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        var offset = 0
        while offset < count {
            let claim = streams.skip(count - offset, at: start + offset, direction, .truncated, &shard.streams)
            shard.streams.attribution.noteCursor(start + offset)
            shard.streams.attribution.claimUnread(claim.owner, claim.cause, claim.count, direction)
            offset += claim.count
            shard.streams.attribution.connection[direction].runs?.append(claim.owner, upTo: start + offset)
        }
    }

    private mutating func receiveOutOfOrder(
        _ segment: Segment, _ start: StreamPosition, _ content: RawSpan, _ headers: HeaderCost, isSuspect: Bool,
        _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        let distance = start - assembly[direction].highest
        guard abs(distance) < StreamAssembler.farthest else {
            refuse(segment, headers, &shard)
            return
        }
        let wasHighest = assembly[direction].highest
        let wasNext = assembly[direction].next
        assembly[direction].divide(start..<start + segment.payload, shard.waiting, into: &shard.pieces)
        let pieces = shard.pieces
        directions[direction].counts.payloadNew += pieces.newByteCount
        directions[direction].counts.payloadRepeated += pieces.repeatedByteCount
        let isProbe = pieces.newByteCount == 0 && isProbe(segment, start, wasHighest)
        if !isSuspect, !isProbe, !pieces.repeated.isEmpty { compareRepeated(segment, start, content, &shard) }
        guard pieces.newByteCount > 0 else {
            drain(direction, &streams, &shard)
            attributeRepeated(segment, start, headers, isProbe: isProbe, &shard)
            return
        }
        if directions[direction].finish < start + segment.payload { shard.streams.findings.add(.endContradiction) }
        if start < wasHighest, start >= wasNext { directions[direction].counts.outOfOrderSegments += 1 }
        for range in pieces.repeated { chargeRepeated(range, direction, HeaderCost(), &shard) }
        hold(pieces, segment, start, content, headers, isSuspect: isSuspect, &shard)
        drain(direction, &streams, &shard)
    }

    /// A payload byte that probes: one byte, seen and acknowledged before, or sent into a zero window.
    @inline(__always)
    private func isProbe(_ segment: Segment, _ start: StreamPosition, _ highest: StreamPosition) -> Bool {
        guard segment.payload == 1, !segment.flags.contains(.fin) else { return false }
        if directions[segment.direction.opposite].windowIsZero { return true }
        return start == highest - 1 && directions[segment.direction].acknowledged >= highest
    }

    private func refuse(_ segment: Segment, _ headers: HeaderCost, _ shard: inout ShardContext) {
        let direction = segment.direction
        directions[direction].counts.payloadRefused += segment.payload
        shard.post(.connection, .opaque, segment.payload + headers.internet, headers.link, direction)
        shard.streams.findings.add(.refusedSegment)
    }

    /// A packet whose payload was all seen before.
    private func attributeRepeated(
        _ segment: Segment, _ start: StreamPosition, _ headers: HeaderCost, isProbe: Bool,
        _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        if isProbe {
            shard.addOverhead(.keepalive, direction, segment.payload + headers.internet, headers.link)
            directions[direction].probeIsOpen = true
            return
        }
        directions[direction].counts.retransmittedSegments += 1
        chargeRepeated(start.value..<start.value + segment.payload, direction, headers, &shard)
    }

    /// The owners of the original bytes pay, now or when it is known who they are.
    private func chargeRepeated(
        _ range: Range<Int>, _ direction: Direction, _ headers: HeaderCost, _ shard: inout ShardContext
    ) {
        let cost = DeferredCost(
            start: StreamPosition(range.lowerBound), end: StreamPosition(range.upperBound), cause: .retransmission,
            payer: direction, cost: headers, frame: UInt32(truncatingIfNeeded: shard.frame))
        let next = assembly[direction].next
        if cost.end <= shard.streams.attribution.known(direction, next: next) {
            shard.streams.attribution.charge(cost, on: direction, next: next)
        } else {
            postpone(cost, on: direction, &shard)
        }
    }

    /// Waits with a cost, within the limit.
    func postpone(_ cost: DeferredCost, on direction: Direction, _ shard: inout ShardContext) {
        guard shard.streams.attribution.connection[direction].deferred.count < shard.streams.options.chargeLimit
        else {
            shard.streams.findings.add(.pendingLimit)
            shard.streams.attribution.charge(
                cost, on: direction, last: assembly[direction].highest - 1, next: assembly[direction].next)
            return
        }
        shard.streams.attribution.postpone(cost, on: direction)
    }

    /// Puts the new pieces of a segment among those that wait, and posts those that fill a gap given up before.
    private func hold(
        _ pieces: SegmentPieces, _ segment: Segment, _ start: StreamPosition, _ content: RawSpan,
        _ headers: HeaderCost, isSuspect: Bool, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        // One more than the pieces: it is released when all are put there.
        let overhead = shard.streams.attribution.pending.insert(
            headers, frame: shard.frame, outstanding: pieces.new.count + 1)
        for piece in pieces.late {
            let isOwned = shard.streams.attribution.isOpen(piece.gap.owner)
            let cause: Cause = isOwned && piece.gap.cause == .body ? .body : .opaque
            shard.post(piece.gap.owner, cause, piece.range.count, 0, direction)
            if isOwned {
                shard.streams.attribution.accounts[Int(piece.gap.owner.index)].unseen -= piece.range.count
            }
            shard.streams.attribution.pending.share(
                overhead, isOwned ? piece.gap.owner : .connection, piece.range.count)
        }
        for range in pieces.new {
            let lower = min(range.lowerBound - start.value, content.byteCount)
            let upper = min(range.upperBound - start.value, content.byteCount)
            let packet = PacketContext(
                time: segment.time, acknowledged: shard.streams.attribution.packet.acknowledged)
            shard.waiting.insert(
                OutOfOrderSegment(
                    start: StreamPosition(range.lowerBound), end: StreamPosition(range.upperBound),
                    bytes: content.array(lower..<upper), packet: packet,
                    acknowledgment: segment.flags.contains(.ack) ? segment.acknowledgment : nil, overhead: overhead,
                    place: shard.streams.findings.place, isSuspect: isSuspect),
                into: &assembly[direction].waiting)
        }
        shard.streams.attribution.release(overhead, direction)
    }

    /// Whether the first segment that waits, though it is next, must wait for a key or for a better copy.
    private func mustWait(
        _ direction: Direction, _ streams: borrowing ConnectionStreams, _ shard: borrowing ShardContext
    ) -> Bool {
        if streams.isWaiting { return true }
        guard let end = shard.waiting.firstSuspectEnd(assembly[direction].waiting) else { return false }
        return acknowledged(direction) < end
    }

    /// Delivers segments that waited and have become next.
    mutating func drain(
        _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext,
        isForced: Bool = false
    ) {
        var isFirst = isForced
        while shard.waiting.firstStart(assembly[direction].waiting) == assembly[direction].next {
            if !isFirst, mustWait(direction, streams, shard) { break }
            isFirst = false
            guard let segment = assembly[direction].takeReady(&shard.waiting) else { break }
            deliver(segment, direction, &streams, &shard)
        }
        finishIfReached(direction, &streams, &shard)
    }

    /// The other direction may have begun since the segment was captured.
    private func context(of segment: OutOfOrderSegment, _ direction: Direction) -> PacketContext {
        var packet = segment.packet
        let other = direction.opposite
        if packet.acknowledged == .unset, assembly[other].hasBase, let number = segment.acknowledgment {
            packet.acknowledged = assembly[other].position(of: number)
        }
        return packet
    }

    private mutating func deliver(
        _ segment: OutOfOrderSegment, _ direction: Direction, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        let total = segment.end - segment.start
        if streams.messages.needsContent(direction) {
            unsafe histories[direction].add(segment.bytes.span.bytes, total: total, at: segment.start)
        }
        let place = shard.streams.findings.place
        shard.streams.findings.place = segment.place
        shard.streams.attribution.resume(segment.overhead, context(of: segment, direction))
        shard.streams.attribution.noteDelivery(at: segment.start, total, frame: shard.frame, direction)
        unsafe deliver(segment.bytes.span.bytes, total, at: segment.start, direction, &streams, &shard)
        shard.streams.attribution.leave(direction)
        shard.streams.findings.place = place
    }
}
