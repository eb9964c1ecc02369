/// Flows that the capture may have several times: before and behind a translation of their addresses, where no handshake of
/// TCP shows it (`TranslatedConnections`). UDP, QUIC, and TCP whose SYN was not captured.
///
/// The first packets of each flow are compared with those of others. Where one has a packet of another, at another place, it
/// may be the same flow: its packets are held from there on, until it is proved or the time has passed.
struct TranslatedFlows: ~Copyable {
    enum Step {
        /// The packet goes on.
        case passed
        /// The same; its flow is followed.
        case followed
        /// It waits: to be handed to `hold`.
        case held
        /// A flow and its partner are one. To be handed to `hold`, too.
        case proved(FlowSide, partner: FlowSide)
    }

    /// Flows that began a short time ago.
    private var sides = SeededTable<FlowHash, FlowSide>()
    /// The same in the order in which they began; some are gone.
    private var order: [FlowHash] = []
    private var head = 0
    /// Flows that are followed no longer.
    private var known = HashSet()
    private var recent = RecentSamples()
    private let seed = UInt64.random(in: .min ... .max)
    /// Flows of which packets are held.
    private(set) var holding: [FlowSide] = []
    private var heldBytes = 0
    /// When the first of them has waited too long.
    private(set) var deadline = Int64.max
    private(set) var isSearching = true
    private var interfaces = HashSet()
    /// Frames come from several places by turns.
    private(set) var hasPlaces = false

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
        let hash = UInt64.fold(interface ^ seed, ~seed)
        hasPlaces = interfaces.contains(hash)
        interfaces.insert(hash)
    }

    /// So many frames came.
    @inline(__always)
    mutating func check(_ frames: Int) {
        if frames > Self.frameLimit, !hasPlaces, holding.isEmpty { isSearching = false }
    }

    /// The flow of a packet, if its beginning is followed; nil of other packets, which need no sample.
    @inline(__always)
    func find(_ hash: FlowHash) -> FlowSide? { sides[hash] }

    /// The flow begins, unless it was followed before.
    func isNew(_ hash: FlowHash) -> Bool { !known.contains(hash.value) }

    @inline(__always)
    func hash(_ key: ConnectionKey, isDatagram: Bool) -> FlowHash {
        FlowHash(value: key.hash(seed: isDatagram ? ~seed : seed))
    }

    /// Compares a packet of a flow. `sample`: nil where it says nothing. `isOpening`: it is a SYN.
    mutating func step(_ side: FlowSide, _ sample: FlowSample?, isOpening: Bool) -> Step {
        if let sample, let one = compare(sample, side), let partner = one.partner.flatMap({ sides[$0] }),
            one.evidence.isProof(one, partner)
        {
            return .proved(one, partner: partner)
        }
        // A SYN tells more by its answer.
        if side.partner != nil, !isOpening { return .held }
        side.packets += 1
        guard side.packets <= Self.packetLimit || side.isPartner else {
            leave(side)
            return .passed
        }
        return .followed
    }

    mutating func begin(_ side: FlowSide) {
        if known.count + sides.count >= Self.knownLimit { isSearching = false }
        if sides.count >= Self.sideLimit { leaveOldest() }
        sides.set(side.hash, side)
        order.append(side.hash)
    }

    private mutating func leaveOldest() {
        var turns = sides.count
        while sides.count >= Self.sideLimit, head < order.count, turns > 0 {
            turns -= 1
            let oldest = order[head]
            if let side = sides[oldest] {
                // Those that are held, or that others are compared with, get another turn.
                if side.partner != nil || side.isPartner { order.append(oldest) } else { leave(side) }
            }
            head += 1
        }
        if head > 2 * Self.sideLimit {
            order.removeFirst(head)
            head = 0
        }
    }

    private mutating func leave(_ side: FlowSide) {
        sides.remove(side.hash)
        if let partner = side.partner { sides[partner]?.isPartner = false }
        known.insert(side.hash.value)
    }

    // MARK: Comparing

    /// Compares a packet with the latest of its digest. Returns the flow that the two speak of.
    @inline(__always)
    private mutating func compare(_ own: FlowSample, _ side: FlowSide) -> FlowSide? {
        let place = recent.find(own.digest)
        guard place >= 0 else {
            recent.insert(own)
            return nil
        }
        return compare(own, side, at: place)
    }

    @inline(never)
    private mutating func compare(_ own: FlowSample, _ side: FlowSide, at place: Int) -> FlowSide? {
        let earlier = recent[place]
        guard earlier.flow != own.flow, (own.time &- earlier.time).magnitude <= Self.patience,
            let other = sides[earlier.flow], side.isDatagrams == other.isDatagrams,
            !side.key.hasAddresses(of: other.key)
        else {
            recent[place] = own
            return nil
        }
        if other.partner == own.flow {
            other.evidence.record(earlier, own, isFirst: true)
            return other
        }
        if side.partner == nil, !side.isPartner, isElsewhere(own, side, earlier, other) {
            let partner = other.partner ?? earlier.flow
            guard partner != own.flow, holding.count < Self.holdingLimit else { return nil }
            side.partner = partner
            sides[partner]?.isPartner = true
        }
        guard side.partner == earlier.flow else { return nil }
        side.evidence.record(own, earlier, isFirst: false)
        return side
    }

    /// What was sent with constant numbers shows one place. Hosts send equal UDP at one time: there a router shows, unless
    /// the content is secret.
    private func isElsewhere(_ own: FlowSample, _ side: FlowSide, _ earlier: FlowSample, _ other: FlowSide) -> Bool {
        if own.hops != earlier.hops || side.key.isVersion6 != other.key.isVersion6 { return true }
        return own.point != earlier.point && (!side.isDatagrams || own.isInitial)
    }

    // MARK: What is held

    /// Returns whether there is room for more of its flow.
    mutating func hold(_ frame: HeldFrame, of side: FlowSide) -> Bool {
        if side.held.isEmpty { holding.append(side) }
        heldBytes += frame.bytes.count
        side.hold(frame)
        deadline = min(deadline, side.deadline)
        return heldBytes <= Self.heldBytesLimit && side.held.count < Self.heldLimit
    }

    /// A flow counts at another place: it goes.
    mutating func remove(_ copied: FlowSide, keeping kept: FlowSide) {
        sides.remove(copied.hash)
        removeHeld(copied)
        kept.partner = nil
        kept.isPartner = false
        for side in holding where side.partner == copied.hash {
            side.partner = kept.hash
            side.evidence = TranslationEvidence()
            kept.isPartner = true
        }
    }

    /// A flow counts, whatever others are: gives out what was held of it.
    mutating func release(_ side: FlowSide) -> [HeldFrame] {
        guard !side.held.isEmpty else { return [] }
        removeHeld(side)
        side.isFixed = true
        return side.release()
    }

    /// The same where nothing was proved: it is followed no longer.
    mutating func refute(_ side: FlowSide) -> [HeldFrame] {
        let released = release(side)
        leave(side)
        return released
    }

    /// The flow that has waited longest, if its time has passed.
    func overdue(at time: Int64) -> FlowSide? { time > deadline ? holding.first { time > $0.deadline } : nil }

    private mutating func removeHeld(_ side: FlowSide) {
        guard !side.held.isEmpty else { return }
        heldBytes -= side.held.reduce(0) { $0 + $1.bytes.count }
        holding.removeAll { $0 === side }
        deadline = holding.reduce(.max) { min($0, $1.deadline) }
    }
}

/// The latest packet of each digest, for so many digests that were new: what is found must not depend on their bits.
private struct RecentSamples: ~Copyable {
    private var samples = UnsafeSlab<FlowSample>(capacity: 64)
    private var table = ConnectionTable(capacity: 64)
    /// Of the oldest digest, when there are as many as may be.
    private var oldest = 0

    private static let limit = 4096

    /// Place of the latest packet with the digest, or -1.
    @inline(__always)
    func find(_ digest: UInt64) -> Int { table.find(digest) { samples[$0].digest == digest } }

    subscript(place: Int) -> FlowSample {
        get { samples[place] }
        set { samples[place] = newValue }
    }

    /// Remembers a packet whose digest is new.
    mutating func insert(_ sample: FlowSample) {
        if samples.count < Self.limit {
            table.insert(sample.digest, samples.count)
            samples.append(sample)
            return
        }
        table.remove(samples[oldest].digest, oldest)
        table.insert(sample.digest, oldest)
        samples[oldest] = sample
        oldest = (oldest + 1) % Self.limit
    }
}
