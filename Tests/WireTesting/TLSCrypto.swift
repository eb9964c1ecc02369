import CCrypto

/// What a TLS peer computes, by libcrypto's general functions: the key schedules step by step as the RFCs have them.
enum TLSCrypto {
    static func hmac(_ digest: String, _ key: [UInt8], _ text: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 64)
        var count = 0
        let made = unsafe EVP_Q_mac(
            nil, "HMAC", nil, digest, nil, key, key.count, text, text.count, &result, 64, &count)
        return unsafe made == nil ? [] : Array(result[..<count])
    }

    /// P_hash (RFC 5246 §5), the PRF of TLS 1.2.
    static func pseudorandom(
        _ digest: String, _ secret: [UInt8], _ label: String, _ seed: [UInt8], _ length: Int
    ) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        var output: [UInt8] = []
        var last = seed
        while output.count < length {
            last = hmac(digest, secret, last)
            output += hmac(digest, secret, last + seed)
        }
        return Array(output[..<length])
    }

    /// HKDF-Expand-Label (RFC 8446 §7.1) without context.
    static func expandLabel(_ digest: String, _ secret: [UInt8], _ label: String, _ length: Int) -> [UInt8] {
        let label = Array("tls13 \(label)".utf8)
        let info = [UInt8](be16: UInt16(length)) + [UInt8(label.count)] + label + [0]
        var output: [UInt8] = []
        var last: [UInt8] = []
        var number: UInt8 = 1
        while output.count < length {
            last = hmac(digest, secret, last + info + [number])
            output += last
            number += 1
        }
        return Array(output[..<length])
    }

    /// Encrypts with a cipher of libcrypto; with `authenticated` as AEAD, whose tag of 16 bytes follows.
    static func encrypt(
        _ cipher: String, key: [UInt8], nonce: [UInt8], authenticated: [UInt8]?, _ text: [UInt8]
    ) -> [UInt8] {
        let context = unsafe EVP_CIPHER_CTX_new()
        let method = unsafe EVP_CIPHER_fetch(nil, cipher, nil)
        defer {
            unsafe EVP_CIPHER_CTX_free(context)
            unsafe EVP_CIPHER_free(method)
        }
        var result = [UInt8](repeating: 0, count: text.count + 32)
        var tag = [UInt8](repeating: 0, count: authenticated == nil ? 0 : 16)
        var count: Int32 = 0
        unsafe EVP_EncryptInit_ex(context, method, nil, key, nonce)
        unsafe EVP_CIPHER_CTX_set_padding(context, 0)
        if let authenticated {
            unsafe EVP_EncryptUpdate(context, nil, &count, authenticated, Int32(authenticated.count))
        }
        unsafe EVP_EncryptUpdate(context, &result, &count, text, Int32(text.count))
        unsafe EVP_EncryptFinal_ex(context, nil, &count)
        if authenticated != nil { unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, &tag) }
        return Array(result[..<text.count]) + tag
    }
}
