/// Segments of a TCP connection that equal earlier ones: captured several times, or sent several times.
///
/// No single one tells which. But a capture point that repeats what it sees repeats all of it, so every packet of both
/// directions stands several times in the capture: acknowledgments too, which no endpoint sends again with its data. From the
/// SYN on a handshake is enough, or a SYN that is refused; without it three segments with payload are. Where packets come later and have no IP
/// identification in common, both are needed: an endpoint may repeat a SYN, and data, soon. Meanwhile what may be a copy is held.
///
/// Packets are counted up to a mark, and so are those of which one equal stands behind them. Where the counts are the same,
/// the mark moves on; where they are not within the time that copies take, counting begins anew behind it.
struct RepeatedSegments {
    struct Held {
        var routed: RoutedSegment
        var bytes: [UInt8]
        var resemblance: Resemblance
        /// What became of it.
        var isCopy = false
    }

    enum Resolution { case sent, held, copy }

    /// How often each packet stands in the capture beside the first time, as was proved.
    private(set) var multiplicity = 0
    private(set) var held: [Held] = []
    private var heldBytes = 0
    /// Segments count as sent that may be copies.
    private(set) var isDoubted = false
    /// It is open whether packets stand once more often than was proved.
    private var isExamining = true
    private var isRefuted = false
    /// The SYN is in the capture.
    private let hasBeginning: Bool
    /// Place of the packet that was the first to be equalled.
    private let first: Int
    /// Packets that were sent when the counting began, and until the mark, which is a place in the order of the audit.
    private var base = DirectionPair(repeating: 0)
    private var sent: DirectionPair<Int>
    private var mark: Int
    private var markTime: Int64
    /// Packets before the mark, and behind it, that have the number of equals in question.
    private var seen = DirectionPair(repeating: 0)
    private var later = DirectionPair(repeating: 0)
    private var seenWithPayload = 0
    /// Some of these look like copies by themselves, and some as if they were sent again.
    private var hasCopies = false
    private var hasSentAgain = false
    /// One of these refuses the connection.
    private var hasRefusal = false

    /// Packets that must have been sent for a proof: a handshake. Or so many of their copies must have payload.
    private static let proofCount = 3
    private static let heldLimit = 4096
    private static let heldBytesLimit = 1 << 20
    /// Copies come within this.
    private static let patience: Int64 = 1_000_000_000
    /// So long segments are held at most.
    private static let longestHold = 5 * patience / 2

    /// Begins with a segment that equals an earlier one. `sent`: packets of each direction that count as sent.
    init(at routed: RoutedSegment, _ resemblance: Resemblance, sent: DirectionPair<Int>, hasBeginning: Bool) {
        (mark, markTime, first) = (routed.ordinal, routed.time, resemblance.ordinal)
        (self.sent, self.hasBeginning) = (sent, hasBeginning)
    }

    /// Tells what a segment is, if that is known. `isProved`: by itself it is proved a copy.
    mutating func resolve(
        _ routed: RoutedSegment, _ resemblance: Resemblance, sent: DirectionPair<Int>, isProved: Bool
    ) -> Resolution {
        let repeats = resemblance.repeats
        if !isExamining, !isRefuted, repeats == multiplicity + 1, resemblance.ordinal == first {
            let proved = multiplicity
            self = RepeatedSegments(at: routed, resemblance, sent: sent, hasBeginning: hasBeginning)
            multiplicity = proved
        }
        guard isExamining, repeats > multiplicity else { return isProved || isCopy(repeats) ? .copy : .sent }
        record(routed, resemblance)
        return isProved ? .copy : .held
    }

    private mutating func record(_ routed: RoutedSegment, _ resemblance: Resemblance) {
        guard resemblance.repeats == multiplicity + 1 else { return }
        let direction = routed.segment.direction
        if resemblance.ordinal < mark { seen[direction] += 1 } else { later[direction] += 1 }
        if routed.segment.payload > 0 { seenWithPayload += 1 }
        if resemblance.evidence == .copy { hasCopies = true }
        if resemblance.evidence == .sentAgain { hasSentAgain = true }
        if routed.segment.flags.contains(.rst) { hasRefusal = true }
    }

