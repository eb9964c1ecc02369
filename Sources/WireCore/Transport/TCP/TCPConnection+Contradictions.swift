/// Packets that contradict others of their connection: what is noticed of them. First bytes win throughout.
extension TCPConnection {
    /// Hop limits closer than this are of one sender, on ways that changed a little.
    private static let hopTolerance = 8
    /// How far behind the last byte seen a reset may stand: no window is larger by default.
    private static let resetReach = 1 << 23

    /// Looks at a segment whose content is read.
    @inline(__always)
    mutating func inspect(_ segment: Segment, isSuspect: Bool, _ shard: inout ShardContext) {
        if segment.hopLimit != directions[segment.direction].hopLimit { noteHopLimit(segment, &shard) }
        if isSuspect { shard.streams.findings.add(.checksumWrong) }
        if segment.flags.contains(.urg) { shard.streams.findings.add(.urgentData) }
    }

    /// A packet that was meant to be seen by the capture but not by the receiver expires between the two.
    @inline(never)
    mutating func noteHopLimit(_ segment: Segment, _ shard: inout ShardContext) {
        let direction = segment.direction
        guard abs(Int(segment.hopLimit) - Int(directions[direction].hopLimit)) >= TCPConnection.hopTolerance else {
            return
        }
        shard.streams.findings.add(.hopLimitJump)
        directions[direction].hopLimit = segment.hopLimit
    }

    /// Bytes came again: are they the same? Known are those that wait, and those that were read last.
    mutating func compareRepeated(
        _ segment: Segment, _ start: StreamPosition, _ content: RawSpan, _ shard: inout ShardContext
    ) {
        let direction = segment.direction
        if segment.hopLimit != directions[direction].hopLimit { noteHopLimit(segment, &shard) }
        let bytes = content.byteCount > segment.payload ? content.extracting(first: segment.payload) : content
        var differs = histories[direction].differs(from: bytes, at: start)
        if !assembly[direction].waiting.isEmpty {
            if shard.waiting.reconcile(assembly[direction].waiting, start, bytes) { differs = true }
        }
        if differs { shard.streams.findings.add(.inconsistentRetransmission) }
    }

    /// Whether the other endpoint accepts a reset (RFC 9293 §3.5.3): before it has heard from the sender, one that
    /// acknowledges what it sent; else one in its window. Of that the capture knows the beginning.
    func isAcceptable(reset segment: Segment) -> Bool {
        let direction = segment.direction
        guard assembly[direction].hasBase else {
            let other = direction.opposite
            guard directions[other].synchronize != nil else { return true }
            let acknowledged = position(acknowledgedBy: segment)
            return segment.flags.contains(.ack) && acknowledged >= .zero
                && acknowledged <= assembly[other].highest + 1
        }
        let start = assembly[direction].position(of: segment.sequence)
        // A byte of tolerance, because some systems forget that their FIN took a number.
        let lowest = max(directions[direction].acknowledged - 1, assembly[direction].highest - TCPConnection.resetReach)
        return start >= lowest && start <= assembly[direction].highest + TCPConnection.resetReach
    }

    /// Of a direction only its SYN was seen, and data comes that cannot follow it: the SYN was somebody else's.
    func isUnfounded(_ direction: Direction, by start: StreamPosition) -> Bool {
        abs(start.value) >= StreamAssembler.farthest && directions[direction].synchronize != nil
            && assembly[direction].highest == .zero && assembly[direction].waiting.isEmpty
            && directions[direction].finish == .never
    }

    /// The direction begins with this segment.
    mutating func restart(_ segment: Segment) {
        assembly[segment.direction].restart(midstream: segment.sequence)
        directions[segment.direction].forgetAcknowledgments()
    }

    /// A direction without a SYN began with a bare packet, which does not say where the next byte is: a keep-alive stands
    /// one before it, and one behind a FIN counts that. What comes at `position` shows which it was.
    mutating func realign(_ direction: Direction, at position: StreamPosition, _ shard: inout ShardContext) {
        let distance = position.value
        guard abs(distance) == 1, assembly[direction].isUntouched, directions[direction].finish == .never else {
            return
        }
        if distance == 1 {
            // An acknowledgment of more than this proves that bytes are missing.
            guard directions[direction].counts.payloadNew == 0, directions[direction].acknowledged.value <= 2 else {
                return
            }
        }
        shard.streams.attribution.resolveAllDeferredCosts(direction, last: .zero - 1, next: .zero)
        assembly[direction].realign(by: distance)
        if directions[direction].acknowledged != .unset {
            directions[direction].acknowledged = directions[direction].acknowledged - distance
        }
    }

    /// The place of a FIN. One before bytes that were read is not believed; of two others the first stands, unless
    /// bytes have come up to the second only.
    mutating func placeFinish(_ position: StreamPosition, _ direction: Direction, _ shard: inout ShardContext) {
        let finish = directions[direction].finish
        let highest = assembly[direction].highest
        guard finish != position else { return }
        if finish != .never || position < highest { shard.streams.findings.add(.endContradiction) }
        guard position >= assembly[direction].next else { return }
        if finish == .never || (position >= highest && position < finish) { directions[direction].finish = position }
    }

    /// Bytes came behind the FIN. They are read as if there were none.
    @inline(__always)
    mutating func noteBehindEnd(_ direction: Direction, _ shard: inout ShardContext) {
        if assembly[direction].next > directions[direction].finish { shard.streams.findings.add(.endContradiction) }
    }
}
