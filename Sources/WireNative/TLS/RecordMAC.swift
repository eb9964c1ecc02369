import CCrypto

/// The HMAC of records of one direction.
@safe final class RecordMAC {
    /// Bytes of a MAC.
    let length: Int
    private let context: OpaquePointer
    /// First what is authenticated ahead of the content, then the MAC.
    private let memory: UnsafeMutablePointer<UInt8>
    private static let resultOffset = 16
    private static let resultRoom = 64

    init?(_ digest: TLSDigest, key: [UInt8]) {
        length = digest.length
        guard let context = unsafe EVP_MAC_CTX_new(Libcrypto.hmac) else { return nil }
        unsafe self.context = unsafe context
        unsafe memory = .allocate(capacity: Self.resultOffset + Self.resultRoom)
        unsafe memory.initialize(repeating: 0, count: Self.resultOffset + Self.resultRoom)
        var parameters = LibcryptoParameters()
        parameters.add("digest", text: digest.name)
        let isReady = unsafe parameters.withUnsafeParameters { list in
            unsafe EVP_MAC_init(context, key, key.count, list)
        }
        guard isReady == 1 else { return nil }
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
        unsafe memory.deallocate()
    }

    /// Whether the bytes at `expected` are the MAC of a record's bytes, with sequence number, type, version and their
    /// length ahead (RFC 5246 §6.2.3.1).
    func matches(
        _ expected: UnsafeRawPointer, sequence: UInt64, record: UnsafeRawBufferPointer,
        content: UnsafeRawBufferPointer
    ) -> Bool {
        unsafe RecordLayout.writeAuthenticated(memory, sequence: sequence, record: record, length: content.count)
        let bytes = unsafe content.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = unsafe memory + Self.resultOffset
        var count = 0
        // Without a key the context starts over with the one it has.
        guard unsafe EVP_MAC_init(context, nil, 0, nil) == 1,
            unsafe EVP_MAC_update(context, memory, RecordLayout.authenticatedLength) == 1,
            unsafe EVP_MAC_update(context, bytes, content.count) == 1,
            unsafe EVP_MAC_final(context, result, &count, Self.resultRoom) == 1, count == length
        else { return false }
        return unsafe CRYPTO_memcmp(expected, result, length) == 0
    }
}
