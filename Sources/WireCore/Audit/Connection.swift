/// One direction of a connection, named by the side that sends it.
///
/// What each packet looks at stands first: with many connections open, the time that a packet takes is mostly that of
/// bringing those lines into the cache.
struct Side {
    var assembler = StreamAssembler()
    /// How far the other side acknowledged this one.
    var acknowledged = StreamPosition.unset
    /// Sequence position of the FIN: one past the last payload byte.
    var finish = StreamPosition.never
    var charges = PendingCharges.Chain()
    /// IPv4 identification of the last packet that had one, with its sequence number and payload length.
    var identification: UInt32 = 0
    var numberedSequence = SequenceNumber(0)
    var numberedPayload = 0
    /// Different packets had the same identification: it proves nothing.
    var repeatsIdentification = false
    var windowIsZero = false
    /// TTL or hop limit of the packet that opened it, or of the last one far from that; 0 before the first.
    var hopLimit: UInt8 = 0
    /// A keep-alive or window probe waits for its answer.
    var probeIsOpen = false
    /// The FIN was reached and the reader told.
    var isFinished = false
    /// Whole messages may have been lost since the last one.
    var isLost = false
    /// The first bytes were looked at: no layer begins with them.
    var isProbed = false
    /// The body being read has no content or transfer coding that changes its size.
    var bodyIsIdentity = false
    /// What lies between the stream and its messages; nil where messages lie in it one after another.
    var layer: StreamLayer?
    /// The latest exchange that has a message in this direction.
    var current: Int32 = -1
    /// The exchange in which an owner was found last; below 0 when it is gone.
    var ownerHint: Int32 = -1
    var counts = DirectionCounts()
    var reader = MessageReader()
    /// The body being read, when it is examined.
    var examined: (any ExaminedBody)?
    var synchronize: SequenceNumber?
    /// From its SYN: the largest payload the other side may send in one segment.
    var maximumSegmentSize: Int?
    /// Why messages may have been lost at any time.
    var losses: RecordFlags = []
    /// What no exchange pays, or not yet: set-up, teardown and keep-alives are shared out by policy when the connection
    /// ends. The link bytes of those stand apart.
    var own = CostVector()
    var overheadLink = 0
    /// What exchanges that left the store have paid.
    var settled = CostVector()

    /// Makes it a new one, field by field: making one beside it and moving that here takes several times as long.
    mutating func renew() {
        assembler.renew()
        (acknowledged, finish) = (.unset, .never)
        reader.renew()
        (current, ownerHint) = (-1, -1)
        charges = PendingCharges.Chain()
        (synchronize, maximumSegmentSize) = (nil, nil)
        windowIsZero = false
        (identification, hopLimit) = (0, 0)
        (numberedSequence, numberedPayload) = (SequenceNumber(0), 0)
        repeatsIdentification = false
        (probeIsOpen, isFinished, isLost) = (false, false, false)
        losses = []
        if examined != nil { examined = nil }
        if layer != nil { layer = nil }
        (isProbed, bodyIsIdentity) = (false, false)
        counts = DirectionCounts()
        own.clear()
        overheadLink = 0
        settled.clear()
    }

    /// Owners of all bytes before it are known.
    @inline(__always)
    var known: StreamPosition {
        // Asked first, because taking the object out counts a reference.
        guard layer != nil, let layer else { return assembler.next }
        return min(layer.owners.end, assembler.next)
    }
}

