/// The first captured packets of flows without a handshake: of each direction of TCP whose SYN is not in the capture, and of UDP.
///
/// Where two flows begin with the same sequence and acknowledgment numbers, or the same datagram, at one time, one of them may
/// be the other before or behind a translation of its addresses. One packet proves nothing, but the doubt is said.
struct LateOpenings {
    private struct Opening {
        var key: ConnectionKey
        /// Sequence and acknowledgment number, or the digest of a datagram.
        var content: UInt64
        var payload: Int
        var time: Int64
        var place: FindingPlace
        /// Of a datagram, where it was captured and how far it had come: a program may send the same one to several hosts.
        var origin: Origin?
    }

    private struct Origin: Equatable {
        var interface: UInt64
        var hopLimit: UInt8
    }

    private var openings: [Opening] = []
    /// In a shard. Of further flows nothing is said.
    private static let limit = 4096
    private static let patience: Int64 = 500_000_000

    /// A direction of TCP begins without a SYN.
    mutating func record(_ segment: Segment, _ key: ConnectionKey, at place: FindingPlace) {
        guard segment.flags.isDisjoint(with: [.syn, .rst]), segment.flags.contains(.ack), openings.count < Self.limit
        else { return }
        let numbers = UInt64(segment.sequence.rawValue) << 32 | UInt64(segment.acknowledgment.rawValue)
        openings.append(
            Opening(key: key, content: numbers, payload: segment.payload, time: segment.time, place: place))
    }

    /// UDP between two begins.
    mutating func record(
        datagram digest: UInt64, _ packet: DecodedPacket, _ key: ConnectionKey, from interface: UInt64, at time: Int64,
        _ place: FindingPlace
    ) {
        guard openings.count < Self.limit else { return }
        openings.append(
            Opening(
                key: key, content: digest, payload: packet.payload, time: time, place: place,
                origin: Origin(interface: interface, hopLimit: packet.hopLimit)))
    }

    /// It is a copy of another flow.
    mutating func remove(_ key: ConnectionKey) { openings.removeAll { $0.key == key } }

    mutating func add(_ other: LateOpenings) { openings += other.openings }

    /// Adds a finding for each flow that may be an earlier one.
    func report(to findings: inout FindingSink) {
        let seed = UInt64.random(in: .min ... .max)
        var pairs: Set<UInt64> = []
        let sorted = openings.sorted { Self.order($0) < Self.order($1) }
        for (one, other) in zip(sorted, sorted.dropFirst()) where Self.mayBeOne(one, other) {
            // Both directions of a connection may say so.
            guard pairs.insert(one.key.hash(seed: seed) ^ other.key.hash(seed: seed)).inserted else { continue }
            findings.add(.translationUnproved, at: max(one.place, other.place))
        }
    }

    private static func mayBeOne(_ one: Opening, _ other: Opening) -> Bool {
        one.content == other.content && one.payload == other.payload && other.time - one.time <= patience
            && !one.key.hasAddresses(of: other.key) && (one.origin == nil) == (other.origin == nil)
            && (one.origin == nil || one.origin != other.origin)
    }

    private static func order(_ opening: Opening) -> (UInt64, Int64, Int, Int) {
        (opening.content, opening.time, opening.place.file, opening.place.packet)
    }
}
