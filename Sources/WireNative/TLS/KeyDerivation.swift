import CCrypto

/// libcrypto's key derivation functions and hashes.
enum KeyDerivation {
    /// HKDF-Expand (RFC 5869 §2.3).
    static func expand(secret: [UInt8], info: [UInt8], length: Int, digest: TLSDigest) -> [UInt8]? {
        guard length > 0 else { return length == 0 ? [] : nil }
        return SecretExpander(secret, digest)?.expand(info: info, length: length)
    }

    /// HKDF-Extract, which is an HMAC with the salt as its key (RFC 5869 §2.2): libcrypto's HKDF looks that up each time.
    static func extract(salt: [UInt8], keyingMaterial: [UInt8], digest: TLSDigest) -> [UInt8]? {
        guard let context = unsafe EVP_MAC_CTX_new(Libcrypto.hmac) else { return nil }
        defer { unsafe EVP_MAC_CTX_free(context) }
        var parameters = LibcryptoParameters()
        parameters.add("digest", text: digest.name)
        var result = [UInt8](repeating: 0, count: digest.length)
        var count = 0
        let done = unsafe parameters.withUnsafeParameters { list in
            unsafe result.withUnsafeMutableBufferPointer { room in
                unsafe EVP_MAC_init(context, salt, salt.count, list) == 1
                    && EVP_MAC_update(context, keyingMaterial, keyingMaterial.count) == 1
                    && EVP_MAC_final(context, room.baseAddress, &count, room.count) == 1
            }
        }
        return done && count == result.count ? result : nil
    }

    /// The PRF of TLS 1.2, or of TLS 1.0 and 1.1 with the hash "MD5-SHA1".
    static func pseudorandom(secret: [UInt8], seed: [UInt8], length: Int, hash: String) -> [UInt8]? {
        var parameters = LibcryptoParameters()
        parameters.add("digest", text: hash)
        parameters.add("secret", bytes: secret)
        parameters.add("seed", bytes: seed)
        return unsafe derive(Libcrypto.tlsPRF, &parameters, length: length)
    }

    static func hash(_ bytes: [UInt8], name: String) -> [UInt8]? {
        // EVP_MAX_MD_SIZE.
        var result = [UInt8](repeating: 0, count: 64)
        var length = 0
        let done = unsafe result.withUnsafeMutableBufferPointer { room in
            unsafe bytes.withUnsafeBytes { input in
                unsafe EVP_Q_digest(nil, name, nil, input.baseAddress, input.count, room.baseAddress, &length)
            }
        }
        return done == 1 && length <= result.count ? Array(result.prefix(length)) : nil
    }

    private static func derive(
        _ function: OpaquePointer?, _ parameters: inout LibcryptoParameters, length: Int
    ) -> [UInt8]? {
        guard length > 0 else { return length == 0 ? [] : nil }
        guard let context = unsafe EVP_KDF_CTX_new(function) else { return nil }
        defer { unsafe EVP_KDF_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: length)
        let done = unsafe parameters.withUnsafeParameters { list in
            unsafe result.withUnsafeMutableBufferPointer { room in
                unsafe EVP_KDF_derive(context, room.baseAddress, room.count, list)
            }
        }
        return done == 1 ? result : nil
    }
}

/// HKDF-Expand (RFC 5869 §2.3) of one secret, as often as is needed: libcrypto looks the hash up once.
@safe struct SecretExpander: ~Copyable {
    private let context: OpaquePointer

    init?(_ secret: [UInt8], _ digest: TLSDigest) {
        guard let context = unsafe EVP_KDF_CTX_new(Libcrypto.hkdf) else { return nil }
        var parameters = LibcryptoParameters()
        parameters.add("mode", text: "EXPAND_ONLY")
        parameters.add("digest", text: digest.name)
        parameters.add("key", bytes: secret)
        guard unsafe parameters.withUnsafeParameters({ unsafe EVP_KDF_CTX_set_params(context, $0) }) == 1 else {
            unsafe EVP_KDF_CTX_free(context)
            return nil
        }
        unsafe self.context = unsafe context
    }

    deinit { unsafe EVP_KDF_CTX_free(context) }

    /// Nil where libcrypto refuses.
    func expand(info: [UInt8], length: Int) -> [UInt8]? {
        var parameters = LibcryptoParameters()
        parameters.add("info", bytes: info)
        var result = [UInt8](repeating: 0, count: length)
        let done = unsafe parameters.withUnsafeParameters { list in
            unsafe result.withUnsafeMutableBufferPointer { room in
                unsafe EVP_KDF_derive(context, room.baseAddress, room.count, list)
            }
        }
        return done == 1 ? result : nil
    }
}
