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
    /// Where the numbers that it occupies are kept; negative where it occupies none.
    fileprivate(set) var numbers: Int32 = -1

    /// Nil where it acknowledges nothing.
    var acknowledgment: SequenceNumber? { segment.flags.contains(.ack) ? segment.acknowledgment : nil }

    /// How many sequence numbers its payload or its SYN takes.
    fileprivate var length: Int { segment.payload + (segment.flags.contains(.syn) ? 1 : 0) }
}

/// All held segments of all connections: one queue per direction.
///
/// A queue is in the order of acknowledgment numbers. A sender's acknowledgments never go back, so this is the order in
/// which the segments were sent, even where the capture shows them in another. One without acknowledgment stays behind all
/// that came before it.
struct HeldSegments: Sendable {
    struct Queue: Sendable {
        fileprivate var tree = IntervalTree()
        /// Segments by the sequence numbers that they occupy.
        fileprivate var numbers = IntervalTree()
        fileprivate var first: Int32 = -1
        /// Segments that came since it was empty.
        fileprivate var arrivals: Int32 = 0
        /// The first numbers since it was empty; others are placed by their distance.
        fileprivate var sequence = SequenceNumber(0)
        fileprivate var acknowledgment: SequenceNumber?
        fileprivate(set) var count = 0
        /// Payload, bytes.
        fileprivate(set) var byteCount = 0
        var isEmpty: Bool { first < 0 }
    }

    /// At the place that tells their order.
    private var segments = IntervalForest<HeldSegment>()
    private var numbers = IntervalForest<Int32>()
    /// What a segment takes besides its bytes.
    private static let overhead = 400
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
        guard !queue.isEmpty else { return nil }
        let place = queue.first
        return First(
            sequence: segments[place].segment.sequence, acknowledgment: segments[place].acknowledgment,
            isSynchronize: segments[place].segment.flags.contains(.syn), ordinal: segments[place].ordinal,
            since: segments[place].since)
    }

    /// Puts a segment in its place.
    mutating func insert(_ segment: consuming HeldSegment, into queue: inout Queue) {
        if queue.isEmpty {
            (queue.sequence, queue.acknowledgment, queue.arrivals) = (segment.segment.sequence, nil, 0)
        }
        queue.count += 1
        queue.byteCount += segment.segment.payload
        byteCount += segment.transport.count + HeldSegments.overhead
        let place = place(of: segment, in: &queue)
        let start = segment.segment.sequence.distance(from: queue.sequence)
        let length = segment.length
        let index = segments.insert(segment, place..<place + 1, into: &queue.tree)
        if length > 0 {
            segments[index].numbers = numbers.insert(
                index, start..<start + length, rank: place, into: &queue.numbers)
        }
        if queue.isEmpty || place < segments.range(queue.first).lowerBound { queue.first = index }
    }

    /// The place of a segment in its queue: by what it acknowledges, then by when it came.
    private func place(of segment: borrowing HeldSegment, in queue: inout Queue) -> Int {
        queue.arrivals &+= 1
        // Behind all distances of two numbers.
        var distance = 1 << 31
        if let acknowledgment = segment.acknowledgment {
            if queue.acknowledgment == nil { queue.acknowledgment = acknowledgment }
            distance = acknowledgment.distance(from: queue.acknowledgment ?? acknowledgment)
        }
        return distance << 31 + Int(queue.arrivals)
    }

    mutating func removeFirst(_ queue: inout Queue) -> HeldSegment { remove(queue.first, &queue) }

    /// Takes out a segment that has this byte, or is the SYN of this number: of several the one that was sent first.
    mutating func remove(with sequence: SequenceNumber, from queue: inout Queue) -> HeldSegment? {
        index(with: sequence, in: queue).map { remove($0, &queue) }
    }

    private mutating func remove(_ index: Int32, _ queue: inout Queue) -> HeldSegment {
        let segment = segments.remove(index, from: &queue.tree, leaving: HeldSegment())
        if segment.numbers >= 0 { numbers.remove(segment.numbers, from: &queue.numbers, leaving: -1) }
        if queue.first == index { queue.first = segments.first(endingBehind: .min, queue.tree) ?? -1 }
        queue.count -= 1
        queue.byteCount -= segment.segment.payload
        byteCount -= segment.transport.count + HeldSegments.overhead
        return segment
    }

    private func index(with sequence: SequenceNumber, in queue: Queue) -> Int32? {
        numbers.lowestRank(holding: sequence.distance(from: queue.sequence), queue.numbers).map { numbers[$0] }
    }

    /// The place, in the order of the audit, of the segment that `remove(with:)` takes; nil where none has this byte.
    func ordinal(with sequence: SequenceNumber, in queue: Queue) -> Int? {
        index(with: sequence, in: queue).map { segments[$0].ordinal }
    }

    /// How far behind this number the nearest payload or SYN begins; nil where none does.
    func distanceToNext(behind sequence: SequenceNumber, in queue: Queue) -> Int? {
        let place = sequence.distance(from: queue.sequence)
        return numbers.first(startingBehind: place, queue.numbers).map { numbers.range($0).lowerBound - place }
    }

    /// The segment with the lowest number, of those that are near the one that came first; nil where there is none.
    func lowest(_ queue: Queue, reach: Int) -> Segment? {
        let all = list(queue)
        guard let first = all.min(by: { $0.ordinal < $1.ordinal })?.segment else { return nil }
        let near = all.filter { abs($0.segment.sequence.distance(from: first.sequence)) <= reach }
        return near.min { $0.segment.sequence.distance(from: $1.segment.sequence) < 0 }?.segment
    }

    private func list(_ queue: Queue) -> [HeldSegment] {
        var all: [HeldSegment] = []
        var next = segments.first(endingBehind: .min, queue.tree)
        while let index = next {
            all.append(segments[index])
            next = segments.first(startingBehind: segments.range(index).lowerBound, queue.tree)
        }
        return all
    }
}
