import CCrypto

/// Digests of a few bytes.
package enum ShortDigest {
    /// SHA-1 and SHA-256 (FIPS 180-4); zeros where the library refuses them.
    package static func sha1(_ bytes: [UInt8]) -> [UInt8] { unsafe digest(bytes, EVP_sha1(), length: 20) }
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { unsafe digest(bytes, EVP_sha256(), length: 32) }

    private static func digest(_ bytes: [UInt8], _ algorithm: OpaquePointer?, length: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: length)
        _ = unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm, nil)
        return digest
    }
}
