import WireNative

/// One QUIC connection (RFC 9000): takes its datagrams in the order of the capture, opens their packets as far as keys are
/// there, and books every byte of them to a cause and an owner (ByteLedger.md §7).
///
/// Which datagrams are its own is decided before: by connection ID, then by addresses. Initial packets open with keys that
/// anyone can make; all others need a key log.
///
/// - Invariant: what a datagram brought in is booked when `receive` returns, but for stream data that waits for earlier
///   bytes of its stream.
final class QUICConnection {
    var tracker: ExchangeTracker
    private let memory = UnsafePairStorage(repeating: ConnectionAccount())
    /// Of the direction that an endpoint sends.
    var sides = (QUICSide(), QUICSide())
    var streams: [UInt64: QUICStream] = [:]
    /// Reads what the streams carry; nil where that is not HTTP/3, or none was seen.
    var http3: HTTP3Connection?
    /// Numbers of streams, by their two lowest bits, that are over and were forgotten.
    var forgotten: InlineArray<4, QUICRanges> = [QUICRanges(), QUICRanges(), QUICRanges(), QUICRanges()]
    /// Streams that both directions have ended, the oldest first.
    var closedStreams: [UInt64] = []
    /// Destination connection IDs of the client's first Initials, and of Retry: Initial keys are made of them.
    var initialIDs: [QUICConnectionID] = []
    var initialKeys: [(version: QUICVersion, id: QUICConnectionID, isClient: Bool, keys: QUICKeys)] = []
    /// Versions of long headers so far.
    var versions: [QUICVersion] = []
    /// Connection IDs that endpoints gave each other, to be registered by whoever finds connections.
    var newIDs: [(id: QUICConnectionID, isServers: Bool)] = []
    /// All that were registered.
    var knownIDs: [QUICConnectionID] = []
    var resetTokens: Set<QUICConnectionID> = []
    /// A packet of the server was opened: it answered, so the Initial was no invention.
    var isConfirmed = false
    /// The server sent Retry or Version Negotiation and nothing else so far: the client begins anew.
    var beginsAnew = false
    /// 1-RTT or 0-RTT packets that no key opened, and those that one did.
    var closedPackets = 0
    var openedPackets = 0
    /// Its streams were ended and its exchanges given out.
    var isConcluded = false
    /// A DNS lookup that this connection pays for.
    var lookup: LookupCost?
    /// Content of the packet that is being read.
    var plain: [UInt8] = []

    init(_ facts: ConnectionFacts, client: Direction, keys: KeyLog) {
        tracker = ExchangeTracker(facts)
        tracker.connection.client = client
        tracker.connection.transport = .quic
        tracker.requester = client
        tracker.security = RecordProtection(keys: keys, ordinal: facts.ordinal)
        tracker.security?.handshake.client = client
        tracker.isSecure = DirectionPair(repeating: true)
    }

    var account: UnsafePair<ConnectionAccount> { memory.pair }

    var facts: ConnectionFacts {
        get { tracker.connection }
        set { tracker.connection = newValue }
    }

    var client: Direction { tracker.connection.client ?? 0 }

    subscript(direction: Direction) -> QUICSide {
        _read { if direction.index == 0 { yield sides.0 } else { yield sides.1 } }
        _modify { if direction.index == 0 { yield &sides.0 } else { yield &sides.1 } }
    }

    // MARK: Datagrams

    /// Takes a datagram of the connection. `bytes`: what was captured of its UDP payload.
    func receive(_ datagram: QUICDatagram, _ bytes: RawSpan, _ context: inout StreamContext) {
        context.attribution.connection = account
        context.attribution.packet = PacketContext(time: datagram.time)
        count(datagram)
        var tally = QUICDatagramTally()
        var offset = 0
        while offset < datagram.length {
            guard let packet = nextPacket(bytes, at: offset, datagram) else { break }
            if packet.kind == .initial { tally.holdsInitial = true }
            offset = packet.range.upperBound
            take(packet, bytes, datagram.direction, &tally, &context)
        }
        bookRest(datagram.length - offset, datagram, &tally, &context)
        bookHeaders(datagram, tally, &context)
    }

    private func count(_ datagram: QUICDatagram) {
        self[datagram.direction].counts.packets += datagram.frames
        self[datagram.direction].counts.frames += datagram.frameBytes
        self[datagram.direction].counts.internet += datagram.cost.internet + datagram.length
        self[datagram.direction].counts.payload += datagram.length
        tracker.connection.lastTime = max(tracker.connection.lastTime, datagram.time)
    }

