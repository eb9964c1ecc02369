/// Connections that use the same addresses and ports: which one a segment belongs to.
extension SegmentOrder {
    /// Both endpoints were heard, and neither has ended.
    var isUnfinished: Bool {
        Direction.both.allSatisfy { tcp.assembly[$0].hasBase && tcp.directions[$0].finish == .never }
    }

    /// Whether the numbers of a segment lie where those of this connection do; nil where nothing tells.
    func holdsNumbers(of segment: Segment) -> Bool? {
        let (direction, other) = (segment.direction, segment.direction.opposite)
        let acknowledges = segment.flags.contains(.ack)
        if segment.flags.contains(.syn) {
            if let synchronize = tcp.directions[direction].synchronize { return synchronize == segment.sequence }
            guard acknowledges, let answered = tcp.directions[other].synchronize else { return nil }
            return segment.acknowledgment == answered.advanced(by: 1)
        }
        var isWithin: Bool?
        if tcp.assembly[direction].hasBase {
            guard isNear(tcp.assembly[direction].position(of: segment.sequence), direction) else { return false }
            isWithin = true
        }
        if acknowledges, tcp.assembly[other].hasBase {
            guard isNear(tcp.position(acknowledgedBy: segment), other) else { return false }
            isWithin = true
        }
        return isWithin
    }

    /// A keep-alive stands one before the first byte; what was lost stands behind the last one seen.
    private func isNear(_ position: StreamPosition, _ direction: Direction) -> Bool {
        position.value >= -1 && position - tcp.assembly[direction].highest <= SegmentOrder.farthestUnseen
    }

    /// So far behind the last byte seen the numbers of a late segment stand at most.
    private static let farthestUnseen = 65_536

    /// Whether a packet, which has SYN set, begins another connection on the same addresses and ports
    /// (ByteLedger.md §2.3).
    func replacesTaken(
        _ segment: Segment, _ connection: borrowing ConnectionFacts, reorderingWindow: Int64
    ) -> Bool {
        let direction = segment.direction
        let other = direction.opposite
        let isClosed = connection.closedTime != nil
        if let synchronize = tcp.directions[direction].synchronize {
            guard synchronize != segment.sequence else { return false }
            // A second SYN of the server that still answers the client's belongs to this connection.
            if segment.flags.contains(.ack), let client = tcp.directions[other].synchronize,
                segment.acknowledgment == client.advanced(by: 1), !isClosed
            {
                return false
            }
            return true
        }
        guard tcp.assembly[direction].hasBase else {
            // Only the other direction was seen: its SYN and this one open the connection together.
            if segment.flags.contains(.ack) { return false }
            return isClosed || (tcp.assembly[other].hasBase && !connection.startWasSeen)
        }
        // No SYN was seen so far: this one is late if its data would begin just before what was seen.
        // A copy can come behind the end.
        let position = tcp.assembly[direction].position(of: segment.sequence.advanced(by: 1))
        let isOver = connection.closedTime.map { segment.time - $0 > reorderingWindow } ?? false
        return position.value > 0 || position.value < (isOver ? 0 : -SegmentOrder.farthestUnseen)
    }
}
