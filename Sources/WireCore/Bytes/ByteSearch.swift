/// Searches over raw spans, sixteen bytes at a time. Loads without a check of their own stand behind one of the length.
extension RawSpan {
    /// Offset of the first line feed at or after `start`, or nil.
    func firstLineFeed(from start: Int) -> Int? {
        firstByte(0x0A, from: start)
    }

    /// Offset of the first byte equal to `byte` at or after `start`, or nil.
    func firstByte(_ byte: UInt8, from start: Int) -> Int? {
        guard start >= 0, start < byteCount else { return nil }
        var offset = start
        let count = byteCount
        let pattern = SIMD16<UInt8>(repeating: byte)
        while count &- offset >= 16 {
            let equal = matches(pattern, at: offset)
            if equal[0] != 0 { return offset &+ equal[0].trailingZeroBitCount >> 3 }
            if equal[1] != 0 { return offset &+ 8 &+ equal[1].trailingZeroBitCount >> 3 }
            offset &+= 16
        }
        while offset < count {
            if u8(offset) == byte { return offset }
            offset &+= 1
        }
        return nil
    }

    /// A byte of ones for each of sixteen bytes that is equal to its like in the pattern, a byte of zeros for the others.
    /// The caller knows that the sixteen are there.
    @inline(__always)
    private func matches(_ pattern: SIMD16<UInt8>, at offset: Int) -> SIMD2<UInt64> {
        let bytes = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
        let words = unsafe unsafeBitCast(bytes .== pattern, to: SIMD2<UInt64>.self)
        return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }

    /// A bit for each line feed among the 64 bytes from `offset`, fewer at the end; the lowest is the first byte's.
    fileprivate func lineFeeds(at offset: Int) -> UInt64 {
        let count = byteCount - offset
        guard count < 64 else {
            return sixteenLineFeeds(offset) | sixteenLineFeeds(offset &+ 16) << 16
                | sixteenLineFeeds(offset &+ 32) << 32 | sixteenLineFeeds(offset &+ 48) << 48
        }
        var bits: UInt64 = 0
        var place = 0
        while count - place >= 16 {
            bits |= sixteenLineFeeds(offset &+ place) << UInt64(place)
            place += 16
        }
        while place < count {
            if u8(offset + place) == 0x0A { bits |= 1 << UInt64(place) }
            place += 1
        }
        return bits
    }

    @inline(__always)
    private func sixteenLineFeeds(_ offset: Int) -> UInt64 {
        let bits = matches(SIMD16(repeating: 0x0A), at: offset) & SIMD2(repeating: 0x8040_2010_0804_0201)
        // The product's top byte is the sum of all bytes: each holds a bit of its own.
        let low = (bits[0] &* 0x0101_0101_0101_0101) >> 56
        let high = (bits[1] &* 0x0101_0101_0101_0101) >> 56
        return low | high << 8
    }

    /// Eight words that are spread over the span, the last ones among them. It has 64 bytes or more.
    @inline(__always)
    func spreadWords() -> InlineArray<8, UInt64> {
        precondition(byteCount >= 64)
        let step = byteCount >> 3
        return [
            word(at: 0), word(at: step), word(at: 2 &* step), word(at: 3 &* step), word(at: 4 &* step),
            word(at: 5 &* step), word(at: 6 &* step), word(at: byteCount &- 8),
        ]
    }

    /// Sixteen bytes as two words of the machine's order. The caller knows that they are there.
    @inline(__always)
    private func sixteen(at offset: Int) -> SIMD2<UInt64> {
        unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
    }

    /// Eight bytes, least significant first. The caller knows that they are there.
    @inline(__always)
    private func word(at offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Whether the bytes at `offset` are those of `text`.
    @inline(__always)
    func hasBytes(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, byteCount - offset >= length else { return false }
        let expected = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: length)
        var index = 0
        while length - index >= 8 {
            guard unsafe le64(offset + index) == RawSpan.word(expected, index) else { return false }
            index += 8
        }
        while index < length {
            guard unsafe u8(offset + index) == expected[index] else { return false }
            index += 1
        }
        return true
    }

