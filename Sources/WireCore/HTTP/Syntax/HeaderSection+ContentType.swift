/// The type of a body, which is asked for only where something depends on it.
extension HeaderSection {
    private static let dnsMessage: StaticString = "application/dns-message"

    /// Whether a header section that begins at `start`, and is whole, has the Content-Type of DNS messages (RFC 8484 §6).
    static func namesDNSMessage(_ bytes: RawSpan, from start: Int) -> Bool {
        var isFound = false
        _ = forEachLine(bytes, from: start) { line, _ in
            guard line.count > 13, bytes.u8(line.lowerBound + 12) == 0x3A,
                bytes.hasBytesIgnoringCase("content-type", at: line.lowerBound)
            else { return }
            isFound = isDNSMessage(bytes, line.lowerBound + 13..<line.upperBound)
        }
        return isFound
    }

    /// Parameters may follow.
    static func isDNSMessage(_ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        let length = dnsMessage.utf8CodeUnitCount
        guard range.count >= length else { return false }
        let value = trimmed(bytes, range)
        guard value.count >= length, bytes.hasBytesIgnoringCase(dnsMessage, at: value.lowerBound) else { return false }
        return value.count == length || [0x3B, 0x20, 0x09].contains(bytes.u8(value.lowerBound + length))
    }
}
