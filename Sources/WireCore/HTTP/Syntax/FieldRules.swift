/// The pseudo-fields (RFC 9113 §8.3, RFC 8441 §4).
struct PseudoFields: OptionSet, Sendable {
    let rawValue: UInt8

    static let method = PseudoFields(rawValue: 1)
    static let scheme = PseudoFields(rawValue: 2)
    static let authority = PseudoFields(rawValue: 4)
    static let path = PseudoFields(rawValue: 8)
    static let protocolName = PseudoFields(rawValue: 16)
    static let status = PseudoFields(rawValue: 32)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The pseudo-field of a name; nil when there is none.
    init?(_ name: RawSpan) {
        switch name.byteCount {
        case 5 where name.hasBytes(":path", at: 0): self = .path
        case 7 where name.hasBytes(":method", at: 0): self = .method
        case 7 where name.hasBytes(":scheme", at: 0): self = .scheme
        case 7 where name.hasBytes(":status", at: 0): self = .status
        case 9 where name.hasBytes(":protocol", at: 0): self = .protocolName
        case 10 where name.hasBytes(":authority", at: 0): self = .authority
        default: return nil
        }
    }
}

/// What RFC 9113 §8.2 asks of a field that is no pseudo-field.
enum FieldRules {
    /// Bytes of a name and of a value that are looked at; what a few bytes can refer to is far longer.
    static let examined = 128

    static func allow(_ name: RawSpan, _ value: RawSpan) -> Bool {
        for offset in 0..<min(name.byteCount, examined) {
            let byte = name.u8(offset)
            if byte <= 0x20 || byte >= 0x7F || byte == 0x3A || byte.isUppercaseASCII { return false }
        }
        return allowValue(value) && !isOfConnection(name, value)
    }

    /// No zero byte or line end, and no white space around it.
    private static func allowValue(_ value: RawSpan) -> Bool {
        let count = min(value.byteCount, examined)
        guard count > 0 else { return true }
        guard !isWhiteSpace(value.u8(0)), !isWhiteSpace(value.u8(value.byteCount - 1)) else { return false }
        var offset = 0
        while offset < count {
            // Eight bytes at a time: a byte below 0x20 sets its highest bit here. There is hardly ever one.
            if count - offset >= 8 {
                let word = value.le64(offset)
                if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 == 0 {
                    offset += 8
                    continue
                }
            }
            let byte = value.u8(offset)
            if byte == 0 || byte == 0x0A || byte == 0x0D { return false }
            offset += 1
        }
        return true
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Fields that speak of an HTTP/1.1 connection (§8.2.2).
    private static func isOfConnection(_ name: RawSpan, _ value: RawSpan) -> Bool {
        switch name.byteCount {
        case 2 where name.hasBytes("te", at: 0): value.byteCount != 8 || !value.hasBytes("trailers", at: 0)
        case 7: name.hasBytes("upgrade", at: 0)
        case 10: name.hasBytes("connection", at: 0) || name.hasBytes("keep-alive", at: 0)
        case 16: name.hasBytes("proxy-connection", at: 0)
        case 17: name.hasBytes("transfer-encoding", at: 0)
        default: false
        }
    }
}

extension HeaderSection {
    /// Longest value of a field that is read.
    static let longestValue = 256

    /// Takes a field that says something about content. A value of unreasonable length says what cannot be used.
    mutating func readField(_ name: RawSpan, _ value: RawSpan) {
        let isTooLong = value.byteCount > HeaderSection.longestValue
        if name.byteCount == 14, name.hasBytesIgnoringCase("content-length", at: 0) {
            guard !isTooLong, value.byteCount > 0 else {
                contentLengthIsInvalid = true
                return
            }
            readContentLength(value, 0..<value.byteCount)
        } else if name.byteCount == 16, name.hasBytesIgnoringCase("content-encoding", at: 0) {
            readContentEncoding(value, 0..<min(value.byteCount, HeaderSection.longestValue))
            if isTooLong { codings.isUndecodable = true }
        }
    }
}

/// Whether a section can be that of a message.
extension FieldSection {
    enum Kind: Sendable {
        case request, response, trailer
    }

    /// The section breaks RFC 9113 as one of this kind: it holds a field that must not be, or lacks one that must be.
    /// Fields that are not known are not missed.
    func isMalformed(as kind: Kind) -> Bool {
        if isMalformed { return true }
        switch kind {
        case .trailer: return !pseudoFields.isEmpty
        case .response:
            return !pseudoFields.isSubset(of: .status) || (pseudoFields.isEmpty && !hasUnknownFields)
        case .request:
            guard !pseudoFields.contains(.status) else { return true }
            if hasUnknownFields { return false }
            if isConnect, !pseudoFields.contains(.protocolName) { return pseudoFields != [.method, .authority] }
            let needed: PseudoFields =
                pseudoFields.contains(.protocolName)
                ? [.method, .scheme, .path, .authority, .protocolName] : [.method, .scheme, .path]
            return !pseudoFields.isSuperset(of: needed) || (pseudoFields.contains(.protocolName) && !isConnect)
        }
    }

    /// The method is CONNECT.
    var isConnect: Bool { methodRange.map { text[$0].elementsEqual("CONNECT".utf8) } ?? false }
}
