/// A TCP packet as the connection sees it.
struct Segment {
    var side = 0
    var time: Int64 = 0
    var sequence = SequenceNumber(0)
    var acknowledgment = SequenceNumber(0)
    var flags: TCPFlags = []
    var payload = 0
    var window: UInt16 = 0
    /// Header bytes of the IP layer, and bytes below it.
    var cost = HeaderCost()
    /// Frames the packet came in (fragments) and their lengths.
    var frames = 1
    var frameBytes = 0
    /// Length of the TCP header.
    var headerLength = 20
    var maximumSegmentSize: Int?
    /// IPv4 identification.
    var identification: UInt32 = 0
    /// TTL or hop limit.
    var hopLimit: UInt8 = 0

    var internetBytes: Int { cost.internet + payload }
    var isBareAcknowledgment: Bool { payload == 0 && flags.intersection([.syn, .fin, .rst]).isEmpty }
}

extension Connection {
    /// Takes one packet: counts it, decides its kind (ledger §3), books it, and reads what it completes.
    /// `transport` is what was captured of the TCP header and payload.
    mutating func receive(_ segment: Segment, _ transport: RawSpan, _ books: inout Books) {
        let side = segment.side
        lastTime = max(lastTime, segment.time)
        count(segment)
        books.moment = Moment(time: segment.time)
        if segment.flags.contains(.syn) {
            synchronize(segment, transport, &books)
        } else {
            if segment.flags.contains(.rst) {
                reset(segment, &books)
            } else {
                if !sides[side].assembler.hasBase { startMidstream(segment) }
                acknowledgeAndBook(segment, transport, &books)
            }
        }
        let isWaiting = !sides[0].assembler.held.isEmpty || !sides[1].assembler.held.isEmpty
        if isWaiting || keyAwaitedSince != nil { giveUpStaleHoles(&books) }
        if !sides[0].charges.isEmpty || !sides[1].charges.isEmpty { settleCharges(&books) }
    }

    @inline(__always)
    private mutating func count(_ segment: Segment) {
        let side = segment.side
        sides[side].counts.packets += segment.frames
        sides[side].counts.frames += segment.frameBytes
        sides[side].counts.internet += segment.internetBytes
        sides[side].counts.payload += segment.payload
        noteIdentification(segment)
        if segment.flags.contains(.syn) { sides[side].counts.syn += 1 }
        if segment.flags.contains(.fin) { sides[side].counts.fin += 1 }
        if segment.flags.contains(.rst) { sides[side].counts.rst += 1 }
    }

    /// Two packets in a row that differ and have the same identification show that the sender does not number its
    /// packets. 0 is no number: many senders give it to what cannot be fragmented (RFC 6864 §4.1).
    @inline(__always)
    private mutating func noteIdentification(_ segment: Segment) {
        guard segment.identification != 0 else { return }
        let side = segment.side
        let isOther = segment.sequence != sides[side].numberedSequence || segment.payload != sides[side].numberedPayload
        if segment.identification == sides[side].identification, isOther { sides[side].repeatsIdentification = true }
        sides[side].identification = segment.identification
        sides[side].numberedSequence = segment.sequence
        sides[side].numberedPayload = segment.payload
    }

    private mutating func startMidstream(_ segment: Segment) {
        sides[segment.side].assembler.start(midstream: segment.sequence)
        sides[segment.side].hopLimit = segment.hopLimit
    }

    /// A SYN: the whole packet is set-up; payload it carries (Fast Open, RFC 7413) belongs to the stream.
    private mutating func synchronize(_ segment: Segment, _ transport: RawSpan, _ books: inout Books) {
        let side = segment.side
        if sides[side].synchronize == nil {
            sides[side].synchronize = segment.sequence
            sides[side].hopLimit = segment.hopLimit
            sides[side].assembler.start(synchronize: segment.sequence)
            sides[side].maximumSegmentSize = segment.maximumSegmentSize
            if clientSide == nil { clientSide = segment.flags.contains(.ack) ? 1 - side : side }
            startWasSeen = true
            flags.remove(.noStart)
        }
        addOverhead(.setupTCP, side, segment.cost.internet, segment.cost.link)
        if segment.flags.contains(.ack) {
            noteAcknowledgment(segment)
            sides[side].windowIsZero = false
        }
        guard segment.payload > 0 else { return }
        let start = sides[side].assembler.position(of: segment.sequence.advanced(by: 1))
        acceptPayload(segment, start, transport, headers: nil, &books)
    }

