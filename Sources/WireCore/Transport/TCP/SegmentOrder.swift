/// The order of a connection's two directions: hands segments to TCP in the order in which they were sent, as far as
/// acknowledgment numbers tell it (ByteLedger.md §2.6).
///
/// A sender acknowledges only what it has received. So a segment follows the bytes that it acknowledges, wherever the
/// capture shows them, and is held until those were taken. Whole segments are held, not payload alone: all that TCP and its
/// readers decide from order comes out as in a capture whose packets are in order.
///
/// A direction begins with its SYN. Segments that the capture shows before it are held too; where none comes, the lowest of
/// them is the beginning.
///
/// - Invariant: no held segment is due, and each direction's are in the order of their acknowledgments.
struct SegmentOrder {
    /// So many segments wait at most for a SYN.
    private static let openingLimit = 32
    /// So many times in a row segments were held in vain before no more are: the capture lacks what they acknowledge, and
    /// waiting would only delay.
    private static let patience = 3
    /// So far behind a SYN the bytes stand at most whose acknowledgments may be captured before it.
    private static let reach = 65_536

    var tcp: TCPConnection
    /// Segments that wait for bytes of the other direction.
    private(set) var held = DirectionPair(repeating: HeldSegments.Queue())
    /// There are some.
    private(set) var isHolding = false { didSet { isArranging = isHolding || isOpening } }
    /// The SYN of a direction may still come.
    private(set) var isOpening = true { didSet { isArranging = isHolding || isOpening } }
    /// One of the two.
    private var isArranging = true
    /// Nothing of one direction came while segments of the other waited for it.
    var isOneWay = false
    /// So many times in a row they waited in vain.
    var failures = 0
    /// The timer will have a look at what is held.
    var isTimed = false

    @inline(__always)
    init(_ tcp: TCPConnection) { self.tcp = tcp }

    /// Takes one packet, or holds it until what it follows was taken. `transport` is what was captured of the TCP header
    /// and payload.
    @inline(__always)
    mutating func receive(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        streams.connection.lastTime = max(streams.connection.lastTime, segment.time)
        tcp.directions[segment.direction].count(segment)
        if isArranging || streams.isWaiting || tcp.runsAhead(segment) {
            arrange(segment, transport, &streams, &shard)
        } else {
            tcp.take(segment, transport, &streams, &shard)
        }
        if tcp.hasGap || streams.isWaiting || isHolding {
            giveUpStale(at: streams.connection.lastTime, &streams, &shard)
        }
        if shard.streams.attribution.hasDeferredCosts(0) || shard.streams.attribution.hasDeferredCosts(1) {
            tcp.resolveDeferredCosts(&shard)
        }
    }

    /// Takes a segment if all that it follows was taken, and holds it otherwise; then takes what waited for it.
    @inline(never)
    private mutating func arrange(
        _ segment: Segment, _ transport: RawSpan, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        let other = direction.opposite
        let isReset = segment.flags.contains(.rst)
        let acknowledgment = segment.flags.contains(.ack) ? segment.acknowledgment : nil
        // A SYN is answered by a reset that acknowledges it, or by none.
        let answersNothing = isReset && !tcp.assembly[direction].hasBase && tcp.assembly[other].hasBase
        let mustWait = isReset && (acknowledgment == nil || answersNothing) && !held[direction].isEmpty
        let isSynchronize = segment.flags.contains(.syn)
        if !mustWait, answersNothing || isDue(acknowledgment, direction, isSynchronize, streams, shard) {
            tcp.take(segment, transport, &streams, &shard)
            if isOpening, startsAreKnown { isOpening = false }
        } else if isOpening, openingIsOver(at: segment.time, streams, shard) {
            endOpening(&streams, &shard)
            return arrange(segment, transport, &streams, &shard)
        } else if failures >= SegmentOrder.patience, !streams.isWaiting, !isHolding, tcp.assembly[other].hasBase,
            tcp.assembly[other].waiting.isEmpty
        {
            presume(tcp.position(acknowledgedBy: segment), of: other, &streams)
            tcp.take(segment, transport, &streams, &shard)
        } else {
            hold(segment, transport, streams, &shard)
            // Content with a wrong checksum may have waited for this acknowledgment.
            tcp.drain(other, &streams, &shard)
        }
        if isHolding, release(&streams, &shard) { failures = 0 }
    }

