/// Both endpoints of a connection, each with what it sent.
struct QUICSides {
    private var zero = QUICSide()
    private var one = QUICSide()
    /// 1-RTT or 0-RTT packets that no key opened.
    var closedPackets = 0

    /// Counts a datagram that is one packet which nobody can read. Without a call in it, nothing needs to be guarded.
    @inline(__always)
    mutating func countUnread(_ datagram: QUICDatagram) {
        closedPackets += 1
        if datagram.direction.index == 0 { zero.count(datagram) } else { one.count(datagram) }
    }

    subscript(direction: Direction) -> QUICSide {
        _read { if direction.index == 0 { yield zero } else { yield one } }
        _modify { if direction.index == 0 { yield &zero } else { yield &one } }
    }

    /// There are keys of a key log, right or wrong.
    var hasKeys: Bool { zero.hasKeys || one.hasKeys }

    /// The receiver of a short header has not told how long its connection ID is, and not much was tried yet.
    func lackIDLength(_ packet: QUICPacket, _ direction: Direction) -> Bool {
        packet.destination.isEmpty && self[direction.opposite].idLength == nil
            && self[direction].lengthTries < QUICSide.lengthTryLimit
    }

    /// Whose an ACK frame is: an owner's, or it waits in an entry.
    struct Acknowledgment {
        var owner: Owner?
        var waiting: Int?
        /// A packet that was acknowledged long ago has not come.
        var isGapKnown = false
    }

    /// Takes an ACK frame of 1-RTT. It belongs to the exchange of the highest packet that it acknowledges first and that
    /// carried exchange data; else it goes where the sender's ACK before went. It waits for packets that have not come and
    /// may decide.
    ///
    /// - Parameters:
    ///   - direction: in which the ACK was sent.
    ///   - isLate: the capture lacks the connection's beginning, so nothing before its first packet will come.
    mutating func acknowledge(
        _ frame: QUICFrame, _ bytes: RawSpan, _ direction: Direction, isLate: Bool
    ) -> Acknowledgment {
        var new: [Range<UInt64>] = []
        var best: (number: UInt64, owner: Owner)?
        let peer = direction.opposite
        frame.forEachAcknowledged(bytes) { range in
            let found = self[peer].acknowledge(range, &new)
            if best == nil { best = found }
        }
        let floor = isLate ? self[peer].seen.ranges.first?.lowerBound ?? .max : 0
        let missing = QUICWaitingACKs.missing(of: new, in: self[peer].seen)
        if let missing, missing >= floor, best.map({ missing > $0.number }) ?? true {
            let isGapKnown = self[direction].waitingACKs.makeRoom()
            let entry = self[direction].waitingACKs.wait(new, best)
            return Acknowledgment(waiting: entry, isGapKnown: isGapKnown)
        }
        if let best {
            self[direction].waitingACKs.settle(best.owner)
            return Acknowledgment(owner: best.owner)
        }
        switch self[direction].waitingACKs.latest {
        case .owner(let owner): return Acknowledgment(owner: owner)
        case .waiting(let entry): return Acknowledgment(waiting: entry)
        }
    }

    /// A packet of 1-RTT was read. Returns whose the ACK frames of the other side are that waited for it.
    mutating func see(
        _ number: UInt64, _ owner: Owner?, _ direction: Direction
    ) -> [(owner: Owner, cost: WaitingACKCost)] {
        let peer = direction.opposite
        guard !self[peer].waitingACKs.isEmpty else { return [] }
        let seen = self[direction].seen
        return self[peer].waitingACKs.see(number, owner, seen)
    }

    /// Nothing more comes. Returns whether packets were acknowledged that never came.
    mutating func giveUpACKs() -> Bool {
        let isWaiting = !zero.waitingACKs.isEmpty || !one.waitingACKs.isEmpty
        for direction in Direction.both { self[direction].waitingACKs.giveUp(all: true) }
        return isWaiting
    }

    /// An ACK that is to come, or waits, may go to the owner.
    func concern(_ owner: Owner) -> Bool { zero.waitingACKs.concerns(owner) || one.waitingACKs.concerns(owner) }
}

extension Attribution {
    /// An ACK that was booked to the connection is an owner's.
    mutating func moveACK(_ cost: WaitingACKCost, to owner: Owner, _ direction: Direction) {
        for (from, factor) in [(Owner.connection, -1), (owner, 1)] {
            post(from, .ack, factor * cost.sum.internet, direction)
            postLink(from, factor * cost.sum.link, direction)
            postHidden(from, factor * cost.sum.hidden, direction)
        }
        for (frame, bytes) in cost.frames { traceMove(bytes, .ack, frame: frame, to: owner, direction) }
    }
}
