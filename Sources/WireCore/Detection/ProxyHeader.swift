import WireNative

/// A header of the PROXY protocol, version 1 or 2, which a proxy sends before all other bytes of a connection: the
/// connection's own client is the proxy then, and the header names the client that it serves.
/// https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt
struct ProxyHeader: Equatable {
    /// Bytes of the header.
    var length: Int
    /// Nil where it names no address: of the proxy's own health checks, or of a local socket.
    var client: Endpoint?

    enum Probe: Equatable {
        case no
        /// More bytes are needed.
        case maybe
        case yes(ProxyHeader)
    }

    /// The longest line of version 1 with its line end; also more than the addresses of IPv6 take in version 2.
    static let longestLine = 107

    private static let words: [(StaticString, isVersion6: Bool?)] = [
        ("PROXY TCP4 ", false), ("PROXY TCP6 ", true), ("PROXY UNKNOWN", nil),
    ]
    private static let signature: StaticString = "\r\n\r\n\0\r\nQUIT\n"
    private static let fixedLength = 16

    /// Judges the bytes from `offset` to the end of the run. Of most streams the first byte tells.
    @inline(__always)
    static func probe(_ bytes: RawSpan, at offset: Int) -> Probe {
        guard offset < bytes.byteCount else { return .maybe }
        switch bytes.u8(offset) {
        case 0x50: return probeLine(bytes, offset)
        case 0x0D: return probeBinary(bytes, offset)
        default: return .no
        }
    }

    // MARK: Version 1

    @inline(never)
    private static func probeLine(_ bytes: RawSpan, _ offset: Int) -> Probe {
        let count = min(bytes.byteCount - offset, longestLine)
        for (word, isVersion6) in words {
            guard bytes.hasBeginning(of: word, at: offset) else { continue }
            let fields = offset + word.utf8CodeUnitCount
            guard fields <= bytes.byteCount else { return .maybe }
            return readLine(bytes, offset, count, fields: fields, isVersion6: isVersion6)
        }
        return .no
    }

    private static func readLine(
        _ bytes: RawSpan, _ offset: Int, _ count: Int, fields: Int, isVersion6: Bool?
    ) -> Probe {
        // A line longer than the protocol allows is none.
        let line = bytes.extracting(0..<offset + count)
        guard let lineFeed = line.firstLineFeed(from: fields) else { return count < longestLine ? .maybe : .no }
        guard line.u8(lineFeed - 1) == 0x0D else { return .no }
        let length = lineFeed + 1 - offset
        guard let isVersion6 else { return .yes(ProxyHeader(length: length)) }
        let parts = line.parts(fields..<lineFeed - 1)
        guard parts.count == 4, let source = address(line, parts[0], isVersion6: isVersion6),
            address(line, parts[1], isVersion6: isVersion6) != nil, let port = number(line, parts[2]),
            number(line, parts[3]) != nil
        else { return .no }
        return .yes(ProxyHeader(length: length, client: Endpoint(address: source, port: port)))
    }

    private static func address(_ line: RawSpan, _ range: Range<Int>, isVersion6: Bool) -> IPAddress? {
        guard let bytes = AddressReading.bytes(of: line.array(range), isVersion6: isVersion6)
        else { return nil }
        return unsafe IPAddress(bytes.span.bytes, at: 0, isVersion6: isVersion6)
    }

    private static func number(_ bytes: RawSpan, _ range: Range<Int>) -> UInt16? {
        guard (1...5).contains(range.count) else { return nil }
        var value = 0
        for index in range {
            let digit = Int(bytes.u8(index)) - 0x30
            guard (0...9).contains(digit) else { return nil }
            value = 10 * value + digit
        }
        return UInt16(exactly: value)
    }

    // MARK: Version 2

    @inline(never)
    private static func probeBinary(_ bytes: RawSpan, _ offset: Int) -> Probe {
        let count = bytes.byteCount - offset
        guard bytes.hasBeginning(of: signature, at: offset) else { return .no }
        guard count >= fixedLength else { return .maybe }
        let (command, family) = (bytes.u8(offset + 12), bytes.u8(offset + 13) >> 4)
        guard command == 0x20 || command == 0x21 else { return .no }
        let rest = Int(bytes.be16(offset + 14))
        var header = ProxyHeader(length: fixedLength + rest)
        // Addresses of source and destination, and their ports.
        let addresses = family == 1 ? 12 : family == 2 ? 36 : 0
        guard command == 0x21, addresses > 0, rest >= addresses else { return .yes(header) }
        guard count >= fixedLength + addresses else { return .maybe }
        let start = offset + fixedLength
        header.client = Endpoint(
            address: IPAddress(bytes, at: start, isVersion6: family == 2),
            port: bytes.be16(start + addresses - 4))
        return .yes(header)
    }
}

extension RawSpan {
    /// What stands between single spaces.
    fileprivate func parts(_ range: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = range.lowerBound
        for index in range where u8(index) == 0x20 {
            parts.append(start..<index)
            start = index + 1
        }
        return parts + [start..<range.upperBound]
    }
}
