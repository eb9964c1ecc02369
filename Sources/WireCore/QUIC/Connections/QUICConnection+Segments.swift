/// Frames that hold several datagrams, which the network card would have cut: each but the last of one size. Only packets
/// with a long header say where they end.
extension QUICConnection {
    /// Books what begins with a packet with a short header, of which the first `size` bytes open.
    func receiveSegments(
        _ packet: QUICPacket, _ size: Int, _ bytes: RawSpan, _ direction: Direction, _ tally: inout QUICDatagramTally,
        _ context: inout StreamContext
    ) {
        var offset = packet.range.lowerBound
        // Datagrams end at multiples of this, if the first one ends here.
        let piece = offset + size
        if offset == 0 { self[direction].record(size: size) }
        var end = piece
        while offset < packet.range.upperBound {
            if offset >= end {
                tally.count += 1
                end = min(end + piece, packet.range.upperBound)
            }
            let part = self[direction].segment(at: offset, end: end, of: packet, bytes, &plain)
            end = max(end, part.range.upperBound)
            if part.kind == .short {
                if let opened = open(part, bytes, direction, context) {
                    tally.add(book(opened, part, direction, tally.holdsInitial, &context))
                } else {
                    tally.add(bookClosed(part, bytes, direction, &context))
                }
            } else if take(part, bytes, direction, &tally, &context) == .waiting {
                tally.add(bookClosed(part, bytes, direction, &context))
            }
            offset = part.range.upperBound
        }
    }
}