    /// Of equal packets each was sent that stands behind all copies of the one before.
    private func isCopy(_ repeats: Int) -> Bool { !repeats.isMultiple(of: multiplicity + 1) }

    mutating func hold(_ routed: RoutedSegment, _ bytes: RawSpan, _ resemblance: Resemblance) {
        held.append(Held(routed: routed, bytes: bytes.array(0..<bytes.byteCount), resemblance: resemblance))
        heldBytes += bytes.byteCount
    }

    /// Takes out what is held, as far as it is known by now what it is. `isLast`: nothing more comes.
    mutating func release(at routed: RoutedSegment, sent: DirectionPair<Int>, isLast: Bool) -> [Held] {
        guard isExamining else { return [] }
        if isEven, !isEnough { moveMark(to: routed, sent) }
        if isEven, isEnough { return releaseProved() }
        if routed.time - markTime > Self.patience {
            (base, seenWithPayload) = (self.sent, 0)
            (hasCopies, hasSentAgain, hasRefusal) = (false, false, false)
            seen = DirectionPair(repeating: 0)
            moveMark(to: routed, sent)
        }
        let isOverdue = held.first.map { routed.time - $0.routed.time > Self.longestHold } ?? false
        let isFull = held.count > Self.heldLimit || heldBytes > Self.heldBytesLimit
        return isLast || isOverdue || isFull ? refute() : []
    }

    /// All packets up to the mark have the number of equals in question.
    private var isEven: Bool { Direction.both.allSatisfy { seen[$0] == sent[$0] - base[$0] } }

    private var isEnough: Bool {
        let (zero, one) = (sent[0] - base[0], sent[1] - base[1])
        let isHandshake = zero + one >= Self.proofCount || hasRefusal && hasBeginning
        guard zero > 0, one > 0, isHandshake else { return false }
        let hasPayload = seenWithPayload >= Self.proofCount
        return hasCopies && !hasSentAgain ? hasBeginning || hasPayload : hasBeginning && hasPayload
    }

    private mutating func moveMark(to routed: RoutedSegment, _ sent: DirectionPair<Int>) {
        (mark, markTime, self.sent) = (routed.ordinal, routed.time, sent)
        for direction in Direction.both { seen[direction] += later[direction] }
        later = DirectionPair(repeating: 0)
    }

    /// Takes out what the proof decides. The rest may be copies once more.
    private mutating func releaseProved() -> [Held] {
        multiplicity += 1
        let settled = removeResolved(upTo: multiplicity)
        isExamining = !held.isEmpty
        (seen, later) = (DirectionPair(repeating: 0), DirectionPair(repeating: 0))
        (seenWithPayload, hasCopies, hasSentAgain, hasRefusal) = (0, false, false, false)
        for each in held { record(each.routed, each.resemblance) }
        return settled
    }

    private mutating func refute() -> [Held] {
        (isExamining, isRefuted) = (false, true)
        let settled = removeResolved(upTo: .max)
        let isRefused = settled.contains { $0.routed.segment.flags.contains(.rst) }
        let sent = settled.filter {
            !$0.isCopy && !$0.routed.segment.isPureAcknowledgment && !(isRefused && $0.resemblance.isRetry)
        }
        // Acknowledgments are repeated where segments are lost; and some segments are.
        let holdsOpening = sent.contains { $0.routed.segment.flags.contains(.syn) }
        isDoubted = holdsOpening || multiplicity == 0 && sent.count >= Self.proofCount
        return settled
    }

    private mutating func removeResolved(upTo repeats: Int) -> [Held] {
        var settled = held.filter { $0.resemblance.repeats <= repeats }
        held.removeAll { $0.resemblance.repeats <= repeats }
        heldBytes = held.reduce(0) { $0 + $1.bytes.count }
        for index in settled.indices { settled[index].isCopy = isCopy(settled[index].resemblance.repeats) }
        return settled
    }
}

