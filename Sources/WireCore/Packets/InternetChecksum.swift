/// The Internet checksum (RFC 1071): the one's complement sum of 16-bit words.
///
/// Sums are kept in the machine's byte order; RFC 1071 §2(B) shows that this changes only the order of the result's
/// bytes.
struct InternetChecksum: Sendable {
    /// Sum so far, not folded.
    private var sum: UInt64 = 0

    /// Adds bytes; an odd last byte is followed by a zero. Each span but the last must have an even length.
    mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var offset = 0
        // 32 bytes at a time. A lane grows by less than 2¹⁶ a step and is emptied before it can overflow.
        while count - offset >= 32 {
            var low = SIMD8<UInt32>(repeating: 0)
            var high = SIMD8<UInt32>(repeating: 0)
            let end = offset + min((count - offset) & ~31, 32 << 14)
            while offset < end {
                let words = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
                low &+= words & 0xFFFF
                high &+= words &>> 16
                offset += 32
            }
            for lane in 0..<8 { sum += UInt64(low[lane]) + UInt64(high[lane]) }
        }
        while count - offset >= 2 {
            sum += UInt64(bytes.le16(offset))
            offset += 2
        }
        if offset < count { sum += UInt64(bytes.u8(offset)) }
    }

    /// Adds a number as it stands on the wire, most significant byte first.
    mutating func add(_ value: UInt64) {
        let wire = value.bigEndian
        sum += (wire & 0xFFFF_FFFF) + (wire >> 32)
    }

    /// The folded sum: 0xFFFF over data that holds its right checksum.
    var folded: UInt16 {
        var sum = sum
        while sum >> 16 != 0 { sum = (sum & 0xFFFF) + (sum >> 16) }
        return UInt16(sum)
    }
}
