/// Flows that the capture may have several times: before and behind a translation of their addresses, where no handshake of
/// TCP shows it (`TranslatedConnections`). UDP, QUIC, and TCP whose SYN was not captured.
///
/// The first packets of each flow are compared with those of others. Where one has a packet of another, at another place, it
/// may be the same flow: its packets are held from there on, until it is proved or the time has passed.
struct TranslatedFlows: ~Copyable {
    enum Step {
        /// The packet goes on.
        case passed
        /// The same; its flow is followed, by this hash.
        case followed(UInt64)
        /// It waits: to be handed to `hold`.
        case held(UInt64)
        /// Its flow and another are one: to be handed to `hold`, too.
        case proved(flow: UInt64, partner: UInt64, of: UInt64)
    }

    /// Flows that began a short time ago, by the hash of their addresses and ports.
    private var sides: [UInt64: FlowSide] = [:]
    /// The same in the order in which they began; some are gone.
    private var order: [UInt64] = []
    private var head = 0
    /// Flows that are followed no longer.
    private var known = HashSet()
    /// The latest packet of each digest, and the latest digests as a ring: what is found must not depend on their bits.
    private var recent: [UInt64: FlowSample] = [:]
    private var digests: [UInt64] = []
    private var nextDigest = 0
    private let seed = UInt64.random(in: .min ... .max)
    /// Flows of which packets are held.
    private(set) var holding: [UInt64] = []
    private var heldBytes = 0
    /// When the first of them has waited too long.
    private(set) var deadline = Int64.max
    private(set) var isSearching = true
    private var interfaces: Set<UInt64> = []
    /// Frames come from several places by turns.
    private(set) var hasPlaces = false

    private static let digestLimit = 4096
    /// Flows that are followed at one time, all that were, and packets of one.
    private static let sideLimit = 4096
    private static let knownLimit = 1 << 20
    private static let packetLimit = 16
    /// Flows that are held, and their bytes; packets of one.
    private static let holdingLimit = 256
    private static let heldBytesLimit = 1 << 20
    private static let heldLimit = 256
    /// A packet shows at the other place within this: nanoseconds.
    private static let patience: UInt64 = 500_000_000
    /// Of a capture from one place only its beginning is searched: there are the connections without a beginning.
    private static let frameLimit = 1024

    // MARK: What is searched

    /// Frames come from another place than the ones before.
    mutating func record(interface: UInt64) {
        guard !hasPlaces, interfaces.count < 4096 else { return }
        hasPlaces = !interfaces.insert(interface).inserted
    }

    /// So many frames came.
    @inline(__always)
    mutating func check(_ frames: Int) {
        if frames > Self.frameLimit, !hasPlaces, holding.isEmpty { isSearching = false }
    }

    /// The flow of a packet, by its hash, if its beginning is followed; nil of other packets, which need no sample.
    mutating func flow(
        of packet: DecodedPacket, _ key: ConnectionKey, _ routed: RoutedSegment, at point: CapturePoint
    ) -> UInt64? {
        let hash = key.hash(seed: packet.kind == .udp ? ~seed : seed)
        guard sides[hash] == nil else { return hash }
        guard !known.contains(hash) else { return nil }
        begin(FlowSide(key, packet, routed, at: point), hash)
        return hash
    }

    /// Compares a packet of a flow. `sample`: nil where it says nothing.
    mutating func step(
        _ hash: UInt64, _ packet: DecodedPacket, _ routed: RoutedSegment, _ sample: FlowSample?
    ) -> Step {
        guard var own = sample else { return pass(hash, packet, routed) }
        own.flow = hash
        own.time = routed.time
        if let candidate = compare(own), let partner = sides[candidate]?.partner, isProof(candidate, partner) {
            return .proved(flow: candidate, partner: partner, of: hash)
        }
        return pass(hash, packet, routed)
    }

    private mutating func pass(_ hash: UInt64, _ packet: DecodedPacket, _ routed: RoutedSegment) -> Step {
        guard let side = sides[hash] else { return .passed }
        // A SYN tells more by its answer.
        if side.partner != nil, !packet.flags.contains(.syn) { return .held(hash) }
        side.packets += 1
        if side.packets > Self.packetLimit, !side.isPartner {
            leave(hash)
            return .passed
        }
        side.add(packet, routed)
        return .followed(hash)
    }

    private mutating func begin(_ side: FlowSide, _ hash: UInt64) {
        if known.count + sides.count >= Self.knownLimit { isSearching = false }
        var turns = sides.count
        while sides.count >= Self.sideLimit, head < order.count, turns > 0 {
            turns -= 1
            let oldest = order[head]
            // Those that are held, or that others are compared with, get another turn.
            let isNeeded = sides[oldest].map { $0.partner != nil || $0.isPartner } ?? false
            if isNeeded { order.append(oldest) } else { leave(oldest) }
            head += 1
        }
        if head > 2 * Self.sideLimit {
            order.removeFirst(head)
            head = 0
        }
        sides[hash] = side
        order.append(hash)
    }

