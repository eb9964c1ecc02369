import CCrypto

/// libcrypto's algorithms, each looked up once in the life of the process: a look-up costs more than a record. What the
/// library lacks is nil.
enum Libcrypto {
    // Never freed, and libcrypto lets any thread use them.
    nonisolated(unsafe) static let hkdf = unsafe EVP_KDF_fetch(nil, "HKDF", nil)
    nonisolated(unsafe) static let tlsPRF = unsafe EVP_KDF_fetch(nil, "TLS1-PRF", nil)
    nonisolated(unsafe) static let hmac = unsafe EVP_MAC_fetch(nil, "HMAC", nil)
    nonisolated(unsafe) private static let ciphers: [String: OpaquePointer] = unsafe fetchCiphers()

    private static let cipherNames = [
        "AES-128-GCM", "AES-256-GCM", "AES-128-CCM", "AES-256-CCM", "ChaCha20-Poly1305", "ARIA-128-GCM", "ARIA-256-GCM",
        "AES-128-CBC", "AES-256-CBC", "CAMELLIA-128-CBC", "CAMELLIA-256-CBC", "DES-EDE3-CBC", "ARIA-128-CBC",
        "ARIA-256-CBC", "AES-128-ECB", "AES-256-ECB", "ChaCha20",
    ]

    private static func fetchCiphers() -> [String: OpaquePointer] {
        var ciphers: [String: OpaquePointer] = unsafe [:]
        for name in cipherNames { unsafe ciphers[name] = EVP_CIPHER_fetch(nil, name, nil) }
        return unsafe ciphers
    }

    /// The cipher of records; nil for `null`, and for what the library lacks.
    static func cipher(_ cipher: RecordCipher) -> OpaquePointer? {
        guard let name = name(cipher) else { return nil }
        return unsafe ciphers[name]
    }

    /// The cipher of QUIC packets.
    static func packetCipher(_ cipher: QUICCipher) -> OpaquePointer? {
        switch cipher {
        case .aes128GCM: unsafe ciphers["AES-128-GCM"]
        case .aes256GCM: unsafe ciphers["AES-256-GCM"]
        case .chaCha20Poly1305: unsafe ciphers["ChaCha20-Poly1305"]
        case .aes128CCM: unsafe ciphers["AES-128-CCM"]
        }
    }

    /// The cipher that makes the masks of QUIC headers.
    static func headerCipher(_ cipher: QUICCipher) -> OpaquePointer? {
        switch cipher {
        case .aes128GCM, .aes128CCM: unsafe ciphers["AES-128-ECB"]
        case .aes256GCM: unsafe ciphers["AES-256-ECB"]
        case .chaCha20Poly1305: unsafe ciphers["ChaCha20"]
        }
    }

    private static func name(_ cipher: RecordCipher) -> String? {
        switch cipher {
        case .aesGCM(let length): "AES-\(length * 8)-GCM"
        case .aesCCM(let length, _): "AES-\(length * 8)-CCM"
        case .ariaGCM(let length): "ARIA-\(length * 8)-GCM"
        case .chaCha20Poly1305: "ChaCha20-Poly1305"
        case .cbc(let block, _): name(block)
        case .camelliaGCM, .rc4, .null: nil
        }
    }

    private static func name(_ cipher: BlockCipher) -> String? {
        switch cipher {
        case .aes128: "AES-128-CBC"
        case .aes256: "AES-256-CBC"
        case .camellia128: "CAMELLIA-128-CBC"
        case .camellia256: "CAMELLIA-256-CBC"
        case .tripleDES: "DES-EDE3-CBC"
        case .aria128: "ARIA-128-CBC"
        case .aria256: "ARIA-256-CBC"
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
