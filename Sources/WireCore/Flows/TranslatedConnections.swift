/// TCP connections that the capture has several times: before and behind a translation of their addresses (NAT, 464XLAT).
///
/// Translation changes addresses, and ports at times. The sequence numbers stay, and both endpoints choose the first at random
/// (RFC 9293 §3.4.1): two handshakes at one time that have both numbers in common are one. The connection counts where it is
/// nearest to the network; its packets at the other place are copies.
struct TranslatedConnections: ~Copyable {
    /// The latest SYNs, one at each place that a client's first sequence number says. Empty before the first.
    private var latest = UnsafeSlab<HandshakeSide>(capacity: places)
    /// Handshakes whose SYN is in the capture at several places, by the client's first sequence number. Places stand in the order
    /// in which the SYN came to them.
    private var shared: [UInt32: [HandshakeSide]] = [:]
    /// Of connections that do not count, by the hash of their addresses and ports: the client's first sequence number.
    private var uncounted: [UInt64: UInt32] = [:]
    /// What the connections pay for whose latest handshakes are remembered.
    private var lookups: [Int32: LookupCost] = [:]
    private let seed = UInt64.random(in: .min ... .max)
    /// The packets of the latest connection that does not count, as one, and the lookup that it paid for.
    private(set) var withdrawal = (routed: RoutedSegment(), lookup: LookupCost?.none)
    /// Where connections count that were captured at several places, and how many.
    private(set) var counted: [CapturePoint: Int] = [:]

    private static let places = 512
    /// Handshakes at several places, and places of one.
    private static let sharedLimit = 4096
    private static let sideLimit = 8
    /// Connections that are remembered not to count.
    private static let limit = 65_536

    /// Some connections do not count.
    var isInUse: Bool { !uncounted.isEmpty }

    /// Whether a packet is of a connection that does not count. Its ports may be used again.
    mutating func holds(_ packet: DecodedPacket) -> Bool {
        let hash = ConnectionKey(packet).hash(seed: seed)
        guard let sequence = uncounted[hash] else { return false }
        let isOpening = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        guard isOpening, packet.sequence != sequence else { return true }
        uncounted[hash] = nil
        return false
    }

    /// Takes a SYN, or the answer to one, which stays as it is. `findings` get those of handshakes that are forgotten. Returns
    /// whether the packet proves that the connection of `withdrawal` does not count.
    @inline(__always)
    mutating func record(
        _ routed: inout RoutedSegment, at interface: UInt64, _ payments: LookupPayments, _ findings: inout FindingSink
    ) -> Bool {
        let isAnswer = routed.segment.flags.contains(.ack)
        let sequence = isAnswer ? routed.segment.acknowledgment.rawValue &- 1 : routed.segment.sequence.rawValue
        if !shared.isEmpty, let isProof = recordShared(&routed, sequence, interface, payments, &findings) {
            return isProof
        }
        // Senders count their sequence numbers up at times: the product spreads them.
        let place = Int(truncatingIfNeeded: (sequence &* 0x9E37_79B9) >> 23)
        if latest.count == 0 { makeRoom() }
        if latest[place].sequence == sequence {
            if latest[place].key == routed.key {
                latest[place].add(&routed, isAnswer: isAnswer)
                return false
            }
            if !isAnswer, latest[place].mayBecome(&routed, at: interface) {
                share(place, &routed, interface, payments, &findings)
                return false
            }
        }
        if !isAnswer {
            if latest[place].lookup != 0 { lookups[latest[place].lookup] = nil }
            latest[place].begin(&routed, at: interface)
            if routed.lookup != 0 { lookups[routed.lookup] = payments.cost(routed.lookup) }
        }
        return false
    }

    @inline(never)
    private mutating func makeRoom() {
        for _ in 0..<Self.places { latest.append(HandshakeSide()) }
    }