    /// Whether the text stands at `offset`, as far as the span reaches.
    func hasBeginning(of text: StaticString, at offset: Int) -> Bool {
        for index in 0..<max(0, min(text.utf8CodeUnitCount, byteCount - offset))
        where unsafe u8(offset + index) != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// Whether the bytes at `offset` are those of `text`, which is lower case, in any letter case.
    @inline(__always)
    func hasBytesIgnoringCase(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, byteCount - offset >= length else { return false }
        let expected = unsafe UnsafeRawBufferPointer(start: text.utf8Start, count: length)
        var index = 0
        while length - index >= 8 {
            guard unsafe le64(offset + index).lowercasedASCII == RawSpan.word(expected, index) else { return false }
            index += 8
        }
        // The last eight, some of them once more.
        if length >= 8 {
            index = length - 8
            return unsafe le64(offset + index).lowercasedASCII == RawSpan.word(expected, index)
        }
        while index < length {
            guard unsafe u8(offset + index).lowercasedASCII == expected[index] else { return false }
            index += 1
        }
        return true
    }

    /// Whether a byte of the range is below 0x20.
    func hasControl(in range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            if le64(offset).hasControl { return true }
            offset += 8
        }
        // The last eight, some of them once more.
        if range.count >= 8 { return le64(range.upperBound - 8).hasControl }
        while offset < range.upperBound {
            if u8(offset) < 0x20 { return true }
            offset += 1
        }
        return false
    }

    /// Whether a byte of the range is a percent sign or outside of ASCII.
    func hasEscape(in range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while range.upperBound - offset >= 8 {
            if le64(offset).hasEscape { return true }
            offset += 8
        }
        while offset < range.upperBound {
            if u8(offset) == 0x25 || u8(offset) >= 0x80 { return true }
            offset += 1
        }
        return false
    }

