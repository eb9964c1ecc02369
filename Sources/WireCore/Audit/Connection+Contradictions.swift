/// Packets that contradict others of their connection: what is noticed of them. First bytes win throughout.
extension Connection {
    /// Hop limits closer than this are of one sender, on ways that changed a little.
    private static let hopTolerance = 8
    /// How far behind the last byte seen a reset may stand: no window is larger by default.
    private static let resetReach = 1 << 23

    /// Looks at a segment whose content is read.
    @inline(__always)
    mutating func inspect(_ segment: Segment, isSuspect: Bool, _ books: inout Books) {
        if segment.hopLimit != sides[segment.side].hopLimit { noteHopLimit(segment, &books) }
        if isSuspect { books.findings.add(.checksumWrong) }
        if segment.flags.contains(.urg) { books.findings.add(.urgentData) }
    }

    /// A packet that was meant to be seen by the capture but not by the receiver expires between the two.
    @inline(never)
    mutating func noteHopLimit(_ segment: Segment, _ books: inout Books) {
        let side = segment.side
        guard abs(Int(segment.hopLimit) - Int(sides[side].hopLimit)) >= Connection.hopTolerance else { return }
        books.findings.add(.hopLimitJump)
        sides[side].hopLimit = segment.hopLimit
    }

    /// Bytes came again: are they the same? Known are those that wait, and those that were read last.
    mutating func compareRepeated(
        _ segment: Segment, _ start: StreamPosition, _ content: RawSpan, _ books: inout Books
    ) {
        let side = segment.side
        if segment.hopLimit != sides[side].hopLimit { noteHopLimit(segment, &books) }
        let bytes = content.byteCount > segment.payload ? content.extracting(first: segment.payload) : content
        var differs = sides.differ(from: bytes, at: start, side)
        if !sides[side].assembler.held.isEmpty {
            if books.held.reconcile(sides[side].assembler.held, start, bytes) { differs = true }
        }
        if differs { books.findings.add(.inconsistentRetransmission) }
    }

    /// Whether the other side believes a reset (RFC 9293 §3.5.3): before it has heard from the sender, one that
    /// acknowledges what it sent; else one in its window. Of that the capture knows the beginning.
    func isAcceptable(reset segment: Segment) -> Bool {
        let side = segment.side
        guard sides[side].assembler.hasBase else {
            let other = 1 - side
            guard sides[other].synchronize != nil else { return true }
            let acknowledged = position(acknowledgedBy: segment)
            return segment.flags.contains(.ack) && acknowledged >= .zero
                && acknowledged <= sides[other].assembler.highest + 1
        }
        let start = sides[side].assembler.position(of: segment.sequence)
        // A byte of tolerance, because some systems forget that their FIN took a number.
        let lowest = max(sides[side].acknowledged - 1, sides[side].assembler.highest - Connection.resetReach)
        return start >= lowest && start <= sides[side].assembler.highest + Connection.resetReach
    }

    /// Both sides were heard, and neither has ended.
    var isEstablished: Bool {
        closedTime == nil && (0..<2).allSatisfy { sides[$0].assembler.hasBase && sides[$0].finish == .never }
    }

    /// Of a direction only its SYN was seen, and data comes that cannot follow it: the SYN was somebody else's.
    func isUnfounded(_ side: Int, by start: StreamPosition) -> Bool {
        abs(start.value) >= StreamAssembler.farthest && sides[side].synchronize != nil
            && sides[side].assembler.highest == .zero && sides[side].assembler.held.isEmpty
            && sides[side].finish == .never
    }

    /// The direction begins with this segment.
    mutating func restart(_ segment: Segment) {
        sides[segment.side].assembler.restart(midstream: segment.sequence)
        sides[segment.side].acknowledged = .unset
    }

    /// The place of a FIN. One before bytes that were read is not believed; of two others the first stands, unless
    /// bytes have come up to the second only.
    mutating func placeFinish(_ position: StreamPosition, _ side: Int, _ books: inout Books) {
        let finish = sides[side].finish
        let highest = sides[side].assembler.highest
        guard finish != position else { return }
        if finish != .never || position < highest { books.findings.add(.endContradiction) }
        guard position >= sides[side].assembler.next else { return }
        if finish == .never || (position >= highest && position < finish) { sides[side].finish = position }
    }

    /// Bytes came behind the FIN. They are read as if there were none.
    mutating func noteBehindEnd(_ side: Int, _ books: inout Books) {
        if sides[side].assembler.next > sides[side].finish { books.findings.add(.endContradiction) }
    }
}
