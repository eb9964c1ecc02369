/// An integer of 1 to 8 bytes (RFC 9000 §16), put together from the runs it comes in. The largest is 2⁶² − 1.
struct VariableInteger: Sendable, Equatable {
    private(set) var value: UInt64 = 0
    /// Bytes of it that came.
    private(set) var count = 0
    /// Bytes still to come; before its first byte one.
    private(set) var remaining = 1

    var isWhole: Bool { remaining == 0 }

    mutating func append(_ byte: UInt8) {
        if count == 0 {
            value = UInt64(byte & 0x3F)
            remaining = (1 << Int(byte >> 6)) - 1
        } else {
            value = value << 8 | UInt64(byte)
            remaining -= 1
        }
        count += 1
    }

    /// Takes bytes of a run from `offset` on until it is whole. Returns how many.
    mutating func receive(_ run: RawSpan, _ offset: Int) -> Int {
        var position = offset
        while !isWhole, position < run.byteCount {
            append(run.u8(position))
            position += 1
        }
        return position - offset
    }

    /// Reads one that is there as a whole and moves the offset behind it; nil where it is cut.
    static func read(_ bytes: RawSpan, _ offset: inout Int) -> UInt64? {
        var integer = VariableInteger()
        let count = integer.receive(bytes, offset)
        guard integer.isWhole else { return nil }
        offset += count
        return integer.value
    }
}
