/// Sequence space that was given up as missing. Bytes that come for it later are new all the same.
struct Hole: Sendable {
    var range: Range<Int>
    /// Whose bytes are missing: an index and serial number of the caller's.
    var owner: Int32 = -1
    var ownerSerial: UInt32 = 0
    /// The caller's kind of those bytes.
    var kind = 0
}

/// What a segment's payload was, when it was not simply the next bytes.
struct SegmentPieces: Sendable {
    /// Positions seen before.
    var repeated: [Range<Int>] = []
    /// Positions never seen, from the next expected byte on. They were put into the chain of held segments.
    var new: [Range<Int>] = []
    /// Positions never seen, in a hole that was given up.
    var late: [(range: Range<Int>, hole: Hole)] = []

    mutating func removeAll() {
        repeated.removeAll(keepingCapacity: true)
        new.removeAll(keepingCapacity: true)
        late.removeAll(keepingCapacity: true)
    }

    var newByteCount: Int {
        new.reduce(0) { $0 + $1.count } + late.reduce(0) { $0 + $1.range.count }
    }

    var repeatedByteCount: Int { repeated.reduce(0) { $0 + $1.count } }
}

/// Puts the payload of one direction in order.
///
/// Each payload byte is exactly one of: the next byte, new but early (held), new in a given-up hole (late), seen before
/// (repeated), or refused because it lies too far from everything. First sight wins.
struct StreamAssembler: Sendable {
    /// Farther from the highest byte than any window can reach (RFC 7323 §2.3 allows 2³⁰; captures show far less).
    static let farthest = 1 << 28
    /// Most holes remembered; bytes for an older one count as repeated.
    private static let holeLimit = 256

    /// Sequence number of position 0.
    private(set) var base = SequenceNumber(0)
    private(set) var hasBase = false
    /// The direction's SYN was seen.
    private(set) var startIsKnown = false
    /// All before it was delivered or given up.
    private(set) var next = StreamPosition.zero
    /// One past the highest payload byte seen.
    private(set) var highest = StreamPosition.zero
    var held = HeldSegments.Chain()
    private(set) var holes: [Hole] = []
    /// Bytes of holes that are no longer remembered.
    private var forgottenByteCount = 0

    /// Bytes of holes that nothing filled.
    var unseenByteCount: Int {
        holes.reduce(forgottenByteCount) { sum, hole in
            // Before the first byte seen nothing is known to be missing.
            let isOpen = !startIsKnown && hole.range.lowerBound == -StreamAssembler.farthest
            return isOpen ? sum : sum + hole.range.count
        }
    }

    mutating func renew() {
        base = SequenceNumber(0)
        (hasBase, startIsKnown) = (false, false)
        (next, highest) = (.zero, .zero)
        held = HeldSegments.Chain()
        if holes.capacity > 0 { holes = [] }
        forgottenByteCount = 0
    }

    /// Takes the sequence number of a SYN: position 0 is the byte after it.
    mutating func start(synchronize: SequenceNumber) {
        startIsKnown = true
        guard !hasBase else {
            // It was captured late: nothing before its first byte can be missing.
            let start = position(of: synchronize.advanced(by: 1)).value
            holes = holes.compactMap { hole in
                var hole = hole
                hole.range = max(hole.range.lowerBound, start)..<max(hole.range.upperBound, start)
                return hole.range.isEmpty ? nil : hole
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
        holes = [Hole(range: -StreamAssembler.farthest..<0)]
    }

    /// Begins anew with a packet, where there was nothing but a SYN that is not its direction's.
    mutating func restart(midstream sequence: SequenceNumber) {
        self = StreamAssembler()
        start(midstream: sequence)
    }

    /// The position of a sequence number near the highest byte seen.
    @inline(__always)
    func position(of sequence: SequenceNumber) -> StreamPosition {
        let reference = base.advanced(by: highest.value)
        return highest + sequence.distance(from: reference)
    }

    /// Takes the next bytes: the common case. The caller delivers them.
    @inline(__always)
    mutating func acceptNext(_ count: Int) {
        next = next + count
        if highest < next { highest = next }
    }

    /// Divides a segment's positions into pieces. New ones beyond `next` are for the caller to hold.
    mutating func divide(_ range: Range<StreamPosition>, _ segments: HeldSegments, into pieces: inout SegmentPieces) {
        pieces.removeAll()
        if range.lowerBound < next {
            divideDelivered(range.lowerBound.value..<min(range.upperBound, next).value, into: &pieces)
        }
        if range.upperBound > next {
            let rest = max(range.lowerBound, next)..<range.upperBound
            segments.divide(held, rest, held: &pieces.repeated, missing: &pieces.new)
            if highest < range.upperBound { highest = range.upperBound }
        }
    }

    /// Delivered space is repeated, but for the holes in it.
    private mutating func divideDelivered(_ range: Range<Int>, into pieces: inout SegmentPieces) {
        var start = range.lowerBound
        var index = 0
        while index < holes.count, start < range.upperBound {
            let hole = holes[index]
            let overlap = hole.range.clamped(to: start..<range.upperBound)
            guard !overlap.isEmpty else {
                index += 1
                continue
            }
            if start < overlap.lowerBound { pieces.repeated.append(start..<overlap.lowerBound) }
            pieces.late.append((overlap, hole))
            start = overlap.upperBound
            index = fill(overlap, inHoleAt: index)
        }
        if start < range.upperBound { pieces.repeated.append(start..<range.upperBound) }
    }

    /// Takes a part out of a hole. Returns the index of the next hole to look at.
    private mutating func fill(_ part: Range<Int>, inHoleAt index: Int) -> Int {
        let hole = holes[index]
        var rest: [Hole] = []
        if hole.range.lowerBound < part.lowerBound {
            var left = hole
            left.range = hole.range.lowerBound..<part.lowerBound
            rest.append(left)
        }
        if part.upperBound < hole.range.upperBound {
            var right = hole
            right.range = part.upperBound..<hole.range.upperBound
            rest.append(right)
        }
        holes.replaceSubrange(index...index, with: rest)
        return index + rest.count
    }

    /// The hole between the next expected and the first held byte; nil where there is none.
    func openHole(_ segments: HeldSegments) -> Range<Int>? {
        guard !held.isEmpty else { return nil }
        let start = segments.firstStart(held)
        return next < start ? next.value..<start.value : nil
    }

    /// Goes on behind the open hole, and remembers it.
    mutating func giveUp(_ hole: Hole) {
        if holes.count >= StreamAssembler.holeLimit {
            let index = holes[0].range.lowerBound < 0 ? 1 : 0
            forgottenByteCount += holes.remove(at: index).range.count
        }
        holes.append(hole)
        next = StreamPosition(hole.range.upperBound)
    }

    /// Takes out the first held segment if it is the next.
    mutating func takeReady(_ segments: inout HeldSegments) -> HeldSegment? {
        guard !held.isEmpty, segments.firstStart(held) == next else { return nil }
        let segment = segments.removeFirst(&held)
        next = segment.end
        return segment
    }
}
