/// Hexadecimal digits of a key log, in either case.
extension RawSpan {
    /// Appends the bytes that pairs of digits stand for; false, with nothing appended, when these are no such pairs.
    func appendHexadecimal(to bytes: inout [UInt8]) -> Bool {
        guard byteCount.isMultiple(of: 2) else { return false }
        let before = bytes.count
        var offset = 0
        var faults: UInt8 = 0
        while offset < byteCount {
            let high = Self.digit(u8(offset))
            let low = Self.digit(u8(offset + 1))
            faults |= high | low
            bytes.append(high << 4 | low & 0x0F)
            offset += 2
        }
        if faults > 0x0F { bytes.removeLast(bytes.count - before) }
        return faults <= 0x0F
    }

    /// All are hexadecimal digits.
    var isHexadecimal: Bool {
        for offset in 0..<byteCount where Self.digit(u8(offset)) > 0x0F { return false }
        return true
    }

    /// Value of a digit; 0xFF for other bytes.
    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8 {
        let number = byte &- 0x30
        if number < 10 { return number }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : 0xFF
    }
}
