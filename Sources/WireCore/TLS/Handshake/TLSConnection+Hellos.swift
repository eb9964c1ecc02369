/// ClientHello and ServerHello.
extension TLSConnection {
    func takeClientHello(_ message: HandshakeStream.Message, _ direction: Direction) {
        let body = directions[direction].messages.body
        guard message.isKept, let hello = ClientHello(unsafe body.span.bytes) else {
            return refuseHello(direction)
        }
        take(hello, direction)
    }

    /// A ClientHello in the framing of SSL 2.0, with its two bytes of header.
    func openVersion2Hello(_ record: RawSpan, _ direction: Direction) {
        directions[direction].count.facts.records += 1
        directions[direction].count.facts.handshake += record.byteCount
        guard let hello = ClientHello(version2: record) else {
            find(.handshakeMalformed)
            return
        }
        directions[direction].hasBegun = true
        directions[direction].tally(message: HandshakeType.clientHello, bytes: record.byteCount - 2)
        take(hello, direction)
    }

    /// A hello that cannot be read: where it opens the stream, nothing behind it can be understood either.
    private func refuseHello(_ direction: Direction) {
        find(.handshakeMalformed)
        if directions[direction].epoch == .clear { directions[direction].messages.lose() }
    }

    private func take(_ hello: ClientHello, _ direction: Direction) {
        // Only a client sends it; and one that was answered is answered.
        guard client == nil || client == direction, negotiation.version == nil || isAgain(direction) else {
            find(.handshakeMalformed)
            return
        }
        if hello.isMalformed { find(.handshakeMalformed) }
        let isFirst = negotiation.version == nil && known.version == nil
        client = direction
        negotiation.take(hello)
        keys?.noteHello(clientRandom: hello.random)
        offeredSession = hello.sessionIdentifier
        guard isFirst else { return }
        showedTicket = hello.showsTicket
        known.serverName = hello.serverName
        known.offeredProtocols = hello.protocols
        if hello.offersEarlyData, !known.helloRetryRequested, known.earlyData == nil {
            known.earlyData = .offered
            beginEarlyData(direction)
        }
    }

    /// The side may renegotiate: its messages are encrypted, and no TLS 1.3.
    private func isAgain(_ direction: Direction) -> Bool {
        directions[direction].epoch == .application && !negotiation.isTLS13
    }

    private func beginEarlyData(_ client: Direction) {
        let overhead = negotiation.earlyOverhead
        directions[client].count.lead = overhead.lead
        directions[client].count.trail = overhead.trail
        guard keys != nil else { return }
        let waiting = directions[client].messages
        directions[client].begin(.early)
        directions[client].messages = waiting
    }

    func takeServerHello(_ message: HandshakeStream.Message, _ direction: Direction) {
        let body = directions[direction].messages.body
        guard message.isKept, let hello = ServerHello(unsafe body.span.bytes) else {
            return refuseHello(direction)
        }
        let isRenegotiation = isAgain(direction)
        guard client != direction, negotiation.version == nil || isRenegotiation else {
            find(.handshakeMalformed)
            return
        }
        if hello.isMalformed { find(.handshakeMalformed) }
        client = direction.opposite
        if hello.isRetryRequest { return takeRetryRequest() }
        negotiation.take(hello)
        known.cipher = cipherName(hello.suite)
        guard !isRenegotiation else { return }
        known.version = negotiation.versionName
        known.handshakeWasRead = negotiation.clientRandom != nil
        if !negotiation.isTLS13, let name = hello.applicationProtocol { known.applicationProtocol = name }
        known.resumption = resumption(hello)
        if known.earlyData == .offered, !negotiation.isTLS13 || !hello.selectsPreSharedKey {
            known.earlyData = .rejected
        }
        beginProtection(server: direction)
    }

    /// RFC 8446 §4.1.4: the client begins again, and may not send early data any more.
    private func takeRetryRequest() {
        known.helloRetryRequested = true
        guard let client = client, known.earlyData == .offered else { return }
        known.earlyData = .rejected
        if directions[client].epoch == .early { leaveEarlyData(client) }
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

    /// TLS 1.3: all that follows is protected. TLS 1.2 and earlier: nothing is before ChangeCipherSpec.
    private func beginProtection(server: Direction) {
        let client = server.opposite
        guard negotiation.isTLS13 else {
            if directions[client].epoch == .early { leaveEarlyData(client) }
            // The client's ChangeCipherSpec, when the capture shows it before the ServerHello.
            if directions[client].changeCipherSpecs > 0 { protect(client) }
            return
        }
        let overhead = negotiation.overhead
        for direction in Direction.both {
            directions[direction].count.lead = overhead.lead
            directions[direction].count.trail = overhead.trail
        }
        beginHandshakeKeys(server: server)
    }

    /// No early data comes any more, and under which keys what comes is protected nobody has said yet.
    func leaveEarlyData(_ client: Direction) {
        directions[client].begin(.clear)
        directions[client].close(keys == nil ? .noKeys : .noHandshake)
        directions[client].count.lead = RecordHeader.length
        directions[client].count.trail = 0
    }
}