    private mutating func hold(
        _ segment: Segment, _ transport: RawSpan, _ streams: borrowing ConnectionStreams, _ shard: inout ShardContext
    ) {
        if !isTimed {
            isTimed = true
            shard.streams.timers.add(
                TimerWheel.Entry(
                    place: streams.connection.place, number: streams.connection.number, owner: .connection),
                at: segment.time + shard.streams.options.reorderingWindow)
        }
        isHolding = true
        tcp.noteAcknowledgmentAhead(segment)
        var queue = held[segment.direction]
        shard.held.insert(
            HeldSegment(
                segment: segment, transport: transport.array(0..<transport.byteCount),
                place: shard.streams.findings.place, ordinal: shard.streams.findings.ordinal,
                since: streams.connection.lastTime),
            into: &queue)
        held[segment.direction] = queue
    }

    // MARK: What may be taken. Inlined, because lending out the context copies it.

    /// Whether all that a segment with this acknowledgment follows was taken or given up. While a key is awaited nothing
    /// is taken.
    @inline(__always)
    private func isDue(
        _ acknowledgment: SequenceNumber?, _ direction: Direction, _ isSynchronize: Bool,
        _ streams: borrowing ConnectionStreams, _ shard: borrowing ShardContext
    ) -> Bool {
        if streams.isWaiting { return false }
        if isOpening, !isSynchronize, !tcp.assembly[direction].hasBase { return false }
        guard let acknowledgment, shard.streams.options.ordersDirections else { return true }
        guard let end = reached(direction.opposite, shard) else { return isOneWay }
        let distance = acknowledgment.distance(from: end)
        return distance <= 0 || distance >= StreamAssembler.farthest
    }

    /// The first number of a direction that was neither taken nor given up. Where nothing was taken yet: the one that its
    /// first held segment begins with; nil where there is none.
    @inline(__always)
    func reached(_ direction: Direction, _ shard: borrowing ShardContext) -> SequenceNumber? {
        if let end = tcp.reached(direction) { return end }
        if isOpening { return nil }
        return shard.held.first(held[direction]).map { tcp.firstNumber(direction, upTo: $0.sequence) }
    }

    /// Takes held segments that have become due, of two that are the one that came first. Returns whether there were any.
    @discardableResult
    mutating func release(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) -> Bool {
        var hasReleased = false
        while isHolding, let direction = due(streams, shard) {
            takeFirst(direction, &streams, &shard)
            hasReleased = true
        }
        return hasReleased
    }

    @inline(__always)
    private func due(_ streams: borrowing ConnectionStreams, _ shard: borrowing ShardContext) -> Direction? {
        var found: (direction: Direction, ordinal: Int)?
        for direction in Direction.both {
            guard let first = shard.held.first(held[direction]), first.ordinal < found?.ordinal ?? .max,
                isDue(first.acknowledgment, direction, first.isSynchronize, streams, shard)
            else { continue }
            found = (direction, first.ordinal)
        }
        return found?.direction
    }

    mutating func takeFirst(
        _ direction: Direction, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        var queue = held[direction]
        let first = shard.held.removeFirst(&queue)
        held[direction] = queue
        take(first, &streams, &shard)
    }

    /// Takes the held segment that has this byte.
    mutating func take(
        with sequence: SequenceNumber, _ direction: Direction, _ streams: inout ConnectionStreams,
        _ shard: inout ShardContext
    ) {
        var queue = held[direction]
        let segment = shard.held.remove(with: sequence, from: &queue)
        held[direction] = queue
        if let segment { take(segment, &streams, &shard) }
    }

