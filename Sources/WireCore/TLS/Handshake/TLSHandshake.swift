/// The handshake of one TLS connection (RFC 8446 §4, RFC 5246 §7): takes the handshake messages of both directions in
/// clear text, and tells what client and server agreed on.
///
/// It knows no records: who carries the messages gives their bytes to `next` with the epoch of the sender, and does
/// what the returned change of keys says. Which direction is the client's is found out from the hellos.
///
/// Memory: up to 64 KiB in each direction while a hello comes in, or a certificate that is read.
final class TLSHandshake {
    /// What a message means for its carrier.
    struct Effect {
        var change: KeyChange?
        /// A message that changes the keys ends its record (RFC 8446 §5.1).
        var endsRecord: Bool
    }

    let keys: KeyLog?
    /// Reads the server's certificates; nil where nobody asks what they cost.
    let certificates: CertificateReader?
    /// The direction that the client sends; nil as long as no hello told.
    var client: Direction?
    var negotiation = TLSNegotiation()
    let directions = ObjectPair(HandshakeDirection.init)
    /// What the messages told; what records tell is not in it.
    var known = TLSFacts()
    var findings = FindingsOnce()
    var showedTicket = false
    var offeredSession: [UInt8] = []
    var offeredCodings: [UInt16] = []
    /// QUIC's transport parameters of the server, once EncryptedExtensions were read.
    var transportParameters: [UInt8] = []
    /// Connections under which the key log may hold the secret of the session that the client offers to resume.
    private(set) var sessionRandoms: [[UInt8]] = []
    private let ordinal: Int
    /// Secrets that a record proved: those under the random of a hello that the client's hello holds encrypted, or of a
    /// connection whose hellos were not captured.
    private var provenSecrets: TLSSecrets?
    /// Records or packets that may still be tried: those of a handshake, and the first ones of data.
    private var innerTries = 16

    /// Connections of the key log, the latest, whose secrets are tried.
    private static let innerLimit = 4096

    /// - Parameter ordinal: place in the capture where the connection's first record was met.
    init(keys: KeyLog?, certificates: CertificateReader? = nil, ordinal: Int = 0) {
        self.keys = keys
        self.certificates = certificates
        self.ordinal = ordinal
        guard certificates != nil else { return }
        directions[0].messages.keepsCertificates = true
        directions[1].messages.keepsCertificates = true
    }

    /// What the key log says about this connection, or about its session; where it resumed a session of TLS 1.2 or earlier and
    /// the log has no secret for it, about a connection that had the session before.
    var secrets: TLSSecrets? {
        guard let keys, let clientRandom = negotiation.clientRandom else { return provenSecrets }
        let own = provenSecrets ?? keys.secrets(clientRandom: clientRandom)
        guard own?.isComplete != true else { return own }
        if let named = keys.secrets(session: negotiation.session, clientRandom: clientRandom) { return named }
        guard known.resumption == .ticket || known.resumption == .sessionIdentifier else { return own }
        return sessionRandoms.lazy.compactMap { keys.secrets(clientRandom: $0) }.first { $0.master != nil } ?? own
    }

    /// A server that took the encrypted hello goes on with the random in it, by which a key log then names the
    /// connection (RFC 9849 §6.1, RFC 9850 §2). Nobody else can read that random.
    var mayHaveInnerSecrets: Bool {
        known.helloKey != nil && negotiation.isTLS13 && innerTries > 0 && secrets == nil
    }

    /// Tries what the key log has; `opens` says whether secrets open a record, which proves them. Returns whether any do.
    func findInnerSecrets(_ opens: (TLSSecrets) -> Bool) -> Bool {
        guard mayHaveInnerSecrets, let keys else { return false }
        innerTries -= 1
        provenSecrets = keys.secretsWithTraffic(limit: TLSHandshake.innerLimit).first(where: opens)
        if provenSecrets != nil { keys.recordMatch() }
        return provenSecrets != nil
    }

