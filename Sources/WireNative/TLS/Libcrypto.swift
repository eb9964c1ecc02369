import CCrypto

/// libcrypto's algorithms, each looked up once in the life of the process: a look-up costs more than a record. What the
/// library lacks is nil.
enum Libcrypto {
    // Never freed, and libcrypto lets any thread use them.
    nonisolated(unsafe) static let tlsPRF = unsafe EVP_KDF_fetch(nil, "TLS1-PRF", nil)
    nonisolated(unsafe) static let hmac = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    nonisolated(unsafe) private static let hmacMD5 = unsafe prepareHMAC(.md5)
    nonisolated(unsafe) private static let hmacSHA1 = unsafe prepareHMAC(.sha1)
    nonisolated(unsafe) private static let hmacSHA256 = unsafe prepareHMAC(.sha256)
    nonisolated(unsafe) private static let hmacSHA384 = unsafe prepareHMAC(.sha384)
    nonisolated(unsafe) private static let aes128GCM = unsafe EVP_CIPHER_fetch(nil, "AES-128-GCM", nil)
    nonisolated(unsafe) private static let aes256GCM = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    nonisolated(unsafe) private static let aes128CCM = unsafe EVP_CIPHER_fetch(nil, "AES-128-CCM", nil)
    nonisolated(unsafe) private static let aes256CCM = unsafe EVP_CIPHER_fetch(nil, "AES-256-CCM", nil)
    nonisolated(unsafe) private static let chaCha20Poly1305 = unsafe EVP_CIPHER_fetch(nil, "ChaCha20-Poly1305", nil)
    nonisolated(unsafe) private static let aria128GCM = unsafe EVP_CIPHER_fetch(nil, "ARIA-128-GCM", nil)
    nonisolated(unsafe) private static let aria256GCM = unsafe EVP_CIPHER_fetch(nil, "ARIA-256-GCM", nil)
    nonisolated(unsafe) private static let aes128CBC = unsafe EVP_CIPHER_fetch(nil, "AES-128-CBC", nil)
    nonisolated(unsafe) private static let aes256CBC = unsafe EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)
    nonisolated(unsafe) private static let camellia128CBC = unsafe EVP_CIPHER_fetch(nil, "CAMELLIA-128-CBC", nil)
    nonisolated(unsafe) private static let camellia256CBC = unsafe EVP_CIPHER_fetch(nil, "CAMELLIA-256-CBC", nil)
    nonisolated(unsafe) private static let tripleDESCBC = unsafe EVP_CIPHER_fetch(nil, "DES-EDE3-CBC", nil)
    nonisolated(unsafe) private static let aria128CBC = unsafe EVP_CIPHER_fetch(nil, "ARIA-128-CBC", nil)
    nonisolated(unsafe) private static let aria256CBC = unsafe EVP_CIPHER_fetch(nil, "ARIA-256-CBC", nil)
    nonisolated(unsafe) private static let aes128ECB = unsafe EVP_CIPHER_fetch(nil, "AES-128-ECB", nil)
    nonisolated(unsafe) private static let aes256ECB = unsafe EVP_CIPHER_fetch(nil, "AES-256-ECB", nil)
    nonisolated(unsafe) private static let chaCha20 = unsafe EVP_CIPHER_fetch(nil, "ChaCha20", nil)

    /// A context of HMAC that knows its hash: only to be copied, which any thread may do.
    static func preparedHMAC(_ digest: TLSDigest) -> OpaquePointer? {
        switch digest {
        case .md5: unsafe hmacMD5
        case .sha1: unsafe hmacSHA1
        case .sha256: unsafe hmacSHA256
        case .sha384: unsafe hmacSHA384
        }
    }

    private static func prepareHMAC(_ digest: TLSDigest) -> OpaquePointer? {
        guard let context = unsafe EVP_MAC_CTX_new(hmac) else { return nil }
        var parameters = LibcryptoParameters()
        parameters.add("digest", text: digest.name)
        // libcrypto 3.0 copies no context without a key.
        let isReady = unsafe parameters.withUnsafeParameters { unsafe EVP_MAC_init(context, [0], 1, $0) }
        guard isReady != 1 else { return unsafe context }
        unsafe EVP_MAC_CTX_free(context)
        return nil
    }

    /// The cipher of records; nil for `null`, and for what the library lacks.
    static func cipher(_ cipher: RecordCipher) -> OpaquePointer? {
        switch cipher {
        case .aesGCM(let length): unsafe length == 16 ? aes128GCM : length == 32 ? aes256GCM : nil
        case .aesCCM(let length, _): unsafe length == 16 ? aes128CCM : length == 32 ? aes256CCM : nil
        case .ariaGCM(let length): unsafe length == 16 ? aria128GCM : length == 32 ? aria256GCM : nil
        case .chaCha20Poly1305: unsafe chaCha20Poly1305
        case .cbc(let block, _): unsafe blockCipher(block)
        case .camelliaGCM, .rc4, .null: nil
        }
    }

    /// The cipher of QUIC packets.
    static func packetCipher(_ cipher: QUICCipher) -> OpaquePointer? {
        switch cipher {
        case .aes128GCM: unsafe aes128GCM
        case .aes256GCM: unsafe aes256GCM
        case .chaCha20Poly1305: unsafe chaCha20Poly1305
        case .aes128CCM: unsafe aes128CCM
        }
    }

    /// The cipher that makes the masks of QUIC headers.
    static func headerCipher(_ cipher: QUICCipher) -> OpaquePointer? {
        switch cipher {
        case .aes128GCM, .aes128CCM: unsafe aes128ECB
        case .aes256GCM: unsafe aes256ECB
        case .chaCha20Poly1305: unsafe chaCha20
        }
    }

    private static func blockCipher(_ cipher: BlockCipher) -> OpaquePointer? {
        switch cipher {
        case .aes128: unsafe aes128CBC
        case .aes256: unsafe aes256CBC
        case .camellia128: unsafe camellia128CBC
        case .camellia256: unsafe camellia256CBC
        case .tripleDES: unsafe tripleDESCBC
        case .aria128: unsafe aria128CBC
        case .aria256: unsafe aria256CBC
        case .seed, .idea, .des: nil
        }
    }
}

