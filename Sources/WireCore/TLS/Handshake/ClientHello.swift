/// What a ClientHello says (RFC 8446 §4.1.2, RFC 5246 §7.4.1.2) about things that are audited.
struct ClientHello: Sendable {
    /// 32 bytes.
    var random: [UInt8] = []
    var sessionIdentifier: [UInt8] = []
    /// Cipher suites of TLS 1.3 among the offered, at most eight.
    var suitesOfTLS13: [UInt16] = []
    /// Lower-case host name (RFC 6066 §3).
    var serverName: [UInt8]?
    /// Offered protocols (RFC 7301), at most 16.
    var protocols: [[UInt8]] = []
    /// A session ticket is shown, not only asked for (RFC 5077 §3.2).
    var showsTicket = false
    var ticket: SessionName?
    /// Numbers of the compressions of certificates that it can undo (RFC 8879 §3), at most eight.
    var certificateCodings: [UInt16] = []
    /// See `TLSFacts`.
    var helloKey: UInt8?
    var offersPreSharedKey = false
    var offersEarlyData = false
    /// The part behind the cipher suites contradicts itself; what could be read of it was.
    var isMalformed = false

    private static let suiteLimit = 8
    private static let protocolLimit = 16
    private static let codingLimit = 8
    private static let nameLimit = 255

    /// Reads a message without its four bytes of header. Nil when not even random and cipher suites can be read.
    init?(_ body: RawSpan) {
        var walk = FieldWalk(0..<body.byteCount)
        guard let version = walk.u16(body), version >> 8 == 3, let random = walk.take(32),
            let session = walk.vector8(body), session.count <= 32,
            let suites = walk.vector16(body), suites.count & 1 == 0, !suites.isEmpty
        else { return nil }
        self.random = body.array(random)
        sessionIdentifier = body.array(session)
        for offset in stride(from: suites.lowerBound, to: suites.upperBound, by: 2) {
            offer(body.be16(offset))
        }
        guard let methods = walk.vector8(body), !methods.isEmpty else {
            isMalformed = true
            return
        }
        // Without extensions the message may end here (RFC 5246 §7.4.1.2).
        if walk.isAtEnd { return }
        guard let extensions = walk.vector16(body) else {
            isMalformed = true
            return
        }
        isMalformed = !readExtensions(body, extensions) || !walk.isAtEnd
    }

    /// Reads a ClientHello in the framing of SSL 2.0 with its header of two bytes (RFC 5246 §E.2).
    init?(version2 record: RawSpan) {
        guard let lengths = Version2HelloLengths(record, at: 0), record.byteCount >= lengths.record else { return nil }
        let suites = Version2HelloLengths.header
        let session = suites + lengths.suites
        let challenge = session + lengths.session
        sessionIdentifier = record.array(session..<challenge)
        for offset in stride(from: suites, to: session, by: 3) where record.u8(offset) == 0 {
            offer(record.be16(offset + 1))
        }
        // The challenge is the end of the random; zeros fill it up in front.
        random = [UInt8](repeating: 0, count: max(0, 32 - lengths.challenge))
        let kept = min(32, lengths.challenge)
        record.append(challenge + lengths.challenge - kept..<challenge + lengths.challenge, to: &random)
    }

    private mutating func offer(_ suite: UInt16) {
        guard suite >> 8 == 0x13, suitesOfTLS13.count < ClientHello.suiteLimit else { return }
        suitesOfTLS13.append(suite)
    }

    private mutating func readExtensions(_ body: RawSpan, _ range: Range<Int>) -> Bool {
        var walk = FieldWalk(range)
        while !walk.isAtEnd {
            guard let type = walk.u16(body), let content = walk.vector16(body) else { return false }
            switch type {
            case ExtensionType.serverName:
                guard readServerName(body, content) else { return false }
            case ExtensionType.applicationProtocol:
                guard let names = protocolNames(body, content, limit: ClientHello.protocolLimit) else { return false }
                protocols = names
            case ExtensionType.compressCertificate:
                guard readCertificateCodings(body, content) else { return false }
            case ExtensionType.sessionTicket:
                showsTicket = !content.isEmpty
                ticket = SessionName(body.extracting(content))
            case ExtensionType.preSharedKey: offersPreSharedKey = true
            case ExtensionType.encryptedClientHello: readHelloKey(body, content)
            case ExtensionType.earlyData: offersEarlyData = true
            default: break
            }
        }
        return true
    }

    /// Type 0: the outer hello. Then a suite of four bytes, and the number of the key.
    private mutating func readHelloKey(_ body: RawSpan, _ range: Range<Int>) {
        var walk = FieldWalk(range)
        guard walk.u8(body) == 0, walk.u16(body) != nil, walk.u16(body) != nil else { return }
        helloKey = walk.u8(body)
    }

    private mutating func readCertificateCodings(_ body: RawSpan, _ range: Range<Int>) -> Bool {
        var outer = FieldWalk(range)
        guard let list = outer.vector8(body), outer.isAtEnd else { return false }
        var walk = FieldWalk(list)
        while !walk.isAtEnd {
            guard let number = walk.u16(body) else { return false }
            if certificateCodings.count < ClientHello.codingLimit { certificateCodings.append(number) }
        }
        return true
    }

    private mutating func readServerName(_ body: RawSpan, _ range: Range<Int>) -> Bool {
        var outer = FieldWalk(range)
        guard let list = outer.vector16(body), outer.isAtEnd else { return false }
        var walk = FieldWalk(list)
        while !walk.isAtEnd {
            guard let type = walk.u8(body), let name = walk.vector16(body) else { return false }
            guard type == 0, serverName == nil else { continue }
            let bytes = body.array(name)
            // What is no host name (RFC 6066 §3) is sent all the same; it only names nothing.
            guard !bytes.isEmpty, bytes.count <= ClientHello.nameLimit, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { continue }
            serverName = bytes.map(\.lowercasedASCII)
        }
        return true
    }
}

/// The lengths in a ClientHello in the framing of SSL 2.0 (RFC 5246 §E.2).
///
///     length (2, high bit set)  type (1)  version (2)  lengths of suites, session, challenge (2 each)  …
struct Version2HelloLengths {
    static let header = 11

    /// Bytes of everything, with the two bytes of length.
    let record: Int
    let suites: Int
    let session: Int
    let challenge: Int

    /// Nil when fewer than eleven bytes are there, or they are no such header.
    init?(_ bytes: RawSpan, at offset: Int) {
        guard offset >= 0, bytes.byteCount - offset >= Version2HelloLengths.header else { return nil }
        record = 2 + Int(bytes.be16(offset) & 0x7FFF)
        suites = Int(bytes.be16(offset + 5))
        session = Int(bytes.be16(offset + 7))
        challenge = Int(bytes.be16(offset + 9))
        guard bytes.u8(offset) & 0x80 != 0, bytes.u8(offset + 2) == HandshakeType.clientHello,
            bytes.u8(offset + 3) == 3, bytes.u8(offset + 4) <= 4,
            suites > 0, suites % 3 == 0, session == 0 || session == 16, (16...32).contains(challenge),
            record == Version2HelloLengths.header + suites + session + challenge
        else { return nil }
    }
}
