/// A session of TLS 1.2 as its server names it.
public struct TLSSession: Sendable {
    public enum Name: Sendable {
        case identifier([UInt8])
        case ticket([UInt8])
    }

    public var name: Name
    public var master: [UInt8]

    public init(name: Name, master: [UInt8]) { (self.name, self.master) = (name, master) }
}

/// Both ends of a TLS connection: hellos made by hand, secrets made up, records that a key log opens.
///
///     var peers = TLSPeers(.aes128GCM13)
///     for flight in peers.handshake() { talk.data(flight.side, flight.bytes) }
///     talk.data(.client, peers.seal(.client, "GET / HTTP/1.1\r\n\r\n"))
///     let capture = audit(talk.frames, keys: peers.keyLog)
public struct TLSPeers: Sendable {
    /// What one side sends before it waits for the other.
    public struct Flight: Sendable {
        public var side: Dialogue.Side
        public var records: [[UInt8]]

        public var bytes: [UInt8] { records.flatMap { $0 } }
    }

    public let suite: TLSSuite
    public var serverName: String? = "api.example.com"
    /// What the client offers by ALPN; the server takes the first. Empty: neither speaks of it.
    public var protocols: [String]
    public var certificateLength = 900
    /// How the server of TLS 1.2 names the session; nil: it does not.
    public var granted: TLSSession.Name?
    /// The session of TLS 1.2 that the client resumes. Its secret is not logged again.
    public var resumed: TLSSession?
    /// The session that the handshake led to, under the name that was granted.
    public private(set) var session: TLSSession?
    /// The random of a hello that the client's hello holds encrypted, and that the server takes (RFC 9849): key logs name the
    /// connection by it. Nil: there is none.
    public var innerRandom: [UInt8]?
    /// What opens the records.
    public private(set) var keyLog = ""

    private var offersEarlyData = false
    private var random: SeededRandom
    private let clientRandom: [UInt8]
    private let serverRandom: [UInt8]
    private var sealers: [TLSSealer?] = [nil, nil]

    public init(_ suite: TLSSuite, protocols: [String] = ["http/1.1"], seed: UInt64 = 1) {
        self.suite = suite
        self.protocols = protocols
        random = SeededRandom(seed: seed)
        clientRandom = random.bytes(32)
        serverRandom = random.bytes(32)
    }

    // MARK: Records

    /// A protected record under the keys in use.
    public mutating func seal(
        _ side: Dialogue.Side, _ content: [UInt8], type: UInt8 = 23, padding: Int = 0
    ) -> [UInt8] {
        sealers[side.rawValue]?.seal(type, content, padding: padding) ?? []
    }

    public mutating func seal(_ side: Dialogue.Side, _ content: String) -> [UInt8] { seal(side, Array(content.utf8)) }

    public mutating func closeNotify(_ side: Dialogue.Side) -> [UInt8] { seal(side, [1, 0], type: 21) }

    /// A fatal internal_error.
    public mutating func fatalAlert(_ side: Dialogue.Side) -> [UInt8] { seal(side, [2, 80], type: 21) }

    /// NewSessionTicket of TLS 1.3.
    public mutating func ticket(_ length: Int = 100) -> [UInt8] {
        seal(.server, message(4, random.bytes(length)), type: 22)
    }

    /// KeyUpdate of TLS 1.3; records of the side are under its next keys afterwards.
    public mutating func keyUpdate(_ side: Dialogue.Side) -> [UInt8] {
        defer { sealers[side.rawValue]?.update() }
        return seal(side, message(24, [0]), type: 22)
    }

    /// A record in clear.
    public static func clear(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [type, 3, 3] + [UInt8](be16: UInt16(content.count)) + content
    }

    private static let changeCipherSpec = clear(20, [1])

    // MARK: Handshake

    /// The whole handshake, flight by flight. Afterwards `seal` makes records of application data.
    public mutating func handshake() -> [Flight] {
        suite.isTLS13 ? handshake13() : handshake12()
    }

    /// The messages of a handshake of TLS 1.3 with its secrets, for whoever carries them without records.
    public struct Messages: Sendable {
        public var clientHello: [UInt8]
        public var serverHello: [UInt8]
        /// The server's from EncryptedExtensions to Finished.
        public var encrypted: [UInt8]
        /// The client's Finished.
        public var finished: [UInt8]
        /// The client's and the server's of the handshake, then of application data.
        public var secrets: [[UInt8]]
    }

