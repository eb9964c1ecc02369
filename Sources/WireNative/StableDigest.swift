import CCrypto

/// SHA-256 of bytes: the same in every run and on every machine, which `ContentDigest` is not.
public enum StableDigest {
    /// The 32 bytes of the digest; nil where libcrypto refuses.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8]? {
        var digest = [UInt8](repeating: 0, count: 32)
        var length = digest.count
        let isDone = unsafe bytes.withUnsafeBytes { source in
            unsafe digest.withUnsafeMutableBytes { target in
                unsafe EVP_Q_digest(
                    nil, "SHA256", nil, source.baseAddress, source.count,
                    target.baseAddress?.assumingMemoryBound(to: UInt8.self), &length)
            }
        }
        return isDone == 1 && length == 32 ? digest : nil
    }
}
