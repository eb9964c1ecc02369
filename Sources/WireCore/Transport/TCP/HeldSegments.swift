/// A segment that waits for bytes of the other direction: its sender had received them when it was sent.
struct HeldSegment: Sendable {
    var segment = Segment()
    /// What was captured of its TCP header and payload.
    var transport: [UInt8] = []
    var place = FindingPlace()
    /// Place in the order in which the audit takes what comes.
    var ordinal = 0
    /// The connection's latest time when it came: nanoseconds.
    var since: Int64 = 0
    fileprivate(set) var following: Int32 = -1

    /// Nil where it acknowledges nothing.
    var acknowledgment: SequenceNumber? { segment.flags.contains(.ack) ? segment.acknowledgment : nil }

    /// Whether it has payload or a SYN.
    fileprivate var occupiesSequenceSpace: Bool { segment.payload > 0 || segment.flags.contains(.syn) }

    /// Whether its payload has the byte of this number, or it is the SYN of this number.
    fileprivate func holds(_ sequence: SequenceNumber) -> Bool {
        let offset = sequence.distance(from: segment.sequence)
        return offset >= 0 && offset < segment.payload + (segment.flags.contains(.syn) ? 1 : 0)
    }
}

/// All held segments of all connections: an arena with one queue per direction.
///
/// A queue is in the order of acknowledgment numbers. A sender's acknowledgments never go back, so this is the order in
/// which the segments were sent, even where the capture shows them in another.
struct HeldSegments: Sendable {
    struct Queue: Sendable {
        fileprivate(set) var head: Int32 = -1
        fileprivate(set) var tail: Int32 = -1
        fileprivate(set) var count = 0
        /// Payload, bytes.
        fileprivate(set) var byteCount = 0
        /// No byte and no SYN that is held comes before this number; nil where none was held since the queue was empty.
        fileprivate var lowest: SequenceNumber?
        var isEmpty: Bool { head < 0 }
    }

    private var slots: [HeldSegment] = []
    private var free: [Int32] = []
    /// What a segment takes besides its bytes.
    private static let overhead = 256
    /// Memory taken over all connections, bytes.
    private(set) var byteCount = 0

    /// What is asked of the first segment of a queue. The segment itself would count references.
    struct First {
        let sequence: SequenceNumber
        let acknowledgment: SequenceNumber?
        let isSynchronize: Bool
        let ordinal: Int
        let since: Int64
    }

    @inline(__always)
    func first(_ queue: Queue) -> First? {
        guard queue.head >= 0 else { return nil }
        let place = Int(queue.head)
        return First(
            sequence: slots[place].segment.sequence, acknowledgment: slots[place].acknowledgment,
            isSynchronize: slots[place].segment.flags.contains(.syn), ordinal: slots[place].ordinal,
            since: slots[place].since)
    }

    /// Puts a segment in its place: behind those that acknowledge as much or less. One without acknowledgment stays behind
    /// all that came before it.
    mutating func insert(_ segment: consuming HeldSegment, into queue: inout Queue) {
        queue.count += 1
        queue.byteCount += segment.segment.payload
        byteCount += segment.transport.count + HeldSegments.overhead
        let sequence = segment.segment.sequence
        if segment.occupiesSequenceSpace, sequence.distance(from: queue.lowest ?? sequence) <= 0 {
            queue.lowest = sequence
        }
        let index = allocate(segment)
        if queue.tail < 0 {
            (queue.head, queue.tail) = (index, index)
        } else if !isBefore(index, queue.tail) {
            slots[Int(queue.tail)].following = index
            queue.tail = index
        } else {
            var before: Int32 = -1
            var cursor = queue.head
            while !isBefore(index, cursor) {
                before = cursor
                cursor = slots[Int(cursor)].following
            }
            slots[Int(index)].following = cursor
            if before < 0 { queue.head = index } else { slots[Int(before)].following = index }
        }
    }

    private func isBefore(_ one: Int32, _ other: Int32) -> Bool {
        guard let acknowledgment = slots[Int(one)].acknowledgment else { return false }
        guard let others = slots[Int(other)].acknowledgment else { return true }
        return acknowledgment.distance(from: others) < 0
    }

    mutating func removeFirst(_ queue: inout Queue) -> HeldSegment { remove(queue.head, behind: -1, &queue) }

    /// Takes out the first segment that has this byte.
    mutating func remove(with sequence: SequenceNumber, from queue: inout Queue) -> HeldSegment? {
        var before: Int32 = -1
        var cursor = queue.head
        while cursor >= 0, !slots[Int(cursor)].holds(sequence) {
            before = cursor
            cursor = slots[Int(cursor)].following
        }
        return cursor < 0 ? nil : remove(cursor, behind: before, &queue)
    }

    private mutating func remove(_ index: Int32, behind before: Int32, _ queue: inout Queue) -> HeldSegment {
        var segment = HeldSegment()
        swap(&segment, &slots[Int(index)])
        free.append(index)
        if before < 0 { queue.head = segment.following } else { slots[Int(before)].following = segment.following }
        if queue.tail == index { queue.tail = before }
        queue.count -= 1
        queue.byteCount -= segment.segment.payload
        byteCount -= segment.transport.count + HeldSegments.overhead
        if queue.isEmpty { queue.lowest = nil }
        return segment
    }

    /// The place, in the order of the audit, of the first segment that has this byte; nil where none has.
    func ordinal(with sequence: SequenceNumber, in queue: Queue) -> Int? {
        // Asked after each packet behind a gap, when thousands may be held: bare acknowledgments, or all behind the gap.
        guard let lowest = queue.lowest, sequence.distance(from: lowest) >= 0 else { return nil }
        var cursor = queue.head
        while cursor >= 0 {
            if slots[Int(cursor)].holds(sequence) { return slots[Int(cursor)].ordinal }
            cursor = slots[Int(cursor)].following
        }
        return nil
    }

    /// How far behind this number the nearest payload begins; nil where none does.
    func distanceToPayload(behind sequence: SequenceNumber, in queue: Queue) -> Int? {
        var nearest: Int?
        var cursor = queue.head
        while cursor >= 0 {
            let segment = slots[Int(cursor)].segment
            cursor = slots[Int(cursor)].following
            let distance = segment.sequence.distance(from: sequence)
            if segment.payload > 0, distance > 0, distance < nearest ?? .max { nearest = distance }
        }
        return nearest
    }

    /// The segment with the lowest number, of those that are near the one that came first; nil where there is none.
    func lowest(_ queue: Queue, reach: Int) -> Segment? {
        let first = segments(queue).min { $0.ordinal < $1.ordinal }
        guard let first = first?.segment else { return nil }
        let near = segments(queue).filter { abs($0.segment.sequence.distance(from: first.sequence)) <= reach }
        return near.min { $0.segment.sequence.distance(from: $1.segment.sequence) < 0 }?.segment
    }

    private func segments(_ queue: Queue) -> [HeldSegment] {
        Array(sequence(first: queue.head) { slots[Int($0)].following }.prefix { $0 >= 0 }.map { slots[Int($0)] })
    }

    private mutating func allocate(_ segment: consuming HeldSegment) -> Int32 {
        if let index = free.popLast() {
            slots[Int(index)] = segment
            return index
        }
        slots.append(segment)
        return Int32(slots.count - 1)
    }
}
