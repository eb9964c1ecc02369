/// Datagrams of a QUIC connection that are like earlier ones, while it is open whether they were captured twice or sent twice.
struct RepeatedDatagrams {
    struct Entry {
        var routed: RoutedSegment
        var bytes: [UInt8]
        var datagram: QUICDatagram
        /// An endpoint that closes may send it again as it is (RFC 9000 §10.2.1).
        var isClosing: Bool
        /// Datagrams that its sender had sent before.
        var sentBefore: Int
        /// Place of the earlier one in the order of the audit, where its bytes are the same.
        var original: Int? { routed.resemblance?.ordinal }
    }

    private(set) var entries: [Entry] = []
    /// Datagrams of each direction that were captured before, and are in no count.
    private(set) var copies = DirectionPair(repeating: 0)

    /// Places of the latest of the earlier ones, by direction, the latest first.
    private var originals = DirectionPair(repeating: [Int]())

    /// Datagrams behind one that prove it no packet that closes: packets that were sent earlier may come later.
    private static let proofCount = 3
    /// Most that are kept.
    private static let limit = 4096

    mutating func recordCopy(_ direction: Direction) { copies[direction] += 1 }

    mutating func hold(_ entry: Entry) {
        entries.append(entry)
        let direction = entry.datagram.direction
        guard let original = entry.original, !originals[direction].contains(original) else { return }
        originals[direction] = Array((originals[direction] + [original]).sorted(by: >).prefix(Self.proofCount))
    }

    /// Its sender has sent so much behind it, or behind the one it is like, that it closes nothing.
    private func isFollowed(_ entry: Entry, _ sent: DirectionPair<Int>) -> Bool {
        let direction = entry.datagram.direction
        if sent[direction] >= entry.sentBefore + Self.proofCount { return true }
        guard let original = entry.original, originals[direction].count == Self.proofCount else { return false }
        return originals[direction].allSatisfy { $0 > original }
    }

    /// Takes out what is decided by now. `sent`: datagrams of each direction that count as sent. `isLast`: nothing more comes.
    /// `isFull`: no more may be kept.
    mutating func release(sent: DirectionPair<Int>, isLast: Bool, isFull: Bool) -> (copies: [Entry], sent: [Entry]) {
        var proved: [Entry] = []
        var open: [Entry] = []
        for entry in entries {
            if isFollowed(entry, sent), !entry.isClosing { proved.append(entry) } else { open.append(entry) }
        }
        for entry in proved { copies[entry.datagram.direction] += 1 }
        entries = open
        guard isLast || isFull || open.count > Self.limit else { return (proved, []) }
        entries = []
        var isEven = DirectionPair(repeating: false)
        for direction in Direction.both where isLast {
            isEven[direction] = standsEvenly(direction, open, sent[direction])
        }
        return (
            proved + open.filter { isEven[$0.datagram.direction] }, open.filter { !isEven[$0.datagram.direction] }
        )
    }

    /// Whether every datagram of a direction stands equally often in the capture, if all that is open are copies. Some of the
    /// copies must be proved.
    private func standsEvenly(_ direction: Direction, _ open: [Entry], _ sent: Int) -> Bool {
        let count = open.count { $0.datagram.direction == direction }
        return copies[direction] >= Self.proofCount && sent > 0 && (copies[direction] + count).isMultiple(of: sent)
    }
}

extension QUICStore {
    /// Takes a datagram of the connection at this place that is, or may be, captured before.
    mutating func receiveRepeated(
        _ routed: RoutedSegment, _ payload: RawSpan, _ datagram: QUICDatagram, _ receipt: QUICReceipt, at place: Int,
        _ shard: inout ShardContext
    ) {
        guard case .undecided(let isClosing) = receipt else {
            repeated[place, default: RepeatedDatagrams()].recordCopy(datagram.direction)
            return shard.bookCopy(routed)
        }
        let entry = RepeatedDatagrams.Entry(
            routed: routed, bytes: payload.array(0..<payload.byteCount), datagram: datagram, isClosing: isClosing,
            sentBefore: sent(at: place)[datagram.direction])
        repeated[place, default: RepeatedDatagrams()].hold(entry)
        shard.streams.buffered.records += payload.byteCount
    }

    private func sent(at place: Int) -> DirectionPair<Int> {
        var sent = DirectionPair(repeating: 0)
        for direction in Direction.both { sent[direction] = slots[place]?[direction].counts.packets ?? 0 }
        return sent
    }

    /// Books what is like an earlier datagram, as far as it is proved by now what it is. `isLast`: nothing more comes.
    mutating func resolveRepeated(at place: Int, isLast: Bool = false, _ shard: inout ShardContext) {
        guard var known = repeated[place], !known.entries.isEmpty || isLast else { return }
        let limit = shard.streams.options.limitPerShard(of: shard.streams.options.totalRecordBytesLimit)
        let settled = known.release(
            sent: sent(at: place), isLast: isLast, isFull: shard.streams.buffered.records > limit)
        repeated[place] = isLast ? nil : known
        for entry in settled.copies {
            shard.streams.buffered.records -= entry.bytes.count
            shard.bookCopy(entry.routed)
        }
        let findingPlace = shard.streams.findings.place
        for entry in settled.sent {
            shard.streams.buffered.records -= entry.bytes.count
            shard.streams.findings.place = FindingPlace(file: entry.routed.file, packet: entry.routed.number)
            // A packet that closes may be sent again, if nothing else was captured twice.
            if !entry.isClosing || known.copies[entry.datagram.direction] > 0 {
                shard.streams.findings.add(.repeatUnproved)
            }
            let bytes = entry.bytes
            var datagram = entry.datagram
            datagram.likeness = .refuted
            _ = slots[place]?.receive(datagram, unsafe bytes.span.bytes, &shard.streams)
        }
        shard.streams.findings.place = findingPlace
    }
}