    /// A record of data was opened without a hello: what it tells of the connection.
    func join(_ secrets: TLSSecrets, _ suite: CipherSuite, client: Direction) {
        provenSecrets = secrets
        self.client = client
        negotiation.join(suite)
        (known.version, known.cipher) = (.tls13, suite.name)
    }

    /// The client offers to resume a session.
    func noteOffer(_ hello: ClientHello) {
        guard let keys else { return }
        let names = [hello.ticket, unsafe SessionName(hello.sessionIdentifier.span.bytes)]
        sessionRandoms = names.compactMap(\.self).flatMap { keys.sessions.clientRandoms(of: $0, at: ordinal) }
    }

    // MARK: Messages

    /// Takes bytes from `offset` up to the end of the next message; nil where none ends before `end`, or where messages
    /// of the direction cannot be told apart any more. `epoch`: the keys that the bytes were protected by.
    func next(
        _ bytes: RawSpan, _ offset: inout Int, end: Int, _ direction: Direction, epoch: TLSEpoch
    ) -> Effect? {
        let sender = directions[direction]
        guard offset < end, !sender.messages.isLost, let message = sender.messages.next(bytes, &offset, end: end) else {
            return nil
        }
        guard isExpected(message, sender, epoch) else {
            sender.messages.lose()
            return nil
        }
        sender.tally(message: message.type, bytes: message.length)
        let change = take(message, direction, epoch)
        sender.messages.forgetBody()
        return Effect(change: change, endsRecord: changesKeys(message, epoch))
    }

    /// The first message of a direction is a hello. Where a stream is joined later, or is encrypted already, other bytes
    /// stand there.
    private func isExpected(_ message: HandshakeStream.Message, _ sender: HandshakeDirection, _ epoch: TLSEpoch) -> Bool
    {
        if sender.hasBegun || epoch != .clear { return true }
        sender.hasBegun = message.type == HandshakeType.clientHello || message.type == HandshakeType.serverHello
        return sender.hasBegun
    }

    private func changesKeys(_ message: HandshakeStream.Message, _ epoch: TLSEpoch) -> Bool {
        if epoch == .early { return message.type == HandshakeType.endOfEarlyData }
        guard negotiation.isTLS13 else { return false }
        return switch message.type {
        case HandshakeType.serverHello: epoch == .clear
        case HandshakeType.finished: epoch == .handshake
        case HandshakeType.keyUpdate: epoch == .application
        default: false
        }
    }

    /// Messages of an encrypted direction were lost, and a range of its bytes may be the hello of a renegotiation: one
    /// that fills a record of its own tells the messages apart again.
    func rejoin(_ bytes: RawSpan, _ range: Range<Int>, _ direction: Direction) {
        guard directions[direction].messages.isLost, range.count > HandshakeStream.headerLength else { return }
        let header = bytes.be32(range.lowerBound)
        let type = direction == client ? HandshakeType.clientHello : HandshakeType.serverHello
        let isHello =
            header >> 24 == UInt32(type)
            && HandshakeStream.headerLength + Int(header & 0xFF_FFFF) == range.count
        if isHello { directions[direction].messages.restart() }
    }

    /// The server's messages before its ChangeCipherSpec are over (TLS 1.2 and earlier): what they tell when all of them
    /// were read.
    func concludeServerMessages(_ server: Direction) {
        guard !directions[server].messages.isLost else { return }
        if known.certificateBytes == nil { known.certificateBytes = 0 }
        // An abbreviated handshake has no ServerHelloDone (RFC 5246 §7.3); a server that resumes from a ticket may
        // leave the session identifier empty (RFC 5077 §3.4).
        guard known.handshakeWasRead, known.resumption == nil, !directions[server].sawServerHelloDone,
            showedTicket || !offeredSession.isEmpty
        else { return }
        known.resumption = showedTicket ? .ticket : .sessionIdentifier
    }
}
