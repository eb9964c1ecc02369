/// TCP connections that the capture has several times: before and behind a translation of their addresses (NAT, 464XLAT).
///
/// Translation changes addresses, and ports at times. The sequence numbers stay, and both endpoints choose the first at random
/// (RFC 9293 §3.4.1): two handshakes at one time that have both numbers in common are one. The connection counts at the chosen
/// interface, or else where it is nearest to the network; its packets at the other place are copies.
struct TranslatedConnections: ~Copyable {
    /// The latest SYNs, one at each place that a client's first sequence number says. Empty before the first.
    private var latest = UnsafeSlab<HandshakeSide>(capacity: places)
    /// Handshakes whose SYN is in the capture at several places, by the client's first sequence number. Places stand in the order
    /// in which the SYN came to them.
    private var shared: [UInt32: [HandshakeSide]] = [:]
    /// Connections that packets are compared with, by the hash of their addresses and ports.
    private var watched: [UInt64: Watched] = [:]
    /// What the connections pay for whose latest handshakes are remembered.
    private var lookups: [Int32: LookupCost] = [:]
    private let seed = UInt64.random(in: .min ... .max)
    /// The packets of the latest connection that does not count, as one, and the lookup that it paid for.
    private(set) var withdrawal = (routed: RoutedSegment(), lookup: LookupCost?.none)
    /// Where connections count that were captured at several places, and how many.
    private(set) var counted: [CapturePoint: Int] = [:]
    var interfaces: CaptureInterfaces

    private struct Watched {
        /// The client's first; nil where no handshake was seen.
        var sequence: UInt32?
        /// It does not count. Else its handshake is in `shared`, and nothing has followed it yet.
        var isCopy = false
    }

    private static let places = 512
    /// Handshakes at several places, and places of one.
    private static let sharedLimit = 4096
    private static let sideLimit = 8
    /// Connections that packets are compared with.
    private static let limit = 65_536

    init(_ interfaces: CaptureInterfaces = CaptureInterfaces(chosen: nil)) { self.interfaces = interfaces }

    /// Packets are compared with some connections.
    var isInUse: Bool { !watched.isEmpty }

    /// Whether a packet is of a connection that does not count. Its ports may be used again.
    mutating func holds(_ packet: DecodedPacket) -> Bool {
        let key = ConnectionKey(packet)
        let hash = key.hash(seed: packet.kind == .udp ? ~seed : seed)
        guard let connection = watched[hash] else { return false }
        guard connection.isCopy else {
            if !packet.flags.contains(.syn), let sequence = connection.sequence {
                recordFollower(of: sequence, key, hash)
            }
            return false
        }
        let isOpening = packet.flags.contains(.syn) && !packet.flags.contains(.ack)
        guard isOpening, packet.sequence != connection.sequence else { return true }
        watched[hash] = nil
        return false
    }

    /// More flows may be copies.
    var hasRoom: Bool { watched.count < Self.limit }

    /// A flow counts at one place, and its packets with other addresses at another one do not.
    mutating func count(_ side: FlowSide, insteadOf other: FlowSide) {
        if !side.isCounted { counted[side.point, default: 0] += 1 }
        if other.isCounted { counted[other.point, default: 0] -= 1 }
        watched[other.key.hash(seed: other.isDatagrams ? ~seed : seed)] = Watched(sequence: nil, isCopy: true)
    }

    /// The first packet behind a handshake: its connection cannot be taken back any more.
    private mutating func recordFollower(of sequence: UInt32, _ key: ConnectionKey, _ hash: UInt64) {
        watched[hash] = nil
        guard let place = shared[sequence]?.firstIndex(where: { $0.key == key }) else { return }
        shared[sequence]?[place].isFollowed = true
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
            return resume(sides, own, &routed, isAnswer: isAnswer, &findings)
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
        // Whether something has followed an answer, nobody has noted.
        let mayBeFollowed = latest[place].answer != nil || !watch(latest[place])
        latest[place].isFollowed = mayBeFollowed
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
        if !isFull { side.isFollowed = !watch(side) }
        shared[routed.segment.sequence.rawValue] = isFull ? sides : sides + [side]
        if !isFull, routed.lookup != 0 { lookups[routed.lookup] = payments.cost(routed.lookup) }
    }

    /// False where too many are.
    private mutating func watch(_ side: HandshakeSide) -> Bool {
        guard watched.count < Self.limit else { return false }
        watched[side.key.hash(seed: seed)] = Watched(sequence: side.sequence)
        return true
    }

    /// Takes a packet of a handshake that several places have.
    private mutating func resume(
        _ known: [HandshakeSide], _ own: Int, _ routed: inout RoutedSegment, isAnswer: Bool,
        _ findings: inout FindingSink
    ) -> Bool {
        var sides = known
        sides[own].add(&routed, isAnswer: isAnswer)
        defer { shared[known[own].sequence] = sides }
        guard isAnswer, let other = sides.indices.first(where: { $0 != own && sides[own].isAnswered(as: sides[$0]) })
        else { return false }
        let (preferred, isChosen) = preferred(of: sides, min(own, other), max(own, other))
        // A connection that goes on cannot be taken back.
        let kept = sides[own + other - preferred].isFollowed ? own + other - preferred : preferred
        let copied = own + other - kept
        guard watched.count < Self.limit, !sides[copied].hasPayload, !sides[copied].isFollowed else { return false }
        if isChosen, kept != preferred { findings.add(.countedElsewhere) }
        watched[sides[copied].key.hash(seed: seed)] = Watched(sequence: sides[copied].sequence, isCopy: true)
        withdrawal = (sides[copied].withdrawal(at: routed), lookups.removeValue(forKey: sides[copied].lookup))
        if !sides[kept].isKept { counted[sides[kept].point, default: 0] += 1 }
        if sides[copied].isKept { counted[sides[copied].point, default: 0] -= 1 }
        sides[kept].isKept = true
        sides.remove(at: copied)
        return true
    }

    /// Of two sides the one that should count: at the chosen interface, or else nearest to the network.
    private func preferred(
        of sides: [HandshakeSide], _ first: Int, _ second: Int
    ) -> (side: Int, isChosen: Bool) {
        let isFirst = interfaces.isChosen(sides[first].point)
        guard isFirst == interfaces.isChosen(sides[second].point) else { return (isFirst ? first : second, true) }
        return (sides[second].isOutside(of: sides[first]) ? second : first, false)
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
        for side in sides {
            lookups[side.lookup] = nil
            let hash = side.key.hash(seed: seed)
            if watched[hash]?.isCopy == false { watched[hash] = nil }
        }
    }
}