    /// Whether all bytes of the range are ASCII.
    func isASCII(in range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
        var offset = range.lowerBound
        var words = SIMD2<UInt64>()
        while range.upperBound &- offset >= 16 {
            words |= sixteen(at: offset)
            offset &+= 16
        }
        if (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0 { return false }
        while offset < range.upperBound {
            if u8(offset) >= 0x80 { return false }
            offset += 1
        }
        return true
    }

    /// Whether a byte of the range is one of A-Z.
    private func hasUppercase(in range: Range<Int>) -> Bool {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
        var offset = range.lowerBound
        var letters = SIMD2<UInt64>()
        while range.upperBound &- offset >= 16 {
            // As `lowercasedASCII` finds them.
            let words = sixteen(at: offset)
            let low = words & 0x7F7F_7F7F_7F7F_7F7F
            letters |= (low &+ 0x3F3F_3F3F_3F3F_3F3F) & ~(low &+ 0x2525_2525_2525_2525 | words)
            offset &+= 16
        }
        if (letters[0] | letters[1]) & 0x8080_8080_8080_8080 != 0 { return true }
        if range.upperBound - offset >= 8 {
            let word = le64(offset)
            if word.lowercasedASCII != word { return true }
        }
        if range.count >= 8 {
            let word = le64(range.upperBound - 8)
            return word.lowercasedASCII != word
        }
        while offset < range.upperBound {
            if u8(offset).isUppercaseASCII { return true }
            offset += 1
        }
        return false
    }

    /// Whether nothing but zeros stands from `start` on.
    func isZero(from start: Int) -> Bool {
        var offset = start
        while offset + 8 <= byteCount, le64(offset) == 0 { offset += 8 }
        while offset < byteCount, u8(offset) == 0 { offset += 1 }
        return offset >= byteCount
    }

    /// Whether both hold the same bytes.
    func isEqual(to other: RawSpan) -> Bool {
        let count = byteCount
        guard other.byteCount == count else { return false }
        var offset = 0
        var difference = SIMD2<UInt64>()
        while count &- offset >= 16 {
            difference |= sixteen(at: offset) ^ other.sixteen(at: offset)
            offset &+= 16
        }
        guard difference[0] | difference[1] == 0 else { return false }
        // The last eight, some of them once more.
        if count - offset >= 8, le64(offset) != other.le64(offset) { return false }
        if count >= 8 { return le64(count - 8) == other.le64(count - 8) }
        while offset < count {
            guard u8(offset) == other.u8(offset) else { return false }
            offset += 1
        }
        return true
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Whether `other`, which begins at `offset` of this span (before it if below 0), has other bytes than this where
    /// they overlap.
    func differs(from other: RawSpan, at offset: Int) -> Bool {
        var position = max(offset, 0)
        let end = min(byteCount, offset + other.byteCount)
        while end - position >= 8 {
            if le64(position) != other.le64(position - offset) { return true }
            position += 8
        }
        while position < end {
            if u8(position) != other.u8(position - offset) { return true }
            position += 1
        }
        return false
    }

    /// Appends the bytes of a range to an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        guard !range.isEmpty else { return }
        unsafe extracting(range).withUnsafeBytes {
            unsafe array.append(contentsOf: $0.assumingMemoryBound(to: UInt8.self))
        }
    }

    /// The bytes of a range as an array, with A-Z turned into a-z.
    func lowercased(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        appendLowercased(range, to: &bytes)
        return bytes
    }

    /// Appends the bytes of a range with A-Z turned into a-z.
    func appendLowercased(_ range: Range<Int>, to array: inout [UInt8]) {
        let start = array.count
        append(range, to: &array)
        guard hasUppercase(in: range) else { return }
        for index in start..<array.count where array[index].isUppercaseASCII { array[index] |= 0x20 }
    }

    /// The bytes of a range as an array.
    func array(_ range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBytes { unsafe [UInt8]($0) }
    }
}

extension [UInt8] {
    /// Offset of the first line feed at or after `start`, or nil.
    func firstLineFeed(from start: Int) -> Int? { unsafe span.bytes.firstLineFeed(from: start) }
}

/// The line feeds of a span one after another. They are looked for 64 bytes at a time, so that finding one takes no loop
/// over its line.
struct LineFeeds {
    /// Where the block of 64 bytes begins.
    private var block: Int
    /// Those of it that were not given yet.
    private var rest: UInt64 = 0

    init(from start: Int) { block = start &- 64 }

    /// Offset of the next one, or nil. The span is the same each time.
    @inline(__always)
    mutating func next(in bytes: RawSpan) -> Int? {
        while rest == 0 {
            guard bytes.byteCount &- block > 64 else { return nil }
            block &+= 64
            rest = bytes.lineFeeds(at: block)
        }
        let place = rest.trailingZeroBitCount
        rest &= rest &- 1
        return block &+ place
    }
}

extension UInt64 {
    /// Whether one of eight bytes is below 0x20.
    @inline(__always)
    fileprivate var hasControl: Bool { (self &- 0x2020_2020_2020_2020) & ~self & 0x8080_8080_8080_8080 != 0 }

    /// Whether one of eight bytes is a percent sign or outside of ASCII.
    @inline(__always)
    fileprivate var hasEscape: Bool {
        let distance = self ^ 0x2525_2525_2525_2525
        return (self | (distance &- 0x0101_0101_0101_0101) & ~distance) & 0x8080_8080_8080_8080 != 0
    }

    /// Eight bytes with A-Z turned into a-z.
    @inline(__always)
    var lowercasedASCII: UInt64 {
        let low = self & 0x7F7F_7F7F_7F7F_7F7F
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let behindZ = low &+ 0x2525_2525_2525_2525
        return self | (fromA & ~behindZ & ~self & 0x8080_8080_8080_8080) >> 2
    }
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
