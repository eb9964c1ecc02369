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

/// The secret of one direction, from which the keys of its packets are derived (RFC 9001 §5.1).
public struct QUICSecret: ~Copyable {
    let cipher: QUICCipher
    private let prefix: String
    private let expander: SecretExpander

    /// Nil where the secret is none of this cipher's.
    ///
    /// - Parameters:
    ///   - prefix: "quic " for version 1 (RFC 9001 §5.1), "quicv2 " for version 2 (RFC 9369 §3.3.1).
    ///   - derivation: that of the secret, if it is an Initial's.
    public init?(_ cipher: QUICCipher, _ bytes: [UInt8], prefix: String, derivation: QUICInitialDerivation? = nil) {
        guard bytes.count == cipher.digest.length,
            let expander = SecretExpander(bytes, cipher.digest, derivation)
        else { return nil }
        (self.cipher, self.prefix) = (cipher, prefix)
        self.expander = expander
    }

    /// HKDF-Expand-Label with the version's label and no context.
    func expand(_ label: String, length: Int) -> [UInt8]? {
        TLSKeySchedule.info(prefix: prefix, label: label, context: [], length: length).flatMap {
            expander.expand(info: $0, length: length)
        }
    }
}
