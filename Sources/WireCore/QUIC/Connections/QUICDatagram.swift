/// A datagram on its way to its connection.
struct QUICDatagram {
    /// Nanoseconds.
    var time: Int64
    var direction: Direction
    /// UDP payload by IP lengths; captured may be less.
    var length: Int
    /// What its headers cost.
    var cost: HeaderCost
    /// Captured frames: fragments of one datagram count each.
    var frames: Int
    /// Original lengths of those.
    var frameBytes: Int
    /// Of a short header, how long its connection ID is; nil where that is not known.
    var shortIDLength: Int?
    var likeness = Likeness.none

    enum Likeness {
        /// No earlier datagram is known to have had its bytes.
        case none
        /// An earlier one had the same bytes.
        case equal
        /// Nothing proves that it was captured twice: it was sent.
        case refuted
    }
}

/// What became of a datagram.
enum QUICReceipt: Equatable {
    /// It is booked, and nothing follows from it.
    case settled
    /// The same, but there may be connection IDs to be registered, or something waits.
    case open
    /// It was captured before. Nothing is booked.
    case copy
    /// It is like an earlier one, and what comes later decides whether it is a copy. Nothing is booked. `isClosing`: it may be
    /// sent again as it is (RFC 9000 §10.2.1).
    case undecided(isClosing: Bool)
}

/// What a datagram's headers go with: the best content of its packets, in this order (ByteLedger.md §7.3).
enum QUICRank: Int, Comparable {
    case message, newHandshake, newControl, repeated, close, streamControl, connectionControl, ping, acknowledgment
    case closed

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// What a packet turned out to be: why its overhead was on the wire, and who shares it.
struct QUICPacketVerdict {
    var rank: QUICRank
    var cause: Cause
    var shares = ShareList()
    /// The entry that its ACK frames wait in, and what of the packet goes where they go.
    var waitingACK: Int?
    var waitingBytes = 0

    init(_ rank: QUICRank, _ cause: Cause) {
        (self.rank, self.cause) = (rank, cause)
        shares.add(.connection, 1)
    }

    init(_ rank: QUICRank, _ cause: Cause, _ shares: ShareList) {
        (self.rank, self.cause, self.shares) = (rank, cause, shares)
    }
}

/// What the packets of one datagram leave for its own headers.
struct QUICDatagramTally {
    private(set) var verdict: QUICPacketVerdict?
    /// One of its packets is an Initial, so that it had to be filled up (RFC 9000 §14.1).
    var holdsInitial = false
    /// Datagrams that were proved to lie in the frame.
    var count = 1

    /// Adds what packets behind those so far leave.
    mutating func add(_ other: QUICDatagramTally) {
        if let verdict = other.verdict { add(verdict) }
        count += other.count - 1
        if other.holdsInitial { holdsInitial = true }
    }

    mutating func add(_ other: QUICPacketVerdict) {
        guard let best = verdict, best.rank <= other.rank else {
            verdict = other
            return
        }
        guard best.rank == other.rank else { return }
        // Of several that wait nothing is moved: the connection keeps its share.
        if best.waitingACK != other.waitingACK { verdict?.waitingACK = nil }
        for index in 0..<other.shares.count {
            verdict?.shares.add(other.shares[index].owner, other.shares[index].bytes)
        }
    }
}

extension QUICDatagram {
    /// Books it as one packet which nobody can read: all of it is the connection's.
    func bookUnreadable(_ attribution: inout Attribution) {
        attribution.book(.connection, .opaque, length, direction)
        attribution.post(
            packet: .connection, .opaque, cost.internet, link: cost.link, frame: attribution.tracedFrame, direction)
        if cost.hidden > 0 { attribution.postHidden(.connection, cost.hidden, direction) }
    }

    /// Bytes behind the last packet fill the datagram up; where there is no packet, nobody knows what they are.
    func bookRest(_ count: Int, _ tally: inout QUICDatagramTally, _ attribution: inout Attribution) {
        guard tally.verdict == nil else { return attribution.book(.connection, .setupQUIC, count, direction) }
        attribution.book(.connection, .opaque, count, direction)
        tally.add(QUICPacketVerdict(.closed, .opaque))
    }

    /// The headers of IP and UDP, and the link's, go with the best of the packets. `waiting`: ACKs of its direction whose
    /// owners are not known yet.
    func bookHeaders(_ tally: QUICDatagramTally, waiting: inout QUICWaitingACKs, _ attribution: inout Attribution) {
        guard let verdict = tally.verdict else { return }
        var cost = cost
        cost.hidden += (tally.count - 1) * cost.internet
        let cause = verdict.rank == .message ? Cause.tcpip : verdict.cause
        let frame = attribution.tracedFrame
        if verdict.rank == .acknowledgment, let entry = verdict.waitingACK {
            waiting.add(cost, frame: frame, to: entry)
        }
        let shares = verdict.shares.merged()
        if cause.isOverhead, shares.count == 1, shares[0].owner == .connection {
            attribution.postOverhead(cause, cost.internet, link: cost.link, frame: frame, direction)
            if cost.hidden > 0 { attribution.postHidden(.connection, cost.hidden, direction) }
        } else {
            attribution.post(cost, cause, frame: frame, among: shares, direction)
        }
    }
}
