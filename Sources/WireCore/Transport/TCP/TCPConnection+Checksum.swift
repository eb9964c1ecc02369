/// Segments that were damaged on their way: their receiver dropped them, and what it read came with a later copy.
///
/// A wrong checksum alone proves nothing, because captures show packets before their sender's hardware has filled it in
/// (ByteLedger.md §2.7). So a segment whose checksum is wrong, and whose content somebody reads, is counted like any
/// other but waits with its content: an acknowledgment proves that the receiver took it, a copy with a right checksum
/// replaces it.
extension TCPConnection {
    /// Whether the content of a segment, which somebody would read now, should wait.
    @inline(__always)
    func isSuspect(_ segment: Segment, _ transport: RawSpan, _ key: ConnectionKey) -> Bool {
        guard transport.byteCount == segment.headerLength + segment.payload else { return false }
        return TCPConnection.hasWrongChecksum(key, transport)
    }

    private static func hasWrongChecksum(_ key: ConnectionKey, _ transport: RawSpan) -> Bool {
        var pseudoHeader = InternetChecksum()
        for index in 0..<2 {
            pseudoHeader.add(key.addressHigh[index])
            pseudoHeader.add(key.addressLow[index])
        }
        pseudoHeader.add(6)
        let withoutLength = pseudoHeader.folded
        pseudoHeader.add(UInt64(transport.byteCount))
        let field = transport.le16(16)
        // Left for the hardware: nothing, or the sum of the pseudo-header with or without the length.
        if field == 0 || field == pseudoHeader.folded || field == withoutLength { return false }
        var sum = pseudoHeader
        sum.add(transport)
        return sum.folded != 0xFFFF
    }
}