extension TLSDigest {
    /// As libcrypto calls it.
    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        }
    }
}

/// Parameters of a libcrypto algorithm, for the time of one call.
struct LibcryptoParameters {
    private enum Kind { case text, bytes }

    /// Kept by pointer, so static.
    private var entries: [(key: StaticString, kind: Kind, offset: Int, count: Int)] = []
    private var values: [UInt8] = []

    mutating func add(_ key: StaticString, text: String) {
        add(key, .text, Array(text.utf8))
    }

    mutating func add(_ key: StaticString, bytes: [UInt8]) {
        add(key, .bytes, bytes)
    }

    private mutating func add(_ key: StaticString, _ kind: Kind, _ value: [UInt8]) {
        entries.append((key, kind, values.count, value.count))
        values += value
        // Texts end with a zero; an empty value has an address.
        values.append(0)
    }

    mutating func withUnsafeParameters<Result>(_ body: (UnsafePointer<OSSL_PARAM>?) -> Result) -> Result {
        unsafe values.withUnsafeMutableBytes { memory in
            var list: [OSSL_PARAM] = unsafe []
            for entry in entries {
                let key = unsafe UnsafeRawPointer(entry.key.utf8Start).assumingMemoryBound(to: CChar.self)
                let value = unsafe memory.baseAddress?.advanced(by: entry.offset)
                switch entry.kind {
                case .text:
                    let text = unsafe value?.assumingMemoryBound(to: CChar.self)
                    unsafe list.append(OSSL_PARAM_construct_utf8_string(key, text, entry.count))
                case .bytes: unsafe list.append(OSSL_PARAM_construct_octet_string(key, value, entry.count))
                }
            }
            unsafe list.append(OSSL_PARAM_construct_end())
            return unsafe list.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
