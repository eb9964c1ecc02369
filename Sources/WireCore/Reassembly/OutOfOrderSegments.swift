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
}

/// All waiting segments of all connections.
struct OutOfOrderSegments: Sendable {
    private var segments = IntervalForest<OutOfOrderSegment>()
    /// Segments that follow one another as one: what comes again is looked up there, however many they are.
    private var runs = IntervalForest<Void>()
    /// What a segment takes besides its content, bytes.
    private static let overhead = 256
    /// Memory taken over all connections, bytes.
    private(set) var byteCount = 0

    /// One direction's segments. They do not overlap.
    struct Chain: Sendable {
        fileprivate var tree = IntervalTree()
        /// What was delivered of the first run is still in it.
        fileprivate var runs = IntervalTree()
        fileprivate var first: Int32 = -1
        fileprivate var length: Int32 = 0
        /// Sequence space that waits, bytes.
        fileprivate(set) var byteCount = 0
        var count: Int { Int(length) }
        var isEmpty: Bool { first < 0 }
    }

    func firstStart(_ chain: Chain) -> StreamPosition { chain.isEmpty ? .never : segments[chain.first].start }

    /// Where the first segment ends, if its content is suspect.
    func firstSuspectEnd(_ chain: Chain) -> StreamPosition? {
        guard !chain.isEmpty, segments[chain.first].isSuspect else { return nil }
        return segments[chain.first].end
    }

    func firstTime(_ chain: Chain) -> Int64 { chain.isEmpty ? .max : segments[chain.first].packet.time }

    /// Holds a later copy, which begins at `start`, against what waits. Replaces the content of suspect segments that
    /// the copy holds whole. Returns whether it has other bytes than a segment that is not suspect.
    mutating func reconcile(_ chain: Chain, _ start: StreamPosition, _ content: RawSpan) -> Bool {
        let copy = start.value..<start.value + content.byteCount
        var differs = false
        var place = copy.lowerBound
        while let index = segments.first(endingBehind: place, chain.tree) {
            let range = segments.range(index)
            guard range.lowerBound < copy.upperBound else { break }
            place = range.upperBound
            if segments[index].isSuspect {
                guard range.clamped(to: copy) == range else { continue }
                let lower = range.lowerBound - copy.lowerBound
                segments[index].bytes = content.array(lower..<lower + range.count)
                segments[index].isSuspect = false
            } else if !differs {
                let bytes = segments[index].bytes
                differs = unsafe bytes.span.bytes.differs(from: content, at: copy.lowerBound - range.lowerBound)
            }
        }
        return differs
    }

    /// Inserts a segment that overlaps no other of its chain.
    mutating func insert(_ segment: consuming OutOfOrderSegment, into chain: inout Chain) {
        let range = segment.start.value..<segment.end.value
        chain.byteCount += range.count
        chain.length += 1
        byteCount += segment.bytes.count + OutOfOrderSegments.overhead
        let index = segments.insert(segment, range, into: &chain.tree)
        if chain.isEmpty || range.lowerBound < segments.range(chain.first).lowerBound { chain.first = index }
        join(range, &chain.runs)
    }

    /// Makes a range and the runs that it touches one.
    private mutating func join(_ range: Range<Int>, _ tree: inout IntervalTree) {
        if let index = runs.first(endingBehind: range.lowerBound - 1, tree),
            runs.range(index).upperBound == range.lowerBound,
            runs.first(startingBehind: range.lowerBound - 1, tree).map({ runs.range($0).lowerBound > range.upperBound })
                ?? true
        {
            return runs.extend(index, to: range.upperBound, in: tree)
        }
        var joined = range
        while let index = runs.first(endingBehind: joined.lowerBound - 1, tree) {
            let run = runs.range(index)
            guard run.lowerBound <= joined.upperBound else { break }
            joined = min(run.lowerBound, joined.lowerBound)..<max(run.upperBound, joined.upperBound)
            runs.remove(index, from: &tree, leaving: ())
        }
        runs.insert((), joined, into: &tree)
    }

    /// Takes the first segment out.
    mutating func removeFirst(_ chain: inout Chain) -> OutOfOrderSegment {
        let segment = segments.remove(chain.first, from: &chain.tree, leaving: OutOfOrderSegment())
        chain.first = segments.first(endingBehind: segment.start.value, chain.tree) ?? -1
        // A run ends with its last segment.
        if let run = runs.first(endingBehind: segment.start.value, chain.runs),
            runs.range(run).upperBound == segment.end.value
        {
            runs.remove(run, from: &chain.runs, leaving: ())
        }
        chain.byteCount -= segment.end - segment.start
        chain.length -= 1
        byteCount -= segment.bytes.count + OutOfOrderSegments.overhead
        return segment
    }

    /// Splits `range` into what the chain holds already and what it does not, in ascending order. Nothing of it was
    /// delivered.
    func divide(
        _ chain: Chain, _ range: Range<StreamPosition>, waiting: inout [Range<Int>], missing: inout [Range<Int>]
    ) {
        var start = range.lowerBound.value
        let end = range.upperBound.value
        while start < end, let index = runs.first(endingBehind: start, chain.runs) {
            let run = runs.range(index).clamped(to: start..<end)
            guard !run.isEmpty else { break }
            if start < run.lowerBound { missing.append(start..<run.lowerBound) }
            waiting.append(run)
            start = run.upperBound
        }
        if start < end { missing.append(start..<end) }
    }
}
