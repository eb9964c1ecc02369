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
    private var quicPairs = HashSet()
    /// The same of those on which WireGuard's handshake was seen.
    private var guardedPairs = HashSet()
    /// Nobody can choose addresses that are taken for others.
    private let seed = UInt64.random(in: .min ... .max)

    init(limit: Int = 65_536) { self.limit = limit }

    /// - Parameters:
    ///   - key: addresses and ports.
    ///   - length: bytes of the whole payload.
    ///   - mayOpen: there are keys, with which connections are found that began before the capture.
    mutating func classify(
        _ key: ConnectionKey, _ payload: RawSpan, length: Int, mayOpen: @autoclosure () -> Bool
    ) -> Kind {
        if key.has(port: 53) { return .dns }
        let pair = key.hash(seed: seed)
        if QUICPacket.isLongHeader(payload) {
            let begins = !quicPairs.contains(pair)
            if begins, Self.remember(pair, in: &quicPairs, limit) { forgotten += 1 }
            return .quic(begins: begins)
        }
        if let message = GuardMessage(payload, length: length) {
            if message == .handshake, Self.remember(pair, in: &guardedPairs, limit) { forgotten += 1 }
            if key.has(port: GuardMessage.port) || guardedPairs.contains(pair) { return .wireGuard }
        }
        if quicPairs.contains(pair) { return .quic(begins: false) }
        guard !quicPairs.isEmpty || mayOpen() else { return .other }
        return payload.byteCount > 20 && payload.u8(0) & 0x80 == 0 ? .unknown : .other
    }

    /// Returns whether all others were forgotten for it.
    private static func remember(_ pair: UInt64, in pairs: inout HashSet, _ limit: Int) -> Bool {
        let isFull = pairs.count >= limit && !pairs.contains(pair)
        if isFull { pairs.removeAll() }
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