    private mutating func leave(_ hash: UInt64) {
        guard let side = sides.removeValue(forKey: hash) else { return }
        if let partner = side.partner { sides[partner]?.isPartner = false }
        known.insert(hash)
    }

    // MARK: Comparing

    /// Compares a packet with the latest of its digest. Returns the flow that the two speak of.
    private mutating func compare(_ own: FlowSample) -> UInt64? {
        guard let earlier = recent[own.digest], earlier.flow != own.flow,
            (own.time &- earlier.time).magnitude <= Self.patience,
            let side = sides[own.flow], let other = sides[earlier.flow], side.isDatagrams == other.isDatagrams,
            !side.key.hasAddresses(of: other.key)
        else {
            remember(own)
            return nil
        }
        if other.partner == own.flow {
            other.evidence.record(earlier, own, isFirst: true)
            return earlier.flow
        }
        if side.partner == nil, !side.isPartner, isElsewhere(own, side, earlier, other) {
            let partner = other.partner ?? earlier.flow
            guard partner != own.flow, holding.count < Self.holdingLimit else { return nil }
            side.partner = partner
            sides[partner]?.isPartner = true
        }
        guard side.partner == earlier.flow else { return nil }
        side.evidence.record(own, earlier, isFirst: false)
        return own.flow
    }

    private mutating func remember(_ sample: FlowSample) {
        guard recent.updateValue(sample, forKey: sample.digest) == nil else { return }
        if digests.count < Self.digestLimit {
            digests.append(sample.digest)
        } else {
            recent[digests[nextDigest]] = nil
            digests[nextDigest] = sample.digest
            nextDigest = (nextDigest + 1) % Self.digestLimit
        }
    }

    /// What was sent with constant numbers shows one place. Hosts send equal UDP at one time: there a router shows, unless
    /// the content is secret.
    private func isElsewhere(_ own: FlowSample, _ side: FlowSide, _ earlier: FlowSample, _ other: FlowSide) -> Bool {
        if own.hops != earlier.hops || side.key.isVersion6 != other.key.isVersion6 { return true }
        return own.point != earlier.point && (!side.isDatagrams || own.isInitial)
    }

    private func isProof(_ flow: UInt64, _ partner: UInt64) -> Bool {
        guard let own = sides[flow], let other = sides[partner] else { return false }
        return own.evidence.isProof(own, other)
    }

    /// A flow that is followed, by its hash.
    subscript(flow: UInt64) -> FlowSide? { sides[flow] }

    // MARK: What is held

    /// Returns whether there is room for more of its flow.
    mutating func hold(_ frame: HeldFrame, of flow: UInt64) -> Bool {
        guard let side = sides[flow] else { return false }
        if side.held.isEmpty { holding.append(flow) }
        heldBytes += frame.bytes.count
        side.hold(frame)
        deadline = min(deadline, side.deadline)
        return heldBytes <= Self.heldBytesLimit && side.held.count < Self.heldLimit
    }

    /// A flow counts at another place: it goes.
    mutating func remove(_ copied: UInt64, keeping kept: UInt64) -> FlowSide? {
        let side = sides.removeValue(forKey: copied)
        removeHeld(side, copied)
        sides[kept]?.partner = nil
        sides[kept]?.isPartner = false
        for hash in holding where sides[hash]?.partner == copied {
            sides[hash]?.partner = kept
            sides[hash]?.evidence = TranslationEvidence()
            sides[kept]?.isPartner = true
        }
        return side
    }

    /// A flow counts, whatever others are: gives out what was held of it.
    mutating func release(_ flow: UInt64) -> [HeldFrame] {
        guard let side = sides[flow], !side.held.isEmpty else { return [] }
        removeHeld(side, flow)
        side.isFixed = true
        return side.release()
    }

    /// The same where nothing was proved: it is followed no longer.
    mutating func refute(_ flow: UInt64) -> [HeldFrame] {
        let released = release(flow)
        leave(flow)
        return released
    }

    /// The flow that has waited longest, if its time has passed.
    func overdue(at time: Int64) -> UInt64? {
        time > deadline ? holding.first { time > sides[$0]?.deadline ?? .max } : nil
    }

    private mutating func removeHeld(_ side: FlowSide?, _ hash: UInt64) {
        guard let side, !side.held.isEmpty else { return }
        heldBytes -= side.held.reduce(0) { $0 + $1.bytes.count }
        holding.removeAll { $0 == hash }
        deadline = holding.reduce(.max) { min($0, sides[$1]?.deadline ?? .max) }
    }
}
