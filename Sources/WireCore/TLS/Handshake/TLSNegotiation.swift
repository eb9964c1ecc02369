import WireNative

/// What the hellos of one handshake agreed on.
struct TLSNegotiation {
    /// 32 bytes; nil when no ClientHello was read.
    var clientRandom: [UInt8]?
    /// Cipher suites that early data may be protected by.
    var earlySuites: [CipherSuite] = []
    /// Nil until a ServerHello was read.
    private(set) var version: UInt16?
    private(set) var serverRandom: [UInt8] = []
    /// Identifier of the session, of TLS 1.2 and earlier; empty where it has none.
    private(set) var session: [UInt8] = []
    private(set) var suite: CipherSuite?
    private(set) var encryptsThenMACs = false
    private(set) var hasExtendedMasterSecret = false
    private(set) var compresses = false
    /// A version of TLS 1.3 from before its RFC that protects records in another way.
    private(set) var isOldDraft = false
    /// First eight bytes of the premaster secret under the server's RSA key, by which a key log may name it; empty when
    /// they were not seen.
    private(set) var encryptedPremaster: [UInt8] = []
    /// A renegotiation whose ClientHello could not be read.
    private(set) var lacksClientHello = false
    /// The direction's sender has sent its ChangeCipherSpec (TLS 1.2 and earlier).
    var isInUse: (Bool, Bool) = (false, false)
    /// Keys of both directions (TLS 1.2 and earlier), once they were derived.
    var connectionKeys: ConnectionKeys?

    var isTLS13: Bool { version == ProtocolVersion.tls13 }

    /// Nothing of what was agreed on stands in the way of decryption.
    var isSupported: Bool {
        guard let version, let suite, suite.cipher != nil, !compresses, !isOldDraft else { return false }
        return version >= ProtocolVersion.tls10 && suite.isTLS13 == isTLS13
    }

    mutating func take(_ hello: ClientHello) {
        self = TLSNegotiation()
        clientRandom = hello.random
        earlySuites = hello.suitesOfTLS13.compactMap { CipherSuite.find($0) }
    }

    mutating func take(_ hello: ServerHello) {
        if version != nil { lacksClientHello = true }
        // Drafts 25 to 28 of TLS 1.3 differ from the RFC in the number of the version only.
        let isDraft = hello.version >> 8 == 0x7F
        isOldDraft = isDraft && !(25...28).contains(hello.version & 0xFF)
        version = isDraft ? ProtocolVersion.tls13 : hello.version
        serverRandom = hello.random
        session = isTLS13 ? [] : hello.sessionIdentifier
        suite = CipherSuite.find(hello.suite)
        encryptsThenMACs = hello.encryptsThenMACs
        hasExtendedMasterSecret = hello.hasExtendedMasterSecret
        compresses = hello.compressionMethod != 0
        connectionKeys = nil
    }

    /// A record of TLS 1.3 was opened with this suite, though no hello was read.
    mutating func join(_ suite: CipherSuite) { (version, self.suite) = (ProtocolVersion.tls13, suite) }

    /// Takes a ClientKeyExchange without its header, in case that it is one of RSA (RFC 5246 §7.4.7.1).
    mutating func takeKeyExchange(_ body: RawSpan) {
        guard body.byteCount >= 10, Int(body.be16(0)) == body.byteCount - 2 else { return }
        encryptedPremaster = body.array(2..<10)
    }
}