    /// The packet that begins at `offset`; nil where none does, and what is left is no packet.
    private func nextPacket(_ bytes: RawSpan, at offset: Int, _ datagram: QUICDatagram) -> QUICPacket? {
        guard offset < bytes.byteCount else { return nil }
        if bytes.u8(offset) & 0x80 == 0, offset > 0 {
            // Zeros behind the last packet, which other packets cannot begin with.
            guard bytes.u8(offset) & 0x40 != 0 else { return nil }
        }
        let idLength = datagram.shortIDLength ?? self[datagram.direction.opposite].idLength ?? 0
        return QUICPacket(bytes, at: offset, length: datagram.length, shortIDLength: idLength)
    }

    /// Bytes behind the last packet fill the datagram up; where there is no packet, nobody knows what they are.
    private func bookRest(
        _ count: Int, _ datagram: QUICDatagram, _ tally: inout QUICDatagramTally, _ context: inout StreamContext
    ) {
        guard tally.verdict == nil else {
            return context.attribution.post(.connection, .setupQUIC, count, datagram.direction)
        }
        context.attribution.post(.connection, .opaque, count, datagram.direction)
        tally.add(QUICPacketVerdict(.closed, .opaque))
    }

    /// The headers of IP and UDP, and the link's, go with the best of the packets.
    private func bookHeaders(
        _ datagram: QUICDatagram, _ tally: QUICDatagramTally, _ context: inout StreamContext
    ) {
        guard let verdict = tally.verdict else { return }
        var cost = datagram.cost
        cost.hidden += (tally.count - 1) * cost.internet
        let cause = verdict.rank == .message ? Cause.tcpip : verdict.cause
        let shares = verdict.shares.merged()
        if cause.isOverhead, shares.count == 1, shares[0].owner == .connection {
            account[datagram.direction].addOverhead(cause, cost.internet, link: cost.link)
            if cost.hidden > 0 { context.attribution.postHidden(.connection, cost.hidden, datagram.direction) }
        } else {
            context.attribution.post(cost, cause, among: shares, datagram.direction)
        }
    }

    // MARK: Packets

    private func take(
        _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, _ tally: inout QUICDatagramTally,
        _ context: inout StreamContext
    ) {
        note(packet, bytes, direction)
        if let opened = open(packet, bytes, direction, context) {
            if opened.space == .initial { tally.holdsInitial = true }
            if packet.kind == .short { self[direction].note(size: packet.range.count) }
            tally.add(book(opened, packet, direction, tally.holdsInitial, &context))
        } else if packet.kind == .short, let size = segmentSize(bytes, packet, direction) {
            takeSegments(packet, size, bytes, direction, &tally, &context)
        } else {
            tally.add(bookClosed(packet, bytes, direction, &context))
        }
    }

    /// A frame holds several datagrams that the network card would have cut: each but the last of one size.
    private func takeSegments(
        _ packet: QUICPacket, _ size: Int, _ bytes: RawSpan, _ direction: Direction, _ tally: inout QUICDatagramTally,
        _ context: inout StreamContext
    ) {
        self[direction].note(size: size)
        var offset = packet.range.lowerBound
        while offset < packet.range.upperBound {
            var part = packet
            part.range = offset..<min(offset + size, packet.range.upperBound)
            part.numberOffset = offset + packet.numberOffset - packet.range.lowerBound
            if offset > packet.range.lowerBound { tally.count += 1 }
            if let opened = open(part, bytes, direction, context) {
                tally.add(book(opened, part, direction, tally.holdsInitial, &context))
            } else {
                tally.add(bookClosed(part, bytes, direction, &context))
            }
            offset = part.range.upperBound
        }
    }

    /// A packet that nobody can open: its header says what it is, or nothing does.
    private func bookClosed(
        _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, _ context: inout StreamContext
    ) -> QUICPacketVerdict {
        let cause: Cause
        switch packet.kind {
        case .retry, .negotiation, .initial, .handshake: cause = .setupQUIC
        case .short where isReset(packet, bytes):
            cause = .teardown
            close(at: context.attribution.packet.time)
        default:
            cause = .opaque
            closedPackets += 1
        }
        context.attribution.post(.connection, cause, packet.range.count, direction)
        return QUICPacketVerdict(cause == .setupQUIC ? .newHandshake : cause == .teardown ? .close : .closed, cause)
    }

    /// A stateless reset ends with a token that the endpoint gave out before (RFC 9000 §10.3).
    private func isReset(_ packet: QUICPacket, _ bytes: RawSpan) -> Bool {
        let end = packet.range.upperBound
        guard !resetTokens.isEmpty, packet.range.count >= 21, end <= bytes.byteCount else { return false }
        return resetTokens.contains(QUICConnectionID(bytes, end - 16..<end))
    }

    func close(at time: Int64) {
        guard tracker.connection.closedTime == nil else { return }
        tracker.connection.close = .closed
        tracker.connection.closedTime = time
    }
}
