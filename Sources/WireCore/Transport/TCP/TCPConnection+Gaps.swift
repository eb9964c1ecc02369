/// Gaps in a stream: how long they are waited for, and what is done when they stay.
extension TCPConnection {
    /// How long a gap is waited for where packets were dropped: nanoseconds. What is dropped is never filled, and what
    /// waits for it takes memory and time when there is least of both.
    private static let windowAmongDrops: Int64 = 10_000_000

    /// Gives up gaps that the other endpoint acknowledged long enough ago, or that too many bytes wait for.
    mutating func giveUpStaleGaps(
        _ direction: Direction, at time: Int64, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        guard !assembly[direction].waiting.isEmpty else { return }
        while let gap = assembly[direction].openGap(shard.waiting), isStale(gap, direction, at: time, shard) {
            giveUp(gap, direction, &streams, &shard)
        }
        if assembly[direction].openGap(shard.waiting) == nil, isCrowded(direction, shard) {
            drain(direction, &streams, &shard, isForced: true)
        }
    }

    @inline(__always)
    private func isStale(
        _ gap: Range<Int>, _ direction: Direction, at time: Int64, _ shard: borrowing ShardContext
    ) -> Bool {
        let first = shard.waiting.firstTime(assembly[direction].waiting)
        if isCrowded(direction, shard) { return true }
        guard isAcknowledged(gap, direction) else { return false }
        return time - first > window(from: first, to: time, shard)
    }

    /// How long packets are waited for: nanoseconds. Where the capturing program lost some meanwhile, they are what is
    /// missing.
    @inline(__always)
    func window(from first: Int64, to time: Int64, _ shard: borrowing ShardContext) -> Int64 {
        let usual = shard.streams.options.reorderingWindow
        return shard.streams.drops.contains(first, through: time) ? min(TCPConnection.windowAmongDrops, usual) : usual
    }

    private func isAcknowledged(_ gap: Range<Int>, _ direction: Direction) -> Bool {
        acknowledged(direction).value > gap.lowerBound
    }

    /// How far the direction was acknowledged, by segments that are held too.
    func acknowledged(_ direction: Direction) -> StreamPosition {
        max(directions[direction].acknowledged, directions[direction].acknowledgedAhead)
    }

    /// More waits for earlier bytes than may.
    @inline(__always)
    private func isCrowded(_ direction: Direction, _ shard: borrowing ShardContext) -> Bool {
        assembly[direction].waiting.byteCount > shard.streams.options.heldBytesLimit
            || assembly[direction].waiting.count > shard.streams.options.heldSegmentLimit
            || shard.isCrowded
    }

    /// Tells the reader of the gap, and goes on behind it.
    mutating func giveUp(
        _ gap: Range<Int>, _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let isAcknowledged = isAcknowledged(gap, direction)
        // At the end of a connection no limit was reached.
        let isCrowded = isCrowded(0, shard) || isCrowded(1, shard)
        shard.streams.findings.add(isAcknowledged || !isCrowded ? .streamGap : .heldBytesLimit)
        skip(gap, direction, &streams, &shard)
        let waiting = assembly[direction].waiting.count
        drain(direction, &streams, &shard)
        if assembly[direction].waiting.count == waiting { drain(direction, &streams, &shard, isForced: true) }
    }

    /// At the end of the connection nothing can fill a gap any more.
    mutating func giveUpAllGaps(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        while hasGap {
            for direction in Direction.both { drain(direction, &streams, &shard) }
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
            streams.noteUnseen(claim, &shard.streams)
            let end = position + claim.count
            shard.streams.attribution.connection[direction].runs?.append(claim.owner, upTo: StreamPosition(end))
            assembly[direction].giveUp(StreamGap(range: position..<end, owner: claim.owner, cause: claim.cause))
            position = end
        }
    }

    /// Delivers what waited for a key.
    mutating func resume(isGivenUp: Bool, _ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        guard streams.isWaiting else { return }
        streams.resumeRecords(isGivenUp: isGivenUp, &shard.streams)
        for direction in Direction.both { drain(direction, &streams, &shard) }
        resolveDeferredCosts(&shard)
    }
}