    /// `parameters`: QUIC's transport parameters of the server (RFC 9001 §8.2).
    public mutating func messages13(parameters: [UInt8]? = nil) -> Messages {
        let labels = ["CLIENT_HANDSHAKE", "SERVER_HANDSHAKE", "CLIENT", "SERVER"]
        let secrets = labels.map { _ in random.bytes(suite.secretLength) }
        for (label, secret) in zip(labels, secrets) {
            let suffix = label.hasSuffix("HANDSHAKE") ? "_TRAFFIC_SECRET" : "_TRAFFIC_SECRET_0"
            keyLog += "\(label)\(suffix) \(Self.hex(innerRandom ?? clientRandom)) \(Self.hex(secret))\n"
        }
        let early = offersEarlyData ? field(42, []) : []
        let quic = parameters.map { field(57, $0) } ?? []
        var encrypted = message(8, vector16(protocolExtension(Array(protocols.prefix(1))) + early + quic))
        if !offersEarlyData {
            encrypted += message(11, random.bytes(certificateLength)) + message(15, random.bytes(70))
        }
        encrypted += message(20, random.bytes(suite.secretLength))
        return Messages(
            clientHello: clientHello(), serverHello: serverHello(), encrypted: encrypted,
            finished: message(20, random.bytes(suite.secretLength)), secrets: secrets)
    }

    private mutating func handshake13() -> [Flight] {
        let messages = messages13()
        let secrets = messages.secrets
        sealers = [TLSSealer(suite, secret: secrets[0]), TLSSealer(suite, secret: secrets[1])]
        let answer = [
            Self.clear(22, messages.serverHello), Self.changeCipherSpec, seal(.server, messages.encrypted, type: 22),
        ]
        let finish = [Self.changeCipherSpec, seal(.client, messages.finished, type: 22)]
        sealers = [TLSSealer(suite, secret: secrets[2]), TLSSealer(suite, secret: secrets[3])]
        return [
            Flight(side: .client, records: [Self.clear(22, messages.clientHello)]),
            Flight(side: .server, records: answer), Flight(side: .client, records: finish),
        ]
    }

    private mutating func handshake12() -> [Flight] {
        let master = resumed?.master ?? random.bytes(48)
        if resumed == nil { keyLog += "CLIENT_RANDOM \(Self.hex(clientRandom)) \(Self.hex(master))\n" }
        session = granted.map { TLSSession(name: $0, master: master) }
        let lengths = [suite.macKeyLength, suite.keyLength, suite.fixedNonceLength]
        var block = TLSCrypto.pseudorandom(
            suite.digest, master, "key expansion", serverRandom + clientRandom, 2 * lengths.reduce(0, +))[...]
        var parts: [[UInt8]] = []
        for length in lengths {
            for _ in 0..<2 {
                parts.append(Array(block.prefix(length)))
                block = block.dropFirst(length)
            }
        }
        sealers = (0..<2).map { TLSSealer(suite, key: parts[2 + $0], iv: parts[4 + $0], macKey: parts[$0]) }
        guard resumed == nil else { return resumption12() }
        let answer = [
            Self.clear(22, serverHello()), Self.clear(22, message(11, random.bytes(certificateLength))),
            Self.clear(22, message(12, random.bytes(140)) + message(14, [])),
        ]
        let finish = [
            Self.clear(22, message(16, [32] + random.bytes(32))), Self.changeCipherSpec,
            seal(.client, message(20, random.bytes(12)), type: 22),
        ]
        let last = newTicket() + [Self.changeCipherSpec, seal(.server, message(20, random.bytes(12)), type: 22)]
        return [
            Flight(side: .client, records: [Self.clear(22, clientHello())]), Flight(side: .server, records: answer),
            Flight(side: .client, records: finish), Flight(side: .server, records: last),
        ]
    }

    /// RFC 5246 §7.3, figure 2.
    private mutating func resumption12() -> [Flight] {
        let finish = { (peers: inout Self, side: Dialogue.Side) in
            [Self.changeCipherSpec, peers.seal(side, peers.message(20, peers.random.bytes(12)), type: 22)]
        }
        let answer = [Self.clear(22, serverHello())] + newTicket() + finish(&self, .server)
        return [
            Flight(side: .client, records: [Self.clear(22, clientHello())]), Flight(side: .server, records: answer),
            Flight(side: .client, records: finish(&self, .client)),
        ]
    }

