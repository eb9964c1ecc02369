/// The Internet checksum (RFC 1071): the one's complement sum of 16-bit words.
///
/// Sums are kept in the machine's byte order; RFC 1071 §2(B) shows that this changes only the order of the result's
/// bytes. Several words are added at a time: 2¹⁶, and so 2³² and 2⁶⁴, is 1 in this arithmetic, a carry out of the top goes
/// in again at the bottom.
struct InternetChecksum: Sendable {
    private var sum: UInt64 = 0

    /// Adds bytes; an odd last byte is followed by a zero. Each span but the last must have an even length.
    mutating func add(_ bytes: RawSpan) {
        let count = bytes.byteCount
        var offset = 0
        var carries: UInt64 = 0
        // 2³¹ halves of 32 bits can be added before there is a carry. What the sum of the whole words lacks of one is in the
        // upper halves.
        var (all, high) = (SIMD2<UInt64>(), SIMD2<UInt64>())
        let end = min(count, 1 << 31)
        while end &- offset >= 32 {
            for place in 0..<2 {
                // 32 bytes are there.
                let words = unsafe bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: offset &+ place &* 16, as: SIMD2<UInt64>.self)
                all &+= words
                high &+= words &>> 32
            }
            offset &+= 32
        }
        let low = all &- high &<< 32
        InternetChecksum.add(low.wrappedSum(), to: &sum, &carries)
        InternetChecksum.add(high.wrappedSum(), to: &sum, &carries)
        while count - offset >= 8 {
            let word = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            InternetChecksum.add(word, to: &sum, &carries)
            offset &+= 8
        }
        if count - offset >= 4 {
            InternetChecksum.add(UInt64(bytes.le32(offset).littleEndian), to: &sum, &carries)
            offset += 4
        }
        if count - offset >= 2 {
            InternetChecksum.add(UInt64(bytes.le16(offset).littleEndian), to: &sum, &carries)
            offset += 2
        }
        if offset < count { InternetChecksum.add(UInt64(UInt16(bytes.u8(offset)).littleEndian), to: &sum, &carries) }
        addCarries(carries)
    }

    /// Adds a number as it stands on the wire, most significant byte first.
    @inline(__always)
    mutating func add(_ value: UInt64) {
        var carries: UInt64 = 0
        InternetChecksum.add(value.bigEndian, to: &sum, &carries)
        addCarries(carries)
    }

    @inline(__always)
    private static func add(_ word: UInt64, to sum: inout UInt64, _ carries: inout UInt64) {
        let (partial, overflow) = sum.addingReportingOverflow(word)
        sum = partial
        carries &+= overflow ? 1 : 0
    }

    @inline(__always)
    private mutating func addCarries(_ carries: UInt64) {
        let (partial, overflow) = sum.addingReportingOverflow(carries)
        sum = overflow ? partial &+ 1 : partial
    }

    /// The folded sum: 0xFFFF over data that holds its right checksum.
    @inline(__always)
    var folded: UInt16 {
        var sum = (sum & 0xFFFF_FFFF) + (sum >> 32)
        while sum >> 16 != 0 { sum = (sum & 0xFFFF) + (sum >> 16) }
        return UInt16(sum)
    }
}

/// The sum over addresses, protocol and length with which checksums of TCP and UDP begin (RFC 9293 §3.1).
struct PseudoHeader {
    let sum: InternetChecksum
    private let withoutLength: UInt16

    /// - Parameters:
    ///   - high: the upper halves of both addresses, 0 for IPv4.
    ///   - low: the lower halves.
    ///   - length: bytes of the transport header and what follows.
    @inline(__always)
    init(high: InlineArray<2, UInt64>, low: InlineArray<2, UInt64>, protocolNumber: UInt8, length: Int) {
        var sum = InternetChecksum()
        for index in 0..<2 {
            sum.add(high[index])
            sum.add(low[index])
        }
        sum.add(UInt64(protocolNumber))
        withoutLength = sum.folded
        sum.add(UInt64(length))
        self.sum = sum
    }

    /// Whether the field, read with its low byte first, was left for the hardware to fill in: it holds nothing, or the sum
    /// of the pseudo-header with or without the length.
    func isUnfilled(_ field: UInt16) -> Bool { field == 0 || field == sum.folded || field == withoutLength }
}
