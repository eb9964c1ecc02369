/// Searches over raw spans, eight bytes at a time.
extension RawSpan {
    /// Offset of the first line feed at or after `start`, or nil.
    func firstLineFeed(from start: Int) -> Int? {
        firstByte(0x0A, from: start)
    }

    /// Offset of the first byte equal to `byte` at or after `start`, or nil.
    func firstByte(_ byte: UInt8, from start: Int) -> Int? {
        var offset = start
        let count = byteCount
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        while count - offset >= 8 {
            let word = le64(offset) ^ pattern
            // A zero byte in `word` is a match; the lowest set high bit marks the first of them.
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return offset + zeros.trailingZeroBitCount >> 3 }
            offset += 8
        }
        while offset < count {
            if u8(offset) == byte { return offset }
            offset += 1
        }
        return nil
    }

    /// Whether the bytes at `offset` are those of `text`.
    func hasBytes(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, byteCount - offset >= length else { return false }
        let expected = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: length)
        for index in 0..<length where unsafe u8(offset + index) != expected[index] { return false }
        return true
    }

    /// Whether the bytes at `offset` are those of `text`, which is lower case, in any letter case.
    func hasBytesIgnoringCase(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, byteCount - offset >= length else { return false }
        let expected = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: length)
        for index in 0..<length where unsafe u8(offset + index).lowercasedASCII != expected[index] { return false }
        return true
    }

    /// Appends the bytes of a range to an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        guard !range.isEmpty else { return }
        unsafe extracting(range).withUnsafeBytes { unsafe array.append(contentsOf: $0) }
    }

    /// The bytes of a range as an array.
    func array(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        append(range, to: &bytes)
        return bytes
    }
}

extension [UInt8] {
    /// Offset of the first line feed at or after `start`, or nil.
    func firstLineFeed(from start: Int) -> Int? { unsafe span.bytes.firstLineFeed(from: start) }
}

extension UInt8 {
    /// The byte with A-Z turned into a-z.
    @inline(__always)
    var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    @inline(__always)
    var isASCIIDigit: Bool { self &- 0x30 < 10 }
    @inline(__always)
    var isUppercaseASCII: Bool { self &- 0x41 < 26 }

    /// tchar of RFC 9110 §5.6.2: what a method or field name is made of.
    var isToken: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
        default: false
        }
    }

    /// The value of a hexadecimal digit, or nil.
    var hexadecimalValue: Int? {
        switch self {
        case 0x30...0x39: Int(self) - 0x30
        case 0x41...0x46: Int(self) - 0x37
        case 0x61...0x66: Int(self) - 0x57
        default: nil
        }
    }
}
