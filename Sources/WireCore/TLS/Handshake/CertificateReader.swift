import Synchronization
import WireNative

/// Reads the certificates of servers for an audit that asks what they cost (`AuditOptions.certificates`). Equal chains are
/// read once.
public final class CertificateReader: Sendable {
    private struct Key: Hashable {
        var digest: UInt64
        var isTLS13: Bool
        var codings: [CertificateCoding]
    }

    private struct Known {
        /// Nil: no chain of X.509.
        var chains: [Key: CertificateChain?] = [:]
        /// Of the messages that were read.
        var bytes = 0
    }

    private enum Search {
        case known(CertificateChain?)
        case new
        case beyondLimit
    }

    /// Bytes of different messages that are read; the compressors need seconds for a megabyte.
    private static let limit = 4 << 20

    private let known = Mutex(Known())

    public init() {}

    /// Reads the body of a Certificate message. `offered`: numbers of the client's compress_certificate. Nil where it is no
    /// chain of X.509, or beyond the limit.
    func read(_ body: [UInt8], isTLS13: Bool, offered: [UInt16]) -> CertificateChain? {
        var digest = ContentDigest()
        unsafe digest.consume(body.span.bytes)
        let codings = isTLS13 ? CertificateCoding.allCases.filter { offered.contains($0.rawValue) } : []
        let key = Key(digest: digest.value, isTLS13: isTLS13, codings: codings)
        switch search(key, body.count) {
        case .known(let chain): return chain
        case .beyondLimit: return nil
        case .new:
            // Two threads may read the same one; what they find is the same.
            let chain = unsafe CertificateChain(body.span.bytes, isTLS13: isTLS13, codings: codings)
            known.withLock { $0.chains[key] = .some(chain) }
            return chain
        }
    }

    private func search(_ key: Key, _ count: Int) -> Search {
        known.withLock { known in
            if let chain = known.chains[key] { return .known(chain) }
            guard known.bytes + count <= CertificateReader.limit else { return .beyondLimit }
            known.bytes += count
            return .new
        }
    }
}
