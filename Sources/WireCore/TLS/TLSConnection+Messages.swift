/// Handshake messages.
extension TLSConnection {
    /// Takes the handshake messages in a range of bytes that are not encrypted, or not any more.
    func takeMessages(_ bytes: RawSpan, _ range: Range<Int>, _ side: Int) {
        if sides[side].messages.isLost, beginsRenegotiation(bytes, range, side) { sides[side].messages.restart() }
        var offset = range.lowerBound
        while offset < range.upperBound, !sides[side].messages.isLost {
            guard let message = sides[side].messages.next(bytes, &offset, end: range.upperBound) else { return }
            guard isExpected(message, side) else { return sides[side].messages.lose() }
            sides[side].tally(message: message.type, bytes: message.length)
            let epoch = sides[side].epoch
            take(message, side)
            sides[side].messages.forgetBody()
            // A message that changes the keys ends its record (RFC 8446 §5.1).
            if changesKeys(message, epoch) {
                if offset < range.upperBound { find(.handshakeMalformed) }
                return
            }
        }
    }

    /// The first message of a side is a hello. Where a stream is joined later, or is encrypted already, other bytes
    /// stand there.
    private func isExpected(_ message: HandshakeStream.Message, _ side: Int) -> Bool {
        if sides[side].hasBegun || sides[side].epoch != .clear { return true }
        sides[side].hasBegun =
            message.type == HandshakeType.clientHello || message.type == HandshakeType.serverHello
        return sides[side].hasBegun
    }

    /// A hello that fills a record of its own: messages can be told apart again.
    private func beginsRenegotiation(_ bytes: RawSpan, _ range: Range<Int>, _ side: Int) -> Bool {
        guard hidesHandshake(side), range.count > HandshakeStream.headerLength else { return false }
        let header = bytes.be32(range.lowerBound)
        let type = side == clientSide ? HandshakeType.clientHello : HandshakeType.serverHello
        return header >> 24 == UInt32(type)
            && HandshakeStream.headerLength + Int(header & 0xFF_FFFF) == range.count
    }

    private func changesKeys(_ message: HandshakeStream.Message, _ epoch: TLSSide.Epoch) -> Bool {
        if epoch == .early { return message.type == HandshakeType.endOfEarlyData }
        guard negotiation.isTLS13 else { return false }
        return switch message.type {
        case HandshakeType.serverHello: epoch == .clear
        case HandshakeType.finished: epoch == .handshake
        case HandshakeType.keyUpdate: epoch == .application
        default: false
        }
    }

    private func take(_ message: HandshakeStream.Message, _ side: Int) {
        switch message.type {
        case HandshakeType.clientHello: takeClientHello(message, side)
        case HandshakeType.serverHello: takeServerHello(message, side)
        case HandshakeType.encryptedExtensions: takeEncryptedExtensions(message, side)
        case HandshakeType.newSessionTicket:
            if side != clientSide { known.tickets += 1 }
        case HandshakeType.certificate, HandshakeType.compressedCertificate:
            if let clientSide, side != clientSide {
                known.certificateBytes = (known.certificateBytes ?? 0) + message.length
            }
        case HandshakeType.clientKeyExchange:
            let body = sides[side].messages.body
            if side == clientSide { negotiation.takeKeyExchange(unsafe body.span.bytes) }
        case HandshakeType.serverHelloDone: sides[side].sawServerHelloDone = true
        case HandshakeType.endOfEarlyData: takeEndOfEarlyData(side)
        case HandshakeType.finished: takeFinished(side)
        case HandshakeType.keyUpdate: takeKeyUpdate(side)
        default: break
        }
    }

    private func takeEncryptedExtensions(_ message: HandshakeStream.Message, _ side: Int) {
        guard negotiation.isTLS13, side != clientSide else { return }
        let body = sides[side].messages.body
        guard message.isKept, let extensions = EncryptedExtensions(unsafe body.span.bytes) else {
            find(.handshakeMalformed)
            return
        }
        if let name = extensions.applicationProtocol { known.applicationProtocol = name }
        if known.earlyData == .offered { known.earlyData = extensions.acceptsEarlyData ? .accepted : .rejected }
    }

    private func takeEndOfEarlyData(_ side: Int) {
        guard sides[side].epoch == .early else { return }
        if negotiation.isTLS13 {
            if known.earlyData == .offered { known.earlyData = .accepted }
            sides[side].begin(.handshake)
        } else {
            leaveEarlyData(side)
        }
    }

    private func takeFinished(_ side: Int) {
        guard negotiation.isTLS13, sides[side].epoch == .handshake else { return }
        if side != clientSide, known.certificateBytes == nil { known.certificateBytes = 0 }
        sides[side].begin(.application)
    }

    private func takeKeyUpdate(_ side: Int) {
        guard negotiation.isTLS13, sides[side].epoch == .application else { return }
        known.keyUpdates += 1
        updateKeys(side)
    }

    // MARK: ChangeCipherSpec

    /// Takes a ChangeCipherSpec. TLS 1.3 has it for appearance only; the client's may come before the ServerHello that
    /// tells the version.
    func takeChangeCipherSpec(_ side: Int) {
        sides[side].changeCipherSpecs += 1
        if negotiation.isTLS13 { return }
        if sides[side].epoch == .application, !isNegotiated(for: side) { return loseRenegotiation(side) }
        if negotiation.version != nil { protect(side) }
    }

    /// Both hellos of the handshake that ends here were read.
    private func isNegotiated(for side: Int) -> Bool {
        negotiation.version != nil && !negotiation.lacksClientHello
            && !(side == 0 ? negotiation.isInUse.0 : negotiation.isInUse.1)
    }

    /// Nobody could read what the two sides agreed on.
    private func loseRenegotiation(_ side: Int) {
        if sides[side].opening == .ready { sides[side].bar(.gap) }
        sides[side].count.lead = RecordHeader.length
        sides[side].count.trail = 0
    }

    /// From here on the side's records are under the keys that were agreed on (TLS 1.2 and earlier).
    func protect(_ side: Int) {
        if !sides[side].messages.isLost, !sides[side].messages.isBetweenMessages { find(.handshakeMalformed) }
        if side != clientSide, sides[side].epoch == .clear { concludeHandshake(side) }
        sides[side].begin(.application)
        if side == 0 { negotiation.isInUse.0 = true } else { negotiation.isInUse.1 = true }
        let overhead = negotiation.overhead
        sides[side].count.lead = overhead.lead
        sides[side].count.trail = overhead.trail
        if keys == nil { sides[side].close(.noKeys) }
    }

    /// What the server's messages before its ChangeCipherSpec tell when all of them were read.
    private func concludeHandshake(_ side: Int) {
        guard !sides[side].messages.isLost else { return }
        if known.certificateBytes == nil { known.certificateBytes = 0 }
        // An abbreviated handshake has no ServerHelloDone (RFC 5246 §7.3); a server that resumes from a ticket may
        // leave the session identifier empty (RFC 5077 §3.4).
        guard known.handshakeWasRead, known.resumption == nil, !sides[side].sawServerHelloDone,
            showedTicket || !offeredSession.isEmpty
        else { return }
        known.resumption = showedTicket ? .ticket : .sessionIdentifier
    }
}
