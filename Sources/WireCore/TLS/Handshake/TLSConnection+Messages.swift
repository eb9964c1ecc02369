/// Handshake messages.
extension TLSConnection {
    /// Takes the handshake messages in a range of bytes that are not encrypted, or not any more.
    func takeMessages(_ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction) {
        if directions[direction].messages.isLost, beginsRenegotiation(bytes, range, direction) {
            directions[direction].messages.restart()
        }
        var offset = range.lowerBound
        while offset < range.upperBound, !directions[direction].messages.isLost {
            guard let message = directions[direction].messages.next(bytes, &offset, end: range.upperBound) else {
                return
            }
            guard isExpected(message, direction) else { return directions[direction].messages.lose() }
            directions[direction].tally(message: message.type, bytes: message.length)
            let epoch = directions[direction].epoch
            take(message, direction)
            directions[direction].messages.forgetBody()
            // A message that changes the keys ends its record (RFC 8446 §5.1).
            if changesKeys(message, epoch) {
                if offset < range.upperBound { find(.handshakeMalformed) }
                return
            }
        }
    }

    /// The first message of a side is a hello. Where a stream is joined later, or is encrypted already, other bytes
    /// stand there.
    private func isExpected(_ message: HandshakeStream.Message, _ direction: Direction) -> Bool {
        if directions[direction].hasBegun || directions[direction].epoch != .clear { return true }
        directions[direction].hasBegun =
            message.type == HandshakeType.clientHello || message.type == HandshakeType.serverHello
        return directions[direction].hasBegun
    }

    /// A hello that fills a record of its own: messages can be told apart again.
    private func beginsRenegotiation(_ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction) -> Bool {
        guard hidesHandshake(direction), range.count > HandshakeStream.headerLength else { return false }
        let header = bytes.be32(range.lowerBound)
        let type = direction == client ? HandshakeType.clientHello : HandshakeType.serverHello
        return header >> 24 == UInt32(type)
            && HandshakeStream.headerLength + Int(header & 0xFF_FFFF) == range.count
    }

    private func changesKeys(_ message: HandshakeStream.Message, _ epoch: TLSDirection.Epoch) -> Bool {
        if epoch == .early { return message.type == HandshakeType.endOfEarlyData }
        guard negotiation.isTLS13 else { return false }
        return switch message.type {
        case HandshakeType.serverHello: epoch == .clear
        case HandshakeType.finished: epoch == .handshake
        case HandshakeType.keyUpdate: epoch == .application
        default: false
        }
    }

    private func take(_ message: HandshakeStream.Message, _ direction: Direction) {
        switch message.type {
        case HandshakeType.clientHello: takeClientHello(message, direction)
        case HandshakeType.serverHello: takeServerHello(message, direction)
        case HandshakeType.encryptedExtensions: takeEncryptedExtensions(message, direction)
        case HandshakeType.newSessionTicket:
            if direction != client { known.tickets += 1 }
        case HandshakeType.certificate, HandshakeType.compressedCertificate:
            if let client, direction != client {
                known.certificateBytes = (known.certificateBytes ?? 0) + message.length
            }
        case HandshakeType.clientKeyExchange:
            let body = directions[direction].messages.body
            if direction == client { negotiation.takeKeyExchange(unsafe body.span.bytes) }
        case HandshakeType.serverHelloDone: directions[direction].sawServerHelloDone = true
        case HandshakeType.endOfEarlyData: takeEndOfEarlyData(direction)
        case HandshakeType.finished: takeFinished(direction)
        case HandshakeType.keyUpdate: takeKeyUpdate(direction)
        default: break
        }
    }

    private func takeEncryptedExtensions(_ message: HandshakeStream.Message, _ direction: Direction) {
        guard negotiation.isTLS13, direction != client else { return }
        let body = directions[direction].messages.body
        guard message.isKept, let extensions = EncryptedExtensions(unsafe body.span.bytes) else {
            find(.handshakeMalformed)
            return
        }
        if let name = extensions.applicationProtocol { known.applicationProtocol = name }
        if known.earlyData == .offered { known.earlyData = extensions.acceptsEarlyData ? .accepted : .rejected }
    }

    private func takeEndOfEarlyData(_ direction: Direction) {
        guard directions[direction].epoch == .early else { return }
        if negotiation.isTLS13 {
            if known.earlyData == .offered { known.earlyData = .accepted }
            directions[direction].begin(.handshake)
        } else {
            leaveEarlyData(direction)
        }
    }

    private func takeFinished(_ direction: Direction) {
        guard negotiation.isTLS13, directions[direction].epoch == .handshake else { return }
        if direction != client, known.certificateBytes == nil { known.certificateBytes = 0 }
        directions[direction].begin(.application)
    }

    private func takeKeyUpdate(_ direction: Direction) {
        guard negotiation.isTLS13, directions[direction].epoch == .application else { return }
        known.keyUpdates += 1
        updateKeys(direction)
    }

    // MARK: ChangeCipherSpec

    /// Takes a ChangeCipherSpec. TLS 1.3 has it for appearance only; the client's may come before the ServerHello that
    /// tells the version.
    func takeChangeCipherSpec(_ direction: Direction) {
        directions[direction].changeCipherSpecs += 1
        if negotiation.isTLS13 { return }
        if directions[direction].epoch == .application, !isNegotiated(for: direction) {
            return loseRenegotiation(direction)
        }
        if negotiation.version != nil { protect(direction) }
    }

    /// Both hellos of the handshake that ends here were read.
    private func isNegotiated(for direction: Direction) -> Bool {
        negotiation.version != nil && !negotiation.lacksClientHello
            && !(direction == 0 ? negotiation.isInUse.0 : negotiation.isInUse.1)
    }

    /// Nobody could read what the two sides agreed on.
    private func loseRenegotiation(_ direction: Direction) {
        if directions[direction].opening == .ready { directions[direction].bar(.gap) }
        directions[direction].count.lead = RecordHeader.length
        directions[direction].count.trail = 0
    }

    /// From here on the side's records are under the keys that were agreed on (TLS 1.2 and earlier).
    func protect(_ direction: Direction) {
        if !directions[direction].messages.isLost, !directions[direction].messages.isBetweenMessages {
            find(.handshakeMalformed)
        }
        if direction != client, directions[direction].epoch == .clear { concludeHandshake(direction) }
        directions[direction].begin(.application)
        if direction == 0 { negotiation.isInUse.0 = true } else { negotiation.isInUse.1 = true }
        let overhead = negotiation.overhead
        directions[direction].count.lead = overhead.lead
        directions[direction].count.trail = overhead.trail
        if keys == nil { directions[direction].close(.noKeys) }
    }

    /// What the server's messages before its ChangeCipherSpec tell when all of them were read.
    private func concludeHandshake(_ direction: Direction) {
        guard !directions[direction].messages.isLost else { return }
        if known.certificateBytes == nil { known.certificateBytes = 0 }
        // An abbreviated handshake has no ServerHelloDone (RFC 5246 §7.3); a server that resumes from a ticket may
        // leave the session identifier empty (RFC 5077 §3.4).
        guard known.handshakeWasRead, known.resumption == nil, !directions[direction].sawServerHelloDone,
            showedTicket || !offeredSession.isEmpty
        else { return }
        known.resumption = showedTicket ? .ticket : .sessionIdentifier
    }
}
