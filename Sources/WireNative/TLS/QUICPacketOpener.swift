import CCrypto

/// Opens the packets of one direction under one key: checks their authenticity, and decrypts (RFC 9001 §5.3).
///
/// All cryptography is libcrypto's. Opening a packet allocates nothing.
@safe public final class QUICPacketOpener: SecretHolder {
    private static let nonceLength = 12
    private static let memoryLength = 32

    private let context: OpaquePointer
    /// The IV, and behind it the nonce of a packet.
    private let memory: UnsafeMutablePointer<UInt8>
    private let isCCM: Bool

    /// Nil where libcrypto lacks the cipher.
    public init?(_ secret: borrowing QUICSecret) {
        guard let key = secret.expand("key", length: secret.cipher.keyLength),
            let iv = secret.expand("iv", length: Self.nonceLength),
            let algorithm = unsafe Libcrypto.packetCipher(secret.cipher), let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        unsafe self.context = unsafe context
        isCCM = secret.cipher == .aes128CCM
        unsafe memory = .allocate(capacity: Self.memoryLength)
        unsafe memory.initialize(repeating: 0, count: Self.memoryLength)
        for (index, byte) in iv.enumerated() { unsafe memory[index] = byte }
        guard unsafe EVP_DecryptInit_ex(context, algorithm, nil, nil, nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(Self.nonceLength), nil) == 1,
            unsafe !isCCM
                || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(QUICCipher.tagLength), nil) == 1,
            unsafe EVP_DecryptInit_ex(context, nil, nil, key, nil) == 1
        else { return nil }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
        unsafe OPENSSL_cleanse(memory, Self.memoryLength)
        unsafe memory.deallocate()
    }

    /// Opens a packet: from its first byte to the end of its tag.
    ///
    /// - Parameters:
    ///   - numberOffset: where the packet number begins.
    ///   - clear: the header without its protection.
    ///   - number: the whole packet number.
    ///   - output: where frames go, at the start of it. Grown when it is too short, never shortened. After nil its bytes
    ///     mean nothing.
    /// - Returns: bytes of frames; nil when the packet is not authentic.
    public func open(
        _ packet: RawSpan, numberOffset: Int, _ clear: QUICClearHeader, number: UInt64, into output: inout [UInt8]
    ) -> Int? {
        let header = numberOffset + clear.numberLength
        let length = packet.byteCount - header - QUICCipher.tagLength
        guard numberOffset > 0, length >= 0, (1...4).contains(clear.numberLength) else { return nil }
        if output.count < packet.byteCount { output = [UInt8](repeating: 0, count: max(packet.byteCount, 2048)) }
        setNonce(number)
        let isAuthentic = unsafe output.withUnsafeMutableBytes { room in
            unsafe packet.withUnsafeBytes { bytes in
                unsafe decrypt(bytes, numberOffset, clear, length, room)
            }
        }
        return isAuthentic ? length : nil
    }

    /// The IV with the packet number laid over its end.
    private func setNonce(_ number: UInt64) {
        for index in 0..<Self.nonceLength {
            let shift = UInt64(8 * (Self.nonceLength - 1 - index))
            let byte = shift < 64 ? UInt8(truncatingIfNeeded: number >> shift) : 0
            unsafe memory[Self.nonceLength + index] = memory[index] ^ byte
        }
    }

    private func decrypt(
        _ packet: UnsafeRawBufferPointer, _ numberOffset: Int, _ clear: QUICClearHeader, _ length: Int,
        _ output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let base = unsafe packet.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let room = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return false }
        let start = numberOffset + clear.numberLength
        // libcrypto's signature does not say const, but the tag is only read.
        let tag = unsafe UnsafeMutableRawPointer(mutating: base + start + length)
        var count: Int32 = 0
        guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, memory + Self.nonceLength) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(QUICCipher.tagLength), tag) == 1,
            unsafe !isCCM || EVP_DecryptUpdate(context, nil, &count, nil, Int32(length)) == 1,
            unsafe authenticate(base, numberOffset, clear),
            unsafe EVP_DecryptUpdate(context, room, &count, base + start, Int32(length)) == 1
        else { return false }
        return unsafe isCCM || EVP_DecryptFinal_ex(context, room + length, &count) == 1
    }

    /// The header as it was before its protection: the first byte, what follows it as it is, the packet number.
    private func authenticate(_ base: UnsafePointer<UInt8>, _ numberOffset: Int, _ clear: QUICClearHeader) -> Bool {
        // CCM takes all of it in one call; and headers have no limit but the datagram, so one array serves all.
        if authenticated.count < numberOffset + 4 {
            authenticated = [UInt8](repeating: 0, count: max(64, numberOffset + 4))
        }
        authenticated[0] = clear.first
        for index in 1..<max(numberOffset, 1) { unsafe authenticated[index] = base[index] }
        for index in 0..<clear.numberLength {
            let shift = UInt32(8 * (clear.numberLength - 1 - index))
            authenticated[numberOffset + index] = UInt8(truncatingIfNeeded: clear.truncatedNumber >> shift)
        }
        var count: Int32 = 0
        let length = Int32(numberOffset + clear.numberLength)
        return unsafe authenticated.withUnsafeBufferPointer { bytes in
            unsafe EVP_DecryptUpdate(context, nil, &count, bytes.baseAddress, length) == 1
        }
    }

    private var authenticated = [UInt8](repeating: 0, count: 64)
}
