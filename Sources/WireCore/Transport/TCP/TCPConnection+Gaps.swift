/// Gaps in a stream: how long they are waited for, and what is done when they stay.
extension TCPConnection {
    /// How long a gap is waited for where packets were dropped: nanoseconds. What is dropped is never filled, and what
    /// waits for it takes memory and time when there is least of both.
    private static let windowAmongDrops: Int64 = 10_000_000

    /// Gives up a gap that the other endpoint acknowledged long enough ago, or that too many bytes wait for.
    mutating func giveUpStaleGaps(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        guard !streams.isWaiting else {
            return checkAwaitedKey(at: streams.connection.lastTime, &streams, &shard)
        }
        for direction in Direction.both where !assembly[direction].waiting.isEmpty {
            while let gap = assembly[direction].openGap(shard.waiting),
                isStale(gap, direction, at: streams.connection.lastTime, shard)
            {
                giveUp(gap, direction, &streams, &shard)
            }
            if assembly[direction].openGap(shard.waiting) == nil, isCrowded(direction, shard) {
                relieve(direction, &streams, &shard)
            }
        }
    }

    private func isStale(
        _ gap: Range<Int>, _ direction: Direction, at time: Int64, _ shard: borrowing ShardContext
    ) -> Bool {
        let first = shard.waiting.firstTime(assembly[direction].waiting)
        let isAcknowledged = directions[direction].acknowledged.value > gap.lowerBound
        // Where the capturing program lost packets meanwhile, they are what is missing.
        let isDropped = shard.streams.drops.contains(first, through: time)
        let usual = shard.streams.options.reorderingWindow
        let window = isDropped ? min(TCPConnection.windowAmongDrops, usual) : usual
        if isAcknowledged, time - first > window { return true }
        return isCrowded(direction, shard)
    }

    /// Too many bytes wait, though there is no gap before them: they wait for the other direction's.
    private mutating func relieve(
        _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        if let gap = assembly[direction.opposite].openGap(shard.waiting) {
            giveUp(gap, direction.opposite, &streams, &shard)
        } else {
            drain(direction, &streams, &shard, isForced: true)
        }
    }

    /// More waits for earlier bytes than may.
    private func isCrowded(_ direction: Direction, _ shard: borrowing ShardContext) -> Bool {
        assembly[direction].waiting.byteCount > shard.streams.options.heldBytesLimit
            || assembly[direction].waiting.count > shard.streams.options.heldSegmentLimit
            || shard.waiting.byteCount > shard.streams.options.part(of: shard.streams.options.totalHeldBytesLimit)
    }

    /// Tells the reader of the gap, and goes on behind it.
    private mutating func giveUp(
        _ gap: Range<Int>, _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        // At the end of a connection there are fewer than that.
        let isCrowded = isCrowded(0, shard) || isCrowded(1, shard)
        let other = direction.opposite
        report(gap, direction, isCrowded: isCrowded, &streams, &shard)
        // What comes now may have waited for the other direction's gap too. That gap precedes it causally, so it is
        // closed first: else answers would come before their questions.
        let acknowledged = shard.waiting.firstAcknowledged(assembly[direction].waiting)
        if let earlier = assembly[other].openGap(shard.waiting), acknowledged.value > earlier.lowerBound {
            report(earlier, other, isCrowded: isCrowded, &streams, &shard)
        }
        let waiting = assembly[direction].waiting.count
        drainBoth(&streams, &shard)
        guard assembly[direction].waiting.count == waiting else { return }
        drain(direction, &streams, &shard, isForced: true)
        drainBoth(&streams, &shard)
    }

    private mutating func report(
        _ gap: Range<Int>, _ direction: Direction, isCrowded: Bool, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        let isAcknowledged = directions[direction].acknowledged.value > gap.lowerBound
        shard.streams.findings.add(isAcknowledged || !isCrowded ? .streamGap : .heldBytesLimit)
        skip(gap, direction, &streams, &shard)
    }

    /// Delivers what each direction waited for the other with, in turns.
    private mutating func drainBoth(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        var waiting = Int.max
        while assembly[0].waiting.count + assembly[1].waiting.count < waiting {
            waiting = assembly[0].waiting.count + assembly[1].waiting.count
            drain(0, &streams, &shard)
            drain(1, &streams, &shard)
        }
    }

    /// At the end of the connection nothing can fill a gap any more.
    mutating func giveUpAllGaps(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        while !assembly[0].waiting.isEmpty || !assembly[1].waiting.isEmpty {
            drainBoth(&streams, &shard)
            // The one before what was captured first.
            let isSecondEarlier =
                shard.waiting.firstTime(assembly[1].waiting) < shard.waiting.firstTime(assembly[0].waiting)
            let order: [Direction] = isSecondEarlier ? [1, 0] : [0, 1]
            if let direction = order.first(where: { assembly[$0].openGap(shard.waiting) != nil }),
                let gap = assembly[direction].openGap(shard.waiting)
            {
                giveUp(gap, direction, &streams, &shard)
            } else if let direction = order.first(where: { !assembly[$0].waiting.isEmpty }) {
                drain(direction, &streams, &shard, isForced: true)
            }
        }
    }

    /// Passes a gap to the reader in the parts that the message it lies in makes of it.
    private mutating func skip(
        _ gap: Range<Int>, _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        streams.connection.flags.insert(.gap)
        var position = gap.lowerBound
        while position < gap.upperBound {
            let count = gap.upperBound - position
            let claim = streams.skip(count, at: StreamPosition(position), direction, .gap, &shard.streams)
            if shard.streams.attribution.isOpen(claim.owner) {
                shard.streams.attribution.accounts[Int(claim.owner.index)].unseen += claim.count
                shard.streams.exchanges[Int(claim.owner.index)].flags.insert(.gap)
            }
            let end = position + claim.count
            shard.streams.attribution.connection[direction].runs?.append(claim.owner, upTo: StreamPosition(end))
            assembly[direction].giveUp(StreamGap(range: position..<end, owner: claim.owner, cause: claim.cause))
            position = end
        }
    }

    // MARK: Waiting for keys

    /// After each packet, and when keys came: goes on if the key is there, or if it was waited for long enough.
    mutating func checkAwaitedKey(
        at time: Int64, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let isCrowded = isCrowded(0, shard) || isCrowded(1, shard)
        let wait = streams.keyWait(at: time, isCrowded: isCrowded, shard.streams)
        if wait != .goesOn { resume(isGivenUp: wait == .isGivenUp, &streams, &shard) }
    }

    /// Delivers what waited for a key.
    mutating func resume(isGivenUp: Bool, _ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        guard streams.isWaiting else { return }
        streams.resumeRecords(isGivenUp: isGivenUp, &shard.streams)
        drainBoth(&streams, &shard)
        resolveDeferredCosts(&shard)
    }
}
