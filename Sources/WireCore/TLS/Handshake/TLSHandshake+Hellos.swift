/// ClientHello and ServerHello.
extension TLSHandshake {
    func takeClientHello(
        _ message: HandshakeStream.Message, _ direction: Direction, _ epoch: TLSEpoch
    ) -> KeyChange? {
        let body = directions[direction].messages.body
        guard message.isKept, let hello = ClientHello(unsafe body.span.bytes) else {
            refuseHello(direction, epoch)
            return nil
        }
        return take(hello, direction, epoch)
    }

    /// A ClientHello in the framing of SSL 2.0, with its two bytes of header.
    func takeVersion2Hello(_ record: RawSpan, _ direction: Direction, _ epoch: TLSEpoch) -> KeyChange? {
        guard let hello = ClientHello(version2: record) else {
            findings.add(.handshakeMalformed)
            return nil
        }
        directions[direction].hasBegun = true
        directions[direction].tally(message: HandshakeType.clientHello, bytes: record.byteCount - 2)
        return take(hello, direction, epoch)
    }

    /// A hello that cannot be read: where it opens the stream, nothing behind it can be understood either.
    private func refuseHello(_ direction: Direction, _ epoch: TLSEpoch) {
        findings.add(.handshakeMalformed)
        if epoch == .clear { directions[direction].messages.lose() }
    }

    private func take(_ hello: ClientHello, _ direction: Direction, _ epoch: TLSEpoch) -> KeyChange? {
        // Only a client sends it; and one that was answered is answered.
        guard client == nil || client == direction, negotiation.version == nil || mayRenegotiate(epoch) else {
            findings.add(.handshakeMalformed)
            return nil
        }
        if hello.isMalformed { findings.add(.handshakeMalformed) }
        let isFirst = negotiation.version == nil && known.version == nil
        client = direction
        negotiation.take(hello)
        keys?.noteHello(clientRandom: hello.random)
        offeredSession = hello.sessionIdentifier
        offeredCodings = hello.certificateCodings
        guard isFirst else { return nil }
        noteOffer(hello)
        showedTicket = hello.showsTicket
        known.serverName = hello.serverName
        known.helloKey = hello.helloKey
        known.offeredProtocols = hello.protocols
        guard hello.offersEarlyData, !known.helloRetryRequested, known.earlyData == nil else { return nil }
        known.earlyData = .offered
        return .earlyDataBegins
    }

    /// The sender's messages are encrypted, and it is no TLS 1.3.
    private func mayRenegotiate(_ epoch: TLSEpoch) -> Bool {
        epoch == .application && !negotiation.isTLS13
    }

    func takeServerHello(
        _ message: HandshakeStream.Message, _ direction: Direction, _ epoch: TLSEpoch
    ) -> KeyChange? {
        let body = directions[direction].messages.body
        guard message.isKept, let hello = ServerHello(unsafe body.span.bytes) else {
            refuseHello(direction, epoch)
            return nil
        }
        let isRenegotiation = mayRenegotiate(epoch)
        guard client != direction, negotiation.version == nil || isRenegotiation else {
            findings.add(.handshakeMalformed)
            return nil
        }
        if hello.isMalformed { findings.add(.handshakeMalformed) }
        client = direction.opposite
        if hello.isRetryRequest { return takeRetryRequest() }
        negotiation.take(hello)
        known.cipher = cipherName(hello.suite)
        guard !isRenegotiation else { return nil }
        known.version = negotiation.version.flatMap(TLSVersion.init(number:))
        known.handshakeWasRead = negotiation.clientRandom != nil
        if !negotiation.isTLS13, let name = hello.applicationProtocol { known.applicationProtocol = name }
        known.resumption = resumption(hello)
        if known.earlyData == .offered, !negotiation.isTLS13 || !hello.selectsPreSharedKey {
            known.earlyData = .rejected
        }
        return .serverHello
    }

    /// RFC 8446 §4.1.4: the client begins again, and may not send early data any more.
    private func takeRetryRequest() -> KeyChange? {
        known.helloRetryRequested = true
        guard known.earlyData == .offered else { return nil }
        known.earlyData = .rejected
        return .earlyDataIsRefused
    }

    private func resumption(_ hello: ServerHello) -> TLSResumption? {
        if negotiation.isTLS13 { return hello.selectsPreSharedKey ? .preSharedKey : nil }
        guard !hello.sessionIdentifier.isEmpty, hello.sessionIdentifier == offeredSession else { return nil }
        return showedTicket ? .ticket : .sessionIdentifier
    }

    private func cipherName(_ identifier: UInt16) -> String {
        if let suite = CipherSuite.find(identifier) { return suite.name }
        let digits = String(identifier, radix: 16)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
