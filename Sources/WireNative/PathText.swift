/// Paths of URLs as people read them, and so that one path has one text however it was encoded (RFC 3986 §6.2.2).
public enum PathText {
    /// Escapes of unreserved characters, and of characters outside of ASCII that can be shown, are undone; what cannot be
    /// shown is escaped. All other escapes stay, in capitals: to undo those of `/`, `?`, `#`, `%`, spaces or controls would make
    /// another path of it.
    public static func normalized(_ path: some Collection<UInt8>) -> [UInt8] {
        let path = Array(path)
        var text: [UInt8] = []
        text.reserveCapacity(path.count)
        var wide: [UInt8] = []
        var index = 0
        while index < path.count {
            let value = escape(path, at: index)
            let byte = value ?? path[index]
            index += value == nil ? 1 : 3
            if byte >= 0x80 {
                wide.append(byte)
                continue
            }
            appendShown(wide, to: &text)
            wide.removeAll(keepingCapacity: true)
            if value != nil, !isUnreserved(byte) { appendEscape(byte, to: &text) } else { text.append(byte) }
        }
        appendShown(wide, to: &text)
        return text
    }

    /// Where a text may be cut so that at most `limit` bytes stay: between characters, and not within an escape.
    public static func cut(_ text: some RandomAccessCollection<UInt8>, to limit: Int) -> Int {
        guard text.count > limit else { return text.count }
        func byte(_ offset: Int) -> UInt8 { text[text.index(text.startIndex, offsetBy: offset)] }
        var end = max(limit, 0)
        while end > 0, byte(end) & 0xC0 == 0x80 { end -= 1 }
        for start in max(end - 2, 0)..<end where start + 2 < text.count && byte(start) == 0x25 {
            if digit(byte(start + 1)) != nil, digit(byte(start + 2)) != nil { return start }
        }
        return end
    }

    /// Appends bytes outside of ASCII: characters that can be shown as they are, all else escaped.
    private static func appendShown(_ bytes: [UInt8], to text: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            var length = 1
            var isShown = false
            if case .scalar(let value, let count) = decodeScalar(bytes.span, at: index) {
                (length, isShown) = (count, isShowable(value))
            }
            for byte in bytes[index..<index + length] {
                if isShown { text.append(byte) } else { appendEscape(byte, to: &text) }
            }
            index += length
        }
    }

    /// A character that is seen where it stands: no space, and nothing that acts, hides or reorders.
    static func isShowable(_ value: UInt32) -> Bool {
        guard !isUnsafeForDisplay(value), let properties = Unicode.Scalar(value)?.properties else { return false }
        return properties.generalCategory != .spaceSeparator && !properties.isDefaultIgnorableCodePoint
    }

    private static func escape(_ text: [UInt8], at index: Int) -> UInt8? {
        guard text[index] == 0x25, index + 2 < text.count, let high = digit(text[index + 1]),
            let low = digit(text[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func appendEscape(_ byte: UInt8, to text: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        text += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// RFC 3986 §2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