extension ConnectionStore {
    /// Takes a segment that equals an earlier one, unless it counts as sent: then returns false.
    @inline(never)
    mutating func receiveRepeated(_ routed: RoutedSegment, _ bytes: RawSpan, _ shard: inout ShardContext) -> Bool {
        var index = find(routed.key)
        if index >= 0, superseded.count > 0 { index = earlierOwner(of: routed.segment, at: index) ?? index }
        let isNumbered = routed.resemblance?.isNumbered == true
        let isProved =
            isNumbered && (index < 0 || !slots[index].tcp.directions[routed.segment.direction].repeatsIdentification)
        guard index >= 0, var state = repeated[index] ?? beginRepeated(routed, at: index) else {
            if isProved { shard.bookCopy(routed) }
            return isProved
        }
        let sent = sentPackets(of: index)
        var resolution = RepeatedSegments.Resolution.sent
        if let resemblance = routed.resemblance {
            resolution = state.resolve(routed, resemblance, sent: sent, isProved: isProved)
            switch resolution {
            case .sent:
                if state.isDoubted, !routed.segment.isPureAcknowledgment { shard.streams.findings.add(.repeatUnproved) }
            case .copy: shard.bookCopy(routed)
            case .held: state.hold(routed, bytes, resemblance)
            }
        }
        let settled = state.release(at: routed, sent: sent, isLast: false)
        keep(state, at: index)
        deliver(settled, at: index, isDoubted: state.isDoubted, &shard)
        return resolution != .sent
    }

    /// What begins with a segment that equals an earlier one, if it may be the first copy of many: that of the connection's
    /// beginning.
    private func beginRepeated(_ routed: RoutedSegment, at index: Int) -> RepeatedSegments? {
        guard let resemblance = routed.resemblance else { return nil }
        let hasBeginning =
            slots[index].tcp.directions[0].counts.syn + slots[index].tcp.directions[1].counts.syn > 0
        let isFirst =
            hasBeginning
            ? routed.segment.flags.contains(.syn)
            : routed.time - resemblance.delay - slots[index].facts.firstTime <= resemblance.delay
        guard isFirst else { return nil }
        return RepeatedSegments(at: routed, resemblance, sent: sentPackets(of: index), hasBeginning: hasBeginning)
    }

    func sentPackets(of index: Int) -> DirectionPair<Int> {
        var sent = DirectionPair(repeating: 0)
        for direction in Direction.both {
            let joined = slots[index].multipath?.joinedPackets[direction] ?? 0
            sent[direction] = slots[index].tcp.directions[direction].counts.packets - joined
        }
        return sent
    }

    /// Nothing more comes for the connection at this place.
    @inline(__always)
    mutating func endRepeated(at index: Int, _ shard: inout ShardContext) {
        if !repeated.isEmpty { resolveRepeated(at: index, &shard) }
    }

    private mutating func resolveRepeated(at index: Int, _ shard: inout ShardContext) {
        guard var state = repeated[index] else { return }
        var settled: [RepeatedSegments.Held] = []
        if let last = state.held.last {
            settled = state.release(at: last.routed, sent: sentPackets(of: index), isLast: true)
            // What a proof leaves open is open no longer.
            settled += state.release(at: last.routed, sent: sentPackets(of: index), isLast: true)
        }
        keep(state, at: index)
        deliver(settled, at: index, isDoubted: state.isDoubted, &shard)
        repeated[index] = nil
    }

    private mutating func keep(_ state: RepeatedSegments, at index: Int) {
        if repeated[index]?.held.isEmpty == false { holdingCount -= 1 }
        if !state.held.isEmpty { holdingCount += 1 }
        repeated[index] = state
    }

    /// Books what was held, now that it is known whether it was sent.
    private mutating func deliver(
        _ settled: [RepeatedSegments.Held], at index: Int, isDoubted: Bool, _ shard: inout ShardContext
    ) {
        let place = shard.streams.findings.place
        for each in settled {
            guard !each.isCopy else {
                shard.bookCopy(each.routed)
                continue
            }
            shard.streams.findings.place = FindingPlace(file: each.routed.file, packet: each.routed.number)
            let segment = each.routed.segment
            if isDoubted, !segment.isPureAcknowledgment { shard.streams.findings.add(.repeatUnproved) }
            let (bytes, start) = (each.bytes, each.routed.transportOffset)
            let transport = unsafe bytes.span.bytes.extracting(start..<start + each.routed.transportCaptured)
            takeLate(segment, transport, index, &shard)
        }
        shard.streams.findings.place = place
    }
}
