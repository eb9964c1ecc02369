/// Segments that were damaged on their way: their receiver dropped them, and what it read came with a later copy.
///
/// A wrong checksum alone proves nothing, because captures show packets before their sender's hardware has filled it in
/// (ByteLedger.md §2.7). So a segment whose checksum is wrong, and whose content somebody reads, is counted like any
/// other but waits with its content: an acknowledgment proves that the receiver took it, a copy with a right checksum
/// replaces it.
extension Segment {
    /// Whether its content, which somebody would read now, should wait.
    @inline(__always)
    func isSuspect(_ transport: RawSpan, _ key: ConnectionKey) -> Bool {
        guard checksum == .unread else { return checksum == .wrong }
        guard transport.byteCount == headerLength + payload else { return false }
        return Segment.hasWrongChecksum(key, transport)
    }

    /// Reads the checksum of a packet with the addresses of `key`.
    mutating func readChecksum(_ transport: RawSpan, _ key: ConnectionKey) {
        checksum = isSuspect(transport, key) ? .wrong : .right
    }

    private static func hasWrongChecksum(_ key: ConnectionKey, _ transport: RawSpan) -> Bool {
        let pseudoHeader = PseudoHeader(
            high: key.addressHigh, low: key.addressLow, protocolNumber: 6, length: transport.byteCount)
        if pseudoHeader.isUnfilled(transport.le16(16)) { return false }
        var sum = pseudoHeader.sum
        sum.add(transport)
        return sum.folded != 0xFFFF
    }
}
