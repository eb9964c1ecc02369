/// A block cipher that TLS uses in CBC mode.
public enum BlockCipher: Sendable, Hashable {
    case aes128, aes256, camellia128, camellia256, tripleDES, aria128, aria256
    /// libcrypto's default provider has these three no more: their records are counted but never opened.
    case seed, idea, des

    /// Bytes of a block, which is the length of an IV too.
    public var blockLength: Int {
        switch self {
        case .aes128, .aes256, .camellia128, .camellia256, .aria128, .aria256, .seed: 16
        case .tripleDES, .idea, .des: 8
        }
    }

    public var keyLength: Int {
        switch self {
        case .aes128, .camellia128, .aria128, .seed, .idea: 16
        case .aes256, .camellia256, .aria256: 32
        case .tripleDES: 24
        case .des: 8
        }
    }
}

/// How records are protected: the part of a cipher suite that the record layer needs. Versions are as on the wire:
/// 0x0300 for SSL 3.0 to 0x0304 for TLS 1.3.
public enum RecordCipher: Sendable, Hashable {
    case aesGCM(keyLength: Int)
    case aesCCM(keyLength: Int, tagLength: Int)
    case ariaGCM(keyLength: Int)
    /// libcrypto has no such cipher: records are counted but never opened.
    case camelliaGCM(keyLength: Int)
    case chaCha20Poly1305
    case cbc(BlockCipher, mac: TLSDigest)
    /// libcrypto's default provider has RC4 no more: records are counted but never opened.
    case rc4(mac: TLSDigest)
    /// Nothing is encrypted, only authenticated (RFC 5246 §6.2.3.1). TLS 1.3 has this too (RFC 9150); such records are
    /// counted but never opened.
    case null(mac: TLSDigest)

    /// Bytes of each direction that the key block of TLS 1.2 and earlier (RFC 5246 §6.3), or the key schedule of TLS 1.3
    /// (RFC 8446 §7.3), must give. The IV is the implicit part of a nonce; the first IV of CBC in TLS 1.0; none for CBC
    /// later, where each record brings its own.
    public func lengths(version: UInt16) -> (macKey: Int, key: Int, iv: Int) {
        let isTLS13 = version >= 0x0304
        switch self {
        case .aesGCM(let key), .aesCCM(let key, _), .ariaGCM(let key), .camelliaGCM(let key):
            return (0, key, isTLS13 ? 12 : 4)
        case .chaCha20Poly1305: return (0, 32, 12)
        case .cbc(let cipher, let mac):
            return (mac.length, cipher.keyLength, version <= 0x0301 ? cipher.blockLength : 0)
        case .rc4(let mac): return (mac.length, 16, 0)
        case .null(let mac): return (mac.length, 0, 0)
        }
    }

    /// Bytes of a record that are no content, as far as that is certain without a key.
    ///
    /// `lead`: the header's five bytes, and the explicit nonce (GCM and CCM of TLS 1.2) or IV (CBC of TLS 1.1 and 1.2).
    /// Always exact.
    ///
    /// `trail`: behind the content, tag or MAC; in TLS 1.3 the byte of inner content type as well; for CBC the padding's
    /// length byte. Exact but for two paddings that only a key shows: in TLS 1.3 any number of zeros more, in CBC up to
    /// 255 bytes more. A record shorter than both together is broken.
    ///
    /// `encryptThenMAC` (RFC 7366) changes the order of padding and MAC, and so no number here.
    public func overhead(version: UInt16, encryptThenMAC: Bool) -> (lead: Int, trail: Int) {
        let header = 5
        let isTLS13 = version >= 0x0304
        let explicitNonce = isTLS13 ? 0 : 8
        let innerType = isTLS13 ? 1 : 0
        switch self {
        case .aesGCM, .ariaGCM, .camelliaGCM: return (header + explicitNonce, 16 + innerType)
        case .aesCCM(_, let tagLength): return (header + explicitNonce, tagLength + innerType)
        case .chaCha20Poly1305: return (header, 16 + innerType)
        case .cbc(let cipher, let mac):
            return (header + (version <= 0x0301 ? 0 : cipher.blockLength), mac.length + 1)
        case .rc4(let mac), .null(let mac): return (header, mac.length + innerType)
        }
    }
}
