/// From handshake messages and ChangeCipherSpec to the epochs of the two directions.
extension RecordProtection {
    /// Takes the handshake messages in a range of bytes that are not encrypted, or not any more.
    func takeMessages(_ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction) {
        if hidesHandshake(direction) { handshake.rejoin(bytes, range, direction) }
        var offset = range.lowerBound
        while let effect = handshake.next(
            bytes, &offset, end: range.upperBound, direction, epoch: directions[direction].epoch)
        {
            if let change = effect.change { apply(change, direction) }
            guard effect.endsRecord else { continue }
            if offset < range.upperBound { handshake.findings.add(.handshakeMalformed) }
            return
        }
    }

    /// A ClientHello in the framing of SSL 2.0, with its two bytes of header.
    func openVersion2Hello(_ record: RawSpan, _ direction: Direction) {
        directions[direction].count.facts.records += 1
        directions[direction].count.facts.handshake += record.byteCount
        if let change = handshake.takeVersion2Hello(record, direction, directions[direction].epoch) {
            apply(change, direction)
        }
    }

    /// What a message of `sender` changed.
    private func apply(_ change: KeyChange, _ sender: Direction) {
        switch change {
        case .earlyDataBegins: beginEarlyData(sender)
        case .earlyDataIsRefused:
            if directions[sender.opposite].epoch == .early { leaveEarlyData(sender.opposite) }
        case .endOfEarlyData:
            if handshake.negotiation.isTLS13 { begin(.handshake, sender) } else { leaveEarlyData(sender) }
        case .serverHello: beginProtection(server: sender)
        case .finished: begin(.application, sender)
        case .keyUpdate: updateKeys(sender)
        }
    }

    /// Records come under other keys from here on, and messages do not go on across that.
    func begin(_ epoch: TLSEpoch, _ direction: Direction) {
        directions[direction].begin(epoch)
        handshake.directions[direction].messages.restart()
    }

    private func beginEarlyData(_ client: Direction) {
        let overhead = handshake.negotiation.earlyOverhead
        directions[client].count.lead = overhead.lead
        directions[client].count.trail = overhead.trail
        // The ClientHello's record may go on; its messages are not begun anew.
        if keys != nil { directions[client].begin(.early) }
    }

    /// No early data comes any more, and under which keys what comes is protected nobody has said yet.
    func leaveEarlyData(_ client: Direction) {
        begin(.clear, client)
        directions[client].close(keys == nil ? .noKeys : .noHandshake)
        directions[client].count.lead = RecordHeader.length
        directions[client].count.trail = 0
    }

    /// TLS 1.3: all that follows is protected. TLS 1.2 and earlier: nothing is before ChangeCipherSpec.
    private func beginProtection(server: Direction) {
        let client = server.opposite
        guard handshake.negotiation.isTLS13 else {
            if directions[client].epoch == .early { leaveEarlyData(client) }
            // The client's ChangeCipherSpec, when the capture shows it before the ServerHello.
            if directions[client].changeCipherSpecs > 0 { protect(client) }
            return
        }
        let overhead = handshake.negotiation.overhead
        for direction in Direction.both {
            directions[direction].count.lead = overhead.lead
            directions[direction].count.trail = overhead.trail
        }
        beginHandshakeKeys(server: server)
    }

    /// A ServerHello of TLS 1.3 was read: the server's records are protected from here on, the client's as soon as it
    /// has answered, or sent the last of its early data.
    private func beginHandshakeKeys(server: Direction) {
        begin(.handshake, server)
        let client = server.opposite
        if directions[client].epoch == .early {
            // Without the early secret, the first record under another key ends the early data.
            if directions[client].opening == .closed, directions[client].reason == .keyMissing,
                handshake.known.earlyData != nil
            {
                directions[client].opening = .awaited
            }
        } else {
            // Records of the client that came before the ServerHello, in the order of the capture.
            let (sequence, unexamined) = (directions[client].sequence, directions[client].unexamined)
            begin(.handshake, client)
            directions[client].sequence = sequence
            directions[client].unexamined = unexamined
        }
        guard keys == nil else { return }
        directions[server].close(.noKeys)
        directions[client].close(.noKeys)
    }

    // MARK: ChangeCipherSpec

    /// Takes a ChangeCipherSpec. TLS 1.3 has it for appearance only; the client's may come before the ServerHello that
    /// tells the version.
    func takeChangeCipherSpec(_ direction: Direction) {
        directions[direction].changeCipherSpecs += 1
        if handshake.negotiation.isTLS13 { return }
        if directions[direction].epoch == .application, !isNegotiated(for: direction) {
            return loseRenegotiation(direction)
        }
        if handshake.negotiation.version != nil { protect(direction) }
    }

    /// Both hellos of the handshake that ends here were read.
    private func isNegotiated(for direction: Direction) -> Bool {
        handshake.negotiation.version != nil && !handshake.negotiation.lacksClientHello
            && !(direction == 0 ? handshake.negotiation.isInUse.0 : handshake.negotiation.isInUse.1)
    }

    /// Nobody could read what client and server agreed on.
    private func loseRenegotiation(_ direction: Direction) {
        if directions[direction].opening == .ready { directions[direction].bar(.gap) }
        directions[direction].count.lead = RecordHeader.length
        directions[direction].count.trail = 0
    }

    /// From here on the direction's records are under the keys that were agreed on (TLS 1.2 and earlier).
    private func protect(_ direction: Direction) {
        let messages = handshake.directions[direction].messages
        if !messages.isLost, !messages.isBetweenMessages { handshake.findings.add(.handshakeMalformed) }
        if direction != client, directions[direction].epoch == .clear {
            handshake.concludeServerMessages(direction)
        }
        begin(.application, direction)
        if direction == 0 { handshake.negotiation.isInUse.0 = true } else { handshake.negotiation.isInUse.1 = true }
        let overhead = handshake.negotiation.overhead
        directions[direction].count.lead = overhead.lead
        directions[direction].count.trail = overhead.trail
        if keys == nil { directions[direction].close(.noKeys) }
    }
}
