import WireCore

/// A frame that was taken from the system and waits for its turn.
struct HeldFrame: Equatable {
    var time: Int64
    var originalLength: Int
    var droppedBefore: Int
    /// When it was taken, by the monotonic clock.
    var fetched: Int64
}

/// Frames of one interface, first in, first out, with copies of their bytes in slabs that are used again.
struct FrameQueue {
    private struct Record {
        var frame: HeldFrame
        /// Counted over all slabs there ever were.
        var slab: Int
        var start: Int
        var length: Int
    }

    /// What a frame costs besides its bytes.
    static let overhead = MemoryLayout<Record>.stride
    private static let slabSize = 1 << 20

    private var records: [Record] = []
    /// Records before this one have left.
    private var first = 0
    private var slabs: [[UInt8]] = []
    /// Number of the first slab in `slabs`.
    private var firstSlab = 0
    /// One that was emptied, for the next.
    private var spare: [UInt8] = []
    /// Bytes that the waiting frames take.
    private(set) var heldBytes = 0

    var head: HeldFrame? { first < records.count ? records[first].frame : nil }

    mutating func append(_ frame: HeldFrame, _ bytes: RawSpan) {
        let length = bytes.byteCount
        if slabs.isEmpty || slabs[slabs.count - 1].count + length > Self.slabSize { addSlab() }
        let last = slabs.count - 1
        records.append(
            Record(frame: frame, slab: firstSlab + last, start: slabs[last].count, length: length))
        bytes.append(0..<length, to: &slabs[last])
        heldBytes += length + Self.overhead
    }

    private mutating func addSlab() {
        var slab: [UInt8] = []
        swap(&slab, &spare)
        slab.reserveCapacity(Self.slabSize)
        slabs.append(slab)
    }

    /// Hands out the first frame and its bytes.
    mutating func takeFirst(_ body: (HeldFrame, RawSpan) -> Void) {
        guard first < records.count else { return }
        let record = records[first]
        let slab = slabs[record.slab - firstSlab]
        unsafe body(record.frame, slab.span.bytes.extracting(record.start..<record.start + record.length))
        first += 1
        heldBytes -= record.length + Self.overhead
        if first == records.count || records[first].slab != record.slab { freeSlabs() }
        if first == records.count || first >= 4096, first * 2 >= records.count {
            records.removeSubrange(0..<first)
            first = 0
        }
    }

    /// Lets go of the slabs before that of the first frame; of all when there is none.
    private mutating func freeSlabs() {
        let needed = first < records.count ? records[first].slab - firstSlab : slabs.count
        guard needed > 0 else { return }
        spare = slabs[0]
        spare.removeAll(keepingCapacity: true)
        slabs.removeSubrange(0..<needed)
        firstSlab += needed
    }
}
