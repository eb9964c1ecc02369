/// Handshake messages but the hellos.
extension TLSHandshake {
    func take(_ message: HandshakeStream.Message, _ direction: Direction, _ epoch: TLSEpoch) -> KeyChange? {
        switch message.type {
        case HandshakeType.clientHello: return takeClientHello(message, direction, epoch)
        case HandshakeType.serverHello: return takeServerHello(message, direction, epoch)
        case HandshakeType.encryptedExtensions: takeEncryptedExtensions(message, direction)
        case HandshakeType.newSessionTicket:
            if direction != client {
                known.tickets += 1
                readLifetime(direction)
            }
        case HandshakeType.certificate, HandshakeType.compressedCertificate:
            if let client, direction != client {
                known.certificateBytes = (known.certificateBytes ?? 0) + message.length
                readCertificates(message, direction)
            }
        case HandshakeType.clientKeyExchange:
            let body = directions[direction].messages.body
            if direction == client { negotiation.takeKeyExchange(unsafe body.span.bytes) }
        case HandshakeType.serverHelloDone: directions[direction].sawServerHelloDone = true
        case HandshakeType.endOfEarlyData: return takeEndOfEarlyData(epoch)
        case HandshakeType.finished: return takeFinished(direction, epoch)
        case HandshakeType.keyUpdate: return takeKeyUpdate(epoch)
        default: break
        }
        return nil
    }

    /// Both versions begin with it (RFC 5077 §3.3, RFC 8446 §4.6.1).
    private func readLifetime(_ direction: Direction) {
        let body = directions[direction].messages.body
        guard body.count >= HandshakeStream.lifetimeLength else { return }
        let seconds = body.prefix(HandshakeStream.lifetimeLength).reduce(0) { $0 << 8 | Int($1) }
        // Up to TLS 1.2, 0 says that the server does not tell.
        guard negotiation.isTLS13 || seconds > 0 else { return }
        let most = negotiation.isTLS13 ? TLSFacts.mostTicketLifetime : .max
        known.ticketLifetime = max(known.ticketLifetime ?? 0, min(seconds, most))
    }

    /// The first chain is that of the handshake which opens the connection.
    private func readCertificates(_ message: HandshakeStream.Message, _ direction: Direction) {
        guard let certificates, message.isKept, known.chain == nil, negotiation.version != nil else { return }
        known.chain = certificates.read(
            directions[direction].messages.body, isTLS13: negotiation.isTLS13, offered: offeredCodings)
    }

    private func takeEncryptedExtensions(_ message: HandshakeStream.Message, _ direction: Direction) {
        guard negotiation.isTLS13, direction != client else { return }
        let body = directions[direction].messages.body
        guard message.isKept, let extensions = EncryptedExtensions(unsafe body.span.bytes) else {
            findings.add(.handshakeMalformed)
            return
        }
        if let name = extensions.applicationProtocol { known.applicationProtocol = name }
        transportParameters = extensions.transportParameters
        if known.earlyData == .offered { known.earlyData = extensions.acceptsEarlyData ? .accepted : .rejected }
    }

    private func takeEndOfEarlyData(_ epoch: TLSEpoch) -> KeyChange? {
        guard epoch == .early else { return nil }
        if negotiation.isTLS13, known.earlyData == .offered { known.earlyData = .accepted }
        return .endOfEarlyData
    }

    private func takeFinished(_ direction: Direction, _ epoch: TLSEpoch) -> KeyChange? {
        guard negotiation.isTLS13, epoch == .handshake else { return nil }
        if direction != client, known.certificateBytes == nil { known.certificateBytes = 0 }
        return .finished
    }

    private func takeKeyUpdate(_ epoch: TLSEpoch) -> KeyChange? {
        guard negotiation.isTLS13, epoch == .application else { return nil }
        known.keyUpdates += 1
        return .keyUpdate
    }
}