    /// NewSessionTicket of TLS 1.2 (RFC 5077 §3.3).
    private func newTicket() -> [[UInt8]] {
        guard case .ticket(let ticket)? = granted else { return [] }
        return [Self.clear(22, message(4, [0, 0, 0, 60] + vector16(ticket)))]
    }

    /// What a client that shows a ticket sends as the session's identifier, and the server as its answer.
    private static let echoed = [UInt8](repeating: 0xEC, count: 32)

    private var offeredIdentifier: [UInt8] {
        switch resumed?.name {
        case .identifier(let identifier): identifier
        case .ticket: Self.echoed
        case nil: []
        }
    }

    private var grantedIdentifier: [UInt8] {
        if resumed != nil { return offeredIdentifier }
        guard case .identifier(let identifier)? = granted else { return [] }
        return identifier
    }

    /// RFC 8446 §4.1.2.
    private func clientHello() -> [UInt8] {
        var extensions: [UInt8] = []
        if let serverName {
            let name = [0] + vector16(Array(serverName.utf8))
            extensions += field(0, vector16(name))
        }
        extensions += protocolExtension(protocols)
        if suite.isTLS13 { extensions += field(43, [2, 3, 4]) }
        if suite.encryptsThenMACs { extensions += field(22, []) }
        // The outer hello: suite, number of the key, encapsulated secret, and what is encrypted.
        if innerRandom != nil { extensions += field(0xFE0D, [0, 0, 1, 0, 1, 7] + vector16([9]) + vector16([9])) }
        if offersEarlyData {
            // pre_shared_key is last: identities, binders.
            extensions += field(42, []) + field(41, vector16(vector16(.init(repeating: 1, count: 30)) + [0, 0, 0, 1]))
        }
        if case .ticket(let ticket)? = resumed?.name { extensions += field(35, ticket) }
        let suites = vector16([UInt8](be16: suite.number))
        let identifier = offeredIdentifier
        return message(
            1, [3, 3] + clientRandom + [UInt8(identifier.count)] + identifier + suites + [1, 0] + vector16(extensions))
    }

    /// RFC 8446 §4.1.3.
    private func serverHello() -> [UInt8] {
        var extensions: [UInt8] = []
        if suite.isTLS13 {
            extensions += field(43, [3, 4])
            if offersEarlyData { extensions += field(41, [0, 0]) }
        } else {
            extensions += protocolExtension(Array(protocols.prefix(1)))
        }
        if suite.encryptsThenMACs { extensions += field(22, []) }
        let identifier = grantedIdentifier
        return message(
            2,
            [3, 3] + serverRandom + [UInt8(identifier.count)] + identifier + [UInt8](be16: suite.number) + [0]
                + vector16(extensions))
    }

    // MARK: Early data

    /// A handshake of TLS 1.3 that resumes a session, with early data that the server takes (RFC 8446 §4.2.10): the
    /// client's first flight has `early` in a record of its own, or in several.
    public mutating func earlyHandshake(_ early: [UInt8], records: Int = 1) -> [Flight] {
        let secret = random.bytes(suite.secretLength)
        keyLog += "CLIENT_EARLY_TRAFFIC_SECRET \(Self.hex(clientRandom)) \(Self.hex(secret))\n"
        var sealer = TLSSealer(suite, secret: secret)
        offersEarlyData = true
        var flights = handshake13()
        let size = (early.count + records - 1) / records
        for start in stride(from: 0, to: early.count, by: max(size, 1)) {
            flights[0].records.append(sealer.seal(23, Array(early[start..<min(start + size, early.count)]), padding: 0))
        }
        let end = sealer.seal(22, message(5, []), padding: 0)
        // EndOfEarlyData is before Finished, which is under other keys.
        flights[2].records.insert(end, at: flights[2].records.count - 1)
        return flights
    }

    // MARK: Fields

    /// ALPN (RFC 7301 §3.1).
    private func protocolExtension(_ names: [String]) -> [UInt8] {
        names.isEmpty ? [] : field(16, vector16(names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }))
    }

    private func field(_ type: UInt16, _ content: [UInt8]) -> [UInt8] { [UInt8](be16: type) + vector16(content) }

    private func vector16(_ content: [UInt8]) -> [UInt8] { [UInt8](be16: UInt16(content.count)) + content }

    private func message(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        [type] + Array([UInt8](be32: UInt32(body.count))[1...]) + body
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