    /// A reset: all of it is teardown; what it carries is diagnostic text, never stream (RFC 9293 §3.5.3).
    private mutating func reset(_ segment: Segment, _ books: inout Books) {
        addOverhead(.teardown, segment.side, segment.internetBytes, segment.cost.link)
        if segment.payload > 0 {
            sides[segment.side].counts.payloadRefused += segment.payload
            books.findings.add(.refusedSegment)
        }
        if sides[segment.side].hopLimit != 0 { noteHopLimit(segment, &books) }
        guard isAcceptable(reset: segment) else {
            if closedTime == nil { books.findings.add(.resetRefused) }
            return
        }
        if segment.flags.contains(.ack) { noteAcknowledgment(segment) }
        if closedTime == nil {
            closedTime = segment.time
            close = .reset
        }
    }

    @inline(__always)
    mutating func addOverhead(_ cause: Cause, _ side: Int, _ bytes: Int, _ link: Int) {
        sides[side].own[cause] += bytes
        sides[side].overheadLink += link
    }

    private mutating func acknowledgeAndBook(_ segment: Segment, _ transport: RawSpan, _ books: inout Books) {
        let side = segment.side
        let before = sides[1 - side].acknowledged
        if segment.flags.contains(.ack) {
            noteAcknowledgment(segment)
            if !sides[1 - side].assembler.held.isEmpty { drain(1 - side, &books) }
            if sides[1 - side].assembler.hasBase { books.moment.acknowledged = position(acknowledgedBy: segment) }
        }
        let start = sides[side].assembler.position(of: segment.sequence)
        let isHandshake = isHandshakeAnswer(segment, start)
        if segment.payload > 0 {
            acceptPayload(segment, start, transport, headers: segment.cost, &books)
        } else if segment.flags.contains(.fin) {
            addOverhead(.teardown, side, segment.internetBytes, segment.cost.link)
        } else {
            bookBare(segment, start, acknowledgedBefore: before, isHandshake: isHandshake, &books)
        }
        if segment.flags.contains(.fin) { noteFinish(start + segment.payload, side, segment.time, &books) }
        sides[side].windowIsZero = segment.window == 0
    }

    /// The client's first packet after the server's SYN, if it is bare and acknowledges that SYN, ends the handshake.
    private mutating func isHandshakeAnswer(_ segment: Segment, _ start: StreamPosition) -> Bool {
        guard !handshakeIsAnswered, segment.side == clientSide, let server = sides[1 - segment.side].synchronize,
            segment.flags.contains(.ack)
        else { return false }
        handshakeIsAnswered = true
        return segment.isBareAcknowledgment && segment.acknowledgment == server.advanced(by: 1)
            && (sides[segment.side].synchronize == nil || start >= .zero)
    }

    @inline(__always)
    func position(acknowledgedBy segment: Segment) -> StreamPosition {
        sides[1 - segment.side].assembler.position(of: segment.acknowledgment)
    }

    @inline(__always)
    private mutating func noteAcknowledgment(_ segment: Segment) {
        let other = 1 - segment.side
        guard sides[other].assembler.hasBase else { return }
        let position = position(acknowledgedBy: segment)
        let isNear = position - sides[other].assembler.highest < StreamAssembler.farthest
        if position > sides[other].acknowledged, isNear { sides[other].acknowledged = position }
    }

    /// A FIN closes its direction at its sequence number, not when it comes (RFC 9293 §3.6).
    private mutating func noteFinish(_ position: StreamPosition, _ side: Int, _ time: Int64, _ books: inout Books) {
        if abs(position - sides[side].assembler.highest) < StreamAssembler.farthest {
            placeFinish(position, side, &books)
        }
        finishIfReached(side, &books)
        if closedTime == nil, sides[0].finish != .never, sides[1].finish != .never {
            closedTime = time
            close = .fin
        }
    }

    mutating func finishIfReached(_ side: Int, _ books: inout Books) {
        guard !sides[side].isFinished, sides[side].finish <= sides[side].assembler.next, keyAwaitedSince == nil else {
            return
        }
        sides[side].isFinished = true
        endDirection(side, isOrderly: true, &books)
    }
}
