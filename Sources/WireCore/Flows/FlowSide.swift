/// A frame that waits until it is known whether its flow counts.
struct HeldFrame {
    var packet: DecodedPacket
    var routed: RoutedSegment
    var bytes: [UInt8]
}

/// What finds a flow: a hash of its addresses, ports and protocol that nobody can choose.
struct FlowHash: SeededKey {
    var value: UInt64 = 0

    func hash(seed: UInt64) -> UInt64 { value }
}

/// The beginning of a flow as one place saw it. An object: it is large, and looked at with each packet.
final class FlowSide {
    let hash: FlowHash
    /// With the sender of the first packet.
    let key: ConnectionKey
    let point: CapturePoint
    let place: FindingPlace
    let firstTime: Int64
    let isDatagrams: Bool
    /// Packets that were compared.
    var packets = 0
    /// The flow that this one may be, and what speaks for that.
    var partner: FlowHash?
    var evidence = TranslationEvidence()
    /// It is the partner of others.
    var isPartner = false
    /// It counts, and other places have it too.
    var isCounted = false
    private(set) var held: [HeldFrame] = []
    /// So long they wait at most.
    private(set) var deadline = Int64.max

    /// All packets that were not held, as one.
    private(set) var sum = RoutedSegment()
    /// Their numbers, where frames are traced.
    var numbers: [Int] = []
    private(set) var hasOpening = false
    /// They cannot be taken back.
    var isFixed = false
    /// Of UDP, where it was booked, and what its connection pays for.
    private(set) var bookings: [(seat: DatagramTable.Seat, counts: DatagramCounts)] = []
    private(set) var lookups: [LookupDirectory.Message] = []
    private(set) var other = OtherTotals()
    private(set) var payment: LookupCost?
    /// QUIC has some of them.
    private(set) var isConnection = false

    /// Longest wait for a proof. The times of packets may be 10 s behind (`TimerWheel`).
    private static let patience: (segments: Int64, datagrams: Int64) = (5_000_000_000, 2_000_000_000)
    /// Segments without SYN in a row that their connection surely holds, by `SegmentOrder`.
    private static let openingLimit = 24

    init(
        _ hash: FlowHash, _ key: ConnectionKey, isDatagrams: Bool, from place: FindingPlace, at point: CapturePoint,
        _ time: Int64
    ) {
        (self.hash, self.key, self.point) = (hash, key, point)
        (self.isDatagrams, self.place, firstTime) = (isDatagrams, place, time)
        (sum.segment.frames, sum.segment.headerLength) = (0, 0)
    }

    // MARK: What it has

    func hold(_ frame: HeldFrame) {
        let patience = isDatagrams ? Self.patience.datagrams : Self.patience.segments
        if held.isEmpty { deadline = frame.routed.time + patience }
        held.append(frame)
    }

    func release() -> [HeldFrame] {
        defer { (held, deadline) = ([], .max) }
        return held
    }

    /// A packet goes on to its connection, or is booked.
    @inline(__always)
    func add(_ packet: DecodedPacket, _ routed: RoutedSegment) {
        sum.segment.frames += 1
        sum.segment.frameBytes += packet.frameBytes
        sum.segment.cost.internet += packet.network + packet.transport
        sum.segment.cost.link += packet.linkBytes
        sum.segment.headerLength += packet.transport
        sum.segment.payload += packet.payload
        sum.pseudo += packet.pseudo
        sum.tunnel += packet.tunnel
        if packet.flags.contains(.syn) { hasOpening = true }
        if packet.flags.contains(.rst) || routed.resemblance != nil { isFixed = true }
    }

    /// A datagram that no connection has was booked.
    func add(
        booking seat: DatagramTable.Seat, _ counts: DatagramCounts, _ other: OtherTotals,
        _ lookup: LookupDirectory.Message?
    ) {
        bookings.append((seat, counts))
        self.other.add(other)
        if let lookup { lookups.append(lookup) }
    }

    /// QUIC has it. `begins`: a connection may begin with it, which pays for a lookup.
    func add(connection begins: Bool, paying payment: LookupCost?) {
        isConnection = true
        if begins { self.payment = payment } else if sum.segment.frames == 1 { isFixed = true }
    }

    /// Whether what was not held can be taken back at this time.
    func mayBeWithdrawn(at time: Int64, _ options: AuditOptions) -> Bool {
        guard !isFixed else { return false }
        guard !isDatagrams else { return !isConnection || bookings.isEmpty }
        if sum.segment.payload == 0 { return true }
        return !hasOpening && options.ordersDirections && sum.segment.frames <= Self.openingLimit
            && time - firstTime < options.reorderingWindow
    }

    /// All that was not held, as one.
    func withdrawal(at latest: RoutedSegment) -> RoutedSegment {
        var routed = latest
        routed.kind = .withdrawal
        routed.key = key
        routed.segment.frames = sum.segment.frames
        routed.segment.frameBytes = sum.segment.frameBytes
        routed.segment.cost = sum.segment.cost
        routed.segment.headerLength = sum.segment.headerLength
        routed.segment.payload = sum.segment.payload
        (routed.pseudo, routed.tunnel) = (sum.pseudo, sum.tunnel)
        return routed
    }

    /// Where the client has not been seen to begin, its port is the higher one.
    var client: Direction {
        let (one, other) = (key.sender(of: 0).port, key.sender(of: 1).port)
        return one == other ? key.sender : one > other ? 0 : 1
    }
}
