import CCrypto

/// HMAC (RFC 2104) with one hash, under one key after another: libcrypto looks the hash up once in the life of the process,
/// and hashes a key once for all codes under it.
///
/// Not for two threads at a time.
@safe final class HMACContext {
    /// Bytes of a code.
    let length: Int
    private let context: OpaquePointer

    /// Nil where libcrypto lacks the hash. A key is to be set before the first code.
    init?(_ digest: TLSDigest) {
        guard let prepared = unsafe Libcrypto.preparedHMAC(digest), let context = unsafe EVP_MAC_CTX_dup(prepared)
        else { return nil }
        unsafe self.context = unsafe context
        length = digest.length
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    /// Takes another key. False where libcrypto refuses.
    func setKey(_ key: [UInt8]) -> Bool {
        // An empty array's address may be null, and then the old key would stay.
        guard !key.isEmpty else { return setKey([0]) }
        return unsafe EVP_MAC_init(context, key, key.count, nil) == 1
    }

    /// The code of some bytes, of more bytes behind them, and of one byte at the end, if there is one. Nil where libcrypto
    /// refuses.
    func code(_ first: [UInt8], _ second: [UInt8] = [], last: UInt8? = nil) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: length)
        var count = 0
        // Without a key the context starts over with the one it has.
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1,
            unsafe first.isEmpty || EVP_MAC_update(context, first, first.count) == 1,
            unsafe second.isEmpty || EVP_MAC_update(context, second, second.count) == 1
        else { return nil }
        if var last { guard unsafe EVP_MAC_update(context, &last, 1) == 1 else { return nil } }
        let done = unsafe result.withUnsafeMutableBufferPointer { room in
            unsafe EVP_MAC_final(context, room.baseAddress, &count, room.count)
        }
        return done == 1 && count == length ? result : nil
    }
}
