/// Host and port as a Host field or a request target names them; credentials in front of them are left out (RFC 3986 §3.2).
public struct Authority: Sendable, Equatable {
    /// As it is written; an IPv6 address has its brackets.
    public var host: [UInt8]
    /// Nil: none is named.
    public var port: UInt16?

    public init(_ text: [UInt8]) {
        var rest = text[...]
        if let mark = rest.lastIndex(of: 0x40) { rest = rest[(mark + 1)...] }
        let isBracketed = rest.first == 0x5B
        guard let colon = rest.lastIndex(of: 0x3A), rest[(colon + 1)...].allSatisfy({ $0 &- 0x30 < 10 }),
            isBracketed ? rest[..<colon].last == 0x5D : !rest[..<colon].contains(0x3A)
        else {
            host = Array(rest)
            return
        }
        host = Array(rest[..<colon])
        let digits = rest[(colon + 1)...].drop { $0 == 0x30 }
        if !digits.isEmpty, digits.count < 6 {
            port = UInt16(exactly: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
    }

    /// As a URL has it: lower case, international names as the DNS has them, without bytes that no URL holds.
    public var hostInURL: [UInt8] {
        let isAddress = host.first != 0x5B && host.count(where: { $0 == 0x3A }) > 1
        let ascii = InternationalHost.ascii(host) ?? host
        let lower = ascii.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
        return isAddress ? [0x5B] + lower + [0x5D] : URLText.encoded(lower).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }
}

/// Texts as they stand in URLs, so that a request target and the URL of a log can be compared.
public enum URLText {
    /// Bytes that RFC 3986 allows nowhere in a URI are percent-encoded; everything else stays.
    public static func encoded(_ text: some Collection<UInt8>) -> [UInt8] {
        let digits: [UInt8] = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case 0...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F...0xFF:
                result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: result.append(byte)
            }
        }
        return result
    }

    /// Path and query, without a fragment, which is no part of a request. A target without path, and the asterisk that
    /// stands for none (RFC 9112 §3.2.4), is "/".
    public static func target(_ text: some Collection<UInt8>) -> [UInt8] {
        let target = encoded(text.prefix { $0 != 0x23 })
        guard target.first != 0x2F else { return target }
        return target == [0x2A] ? [0x2F] : [0x2F] + target
    }
}
