/// Variable-length integers (RFC 9000 §16): the two highest bits of the first byte tell the length.
extension RawSpan {
    /// The number at `offset`, which moves behind it; nil where it does not end before `end`.
    @inline(__always)
    func varint(_ offset: inout Int, end: Int) -> UInt64? {
        guard offset < end else { return nil }
        let first = u8(offset)
        let length = 1 << Int(first >> 6)
        guard end - offset >= length else { return nil }
        defer { offset += length }
        switch length {
        case 1: return UInt64(first)
        case 2: return UInt64(be16(offset) & 0x3FFF)
        case 4: return UInt64(be32(offset) & 0x3FFF_FFFF)
        default: return be64(offset) & 0x3FFF_FFFF_FFFF_FFFF
        }
    }
}
