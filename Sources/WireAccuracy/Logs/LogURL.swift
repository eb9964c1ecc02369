/// A URL of a log, taken apart as far as matching needs it.
struct LogURL: Equatable {
    /// Lower case, without the colon; empty where the text has none.
    var scheme: [UInt8] = []
    /// Lower case, without port; an IPv6 address has its brackets.
    var host: [UInt8]
    /// 0: none is named.
    var port: UInt16
    /// Path and query; "/" where the URL has no path.
    var target: [UInt8]

    private static let separator = Array("://".utf8)

    /// Nil where the text names no host.
    init?(_ text: [UInt8]) {
        let whole = text[...].trimmingSpaces
        guard let mark = whole.firstRange(of: LogURL.separator) else { return nil }
        scheme = whole[..<mark.lowerBound].map(\.lowercased)
        guard !scheme.isEmpty, scheme.allSatisfy({ $0.isLetter || $0.isDigit || [0x2B, 0x2D, 0x2E].contains($0) })
        else { return nil }
        let rest = whole[mark.upperBound...]
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 || $0 == 0x5C } ?? rest.endIndex
        var authority = rest[..<end]
        if let at = authority.lastIndex(of: 0x40) { authority = authority[(at + 1)...] }
        (host, port) = LogURL.hostAndPort(Array(authority))
        guard !host.isEmpty else { return nil }
        target = LogURL.target(rest[end...])
    }

    /// Path and query as a client sends them: what no request line may hold is percent-encoded.
    private static func target(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var target: [UInt8] = text.first == 0x2F ? [] : [0x2F]
        for byte in text {
            if byte == 0x23 { break }
            if byte > 0x20, byte < 0x7F {
                target.append(byte)
            } else {
                target += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return target
    }

    /// Takes `host`, `host:port`, `[address]:port` or an IPv6 address without brackets apart. A wrong port is 0.
    static func hostAndPort(_ text: [UInt8]) -> ([UInt8], UInt16) {
        var host = text.map(\.lowercased)
        var port: UInt16 = 0
        let colons = host.count { $0 == 0x3A }
        if host.first == 0x5B || colons == 1 {
            if let colon = host.lastIndex(of: 0x3A), host[colon...].dropFirst().allSatisfy(\.isDigit) {
                var digits = host[(colon + 1)...]
                port = UInt16(exactly: digits.takeNumber() ?? 0) ?? 0
                host.removeLast(host.count - colon)
            }
        } else if colons > 1 {
            host = [0x5B] + host + [0x5D]
        }
        return (host, port)
    }
}
