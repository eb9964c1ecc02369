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
    var sides = QUICSides()
    var streams = QUICStreamTable()
    /// Reads what the streams carry; nil where that is not HTTP/3, or none was seen.
    var http3: HTTP3Connection?
    var initialKeys: QUICInitialKeys
    /// Versions of long headers so far.
    var versions: [QUICVersion] = []
    /// Connection IDs that endpoints gave each other, to be registered by whoever finds connections.
    var newIDs: [QUICKnownID] = []
    /// All that were registered and not forgotten, the oldest first.
    var knownIDs: [QUICKnownID] = []
    /// A packet of the server was opened: it answered, so the Initial was no invention.
    var isConfirmed = false
    /// The server sent Retry or Version Negotiation and nothing else so far: the client begins anew, some with packet number 0.
    var beginsAnew = false { didSet { if beginsAnew { self[client].discardNumbers() } } }
    /// Its secrets, where the capture lacks its beginning and they were found by trying.
    var join: QUICJoin?
    /// Pairs of addresses that lead or led here.
    var knownPairs: [QUICPair] = []
    /// Addresses of the latest datagram, which lead here as long as no connection took over addresses of another, and the
    /// connection's direction that direction 0 of them is.
    var latestPair: (pair: QUICPair, takeovers: Int, zero: Direction)?
    /// Datagrams with packets that wait for their keys.
    var waiting = QUICWaiting() { didSet { holdsWaiting = !waiting.isEmpty } }
    /// There are such. Every datagram asks; the whole of `waiting` is guarded against changes meanwhile.
    private(set) var holdsWaiting = false
    /// 1-RTT or 0-RTT packets that were opened.
    var openedPackets = 0
    /// Its streams were ended and its exchanges given out.
    var isConcluded = false
    /// DNS lookups that this connection pays for.
    var lookup: LookupBytes?
    /// Content of the packet that is being read.
    var plain: [UInt8] = []

    init(
        _ facts: ConnectionFacts, client: Direction, keys: KeyLog, certificates: CertificateReader?,
        _ derivation: QUICInitialDerivation
    ) {
        initialKeys = QUICInitialKeys(derivation)
        tracker = ExchangeTracker(facts)
        tracker.connection.client = client
        tracker.connection.transport = .quic
        tracker.requester = client
        tracker.security = RecordProtection(keys: keys, certificates: certificates, ordinal: facts.ordinal)
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
        _read { yield sides[direction] }
        _modify { yield &sides[direction] }
    }

    // MARK: Datagrams

    /// Takes a datagram of the connection. `bytes`: what was captured of its UDP payload.
    ///
    /// - Returns: whether it is booked, and something follows from it.
    func receive(_ datagram: QUICDatagram, _ bytes: RawSpan, _ context: inout StreamContext) -> QUICReceipt {
        context.attribution.connection = account
        context.attribution.packet = PacketContext(time: datagram.time)
        context.attribution.noteDatagram(context.findings.place.packet)
        tracker.connection.note(time: datagram.time)
        if !holdsWaiting, isUnreadable(datagram, bytes, context) {
            sides.countUnread(datagram)
            datagram.bookUnreadable(&context.attribution)
            tracker.security?.keepHidden(packet: datagram.length, datagram.direction, &context)
            return .settled
        }
        if holdsWaiting {
            giveUpStale(at: datagram.time, &context)
            resumeWaiting(&context)
        }
        // Without keys nothing of a short header's packet would be read.
        if bytes.byteCount < datagram.length, context.keys.isInUse || bytes.byteCount == 0 || bytes.u8(0) & 0x80 != 0 {
            tracker.connection.flags.insert(.snapped)
        }
        if let receipt = read(datagram, bytes, &context) { return receipt }
        self[datagram.direction].count(datagram)
        if holdsWaiting { resumeWaiting(&context) }
        return newIDs.isEmpty && !holdsWaiting ? .settled : .open
    }

    /// Without keys nothing is read of a datagram that begins with a short header: all of it is one packet.
    private func isUnreadable(_ datagram: QUICDatagram, _ bytes: RawSpan, _ context: borrowing StreamContext) -> Bool {
        guard bytes.byteCount > 0, bytes.u8(0) & 0x80 == 0, !context.keys.isInUse, datagram.likeness == .none
        else { return false }
        return datagram.length > datagram.shortIDLength ?? QUICConnectionID.longest
    }

    /// Books the packets, unless the datagram may be a copy: then returns what shows of that.
    private func read(
        _ datagram: QUICDatagram, _ bytes: RawSpan, _ context: inout StreamContext
    ) -> QUICReceipt? {
        if datagram.likeness == .equal, let receipt = QUICRepetition.resolve(datagram, bytes, self, context) {
            return receipt
        }
        var tally = QUICDatagramTally()
        var parts: [QUICWaitingDatagram.Part] = []
        var offset = 0
        while offset < datagram.length {
            guard let packet = nextPacket(bytes, at: offset, datagram) else { break }
            if packet.kind == .initial { tally.holdsInitial = true }
            var fate = take(
                packet, bytes, datagram.direction, mayRepeat: offset == 0 && datagram.likeness == .none, &tally,
                &context)
            if fate == .repeated {
                if let receipt = QUICRepetition.resolve(datagram, bytes, self, context) { return receipt }
                fate = take(packet, bytes, datagram.direction, &tally, &context)
            }
            offset = packet.range.upperBound
            guard fate == .waiting else { continue }
            parts += [.booked(tally), .waiting(packet)]
            let holdsInitial = tally.holdsInitial
            tally = QUICDatagramTally()
            tally.holdsInitial = holdsInitial
        }
        guard parts.isEmpty else {
            parts.append(.booked(tally))
            let held = QUICWaitingDatagram(
                datagram: datagram, bytes: bytes.array(0..<bytes.byteCount), parts: parts,
                rest: datagram.length - offset, place: context.findings.place)
            hold(held, &context)
            return nil
        }
        finish(datagram, rest: datagram.length - offset, tally, &context)
        return nil
    }

    /// All packets of the datagram were booked.
    func finish(_ datagram: QUICDatagram, rest: Int, _ tally: QUICDatagramTally, _ context: inout StreamContext) {
        var tally = tally
        datagram.bookRest(rest, &tally, &context.attribution)
        datagram.bookHeaders(tally, waiting: &self[datagram.direction].waitingACKs, &context.attribution)
    }

    /// The packet that begins at `offset`; nil where none does, and what is left is no packet.
    func nextPacket(_ bytes: RawSpan, at offset: Int, _ datagram: QUICDatagram) -> QUICPacket? {
        guard offset < bytes.byteCount else { return nil }
        // Zeros behind the last packet fill the datagram up. The fixed bit says nothing (RFC 9287).
        if offset > 0, bytes.u8(offset) & 0xC0 == 0, bytes.isZero(from: offset) { return nil }
        let idLength = datagram.shortIDLength ?? self[datagram.direction.opposite].idLength ?? 0
        return QUICPacket(bytes, at: offset, length: datagram.length, shortIDLength: idLength)
    }

    // MARK: Packets

    /// What became of a packet. It is booked, or it waits for what opens it, or its number was used before.
    enum PacketFate { case booked, waiting, repeated }

    /// Books a packet, unless it waits. `mayRepeat`: nor where its number was used before.
    func take(
        _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, mayRepeat: Bool = false,
        _ tally: inout QUICDatagramTally, _ context: inout StreamContext
    ) -> PacketFate {
        note(packet, bytes, direction, &context)
        if let opened = open(packet, bytes, direction, context) {
            if opened.isRepeated, mayRepeat { return .repeated }
            if opened.space == .initial { tally.holdsInitial = true }
            if packet.kind == .short { self[direction].record(size: packet.range.count) }
            tally.add(book(opened, packet, direction, tally.holdsInitial, &context))
        } else if packet.kind == .short, let size = self[direction].segmentSize(bytes, packet, &plain) {
            receiveSegments(packet, size, bytes, direction, &tally, &context)
        } else if awaitsKeys(packet, captured: bytes.byteCount, direction, context) {
            return .waiting
        } else {
            tally.add(bookClosed(packet, bytes, direction, &context))
        }
        return .booked
    }

    /// A packet that nobody can open: its header says what it is, or nothing does.
    func bookClosed(
        _ packet: QUICPacket, _ bytes: RawSpan, _ direction: Direction, _ context: inout StreamContext
    ) -> QUICPacketVerdict {
        let cause: Cause
        switch packet.kind {
        case .retry, .negotiation, .initial, .handshake: cause = .setupQUIC
        case .short where self[direction].resetTokens.end(packet, bytes):
            cause = .teardown
            close(at: context.attribution.packet.time)
        default:
            cause = .opaque
            sides.closedPackets += 1
            tracker.security?.keepHidden(packet: packet.range.count, direction, &context)
        }
        context.attribution.book(.connection, cause, packet.range.count, direction)
        return QUICPacketVerdict(cause == .setupQUIC ? .newHandshake : cause == .teardown ? .close : .closed, cause)
    }

    func close(at time: Int64) {
        guard tracker.connection.closedTime == nil else { return }
        tracker.connection.close = .closed
        tracker.connection.closedTime = time
    }
}
