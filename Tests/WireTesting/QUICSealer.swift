/// The sending side of one level of a QUIC connection: protects packets (RFC 9001 §5).
public struct QUICSealer: Sendable {
    private let suite: TLSSuite
    private let prefix: String
    private var secret: [UInt8]
    private var key: [UInt8]
    private var iv: [UInt8]
    private let headerKey: [UInt8]
    /// The bit that tells updates of the key apart.
    public private(set) var phase: UInt8 = 0

    public init(_ suite: TLSSuite, secret: [UInt8], isVersion2: Bool = false) {
        let prefix = isVersion2 ? "quicv2 " : "quic "
        (self.suite, self.prefix, self.secret) = (suite, prefix, secret)
        key = TLSCrypto.expandLabel(suite.digest, secret, prefix + "key", suite.keyLength)
        iv = TLSCrypto.expandLabel(suite.digest, secret, prefix + "iv", 12)
        headerKey = TLSCrypto.expandLabel(suite.digest, secret, prefix + "hp", suite.keyLength)
    }

    /// Of Initial packets (RFC 9001 §5.2). `salt`: that of the version.
    public init(initial id: [UInt8], isClient: Bool, salt: [UInt8], isVersion2: Bool = false) {
        let secret = TLSCrypto.expandLabel(
            "SHA256", TLSCrypto.hmac("SHA256", salt, id), isClient ? "client in" : "server in", 32)
        self.init(.aes128GCM13, secret: secret, isVersion2: isVersion2)
    }

    /// The next key (RFC 9001 §6).
    public mutating func update() {
        secret = TLSCrypto.expandLabel(suite.digest, secret, prefix + "ku", suite.secretLength)
        key = TLSCrypto.expandLabel(suite.digest, secret, prefix + "key", suite.keyLength)
        iv = TLSCrypto.expandLabel(suite.digest, secret, prefix + "iv", 12)
        phase ^= 1
    }

    /// A packet. `header`: what stands before the packet number; the lowest two bits of its first byte are set here.
    public func seal(header: [UInt8], number: UInt64, numberLength: Int, _ payload: [UInt8]) -> [UInt8] {
        var header = header
        header[0] |= UInt8(numberLength - 1)
        let numberOffset = header.count
        for shift in (0..<numberLength).reversed() { header.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        var nonce = iv
        for place in 0..<8 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
        let sealed = TLSCrypto.encrypt(suite.cipher, key: key, nonce: nonce, authenticated: header, payload)
        var packet = header + sealed
        guard packet.count >= numberOffset + 20 else { return packet }
        let mask = mask(Array(packet[numberOffset + 4..<numberOffset + 20]))
        packet[0] ^= mask[0] & (header[0] & 0x80 == 0 ? 0x1F : 0x0F)
        for place in 0..<numberLength { packet[numberOffset + place] ^= mask[1 + place] }
        return packet
    }

    private func mask(_ sample: [UInt8]) -> [UInt8] {
        guard !suite.isChaCha else {
            return TLSCrypto.encrypt(
                "ChaCha20", key: headerKey, nonce: sample, authenticated: nil, [UInt8](repeating: 0, count: 5))
        }
        return TLSCrypto.encrypt(
            suite.keyLength == 16 ? "AES-128-ECB" : "AES-256-ECB", key: headerKey, nonce: [], authenticated: nil, sample
        )
    }
}
