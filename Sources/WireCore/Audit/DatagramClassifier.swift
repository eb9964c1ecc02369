/// Tells DNS and QUIC from other UDP.
struct DatagramClassifier {
    enum Kind { case dns, quic, other }

    /// Most QUIC address pairs remembered; older ones are forgotten all at once.
    private let limit: Int
    /// How often that was done.
    private(set) var forgotten = 0

    /// Hashes of address and port pairs on which a QUIC long header was seen.
    private var quicPairs: Set<UInt64> = []
    /// Nobody can choose addresses that are taken for others.
    private let seed = UInt64.random(in: .min ... .max)

    init(limit: Int = 65_536) { self.limit = limit }

    mutating func classify(_ packet: DecodedPacket, _ payload: RawSpan) -> Kind {
        if packet.sourcePort == 53 || packet.destinationPort == 53 { return .dns }
        let key = ConnectionKey(packet)
        let pair = key.hash(seed: seed)
        if DatagramClassifier.hasQUICLongHeader(payload) {
            if quicPairs.count >= limit, !quicPairs.contains(pair) {
                quicPairs.removeAll(keepingCapacity: true)
                forgotten += 1
            }
            quicPairs.insert(pair)
            return .quic
        }
        return !quicPairs.isEmpty && quicPairs.contains(pair) ? .quic : .other
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
