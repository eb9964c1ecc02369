/// Tells DNS, QUIC and WireGuard from other UDP.
struct DatagramClassifier {
    enum Kind { case dns, quic, wireGuard, other }

    /// Most address pairs of each protocol remembered; older ones are forgotten all at once.
    private let limit: Int
    /// How often that was done.
    private(set) var forgotten = 0

    /// Hashes of address and port pairs on which a QUIC long header was seen.
    private var quicPairs: Set<UInt64> = []
    /// The same of those on which WireGuard's handshake was seen.
    private var guardedPairs: Set<UInt64> = []
    /// Nobody can choose addresses that are taken for others.
    private let seed = UInt64.random(in: .min ... .max)

    init(limit: Int = 65_536) { self.limit = limit }

    mutating func classify(_ packet: DecodedPacket, _ payload: RawSpan) -> Kind {
        if packet.sourcePort == 53 || packet.destinationPort == 53 { return .dns }
        let key = ConnectionKey(packet)
        let pair = key.hash(seed: seed)
        if DatagramClassifier.hasQUICLongHeader(payload) {
            if Self.remember(pair, in: &quicPairs, limit) { forgotten += 1 }
            return .quic
        }
        if let message = GuardMessage(payload, length: packet.payload) {
            if message == .handshake, Self.remember(pair, in: &guardedPairs, limit) { forgotten += 1 }
            let isKnown = packet.sourcePort == GuardMessage.port || packet.destinationPort == GuardMessage.port
            if isKnown || guardedPairs.contains(pair) { return .wireGuard }
        }
        return !quicPairs.isEmpty && quicPairs.contains(pair) ? .quic : .other
    }

    /// Returns whether all others were forgotten for it.
    private static func remember(_ pair: UInt64, in pairs: inout Set<UInt64>, _ limit: Int) -> Bool {
        let isFull = pairs.count >= limit && !pairs.contains(pair)
        if isFull { pairs.removeAll(keepingCapacity: true) }
        pairs.insert(pair)
        return isFull
    }

    /// A long header (RFC 9000 §17.2) of a version that is in use: 1, 2 (RFC 9369), a draft, or version negotiation.
    private static func hasQUICLongHeader(_ payload: RawSpan) -> Bool {
        guard payload.byteCount >= 7, payload.u8(0) & 0x80 != 0 else { return false }
        let version = payload.be32(1)
        let isKnown = version == 1 || version == 0x6B33_43CF || version >> 8 == 0xFF_0000
        let isNegotiation = version == 0 && payload.byteCount >= 23 && payload.byteCount % 4 == 3
        guard isKnown ? payload.u8(0) & 0x40 != 0 : isNegotiation else { return false }
        return payload.u8(5) <= 20
    }
}

/// A message of WireGuard, as far as its clear text tells.
enum GuardMessage {
    /// The first or second message of a handshake: no other protocol is known to begin so at that length.
    case handshake
    /// A cookie or data, which other protocols may look like.
    case following

    static let port: UInt16 = 51_820

    /// Nil where it is none: the type, three zeros, and the length that belongs to the type. Data is padded to sixteen bytes,
    /// behind sixteen of header, and has a tag of sixteen.
    init?(_ payload: RawSpan, length: Int) {
        guard payload.byteCount >= 4 else { return nil }
        switch (payload.be32(0), length) {
        case (0x0100_0000, 148), (0x0200_0000, 92): self = .handshake
        case (0x0300_0000, 64): self = .following
        case (0x0400_0000, 32...) where length % 16 == 0: self = .following
        default: return nil
        }
    }
}
