/// Whether a datagram was captured twice. Endpoints never use a packet number twice (RFC 9000 §12.3), but for packets that
/// close the connection (§10.2.1): behind the first of those a sender sends nothing else.
enum QUICRepetition {
    /// Behind the first byte: the longest connection ID and number, and the sample that protects the header.
    private static let identityLength = 1 + QUICConnectionID.longest + 4 + 16

    /// What shows of a datagram whose bytes, or whose first packet's number, came before; nil where that is nothing. Nothing
    /// is booked.
    static func resolve(
        _ datagram: QUICDatagram, _ bytes: RawSpan, _ connection: QUICConnection, _ context: borrowing StreamContext
    ) -> QUICReceipt? {
        let isEqual = datagram.likeness == .equal
        var (isRead, isClosing, offset) = (true, false, 0)
        while let packet = connection.nextPacket(bytes, at: offset, datagram) {
            if offset == 0, isEqual, !isNumbered(packet, bytes, datagram, connection) { return nil }
            if let opened = connection.open(packet, bytes, datagram.direction, context) {
                if !opened.isRepeated { isRead = false }
                if connection[datagram.direction].mayResend(opened) { isClosing = true }
            } else {
                isRead = false
            }
            offset = packet.range.upperBound
        }
        guard isRead, offset > 0 else { return isEqual ? .undecided(isClosing: isClosing) : nil }
        return isClosing ? .undecided(isClosing: true) : .copy
    }

    /// Whether equal bytes mean an equal packet number, which Retry, Version Negotiation and stateless resets do not have.
    private static func isNumbered(
        _ packet: QUICPacket, _ bytes: RawSpan, _ datagram: QUICDatagram, _ connection: QUICConnection
    ) -> Bool {
        guard packet.numberOffset >= 0, packet.kind != .unknown else { return false }
        guard bytes.byteCount == datagram.length || bytes.byteCount >= identityLength else { return false }
        return packet.kind != .short || !connection[datagram.direction].resetTokens.end(packet, bytes)
    }
}
