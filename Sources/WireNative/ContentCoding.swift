/// A content coding whose undoing is known here (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
public enum ContentCoding: UInt8, Sendable {
    case gzip
    /// By the letter a zlib wrapper around deflate; raw deflate is sent too, and told apart by the first two bytes.
    case deflate
    case brotli
    case zstd

    /// Largest window that undoing it can need, bytes, with what goes with it.
    var windowLimit: Int {
        switch self {
        case .gzip, .deflate: 48 << 10
        case .brotli: 17 << 20
        case .zstd: 9 << 20
        }
    }
}
