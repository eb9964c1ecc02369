import CCrypto

/// The integrity tag of Retry packets (RFC 9001 §5.8). Its key is public: the tag proves that the sender saw the client's
/// first Initial, nothing more.
public enum QUICRetryTag {
    /// Whether a Retry ends with the tag that belongs to it.
    ///
    /// - Parameters:
    ///   - packet: the whole packet.
    ///   - originalID: the destination connection ID of the Initial that it answers.
    ///   - key: 16 bytes, those of the version.
    ///   - nonce: 12 bytes, those of the version.
    public static func isRight(_ packet: RawSpan, originalID: [UInt8], key: [UInt8], nonce: [UInt8]) -> Bool {
        let length = packet.byteCount - QUICCipher.tagLength
        guard length > 0, key.count == 16, nonce.count == 12, originalID.count < 256,
            let algorithm = unsafe Libcrypto.packetCipher(.aes128GCM), let context = unsafe EVP_CIPHER_CTX_new()
        else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let prefix = [UInt8(originalID.count)] + originalID
        var count: Int32 = 0
        var room: UInt8 = 0
        return unsafe packet.withUnsafeBytes { bytes in
            guard let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
            // libcrypto's signature does not say const, but the tag is only read.
            let tag = unsafe UnsafeMutableRawPointer(mutating: base + length)
            return unsafe EVP_DecryptInit_ex(context, algorithm, nil, key, nonce) == 1
                && EVP_DecryptUpdate(context, nil, &count, prefix, Int32(prefix.count)) == 1
                && EVP_DecryptUpdate(context, nil, &count, base, Int32(length)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(QUICCipher.tagLength), tag) == 1
                && EVP_DecryptFinal_ex(context, &room, &count) == 1
        }
    }
}
