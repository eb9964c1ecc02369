import CCrypto

/// Records under a cipher that authenticates by itself (AEAD): GCM, CCM, ChaCha20-Poly1305 (RFC 5246 §6.2.3.3,
/// RFC 7905, RFC 8446 §5.2).
@safe final class SealedRecordOpener: RecordOpener {
    private enum Mode { case gcm, ccm, chaCha20 }

    private static let nonceLength = 12
    private static let explicitLength = 8
    /// Places in `memory`: the IV, the nonce of a record, and what is authenticated with it.
    private static let nonceOffset = 16
    private static let authenticatedOffset = 32
    private static let memoryLength = 48

    private let context: OpaquePointer
    private let memory: UnsafeMutablePointer<UInt8>
    private let mode: Mode
    private let tagLength: Int
    private let isTLS13: Bool
    /// Each record brings eight bytes of its nonce.
    private let bringsNonce: Bool

    init?(_ cipher: RecordCipher, version: UInt16, key: [UInt8], iv: [UInt8]) {
        isTLS13 = version == 0x0304
        switch cipher {
        case .aesCCM(_, let length): (mode, tagLength) = (.ccm, length)
        case .chaCha20Poly1305: (mode, tagLength) = (.chaCha20, 16)
        default: (mode, tagLength) = (.gcm, 16)
        }
        bringsNonce = mode != .chaCha20 && !isTLS13
        // Ciphers of this kind came with TLS 1.2.
        guard version >= 0x0303, iv.count <= Self.nonceLength, let algorithm = unsafe Libcrypto.cipher(cipher),
            let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        unsafe self.context = unsafe context
        unsafe memory = .allocate(capacity: Self.memoryLength)
        unsafe memory.initialize(repeating: 0, count: Self.memoryLength)
        for (index, byte) in iv.enumerated() {
            unsafe memory[index] = byte
            unsafe memory[Self.nonceOffset + index] = byte
        }
        guard unsafe EVP_DecryptInit_ex(context, algorithm, nil, nil, nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(Self.nonceLength), nil) == 1,
            // The length of CCM's tag goes into its first block, and so must be known ahead of the key.
            unsafe mode != .ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), nil) == 1,
            unsafe EVP_DecryptInit_ex(context, nil, nil, key, nil) == 1
        else { return nil }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
        unsafe OPENSSL_cleanse(memory, Self.memoryLength)
        unsafe memory.deallocate()
    }

    func open(
        _ record: UnsafeRawBufferPointer, sequence: UInt64, into output: UnsafeMutableRawBufferPointer
    ) -> OpenedRecord? {
        let lead = RecordLayout.headerLength + (bringsNonce ? Self.explicitLength : 0)
        let length = record.count - lead - tagLength
        guard length >= 0 else { return nil }
        unsafe setNonce(record, sequence)
        guard unsafe decrypt(record, from: lead, length, sequence, output) else { return nil }
        if isTLS13 {
            return unsafe RecordLayout.openedInner(
                record, inner: UnsafeRawBufferPointer(rebasing: output[..<length]))
        }
        return unsafe OpenedRecord(contentType: record[0], content: 0..<length, lead: lead, trail: tagLength)
    }

    /// The IV with what the record brings behind it, or with the sequence number laid over its end.
    private func setNonce(_ record: UnsafeRawBufferPointer, _ sequence: UInt64) {
        let changing = Self.nonceLength - Self.explicitLength
        let place = unsafe UnsafeMutableRawPointer(memory + Self.nonceOffset + changing)
        if bringsNonce {
            let explicit = unsafe record.loadUnaligned(fromByteOffset: RecordLayout.headerLength, as: UInt64.self)
            unsafe place.storeBytes(of: explicit, as: UInt64.self)
        } else {
            let fixed = unsafe UnsafeRawPointer(memory + changing).loadUnaligned(as: UInt64.self)
            unsafe place.storeBytes(of: fixed ^ sequence.bigEndian, as: UInt64.self)
        }
    }

    private func decrypt(
        _ record: UnsafeRawBufferPointer, from start: Int, _ length: Int, _ sequence: UInt64,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let base = unsafe record.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let room = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        // libcrypto's signature does not say const, but the tag is only read.
        let tag = unsafe UnsafeMutableRawPointer(mutating: base + start + length)
        let nonce = unsafe memory + Self.nonceOffset
        var authenticated = unsafe base
        var authenticatedLength = RecordLayout.headerLength
        if !isTLS13 {
            let place = unsafe memory + Self.authenticatedOffset
            unsafe RecordLayout.writeAuthenticated(place, sequence: sequence, record: record, length: length)
            unsafe authenticated = UnsafePointer(place)
            authenticatedLength = RecordLayout.authenticatedLength
        }
        var count: Int32 = 0
        guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), tag) == 1,
            unsafe mode != .ccm || EVP_DecryptUpdate(context, nil, &count, nil, Int32(length)) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &count, authenticated, Int32(authenticatedLength)) == 1,
            unsafe EVP_DecryptUpdate(context, room, &count, base + start, Int32(length)) == 1
        else { return false }
        // CCM has compared the tag by now.
        return unsafe mode == .ccm || EVP_DecryptFinal_ex(context, room + length, &count) == 1
    }
}
