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

    /// The next option at or behind `offset`, with the bytes that it takes; `offset` moves behind it. Nil at the end of the
    /// list, and from the first ill-formed option on.
    static func next(_ options: RawSpan, _ offset: inout Int) -> (kind: UInt8, range: Range<Int>)? {
        while offset < options.byteCount, options.u8(offset) == 1 { offset += 1 }
        guard offset + 1 < options.byteCount, options.u8(offset) != 0 else { return nil }
        let range = offset..<offset + Int(options.u8(offset + 1))
        guard range.count >= 2, range.upperBound <= options.byteCount else { return nil }
        offset = range.upperBound
        return (options.u8(range.lowerBound), range)
    }

    /// The first block of the SACK option (RFC 2018 §3); nil where there is none.
    static func firstSelectiveBlock(_ options: RawSpan) -> (start: SequenceNumber, end: SequenceNumber)? {
        var offset = 0
        while let (kind, range) = next(options, &offset) {
            guard kind == 5, range.count >= 10 else { continue }
            let start = range.lowerBound + 2
            return (SequenceNumber(options.be32(start)), SequenceNumber(options.be32(start + 4)))
        }
        return nil
    }

    /// Reads options from the bytes between the fixed header and the payload, until their end or the first
    /// ill-formed one. What was read before it counts.
    package static func parse(_ options: RawSpan) -> TCPOptions {
        var result = TCPOptions()
        var offset = 0
        while let (kind, range) = next(options, &offset) {
            let value = range.lowerBound + 2
            switch (kind, range.count) {
            case (2, 4): result.maximumSegmentSize = Int(options.be16(value))
            case (3, 3): result.windowScale = min(14, Int(options.u8(value)))
            case (4, 2): result.permitsSelectiveAcknowledgment = true
            case (8, 10): result.hasTimestamps = true
            case (34, _): result.hasFastOpenCookie = true
            case (30, _): result.hasMultipath = true
            default: break
            }
        }
        return result
    }
}
