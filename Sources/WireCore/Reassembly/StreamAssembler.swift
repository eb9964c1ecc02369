/// Sequence space that was given up as missing. Bytes that come for it later are new all the same.
struct StreamGap: Sendable {
    var range: Range<Int>
    /// Whose bytes are missing, and what they are as far as is known.
    var owner = Owner.connection
    var cause = Cause.opaque
}

/// What a segment's payload was, when it was not simply the next bytes.
struct SegmentPieces: Sendable {
    /// Positions seen before.
    var repeated: [Range<Int>] = []
    /// Positions never seen, from the next expected byte on. They were put into the chain of out-of-order segments.
    var new: [Range<Int>] = []
    /// Positions never seen, in a gap that was given up.
    var late: [(range: Range<Int>, gap: StreamGap)] = []

    mutating func removeAll() {
        if !repeated.isEmpty { repeated.removeAll(keepingCapacity: true) }
        if !new.isEmpty { new.removeAll(keepingCapacity: true) }
        if !late.isEmpty { late.removeAll(keepingCapacity: true) }
    }

    var newByteCount: Int {
        new.reduce(0) { $0 + $1.count } + late.reduce(0) { $0 + $1.range.count }
    }

    var repeatedByteCount: Int { repeated.reduce(0) { $0 + $1.count } }
}

/// Puts the payload of one direction in order.
///
/// Each payload byte is exactly one of: the next byte, new but early (waiting), new in a gap that was given up (late), seen before
/// (repeated), or refused because it lies too far from everything. First sight wins.
struct StreamAssembler: Sendable {
    /// Farther from the highest byte than any window can reach (RFC 7323 §2.3 allows 2³⁰; captures show far less).
    static let farthest = 1 << 28
    /// Most gaps remembered; bytes for an older one count as repeated.
    private static let gapLimit = 256

    /// Sequence number of position 0.
    private(set) var base = SequenceNumber(0)
    private(set) var hasBase = false
    /// The direction's SYN was seen.
    private(set) var startIsKnown = false
    /// All before it was delivered or given up.
    private(set) var next = StreamPosition.zero
    /// One past the highest payload byte seen.
    private(set) var highest = StreamPosition.zero
    /// How far its sender acknowledged the other direction in the latest packet that began at `next`.
    var acknowledgedAtNext = StreamPosition.unset
    var waiting = OutOfOrderSegments.Chain()
    private(set) var gaps: [StreamGap] = []
    /// Bytes of gaps that are no longer remembered.
    private var forgottenByteCount = 0

    /// Bytes of gaps that nothing filled.
    var unseenByteCount: Int {
        gaps.reduce(forgottenByteCount) { sum, gap in
            // Before the first byte seen nothing is known to be missing, and before a bare packet there may be a FIN.
            let isOpen = !startIsKnown && gap.range.lowerBound == -StreamAssembler.farthest
            let mayBeFinish = gap.range == -1..<0 && isUntouched
            return isOpen || mayBeFinish ? sum : sum + gap.range.count
        }
    }

    mutating func renew() {
        base = SequenceNumber(0)
        (hasBase, startIsKnown) = (false, false)
        (next, highest) = (.zero, .zero)
        acknowledgedAtNext = .unset
        waiting = OutOfOrderSegments.Chain()
        if gaps.capacity > 0 { gaps = [] }
        forgottenByteCount = 0
    }

    /// Takes the sequence number of a SYN: position 0 is the byte after it.
    mutating func start(synchronize: SequenceNumber) {
        startIsKnown = true
        guard !hasBase else {
            // It was captured late: nothing before its first byte can be missing.
            let start = position(of: synchronize.advanced(by: 1)).value
            gaps = gaps.compactMap { gap in
                var gap = gap
                gap.range = max(gap.range.lowerBound, start)..<max(gap.range.upperBound, start)
                return gap.range.isEmpty ? nil : gap
            }
            return
        }
        base = synchronize.advanced(by: 1)
        hasBase = true
    }

    /// Takes the sequence number of the first packet seen, where there was no SYN.
    mutating func start(midstream sequence: SequenceNumber) {
        guard !hasBase else { return }
        base = sequence
        hasBase = true
        // Whatever the capture shows of the time before is new as well.
        gaps = [StreamGap(range: -StreamAssembler.farthest..<0)]
    }

    /// Begins anew with a packet, where there was nothing but a SYN that is not its direction's.
    mutating func restart(midstream sequence: SequenceNumber) {
        self = StreamAssembler()
        start(midstream: sequence)
    }

    /// No SYN was seen, and no byte but some before the first packet's place.
    var isUntouched: Bool { hasBase && !startIsKnown && highest == .zero && waiting.isEmpty }

