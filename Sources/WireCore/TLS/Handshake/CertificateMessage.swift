/// The certificates in the body of a Certificate message (RFC 5246 §7.4.2, RFC 8446 §4.4.2).
///
///     TLS 1.2                    length (3)  ( length (3) certificate )*
///     TLS 1.3   context (1 + n)  length (3)  ( length (3) certificate  length (2) extensions )*
struct CertificateMessage {
    struct Entry {
        /// The certificate itself.
        var certificate: Range<Int>
        /// With its length and its extensions.
        var all: Range<Int>
    }

    /// The first is the server's own.
    private(set) var entries: [Entry] = []
    /// What stands in front of the length of the list.
    private let lead: Range<Int>

    private static let limit = 32

    /// Nil when the body contradicts itself, holds no certificate, or more than 32.
    init?(_ body: RawSpan, isTLS13: Bool) {
        var outer = FieldWalk(0..<body.byteCount)
        if isTLS13, outer.vector8(body) == nil { return nil }
        lead = 0..<outer.offset
        guard let list = outer.vector24(body), outer.isAtEnd else { return nil }
        var walk = FieldWalk(list)
        while !walk.isAtEnd {
            let start = walk.offset
            guard let certificate = walk.vector24(body), !certificate.isEmpty, !isTLS13 || walk.vector16(body) != nil,
                entries.count < CertificateMessage.limit
            else { return nil }
            entries.append(Entry(certificate: certificate, all: start..<walk.offset))
        }
        if entries.isEmpty { return nil }
    }

    /// The body with some of its entries only.
    func body(_ body: RawSpan, keeping isKept: (Int) -> Bool) -> [UInt8] {
        let kept = entries.indices.filter(isKept).map { entries[$0].all }
        let count = kept.reduce(0) { $0 + $1.count }
        var result = body.array(lead)
        result += [UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8)]
        result.append(UInt8(truncatingIfNeeded: count))
        for range in kept { body.append(range, to: &result) }
        return result
    }
}
