import WireNative

/// A URL of a log, taken apart as far as matching needs it.
struct LogURL: Equatable {
    /// Lower case, without the colon; empty where the text has none.
    var scheme: [UInt8] = []
    /// Lower case, without port; an IPv6 address has its brackets.
    var host: [UInt8]
    /// 0: none is named.
    var port: UInt16
    /// Path and query as a client sends them; "/" where the URL has no path.
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
        target = URLText.target(rest[end...])
    }

    /// Takes `host`, `host:port`, `[address]:port` or an IPv6 address without brackets apart. A wrong port is 0.
    static func hostAndPort(_ text: [UInt8]) -> ([UInt8], UInt16) {
        let authority = Authority(text)
        return (authority.hostInURL, authority.port ?? 0)
    }
}
