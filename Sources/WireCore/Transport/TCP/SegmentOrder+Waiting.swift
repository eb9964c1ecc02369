/// How long segments are held, and what is done when what they follow does not come.
extension SegmentOrder {
    /// Gives up what was waited for long enough, or with too much in memory: gaps, and bytes that held segments
    /// acknowledge. While a key is awaited: goes on if it came or was waited for long enough.
    mutating func giveUpStale(
        at time: Int64, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        if streams.isWaiting { return checkAwaitedKey(at: time, &streams, &shard) }
        if isOpening, openingIsOver(at: time, streams, shard) || stale(at: time, shard) != nil {
            endOpening(&streams, &shard)
        }
        for direction in Direction.both
        where !tcp.assembly[direction].waiting.isEmpty && !suppliesNext(direction, shard) {
            tcp.giveUpStaleGaps(direction, at: time, &streams, &shard)
        }
        if isHolding { release(&streams, &shard) }
        while !streams.isWaiting, let direction = stale(at: time, shard) { giveUpFirst(direction, &streams, &shard) }
    }

    /// Nothing that is missing will come any more.
    mutating func giveUpAll(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        tcp.resume(isGivenUp: true, &streams, &shard)
        if isOpening { endOpening(&streams, &shard) }
        while isHolding {
            // What was held may ask for a key that does not come any more either.
            tcp.resume(isGivenUp: true, &streams, &shard)
            for direction in Direction.both { tcp.drain(direction, &streams, &shard) }
            if !release(&streams, &shard) { giveUpFirst(oldest(shard), &streams, &shard) }
        }
        tcp.giveUpAllGaps(&streams, &shard)
    }

    /// When a held segment is given up at the latest if no packet comes before; nil where none is held.
    func heldUntil(_ shard: borrowing ShardContext) -> Int64? {
        Direction.both.compactMap { shard.held.first(held[$0])?.since }.min().map {
            $0 + shard.streams.options.reorderingWindow
        }
    }

    /// After each packet, and when keys came: goes on if the key is there, or if it was waited for long enough.
    mutating func checkAwaitedKey(
        at time: Int64, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let isCrowded = self.isCrowded(0, shard) || self.isCrowded(1, shard)
        let wait = streams.keyWait(at: time, isCrowded: isCrowded, shard.streams)
        guard wait != .goesOn else { return }
        tcp.resume(isGivenUp: wait == .isGivenUp, &streams, &shard)
        release(&streams, &shard)
        tcp.resolveDeferredCosts(&shard)
    }

    // MARK: How long

    /// The direction whose first held segment has waited long enough, or with which too many wait; of two the one that
    /// came first.
    @inline(__always)
    private func stale(at time: Int64, _ shard: borrowing ShardContext) -> Direction? {
        guard isHolding else { return nil }
        var found: (direction: Direction, ordinal: Int)?
        for direction in Direction.both {
            guard let first = shard.held.first(held[direction]), first.ordinal < found?.ordinal ?? .max,
                time - first.since > tcp.window(from: first.since, to: time, shard) || isCrowded(direction, shard)
            else { continue }
            found = (direction, first.ordinal)
        }
        return found?.direction
    }

    /// The direction whose first held segment came first.
    @inline(__always)
    private func oldest(_ shard: borrowing ShardContext) -> Direction {
        let ordinals = Direction.both.map { shard.held.first(held[$0])?.ordinal ?? .max }
        return ordinals[0] <= ordinals[1] ? 0 : 1
    }

    /// More is held than may be.
    @inline(__always)
    private func isCrowded(_ direction: Direction, _ shard: borrowing ShardContext) -> Bool {
        held[direction].byteCount > shard.streams.options.heldBytesLimit
            || held[direction].count > shard.streams.options.heldSegmentLimit
            || shard.isCrowded
    }

    /// Whether the next byte of a direction lies in a segment of it that is held.
    @inline(__always)
    private func suppliesNext(_ direction: Direction, _ shard: borrowing ShardContext) -> Bool {
        guard isHolding, tcp.hasGap else { return false }
        let next = tcp.assembly[direction].base.advanced(by: tcp.assembly[direction].next.value)
        return shard.held.ordinal(with: next, in: held[direction]) != nil
    }

    // MARK: In vain

    /// What the first held segment of a direction waits for is not waited for any longer: it is in no packet, or in one
    /// that waits for this one.
    private mutating func giveUpFirst(
        _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let other = direction.opposite
        failures += 1
        if let end = tcp.reached(other) {
            if let supplied = shard.held.ordinal(with: end, in: held[other]) {
                breakCircle(direction, supplied, &streams, &shard)
            } else {
                giveUp(other, from: end, for: direction, &streams, &shard)
            }
        } else if held[other].isEmpty {
            isOneWay = true
        } else {
            takeFirst(oldest(shard), &streams, &shard)
        }
        release(&streams, &shard)
    }

    /// What is waited for is held itself. Where each direction waits for the other, one of the two segments is a
    /// retransmission: its acknowledgment is younger than its bytes. That is the later one, and it is taken first.
    private mutating func breakCircle(
        _ direction: Direction, _ supplied: Int, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let other = direction.opposite
        guard let end = tcp.reached(direction) else { return takeFirst(direction, &streams, &shard) }
        guard let own = shard.held.ordinal(with: end, in: held[direction]) else {
            return giveUp(direction, from: end, for: other, &streams, &shard)
        }
        let later = own > supplied ? direction : other
        if let sequence = tcp.reached(later) { take(with: sequence, later, &streams, &shard) }
    }

    /// Bytes of a direction are in no packet: what the first held segment of the `waiting` one acknowledges. Where later
    /// bytes came there is a gap before them. Else nothing is known but that bytes were sent; the last place may be that
    /// of a FIN.
    private mutating func giveUp(
        _ direction: Direction, from end: SequenceNumber, for waiting: Direction, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        let assembly = tcp.assembly[direction]
        var start = shard.waiting.firstStart(assembly.waiting)
        if start == assembly.next { return tcp.drain(direction, &streams, &shard, isForced: true) }
        if let distance = shard.held.distanceToNext(behind: end, in: held[direction]) {
            start = min(start, assembly.position(of: end) + distance)
        }
        if start - assembly.next < StreamAssembler.farthest {
            tcp.giveUp(assembly.next.value..<start.value, direction, &streams, &shard)
        } else if let acknowledgment = shard.held.first(held[waiting])?.acknowledgment {
            presume(assembly.position(of: acknowledgment), of: direction, &streams)
        }
    }

    /// Bytes up to there were sent that no packet showed. They may still come, and are read then.
    mutating func presume(_ end: StreamPosition, of direction: Direction, _ streams: inout ConnectionStreams) {
        let before = tcp.directions[direction].presumedEnd
        let next = tcp.assembly[direction].next
        // What was presumed before has come after all: the capture is disordered.
        let lastGap = tcp.assembly[direction].gaps.last?.range.upperBound ?? .min
        if before > .unset, next >= before, lastGap < before.value { failures = 0 }
        tcp.directions[direction].presumedEnd = max(before, end)
        if end - next > 1 { streams.messages.doubt(direction) }
    }
}
