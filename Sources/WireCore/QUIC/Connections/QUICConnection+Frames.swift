/// Frames: whose they are, and why they were on the wire (ByteLedger.md §7.2).
extension QUICConnection {
    /// Books the frames, the header and the tag of an opened packet.
    func book(
        _ content: QUICContent, _ packet: QUICPacket, _ direction: Direction, _ isPadded: Bool,
        _ context: inout StreamContext
    ) -> QUICPacketVerdict {
        // Taken out, for frames change the connection.
        var bytes: [UInt8] = []
        swap(&bytes, &plain)
        defer { swap(&bytes, &plain) }
        var tally = QUICPacketTally()
        let span = unsafe bytes.span.bytes
        var reader = QUICFrameReader(count: content.packet.count)
        while let frame = reader.next(span) {
            book(frame, span, content, packet, direction, &tally, &context)
        }
        if reader.isMalformed || reader.isUnknown {
            context.findings.add(reader.isUnknown ? .quicFrameUnknown : .quicFrameMalformed)
            context.attribution.book(.connection, .setupQUIC, content.packet.count - reader.offset, direction)
            tally.hasConnectionFrame = true
            tracker.connection.flags.insert(.gap)
            streams.flagUnread(&context)
        }
        if content.space == .application {
            if let last = tally.last { self[direction].hold(content.packet.number, last) }
            let decided = sides.see(content.packet.number, tally.last, direction)
            for (owner, cost) in decided where context.attribution.isOpen(owner) {
                context.attribution.moveACK(cost, to: owner, direction.opposite)
            }
        }
        let overhead = packet.range.count - content.packet.count
        let verdict = tally.close(content.space, overhead: overhead, direction, isPadded, &context)
        if let entry = verdict.waitingACK {
            self[direction].waitingACKs.add(
                HeaderCost(internet: verdict.waitingBytes), frame: context.attribution.tracedFrame, to: entry)
        }
        return verdict
    }

    private func book(
        _ frame: QUICFrame, _ bytes: RawSpan, _ content: QUICContent, _ packet: QUICPacket, _ direction: Direction,
        _ tally: inout QUICPacketTally, _ context: inout StreamContext
    ) {
        let size = frame.header + frame.dataCount
        switch frame.kind {
        case .padding: tally.padding += size
        case .ping: tally.ping += size
        case .crypto: bookCrypto(frame, bytes, content.space, packet, direction, &tally, &context)
        case .stream: bookStream(frame, bytes, direction, &tally, &context)
        case .ack:
            tally.acknowledgment += size
            guard content.space == .application else { return }
            let whose = sides.acknowledge(frame, bytes, direction, isLate: join != nil)
            (tally.acknowledgedOwner, tally.waitingACK) = (whose.owner, whose.waiting)
            if whose.isGapKnown { tracker.connection.flags.insert(.gap) }
        case .resetStream, .resetStreamAt, .stopSending, .maxStreamData, .streamDataBlocked:
            let owner = owner(of: frame.stream, direction, &context)
            let cause: Cause = owner == .connection ? .setupQUIC : .quic
            context.attribution.book(owner, cause, size, direction)
            tally.control.add(owner, size)
            take(control: frame, direction, &context)
        case .close:
            context.attribution.book(.connection, .teardown, size, direction)
            tally.hasClose = true
            self[direction].recordClose(content.packet.number, content.space)
            close(at: context.attribution.packet.time)
        case .datagram:
            context.attribution.book(.connection, .opaque, size, direction)
            tally.hasConnectionFrame = true
        default:
            context.attribution.book(.connection, .setupQUIC, size, direction)
            tally.hasConnectionFrame = true
            if frame.kind == .pathChallenge || frame.kind == .pathResponse { tally.hasPathFrame = true }
            if frame.kind == .newConnectionID { learn(frame, bytes, direction) }
            if frame.kind == .retireConnectionID { knownIDs.retire(frame.offset, direction) }
        }
    }

    /// An endpoint gives out another ID by which it is found, with the token of a stateless reset behind it.
    private func learn(_ frame: QUICFrame, _ bytes: RawSpan, _ direction: Direction) {
        newIDs.append(
            QUICKnownID(
                id: QUICConnectionID(bytes, frame.content), to: direction.opposite, sequence: frame.offset))
        self[direction].resetTokens.add(bytes, at: frame.content.upperBound)
    }

    // MARK: CRYPTO

    private func bookCrypto(
        _ frame: QUICFrame, _ bytes: RawSpan, _ space: QUICSide.Space, _ packet: QUICPacket, _ direction: Direction,
        _ tally: inout QUICPacketTally, _ context: inout StreamContext
    ) {
        var ready: [UInt8] = []
        var restarted = false
        let beginning =
            space == .initial
            ? QUICCryptoStream.Beginning(version: packet.version, tokenLength: packet.token.count)
            : QUICCryptoStream.Beginning()
        let new = self[direction].crypto[space.rawValue].take(
            bytes, frame.content, at: frame.offset, beginning, into: &ready, restarted: &restarted)
        let count = frame.content.count
        context.attribution.book(.connection, .setupTLS, new, direction)
        context.attribution.book(.connection, .retransmission, count - new, direction)
        let headerCause: Cause = new > 0 || count == 0 ? .setupQUIC : .retransmission
        context.attribution.book(.connection, headerCause, frame.header, direction)
        if new > 0 { tally.hasNewHandshake = true } else { tally.repeated.add(.connection, count) }
        if restarted { tracker.security?.handshake.directions[direction].messages.restart() }
        if !ready.isEmpty { read(ready, space, direction, &context) }
    }

    /// Gives handshake messages to TLS.
    private func read(
        _ bytes: [UInt8], _ space: QUICSide.Space, _ direction: Direction, _ context: inout StreamContext
    ) {
        guard let handshake = tracker.security?.handshake else { return }
        self[direction].messages.add(bytes, space)
        self[direction].messages.deliver(to: handshake, direction)
        if direction != client { self[direction].resetTokens.learn(handshake.transportParameters) }
        for finding in handshake.findings.takeNew() { context.findings.add(finding) }
    }
}