/// A TCP connection with what runs over it: two directions, each assembled and read, and its exchanges. What each packet
/// looks at stands first, as in `Side`.
struct Connection {
    let key: ConnectionKey
    var lastTime: Int64
    let sides: UnsafeSides
    /// When it was closed; nil while it is open.
    var closedTime: Int64?
    /// No packet was put into this slot of the store.
    var isVacant = false
    /// Its messages were ended and its exchanges given out.
    var isConcluded = false
    /// The client's first packet after the server's SYN was seen.
    var handshakeIsAnswered = false
    var startWasSeen = false
    /// Side of the client, when there is proof; else nil.
    var clientSide: Int?
    /// Side that sends HTTP requests, once one was seen.
    var requestSide: Int?
    /// Since when its packets wait for a key that may still come: nanoseconds; nil while they do not.
    var keyAwaitedSince: Int64?
    var close = ConnectionClose.open
    /// A request was sent while another waited for its answer.
    var hasPipelined = false
    /// No key is waited for any more.
    var keysAreGivenUp = false
    var flags: RecordFlags = []
    /// From 0 in the order of first packets, among those that are numbered together.
    let number: Int
    var firstExchange: Int32 = -1
    var lastExchange: Int32 = -1
    /// The oldest exchange whose final response has not begun to be paired.
    var nextToAnswer: Int32 = -1
    /// An exchange whose response came before any request; below 0 when there is none.
    var nextToAsk: Int32 = -1
    var exchangeCount = 0
    /// Exchanges in the chain.
    var liveExchangeCount = 0
    /// The response of `nextToAsk` acknowledged bytes of requests, up to here, that had not been seen: one that begins behind
    /// them is not the one it answers.
    var askedBefore = StreamPosition.never
    /// How far the packet of the latest request's beginning acknowledged the server; `unset` where it did not.
    var askedWith = StreamPosition.unset
    /// Requests that left the books unanswered; nil where there were none.
    var abandoned: AbandonedRequests?
    /// From the exchange of this number on messages may have been missed as a whole.
    var uncertainFrom = Int.max
    /// What those are flagged with.
    var uncertainty: RecordFlags = []
    var httpVersion = HTTPVersion.none
    /// Its place in the store.
    let place: Int32
    let file: Int
    let firstPacket: Int
    /// Place of its first packet in the order in which the audit takes what comes.
    let ordinal: Int
    let firstTime: Int64
    var processName: [UInt8] = []
    /// Name of the server's address when the connection began.
    var serverName: [UInt8]?
    /// A DNS lookup that this connection pays for.
    var lookup: LookupCost?
    /// The host of its first exchange that opens no tunnel, else of its first; nil when there was none.
    var exchangeHost: [UInt8]?
    /// How early that exchange came.
    var exchangeHostRank = 0
    /// Both directions' TLS; nil where none was seen.
    var tls: TLSConnection?
    /// The packet with which the waiting for a key began.
    var keyAwaitedAt = FindingPlace()
    /// Both directions' HTTP/2; nil where none was seen.
    var http2: HTTP2Connection?

    init(_ arrival: Arrival, number: Int, sides: UnsafeSides, place: Int) {
        self.sides = sides
        self.place = Int32(truncatingIfNeeded: place)
        self.number = number
        key = arrival.key
        file = arrival.file
        firstPacket = arrival.number
        ordinal = arrival.ordinal
        firstTime = arrival.time
        lastTime = arrival.time
    }

    /// The client's side: who sent the SYN, else who sends requests, else the higher port (ledger §2).
    var resolvedClientSide: Int {
        if let side = clientSide ?? tls?.clientSide ?? requestSide { return side }
        return key.endpoint(side: 0).port >= key.endpoint(side: 1).port ? 0 : 1
    }

    /// Whether a packet, which has SYN set, begins another connection on the same addresses and ports (ledger §2).
    func isReplaced(by packet: Segment) -> Bool {
        let side = packet.side
        let sequence = packet.sequence
        if let synchronize = sides[side].synchronize {
            guard synchronize != sequence else { return false }
            // A second SYN of the server that still answers the client's belongs to this connection.
            if packet.flags.contains(.ack), let other = sides[1 - side].synchronize,
                packet.acknowledgment == other.advanced(by: 1), closedTime == nil
            {
                return false
            }
            return true
        }
        guard sides[side].assembler.hasBase else {
            // Only the other side was seen: its SYN and this one open the connection together.
            if packet.flags.contains(.ack) { return false }
            return closedTime != nil || (sides[1 - side].assembler.hasBase && !startWasSeen)
        }
        // No SYN was seen so far: this one is late if its data would begin just before what was seen.
        let position = sides[side].assembler.position(of: sequence.advanced(by: 1))
        return position.value > 0 || position.value < (closedTime == nil ? -65_536 : 0)
    }
}
