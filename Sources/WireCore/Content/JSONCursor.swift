/// Walks over JSON text (RFC 8259) that may be cut or wrong, and makes no values of it. It never looks back, and nesting
/// costs no memory.
struct JSONCursor {
    private(set) var offset: Int
    /// The object or array that was entered last ended in sight.
    private(set) var isClosed = false

    init(at offset: Int = 0) { self.offset = offset }

    /// The byte that the next value begins with; nil at the end of the text.
    mutating func peek(_ bytes: RawSpan) -> UInt8? {
        while offset < bytes.byteCount, JSONCursor.isSpace(bytes.u8(offset)) { offset += 1 }
        return offset < bytes.byteCount ? bytes.u8(offset) : nil
    }

    /// Goes into an object or array; false where none begins here.
    mutating func enter(_ bytes: RawSpan, _ bracket: UInt8) -> Bool {
        guard peek(bytes) == bracket else { return false }
        offset += 1
        isClosed = false
        return true
    }

    /// Goes to the value of the next member of an object. Returns where its name stands, without quotes; nil at the end of the
    /// object or of what can be read of it.
    mutating func nextMember(_ bytes: RawSpan) -> Range<Int>? {
        guard nextElement(bytes), let name = string(bytes), peek(bytes) == 0x3A else { return nil }
        offset += 1
        return name
    }

    /// Goes to the next element of an array; false at its end, or at that of what can be read.
    mutating func nextElement(_ bytes: RawSpan) -> Bool {
        while let byte = peek(bytes) {
            switch byte {
            case 0x2C: offset += 1
            case 0x5D, 0x7D:
                offset += 1
                isClosed = true
                return false
            default: return true
            }
        }
        return false
    }

    /// Goes behind a string. Returns where it stands, without quotes; nil where none begins or its end is missing.
    mutating func string(_ bytes: RawSpan) -> Range<Int>? {
        guard peek(bytes) == 0x22 else { return nil }
        var end = offset + 1
        while end < bytes.byteCount {
            switch bytes.u8(end) {
            case 0x22:
                let range = offset + 1..<end
                offset = end + 1
                return range
            case 0x5C: end += 2
            default: end += 1
            }
        }
        return nil
    }

    /// Goes behind a value of any kind; false where its end is missing.
    mutating func skipValue(_ bytes: RawSpan) -> Bool {
        var depth = 0
        repeat {
            guard let byte = peek(bytes) else { return false }
            switch byte {
            case 0x22: if string(bytes) == nil { return false }
            case 0x5B, 0x7B:
                depth += 1
                offset += 1
            case 0x5D, 0x7D, 0x2C, 0x3A:
                guard depth > 0 else { return false }
                if byte == 0x5D || byte == 0x7D { depth -= 1 }
                offset += 1
            default: skipWord(bytes)
            }
        } while depth > 0
        return true
    }

    /// A number, true, false or null.
    private mutating func skipWord(_ bytes: RawSpan) {
        while offset < bytes.byteCount {
            switch bytes.u8(offset) {
            case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: return
            default: offset += 1
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    // MARK: Text

    /// What a string says, its escapes undone. Half a pair of surrogates is U+FFFD.
    static func text(_ bytes: RawSpan, _ range: Range<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes.u8(offset)
            guard byte == 0x5C, offset + 1 < range.upperBound else {
                text.append(byte)
                offset += 1
                continue
            }
            offset += 2
            switch bytes.u8(offset - 1) {
            case 0x62: text.append(0x08)
            case 0x66: text.append(0x0C)
            case 0x6E: text.append(0x0A)
            case 0x72: text.append(0x0D)
            case 0x74: text.append(0x09)
            case 0x75: text.append(contentsOf: String(scalar(bytes, &offset, range.upperBound)).utf8)
            default: text.append(bytes.u8(offset - 1))
            }
        }
        return text
    }

    /// The character of an escape whose four digits stand at `offset`, with the one behind it if both make a pair.
    private static func scalar(_ bytes: RawSpan, _ offset: inout Int, _ end: Int) -> Unicode.Scalar {
        let unknown = Unicode.Scalar(0xFFFD as UInt16) ?? " "
        guard let high = codeUnit(bytes, offset, end) else { return unknown }
        offset += 4
        guard 0xD800..<0xDC00 ~= high, offset + 1 < end, bytes.hasBytes("\\u", at: offset),
            let low = codeUnit(bytes, offset + 2, end), 0xDC00..<0xE000 ~= low
        else { return Unicode.Scalar(high) ?? unknown }
        offset += 6
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? unknown
    }

    private static func codeUnit(_ bytes: RawSpan, _ offset: Int, _ end: Int) -> UInt32? {
        guard end - offset >= 4 else { return nil }
        var value: UInt32 = 0
        for place in offset..<offset + 4 {
            guard let digit = bytes.u8(place).hexadecimalValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
