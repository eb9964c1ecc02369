import WireNative

extension OutputBuffer {
    /// A JSON string (RFC 8259 §7) of bytes from the wire. Bytes that are not UTF-8 become the characters of the same
    /// numbers (Latin-1); controls and characters that reorder text are escaped, so the output is safe to look at too.
    package mutating func jsonString(_ source: [UInt8]) { jsonString(source.span) }

    package mutating func jsonString(_ text: String) { jsonString(text.utf8Span.span) }

    private mutating func jsonString(_ source: Span<UInt8>) {
        byte(0x22)
        if isPlainText(source) {
            bytes(source)
        } else {
            escapedJSON(source)
        }
        byte(0x22)
    }

    private mutating func escapedJSON(_ source: Span<UInt8>) {
        var index = 0
        while index < source.count {
            switch decodeScalar(source, at: index) {
            case .invalid(let value):
                escape(UInt32(value))
                index += 1
            case .scalar(let value, let length):
                escapedJSON(value, of: source, at: index, length: length)
                index += length
            }
        }
    }

    private mutating func escapedJSON(_ value: UInt32, of source: Span<UInt8>, at index: Int, length: Int) {
        switch value {
        case 0x22: literal("\\\"")
        case 0x5C: literal("\\\\")
        case 0x0A: literal("\\n")
        case 0x0D: literal("\\r")
        case 0x09: literal("\\t")
        default:
            if isUnsafeForDisplay(value) {
                escape(value)
            } else {
                for offset in 0..<length { byte(source[index + offset]) }
            }
        }
    }

    /// `\uXXXX`, as a surrogate pair above U+FFFF.
    private mutating func escape(_ value: UInt32) {
        guard value > 0xFFFF else { return escapeUnit(value) }
        escapeUnit(0xD800 + (value - 0x10000) >> 10)
        escapeUnit(0xDC00 + (value - 0x10000) & 0x3FF)
    }

    private mutating func escapeUnit(_ unit: UInt32) {
        literal("\\u")
        for shift in [UInt32(12), 8, 4, 0] { byte(hexadecimalDigit(unit >> shift & 15)) }
    }
}

/// Nothing in the text needs an escape or a second look: printable ASCII without quotes and backslashes.
package func isPlainText(_ source: Span<UInt8>) -> Bool {
    for index in source.indices {
        let byte = source[index]
        if byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { return false }
    }
    return true
}

/// The lower-case digit of a number below 16.
package func hexadecimalDigit(_ value: UInt32) -> UInt8 {
    UInt8(value < 10 ? 0x30 + value : 0x57 + value)
}
