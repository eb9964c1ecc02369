extension OutputBuffer {
    /// One CSV field (RFC 4180 §2), quoted where it must be. Bytes that are not UTF-8 become the characters of the same
    /// numbers, as in JSON, so that the file as a whole is UTF-8.
    package mutating func csvField(_ text: [UInt8]) { csvField(text.span) }

    package mutating func csvField(_ text: String) { csvField(text.utf8Span.span) }

    private mutating func csvField(_ source: Span<UInt8>) {
        if isPlainText(source), !needsQuotes(source) { return bytes(source) }
        let quoted = needsQuotes(source)
        if quoted { byte(0x22) }
        var index = 0
        while index < source.count {
            switch decodeScalar(source, at: index) {
            case .invalid(let value):
                byte(0xC0 | value >> 6)
                byte(0x80 | value & 0x3F)
                index += 1
            case .scalar(let value, let length):
                if value == 0x22 { byte(0x22) }
                for offset in 0..<length { byte(source[index + offset]) }
                index += length
            }
        }
        if quoted { byte(0x22) }
    }
}

private func needsQuotes(_ source: Span<UInt8>) -> Bool {
    for index in source.indices {
        let byte = source[index]
        if byte == 0x2C || byte == 0x22 || byte == 0x0A || byte == 0x0D { return true }
    }
    return false
}
