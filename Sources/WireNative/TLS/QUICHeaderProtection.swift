import CCrypto

/// Takes header protection off the packets of one direction (RFC 9001 §5.4). All cryptography is libcrypto's.
@safe public final class QUICHeaderProtection: SecretHolder {
    private let context: OpaquePointer
    private let isStream: Bool

    /// Nil where libcrypto lacks the cipher.
    public init?(_ secret: borrowing QUICSecret) {
        guard let key = secret.expand("hp", length: secret.cipher.keyLength),
            let algorithm = unsafe Libcrypto.headerCipher(secret.cipher), let context = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        unsafe self.context = unsafe context
        isStream = secret.cipher == .chaCha20Poly1305
        guard unsafe EVP_EncryptInit_ex(context, algorithm, nil, key, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { return nil }
    }

    deinit { unsafe EVP_CIPHER_CTX_free(context) }

    /// The five bytes of mask for the sample that begins at `offset`, the first one highest; nil where the packet ends
    /// before it, or libcrypto refuses.
    public func mask(_ packet: RawSpan, sampleAt offset: Int) -> UInt64? {
        guard offset >= 0, offset + QUICCipher.sampleLength <= packet.byteCount else { return nil }
        return unsafe packet.withUnsafeBytes { bytes in
            guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            return unsafe mask(sample: base + offset)
        }
    }

    private func mask(sample: UnsafePointer<UInt8>) -> UInt64? {
        var room: (UInt64, UInt64) = (0, 0)
        var count: Int32 = 0
        let done = unsafe withUnsafeMutableBytes(of: &room) { room in
            guard let output = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            // Of ChaCha20 the sample is counter and nonce, and five zeros are encrypted (RFC 9001 §5.4.4).
            if isStream {
                return unsafe EVP_EncryptInit_ex(context, nil, nil, nil, sample) == 1
                    && EVP_EncryptUpdate(context, output, &count, output, 5) == 1
            }
            return unsafe EVP_EncryptUpdate(context, output, &count, sample, Int32(QUICCipher.sampleLength)) == 1
        }
        return done ? room.0.bigEndian >> 24 : nil
    }
}
