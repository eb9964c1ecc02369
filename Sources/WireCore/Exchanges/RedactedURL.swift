/// Targets, hosts and URLs as they may be shown to those who must not see the values in them.
///
/// Values are queries and fragments; parameters in segments of paths (RFC 3986 §3.3), which are all that follows `;`, `&`
/// or `=` in a segment; all of these also where their marks are percent-encoded, once or more often; and credentials in
/// front of a host (§3.2.1).
public enum RedactedURL {
    /// What stands in place of a value.
    public static let word = Array("redacted".utf8)

    public static func of(_ url: [UInt8]) -> [UInt8] {
        let text = withoutCredentials(url)
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            let (mark, end) = character(text, at: index)
            result += text[index..<end]
            index = end
            switch mark {
            case 0x23, 0x3F: return result + word
            case 0x26, 0x3B, 0x3D:
                result += word
                index = text[index...].firstIndex { $0 == 0x23 || $0 == 0x2F || $0 == 0x3F } ?? text.count
            default: break
            }
        }
        return result
    }

    /// What stands at an index, decoded as often as it was encoded, and the index behind it.
    private static func character(_ text: [UInt8], at index: Int) -> (UInt8, end: Int) {
        guard text[index] == 0x25 else { return (text[index], index + 1) }
        var digits = index + 1
        while text[digits...].starts(with: "25".utf8) { digits += 2 }
        let code = String(decoding: text[digits...].prefix(2), as: UTF8.self)
        guard code.utf8.count == 2, let value = UInt8(code, radix: 16) else { return (text[index], index + 1) }
        return (value, digits + 2)
    }

    /// Credentials stand before the host of an absolute target, and of one that is a host.
    private static func withoutCredentials(_ text: [UInt8]) -> [UInt8] {
        guard text.first != 0x2F else { return text }
        let scheme = text.prefix(12).firstIndex(of: 0x3A).flatMap { colon in
            text[colon...].starts(with: "://".utf8) ? colon + 3 : nil
        }
        let authority = text[(scheme ?? 0)...].prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard let mark = authority.lastIndex(of: 0x40) else { return text }
        return text[..<authority.startIndex] + word + text[mark...]
    }
}
