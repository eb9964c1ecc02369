/// ClientHello and ServerHello.
extension TLSConnection {
    func takeClientHello(_ message: HandshakeStream.Message, _ side: Int) {
        let body = sides[side].messages.body
        guard message.isKept, let hello = ClientHello(unsafe body.span.bytes) else {
            return refuseHello(side)
        }
        take(hello, side)
    }

    /// A ClientHello in the framing of SSL 2.0, with its two bytes of header.
    func openVersion2Hello(_ record: RawSpan, _ side: Int) {
        let side = side & 1
        sides[side].count.facts.records += 1
        sides[side].count.facts.handshake += record.byteCount
        guard let hello = ClientHello(version2: record) else {
            find(.handshakeMalformed)
            return
        }
        sides[side].hasBegun = true
        sides[side].tally(message: HandshakeType.clientHello, bytes: record.byteCount - 2)
        take(hello, side)
    }

    /// A hello that cannot be read: where it opens the stream, nothing behind it can be understood either.
    private func refuseHello(_ side: Int) {
        find(.handshakeMalformed)
        if sides[side].epoch == .clear { sides[side].messages.lose() }
    }

    private func take(_ hello: ClientHello, _ side: Int) {
        // Only a client sends it; and one that was answered is answered.
        guard clientSide == nil || clientSide == side, negotiation.version == nil || isAgain(side) else {
            find(.handshakeMalformed)
            return
        }
        if hello.isMalformed { find(.handshakeMalformed) }
        let isFirst = negotiation.version == nil && known.version == nil
        clientSide = side
        negotiation.take(hello)
        keys?.noteHello(clientRandom: hello.random)
        offeredSession = hello.sessionIdentifier
        guard isFirst else { return }
        showedTicket = hello.showsTicket
        known.serverName = hello.serverName
        known.offeredProtocols = hello.protocols
        if hello.offersEarlyData, !known.helloRetryRequested, known.earlyData == nil {
            known.earlyData = .offered
            beginEarlyData(side)
        }
    }

    /// The side may renegotiate: its messages are encrypted, and no TLS 1.3.
    private func isAgain(_ side: Int) -> Bool {
        sides[side].epoch == .application && !negotiation.isTLS13
    }

    private func beginEarlyData(_ client: Int) {
        let overhead = negotiation.earlyOverhead
        sides[client].count.lead = overhead.lead
        sides[client].count.trail = overhead.trail
        guard keys != nil else { return }
        let waiting = sides[client].messages
        sides[client].begin(.early)
        sides[client].messages = waiting
    }

    func takeServerHello(_ message: HandshakeStream.Message, _ side: Int) {
        let body = sides[side].messages.body
        guard message.isKept, let hello = ServerHello(unsafe body.span.bytes) else {
            return refuseHello(side)
        }
        let isRenegotiation = isAgain(side)
        guard clientSide != side, negotiation.version == nil || isRenegotiation else {
            find(.handshakeMalformed)
            return
        }
        if hello.isMalformed { find(.handshakeMalformed) }
        clientSide = 1 - side
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
        beginProtection(server: side)
    }

    /// RFC 8446 §4.1.4: the client begins again, and may not send early data any more.
    private func takeRetryRequest() {
        known.helloRetryRequested = true
        guard let client = clientSide, known.earlyData == .offered else { return }
        known.earlyData = .rejected
        if sides[client].epoch == .early { leaveEarlyData(client) }
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
    private func beginProtection(server: Int) {
        let client = 1 - server
        guard negotiation.isTLS13 else {
            if sides[client].epoch == .early { leaveEarlyData(client) }
            // The client's ChangeCipherSpec, when the capture shows it before the ServerHello.
            if sides[client].changeCipherSpecs > 0 { protect(client) }
            return
        }
        let overhead = negotiation.overhead
        for side in 0..<2 {
            sides[side].count.lead = overhead.lead
            sides[side].count.trail = overhead.trail
        }
        beginHandshakeKeys(server: server)
    }

    /// No early data comes any more, and under which keys what comes is protected nobody has said yet.
    func leaveEarlyData(_ client: Int) {
        sides[client].begin(.clear)
        sides[client].close(keys == nil ? .noKeys : .noHandshake)
        sides[client].count.lead = RecordHeader.length
        sides[client].count.trail = 0
    }
}
