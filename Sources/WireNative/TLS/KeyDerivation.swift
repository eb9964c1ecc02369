import CCrypto

/// libcrypto's key derivation functions and hashes.
enum KeyDerivation {
    /// HKDF-Expand (RFC 5869 §2.3).
    static func expand(secret: [UInt8], info: [UInt8], length: Int, digest: TLSDigest) -> [UInt8]? {
        guard length > 0 else { return length == 0 ? [] : nil }
        return SecretExpander(secret, digest)?.expand(info: info, length: length)
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

/// HKDF-Expand (RFC 5869 §2.3) of one secret, as often as is needed: the secret is hashed once.
///
/// libcrypto's own HKDF looks the hash up and hashes the secret anew each time.
struct SecretExpander: ~Copyable {
    private let context: HMACContext
    private let derivation: QUICInitialDerivation?

    /// - Parameter derivation: lends what libcrypto needs; nil where that is to be forgotten with the secret.
    init?(_ secret: [UInt8], _ digest: TLSDigest, _ derivation: QUICInitialDerivation? = nil) {
        let lender = digest == .sha256 ? derivation : nil
        guard let context = lender.map({ $0.take() }) ?? HMACContext(digest), context.setKey(secret) else { return nil }
        self.context = context
        self.derivation = lender
    }

    deinit { derivation?.giveBack(context) }

    /// Nil where libcrypto refuses, or the length is more than 255 hashes or none.
    func expand(info: [UInt8], length: Int) -> [UInt8]? {
        guard length > 0, length <= 255 * context.length, var output = context.code(info, last: 1) else { return nil }
        var block = output
        while output.count < length {
            let counter = UInt8(output.count / context.length + 1)
            guard let next = context.code(block, info, last: counter) else { return nil }
            output += next
            block = next
        }
        output.removeLast(output.count - length)
        return output
    }
}
