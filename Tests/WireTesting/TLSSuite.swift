import WireCore

/// A version of TLS with a cipher suite.
public enum TLSSuite: String, CaseIterable, Sendable {
    case aes128GCM13 = "1.3 AES-128-GCM"
    case aes256GCM13 = "1.3 AES-256-GCM"
    case chaCha13 = "1.3 ChaCha20"
    case aes128GCM12 = "1.2 AES-128-GCM"
    case chaCha12 = "1.2 ChaCha20"
    case aes128CBC12 = "1.2 AES-128-CBC"
    /// Encrypt-then-MAC (RFC 7366).
    case aes256CBC12 = "1.2 AES-256-CBC encrypt-then-MAC"

    public var isTLS13: Bool { [.aes128GCM13, .aes256GCM13, .chaCha13].contains(self) }
    public var version: TLSVersion { isTLS13 ? .tls13 : .tls12 }
    var isChaCha: Bool { self == .chaCha13 || self == .chaCha12 }
    var isCBC: Bool { self == .aes128CBC12 || self == .aes256CBC12 }
    var encryptsThenMACs: Bool { self == .aes256CBC12 }

    /// As registered (https://www.iana.org/assignments/tls-parameters).
    var number: UInt16 {
        switch self {
        case .aes128GCM13: 0x1301
        case .aes256GCM13: 0x1302
        case .chaCha13: 0x1303
        case .aes128GCM12: 0xC02F
        case .chaCha12: 0xCCA8
        case .aes128CBC12: 0xC013
        case .aes256CBC12: 0xC014
        }
    }

    /// libcrypto's name of the cipher.
    var cipher: String {
        switch self {
        case .aes128GCM13, .aes128GCM12: "AES-128-GCM"
        case .aes256GCM13: "AES-256-GCM"
        case .chaCha13, .chaCha12: "ChaCha20-Poly1305"
        case .aes128CBC12: "AES-128-CBC"
        case .aes256CBC12: "AES-256-CBC"
        }
    }

    var digest: String { self == .aes256GCM13 ? "SHA384" : "SHA256" }
    var secretLength: Int { self == .aes256GCM13 ? 48 : 32 }
    var keyLength: Int { self == .aes128GCM13 || self == .aes128GCM12 || self == .aes128CBC12 ? 16 : 32 }
    var macKeyLength: Int { isCBC ? 20 : 0 }
    /// Of TLS 1.2: the part of the nonce that is not in the record.
    var fixedNonceLength: Int { isCBC ? 0 : isChaCha ? 12 : 4 }

    /// Bytes of a record before its content.
    public var lead: Int { 5 + (isTLS13 || isChaCha ? 0 : isCBC ? 16 : 8) }

    /// Bytes of a record behind `length` bytes of content.
    public func trail(_ length: Int, padding: Int = 0) -> Int {
        if isTLS13 { return 1 + padding + 16 }
        guard isCBC else { return 16 }
        let padded = encryptsThenMACs ? length : length + 20
        return 20 + 16 - padded % 16 + 16 * padding
    }

    /// Bytes of a record with `length` bytes of content.
    public func recordLength(_ length: Int, padding: Int = 0) -> Int { lead + length + trail(length, padding: padding) }
}
