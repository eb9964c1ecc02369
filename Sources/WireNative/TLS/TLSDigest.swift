/// A hash function of TLS: of the key schedule, or of a record's MAC.
public enum TLSDigest: Sendable, Hashable {
    case md5, sha1, sha256, sha384

    /// Bytes of a hash.
    public var length: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }
}