    private mutating func take(
        _ segment: HeldSegment, _ streams: inout ConnectionStreams, _ shard: inout ShardContext
    ) {
        isHolding = !held[0].isEmpty || !held[1].isEmpty
        let (place, packet) = (shard.streams.findings.place, shard.streams.attribution.packet)
        shard.streams.findings.place = segment.place
        unsafe tcp.take(segment.segment, segment.transport.span.bytes, &streams, &shard)
        if isOpening, startsAreKnown { isOpening = false }
        shard.streams.findings.place = place
        shard.streams.attribution.packet = packet
    }

    // MARK: The beginning

    /// Both SYNs were taken.
    private var startsAreKnown: Bool { tcp.assembly[0].startIsKnown && tcp.assembly[1].startIsKnown }

    /// No SYN is waited for any longer.
    func openingIsOver(
        at time: Int64, _ streams: borrowing ConnectionStreams, _ shard: borrowing ShardContext
    ) -> Bool {
        !shard.streams.options.ordersDirections
            || time - streams.connection.firstTime >= shard.streams.options.reorderingWindow
            || held[0].count + held[1].count >= SegmentOrder.openingLimit
    }

    /// Directions without SYN begin with the lowest number that is held, and what was held is taken in its order.
    mutating func endOpening(_ streams: inout ConnectionStreams, _ shard: inout ShardContext) {
        isOpening = false
        let lowest = Direction.both.map { shard.held.lowest(held[$0], reach: SegmentOrder.reach) }
        // A SYN first: it acknowledges what the other direction began with.
        for direction in Direction.both {
            guard let first = lowest[direction.index], first.flags.contains(.syn) else { continue }
            take(with: first.sequence, direction, &streams, &shard)
        }
        for direction in Direction.both where !tcp.assembly[direction].hasBase {
            if let first = lowest[direction.index] { tcp.startMidstream(first, streams.connection, &shard) }
        }
        release(&streams, &shard)
    }

    /// Discards all segments, if so many are held and none was taken. Returns whether that is so.
    mutating func discardOpening(of count: Int, _ shard: inout ShardContext) -> Bool {
        guard isOpening, held[0].count + held[1].count == count else { return false }
        for direction in Direction.both {
            var queue = held[direction]
            while !queue.isEmpty {
                let segment = shard.held.removeFirst(&queue)
                shard.streams.attribution.trace?.noteDuplicate(segment.place.packet)
            }
            held[direction] = queue
        }
        isHolding = false
        return true
    }

    // MARK: Another connection

    /// See `TCPConnection`. Inlined, because lending out the context copies it.
    @inline(__always)
    func isReplaced(
        by segment: Segment, _ connection: borrowing ConnectionFacts, _ shard: borrowing ShardContext
    ) -> Bool {
        let isFirst = !tcp.assembly[segment.direction].hasBase && !segment.flags.contains(.ack)
        if isFirst, isHolding { return !isAwaited(segment, shard) }
        return replacesTaken(segment, connection, reorderingWindow: shard.streams.options.reorderingWindow)
    }

    /// Whether a SYN is the one that held segments of its direction stand close behind, and that those of the other
    /// direction answer: they acknowledge it, or bytes close behind it.
    @inline(__always)
    private func isAwaited(_ synchronize: Segment, _ shard: borrowing ShardContext) -> Bool {
        if let own = shard.held.first(held[synchronize.direction])?.sequence {
            let distance = own.distance(from: synchronize.sequence)
            guard distance >= 0, distance <= SegmentOrder.reach else { return false }
        }
        guard let first = shard.held.first(held[synchronize.direction.opposite])?.acknowledgment else { return true }
        let distance = first.distance(from: synchronize.sequence)
        return distance > 0 && distance <= SegmentOrder.reach
    }
}
