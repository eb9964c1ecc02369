/// Segments that were damaged on their way: their receiver dropped them, and what it read came with a later copy.
///
/// A wrong checksum alone proves nothing, because captures show packets before their sender's hardware has filled it in
/// (ledger §2). So a segment whose checksum is wrong, and whose content somebody reads, is counted like any other but
/// waits with its content: an acknowledgment proves that the receiver took it, a copy with a right checksum replaces it.
extension Connection {
    /// Whether the content of a segment, which somebody would read now, should wait.
    @inline(__always)
    func isSuspect(_ segment: Segment, _ transport: RawSpan) -> Bool {
        guard transport.byteCount == segment.headerLength + segment.payload else { return false }
        return Connection.hasWrongChecksum(key, transport)
    }

    /// Bodies that are only followed by length need no content.
    @inline(__always)
    func needsContent(_ side: Int) -> Bool {
        if let layer = sides[side].layer { return layer.readsContent }
        return switch sides[side].reader.state {
        case .head, .idle, .chunked, .frames, .tunnelStart: true
        case .body, .untilClose: sides[side].examined != nil
        case .searching: requestSide != nil || sides[side].assembler.next.value < 4096
        case .tunnel: false
        }
    }

    private static func hasWrongChecksum(_ key: ConnectionKey, _ transport: RawSpan) -> Bool {
        var pseudoHeader = InternetChecksum()
        for side in 0..<2 {
            pseudoHeader.add(key.addressHigh[side])
            pseudoHeader.add(key.addressLow[side])
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