    /// Moves position 0 of an untouched direction so many bytes on.
    mutating func realign(by distance: Int) {
        base = base.advanced(by: distance)
        gaps = gaps.compactMap { gap in
            var gap = gap
            let lower = gap.range.lowerBound == -StreamAssembler.farthest ? 0 : distance
            let upper = gap.range.upperBound == 0 && distance > 0 ? 0 : distance
            let range = gap.range.lowerBound - lower..<max(gap.range.lowerBound - lower, gap.range.upperBound - upper)
            gap.range = range.clamped(to: -StreamAssembler.farthest..<0)
            return gap.range.isEmpty ? nil : gap
        }
    }

    /// The position of a sequence number near the highest byte seen.
    @inline(__always)
    func position(of sequence: SequenceNumber) -> StreamPosition {
        let reference = base.advanced(by: highest.value)
        return highest + sequence.distance(from: reference)
    }

    /// The first block of the SACK option (RFC 2018 §3) among a segment's options.
    func firstBlock(in options: RawSpan) -> Range<StreamPosition>? {
        guard let block = TCPOptions.firstSelectiveBlock(options) else { return nil }
        let (start, end) = (position(of: block.start), position(of: block.end))
        return start < end ? start..<end : nil
    }

    /// Takes the next bytes: the common case. The caller delivers them.
    @inline(__always)
    mutating func acceptNext(_ count: Int) {
        next = next + count
        if highest < next { highest = next }
    }

    /// Divides a segment's positions into pieces. New ones beyond `next` are for the caller to hold.
    mutating func divide(
        _ range: Range<StreamPosition>, _ segments: OutOfOrderSegments, into pieces: inout SegmentPieces
    ) {
        pieces.removeAll()
        if range.lowerBound < next {
            divideDelivered(range.lowerBound.value..<min(range.upperBound, next).value, into: &pieces)
        }
        if range.upperBound > next {
            let rest = max(range.lowerBound, next)..<range.upperBound
            segments.divide(waiting, rest, waiting: &pieces.repeated, missing: &pieces.new)
            if highest < range.upperBound { highest = range.upperBound }
        }
    }

    /// Delivered space is repeated, but for the gaps in it.
    private mutating func divideDelivered(_ range: Range<Int>, into pieces: inout SegmentPieces) {
        var start = range.lowerBound
        var index = 0
        while index < gaps.count, start < range.upperBound {
            let gap = gaps[index]
            let overlap = gap.range.clamped(to: start..<range.upperBound)
            guard !overlap.isEmpty else {
                index += 1
                continue
            }
            if start < overlap.lowerBound { pieces.repeated.append(start..<overlap.lowerBound) }
            pieces.late.append((overlap, gap))
            start = overlap.upperBound
            index = fill(overlap, inGapAt: index)
        }
        if start < range.upperBound { pieces.repeated.append(start..<range.upperBound) }
    }

    /// Takes a part out of a gap. Returns the index of the next gap to look at.
    private mutating func fill(_ part: Range<Int>, inGapAt index: Int) -> Int {
        let gap = gaps[index]
        var rest: [StreamGap] = []
        if gap.range.lowerBound < part.lowerBound {
            var left = gap
            left.range = gap.range.lowerBound..<part.lowerBound
            rest.append(left)
        }
        if part.upperBound < gap.range.upperBound {
            var right = gap
            right.range = part.upperBound..<gap.range.upperBound
            rest.append(right)
        }
        gaps.replaceSubrange(index...index, with: rest)
        let next = index + rest.count
        guard gaps.count > StreamAssembler.gapLimit else { return next }
        return forgetOldestGap() < next ? next - 1 : next
    }

    /// Takes the gap that lies first out of memory, but not all that is before the first byte. Returns its index.
    private mutating func forgetOldestGap() -> Int {
        let index = gaps[0].range.lowerBound == -StreamAssembler.farthest ? 1 : 0
        forgottenByteCount += gaps.remove(at: index).range.count
        return index
    }

    /// The gap between the next expected and the first waiting byte; nil where there is none.
    func openGap(_ segments: OutOfOrderSegments) -> Range<Int>? {
        guard !waiting.isEmpty else { return nil }
        let start = segments.firstStart(waiting)
        return next < start ? next.value..<start.value : nil
    }

    /// Goes on behind the open gap, and remembers it.
    mutating func giveUp(_ gap: StreamGap) {
        if gaps.count >= StreamAssembler.gapLimit { _ = forgetOldestGap() }
        gaps.append(gap)
        next = StreamPosition(gap.range.upperBound)
    }

    /// Takes out the first waiting segment if it is the next.
    mutating func takeReady(_ segments: inout OutOfOrderSegments) -> OutOfOrderSegment? {
        guard !waiting.isEmpty, segments.firstStart(waiting) == next else { return nil }
        let segment = segments.removeFirst(&waiting)
        next = segment.end
        return segment
    }
}
