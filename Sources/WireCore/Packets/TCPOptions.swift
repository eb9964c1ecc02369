/// The options of a TCP header that matter to byte accounting (RFC 9293 §3.2, RFC 7323, RFC 2018, RFC 7413).
package struct TCPOptions: Sendable {
    /// Largest segment that the sender of this option takes, in bytes of TCP payload and options.
    package var maximumSegmentSize: Int?
    /// Shift of the window field, 14 at most.
    package var windowScale: Int?
    package var permitsSelectiveAcknowledgment = false
    package var hasTimestamps = false
    package var hasFastOpenCookie = false
    /// Multipath TCP (RFC 8684).
    package var hasMultipath = false

    package init() {}

    /// The first block of the SACK option (RFC 2018 §3); nil where there is none.
    static func firstSelectiveBlock(_ options: RawSpan) -> (start: SequenceNumber, end: SequenceNumber)? {
        var offset = 0
        while offset + 1 < options.byteCount, options.u8(offset) != 0 {
            guard options.u8(offset) != 1 else {
                offset += 1
                continue
            }
            let length = Int(options.u8(offset + 1))
            guard length >= 2, offset + length <= options.byteCount else { return nil }
            if options.u8(offset) == 5, length >= 10 {
                return (SequenceNumber(options.be32(offset + 2)), SequenceNumber(options.be32(offset + 6)))
            }
            offset += length
        }
        return nil
    }

    /// Reads options from the bytes between the fixed header and the payload, until their end or the first
    /// ill-formed one. What was read before it counts.
    package static func parse(_ options: RawSpan) -> TCPOptions {
        var result = TCPOptions()
        var offset = 0
        while offset < options.byteCount {
            let kind = options.u8(offset)
            if kind == 0 { break }
            if kind == 1 {
                offset += 1
                continue
            }
            guard offset + 2 <= options.byteCount else { break }
            let length = Int(options.u8(offset + 1))
            guard length >= 2, offset + length <= options.byteCount else { break }
            switch (kind, length) {
            case (2, 4): result.maximumSegmentSize = Int(options.be16(offset + 2))
            case (3, 3): result.windowScale = min(14, Int(options.u8(offset + 2)))
            case (4, 2): result.permitsSelectiveAcknowledgment = true
            case (8, 10): result.hasTimestamps = true
            case (34, _): result.hasFastOpenCookie = true
            case (30, _): result.hasMultipath = true
            default: break
            }
            offset += length
        }
        return result
    }
}
