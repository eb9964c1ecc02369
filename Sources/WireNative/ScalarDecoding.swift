/// One step through bytes that are UTF-8 or only claim to be.
package enum DecodedScalar {
    case scalar(UInt32, length: Int)
    /// A byte that is part of no well-formed sequence (RFC 3629 §4: no overlong forms, no surrogates, nothing above
    /// U+10FFFF).
    case invalid(UInt8)
}

/// Decodes what begins at `index`, which must be inside `bytes`.
package func decodeScalar(_ bytes: Span<UInt8>, at index: Int) -> DecodedScalar {
    let first = bytes[index]
    if first < 0x80 { return .scalar(UInt32(first), length: 1) }
    let length: Int
    let minimum: UInt32
    switch first {
    case 0xC2...0xDF: (length, minimum) = (2, 0x80)
    case 0xE0...0xEF: (length, minimum) = (3, 0x800)
    case 0xF0...0xF4: (length, minimum) = (4, 0x10000)
    default: return .invalid(first)
    }
    guard bytes.count - index >= length else { return .invalid(first) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length {
        let next = bytes[index + offset]
        guard next & 0xC0 == 0x80 else { return .invalid(first) }
        value = value << 6 | UInt32(next & 0x3F)
    }
    guard value >= minimum, value <= 0x10FFFF, !(0xD800...0xDFFF).contains(value) else { return .invalid(first) }
    return .scalar(value, length: length)
}

/// Scalars that could act on a terminal or mislead a reader: controls (C0, DEL, C1), line separators, and everything
/// that reorders or hides text (bidirectional controls, zero-width and other format characters).
package func isUnsafeForDisplay(_ value: UInt32) -> Bool {
    if value < 0x7F { return value < 0x20 }
    if value < 0xA0 { return true }
    guard let scalar = Unicode.Scalar(value) else { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: return false
    }
}
