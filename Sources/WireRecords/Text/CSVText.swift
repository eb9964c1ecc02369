import WireNative

extension OutputBuffer {
    /// One CSV field (RFC 4180 §2), quoted where it must be. Bytes that are not UTF-8 become the characters of the same
    /// numbers, as in JSON, so that the file as a whole is UTF-8.
    package mutating func csvField(_ text: [UInt8]) {
        let source = text.span
        let quoted = needsQuotes(source)
        if isPlainText(source), !quoted { return bytes(source) }
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

/// Text that no spreadsheet runs as a formula: an apostrophe stands before the first characters that OWASP lists (CSV
/// Injection), and before their full-width forms, which spreadsheets of East Asia take for the same.
package func withoutFormula(_ text: [UInt8]) -> [UInt8] {
    let isFormula: Bool
    switch text.first {
    case 0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0A, 0x0D: isFormula = true
    default: isFormula = ["＝", "＋", "－", "＠"].contains { text.starts(with: $0.utf8) }
    }
    return isFormula ? [0x27] + text : text
}

/// A semicolon as well: it is the comma of spreadsheets in many countries, and what follows it would be a cell.
private func needsQuotes(_ source: Span<UInt8>) -> Bool {
    for index in source.indices {
        let byte = source[index]
        if byte == 0x2C || byte == 0x22 || byte == 0x0A || byte == 0x0D || byte == 0x3B { return true }
    }
    return false
}
