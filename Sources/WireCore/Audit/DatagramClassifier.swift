/// Tells DNS, QUIC and WireGuard from other UDP.
struct DatagramClassifier {
    enum Kind: Equatable {
        case dns, wireGuard, other
        /// On a pair of addresses that carries QUIC. `begins`: nothing was seen there before.
        case quic(begins: Bool)
        /// Anything; but QUIC was seen elsewhere, and a connection may change its addresses, or one may have begun before.
        case unknown
    }

    /// Most address pairs of each protocol remembered; older ones are forgotten all at once.
    private let limit: Int
    /// How often that was done.
    private(set) var forgotten = 0

    /// Hashes of address and port pairs on which a QUIC long header was seen.
    private var quicPairs: Set<UInt64> = []
    /// Some of these, each at the place that its last bits say: nearly every datagram is found here.
    private var recent = InlineArray<64, UInt64>(repeating: 0)
    /// The same of those on which WireGuard's handshake was seen.
    private var guardedPairs: Set<UInt64> = []
    /// Nobody can choose addresses that are taken for others.
    private let seed = UInt64.random(in: .min ... .max)

    init(limit: Int = 65_536) { self.limit = limit }

    /// `mayOpen`: there are keys, with which connections are found that began before the capture.
    mutating func classify(_ packet: DecodedPacket, _ payload: RawSpan, mayOpen: @autoclosure () -> Bool) -> Kind {
        if packet.sourcePort == 53 || packet.destinationPort == 53 { return .dns }
        let key = ConnectionKey(packet)
        let pair = key.hash(seed: seed)
        if QUICPacket.isLongHeader(payload) {
            let begins = !quicPairs.contains(pair)
            if Self.remember(pair, in: &quicPairs, limit) {
                forgotten += 1
                recent = InlineArray(repeating: 0)
            }
            return .quic(begins: begins)
        }
        if let message = GuardMessage(payload, length: packet.payload) {
            if message == .handshake, Self.remember(pair, in: &guardedPairs, limit) { forgotten += 1 }
            let isKnown = packet.sourcePort == GuardMessage.port || packet.destinationPort == GuardMessage.port
            if isKnown || guardedPairs.contains(pair) { return .wireGuard }
        }
        if isQUIC(pair) { return .quic(begins: false) }
        guard !quicPairs.isEmpty || mayOpen() else { return .other }
        return payload.byteCount > 20 && payload.u8(0) & 0xC0 == 0x40 ? .unknown : .other
    }

    private mutating func isQUIC(_ pair: UInt64) -> Bool {
        let place = Int(pair & 63)
        if recent[place] == pair, pair != 0 { return true }
        guard quicPairs.contains(pair) else { return false }
        recent[place] = pair
        return true
    }

    /// Returns whether all others were forgotten for it.
    private static func remember(_ pair: UInt64, in pairs: inout Set<UInt64>, _ limit: Int) -> Bool {
        let isFull = pairs.count >= limit && !pairs.contains(pair)
        if isFull { pairs.removeAll(keepingCapacity: true) }
        pairs.insert(pair)
        return isFull
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