    /// The same of a handshake that several places have; nil where it is none.
    @inline(never)
    private mutating func recordShared(
        _ routed: inout RoutedSegment, _ sequence: UInt32, _ interface: UInt64, _ payments: LookupPayments,
        _ findings: inout FindingSink
    ) -> Bool? {
        guard let sides = shared.removeValue(forKey: sequence) else { return nil }
        let isAnswer = routed.segment.flags.contains(.ack)
        if let own = sides.firstIndex(where: { $0.key == routed.key }) {
            return resume(sides, own, &routed, isAnswer: isAnswer)
        }
        let isOther = !isAnswer && sides.allSatisfy { $0.mayBecome(&routed, at: interface) }
        guard isAnswer || isOther else {
            discard(sides, &findings)
            return nil
        }
        shared[sequence] = sides
        if isOther { begin(&routed, beside: sides, at: interface, payments) }
        return false
    }

    /// Another place has a SYN for the first time.
    @inline(never)
    private mutating func share(
        _ place: Int, _ routed: inout RoutedSegment, _ interface: UInt64, _ payments: LookupPayments,
        _ findings: inout FindingSink
    ) {
        if shared.count >= Self.sharedLimit { discardAll(&findings) }
        begin(&routed, beside: [latest[place]], at: interface, payments)
        latest[place] = HandshakeSide()
    }

    /// Another place has a SYN that these had.
    private mutating func begin(
        _ routed: inout RoutedSegment, beside sides: [HandshakeSide], at interface: UInt64, _ payments: LookupPayments
    ) {
        var side = HandshakeSide()
        side.begin(&routed, at: interface)
        let isFull = sides.count >= Self.sideLimit
        shared[routed.segment.sequence.rawValue] = isFull ? sides : sides + [side]
        if !isFull, routed.lookup != 0 { lookups[routed.lookup] = payments.cost(routed.lookup) }
    }

    /// Takes a packet of a handshake that several places have.
    private mutating func resume(
        _ known: [HandshakeSide], _ own: Int, _ routed: inout RoutedSegment, isAnswer: Bool
    ) -> Bool {
        var sides = known
        sides[own].add(&routed, isAnswer: isAnswer)
        defer { shared[known[own].sequence] = sides }
        guard isAnswer, let other = sides.indices.first(where: { $0 != own && sides[own].isAnswered(as: sides[$0]) })
        else { return false }
        let (first, second) = (min(own, other), max(own, other))
        let nearest = sides[second].isOutside(of: sides[first]) ? second : first
        // The connection of this packet has nothing behind its handshake. The other one may have.
        let copied = nearest == own && sides[own].isAnswered(with: sides[other]) ? other : own
        let kept = own + other - copied
        guard uncounted.count < Self.limit, !sides[copied].hasPayload else { return false }
        uncounted[sides[copied].key.hash(seed: seed)] = sides[copied].sequence
        withdrawal = (sides[copied].withdrawal(at: routed), lookups.removeValue(forKey: sides[copied].lookup))
        if !sides[kept].isKept { counted[sides[kept].point, default: 0] += 1 }
        if sides[copied].isKept { counted[sides[copied].point, default: 0] -= 1 }
        sides[kept].isKept = true
        sides.remove(at: copied)
        return true
    }

    // MARK: Handshakes that stay in doubt

    /// Nothing more is known of what several places have.
    mutating func discardAll(_ findings: inout FindingSink) {
        for sides in shared.values { discard(sides, &findings) }
        shared.removeAll()
    }

    /// Sides without an answer of their own may be another's: the client's number alone proves nothing, and the same answer
    /// much later, or with payload in the SYN, does not either.
    private mutating func discard(_ sides: [HandshakeSide], _ findings: inout FindingSink) {
        let certain = max(Set(sides.compactMap(\.answer)).count, 1)
        for side in sides.dropFirst(certain) {
            findings.add(.translationUnproved, at: FindingPlace(file: side.point.file, packet: side.packet))
        }
        for side in sides { lookups[side.lookup] = nil }
    }
}
