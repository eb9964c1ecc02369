/// New payload that waits for earlier bytes of its direction.
struct OutOfOrderSegment: Sendable {
    var start = StreamPosition.zero
    var end = StreamPosition.zero
    /// The captured content; shorter than the segment where the frame was snapped.
    var bytes: [UInt8] = []
    /// When, and with what acknowledgment, it was captured.
    var packet = PacketContext()
    /// What it acknowledged. `packet` says it as a position, if the other direction had begun.
    var acknowledgment: SequenceNumber?
    /// The packet's pending overhead.
    var overhead: PendingOverheads.Handle = -1
    /// Where its packet was captured.
    var place = FindingPlace()
    /// Its checksum is wrong: the content waits for an acknowledgment or a better copy.
    var isSuspect = false
    fileprivate(set) var following: Int32 = -1
}

/// All waiting segments of all connections: an arena with one sorted chain per direction.
struct OutOfOrderSegments: Sendable {
    private var slots: [OutOfOrderSegment] = []
    private var free: [Int32] = []
    /// What a segment takes besides its content, bytes.
    private static let overhead = 200
    /// Memory taken over all connections, bytes.
    private(set) var byteCount = 0

    /// One direction's segments: sorted, not overlapping.
    struct Chain: Sendable {
        fileprivate(set) var head: Int32 = -1
        fileprivate(set) var tail: Int32 = -1
        /// Sequence space that waits, bytes.
        fileprivate(set) var byteCount = 0
        fileprivate(set) var count = 0
        var isEmpty: Bool { head < 0 }
    }

    func firstStart(_ chain: Chain) -> StreamPosition {
        chain.head < 0 ? .never : slots[Int(chain.head)].start
    }

    /// Where the first segment ends, if its content is suspect.
    func firstSuspectEnd(_ chain: Chain) -> StreamPosition? {
        guard chain.head >= 0, slots[Int(chain.head)].isSuspect else { return nil }
        return slots[Int(chain.head)].end
    }

    /// Holds a later copy, which begins at `start`, against what waits. Replaces the content of suspect segments that
    /// the copy holds whole. Returns whether it has other bytes than a segment that is not suspect.
    mutating func reconcile(_ chain: Chain, _ start: StreamPosition, _ content: RawSpan) -> Bool {
        let end = start + content.byteCount
        var differs = false
        var cursor = chain.head
        while cursor >= 0, slots[Int(cursor)].start < end {
            let index = Int(cursor)
            cursor = slots[index].following
            guard slots[index].end > start else { continue }
            if slots[index].isSuspect {
                guard slots[index].start >= start, slots[index].end <= end else { continue }
                let lower = slots[index].start - start
                slots[index].bytes = content.array(lower..<lower + (slots[index].end - slots[index].start))
                slots[index].isSuspect = false
            } else if !differs {
                let bytes = slots[index].bytes
                differs = unsafe bytes.span.bytes.differs(from: content, at: start - slots[index].start)
            }
        }
        return differs
    }

    func firstTime(_ chain: Chain) -> Int64 {
        chain.head < 0 ? .max : slots[Int(chain.head)].packet.time
    }

    /// Inserts a segment that overlaps no other of its chain.
    mutating func insert(_ segment: consuming OutOfOrderSegment, into chain: inout Chain) {
        chain.byteCount += segment.end - segment.start
        chain.count += 1
        byteCount += segment.bytes.count + OutOfOrderSegments.overhead
        let start = segment.start
        let index = allocate(segment)
        if chain.tail >= 0, slots[Int(chain.tail)].end <= start {
            slots[Int(chain.tail)].following = index
            chain.tail = index
            return
        }
        var before: Int32 = -1
        var cursor = chain.head
        while cursor >= 0, slots[Int(cursor)].start < start {
            before = cursor
            cursor = slots[Int(cursor)].following
        }
        slots[Int(index)].following = cursor
        if before < 0 { chain.head = index } else { slots[Int(before)].following = index }
        if cursor < 0 { chain.tail = index }
    }

    /// Takes the first segment out.
    mutating func removeFirst(_ chain: inout Chain) -> OutOfOrderSegment {
        var segment = OutOfOrderSegment()
        swap(&segment, &slots[Int(chain.head)])
        free.append(chain.head)
        chain.head = segment.following
        if chain.head < 0 { chain.tail = -1 }
        chain.byteCount -= segment.end - segment.start
        chain.count -= 1
        byteCount -= segment.bytes.count + OutOfOrderSegments.overhead
        return segment
    }

    /// Splits `range` into what the chain holds already and what it does not, in ascending order.
    func divide(
        _ chain: Chain, _ range: Range<StreamPosition>, waiting: inout [Range<Int>], missing: inout [Range<Int>]
    ) {
        var start = range.lowerBound
        // Most segments come behind all that is waiting.
        var cursor = chain.tail >= 0 && slots[Int(chain.tail)].end <= start ? -1 : chain.head
        while cursor >= 0, start < range.upperBound {
            let place = Int(cursor)
            let segment = (start: slots[place].start, end: slots[place].end)
            if segment.start >= range.upperBound { break }
            cursor = slots[place].following
            if segment.end <= start { continue }
            if start < segment.start {
                missing.append(start.value..<segment.start.value)
                start = segment.start
            }
            let end = min(segment.end, range.upperBound)
            waiting.append(start.value..<end.value)
            start = end
        }
        if start < range.upperBound { missing.append(start.value..<range.upperBound.value) }
    }

    private mutating func allocate(_ segment: consuming OutOfOrderSegment) -> Int32 {
        if let index = free.popLast() {
            slots[Int(index)] = segment
            return index
        }
        slots.append(segment)
        return Int32(slots.count - 1)
    }
}
