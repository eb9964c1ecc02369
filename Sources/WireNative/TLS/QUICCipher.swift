/// How QUIC packets are protected (RFC 9001 §5): the part of a TLS 1.3 cipher suite that packets need.
public enum QUICCipher: Sendable, Hashable {
    case aes128GCM, aes256GCM, chaCha20Poly1305, aes128CCM

    /// Bytes of the packet key, and of the header protection key.
    public var keyLength: Int {
        switch self {
        case .aes128GCM, .aes128CCM: 16
        case .aes256GCM, .chaCha20Poly1305: 32
        }
    }

    /// Hash of the key schedule.
    public var digest: TLSDigest { self == .aes256GCM ? .sha384 : .sha256 }

    /// Bytes of the authentication tag, the same for all (RFC 9001 §5.3).
    public static let tagLength = 16
    /// Bytes of ciphertext that header protection samples (RFC 9001 §5.4.2).
    public static let sampleLength = 16
}

/// A packet header without its protection, as far as it is authenticated in another form than it was sent.
public struct QUICClearHeader: Sendable {
    /// The first byte.
    public var first: UInt8
    /// The packet number as it was sent: `numberLength` bytes.
    public var truncatedNumber: UInt32
    /// 1 to 4.
    public var numberLength: Int

    public init(first: UInt8, truncatedNumber: UInt32, numberLength: Int) {
        self.first = first
        self.truncatedNumber = truncatedNumber
        self.numberLength = numberLength
    }
}

/// What protects the packets of one direction under one secret, as libcrypto takes it.
struct QUICKeyMaterial {
    let key: [UInt8]
    let iv: [UInt8]

    /// - Parameter prefix: "quic " for version 1 (RFC 9001 §5.1), "quicv2 " for version 2 (RFC 9369 §3.3.1).
    init?(_ cipher: QUICCipher, secret: [UInt8], prefix: String) {
        guard secret.count == cipher.digest.length,
            let key = TLSKeySchedule.expandLabel(
                secret: secret, label: prefix + "key", context: [], length: cipher.keyLength, digest: cipher.digest),
            let iv = TLSKeySchedule.expandLabel(
                secret: secret, label: prefix + "iv", context: [], length: 12, digest: cipher.digest)
        else { return nil }
        (self.key, self.iv) = (key, iv)
    }
}

extension TLSKeySchedule {
    /// HKDF-Extract with SHA-256 (RFC 5869 §2.2), of which Initial secrets are made (RFC 9001 §5.2).
    public static func extract(salt: [UInt8], keyingMaterial: [UInt8]) -> [UInt8]? {
        KeyDerivation.extract(salt: salt, keyingMaterial: keyingMaterial, digest: .sha256)
    }

    /// The key of header protection under a secret (RFC 9001 §5.4).
    static func headerKey(_ cipher: QUICCipher, secret: [UInt8], prefix: String) -> [UInt8]? {
        guard secret.count == cipher.digest.length else { return nil }
        return expandLabel(
            secret: secret, label: prefix + "hp", context: [], length: cipher.keyLength, digest: cipher.digest)
    }
}
