/// What a line of a key log holds.
enum KeyLogLabel {
    /// A secret of the connection with this client random, and the place of it in `KeyLog`.
    case secret(KeyLogSecret)
    /// A premaster secret under the first eight bytes of what the client encrypted it to.
    case encryptedPremaster
    /// A master secret under the identifier of its session: `RSA Session-ID:… Master-Key:…`, which older tools and load
    /// balancers write.
    case session

    private static let known: [(text: StaticString, label: KeyLogLabel)] = [
        ("CLIENT_RANDOM", .secret(.master)), ("PMS_CLIENT_RANDOM", .secret(.premaster)),
        ("CLIENT_EARLY_TRAFFIC_SECRET", .secret(.clientEarly)),
        ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", .secret(.clientHandshake)),
        ("SERVER_HANDSHAKE_TRAFFIC_SECRET", .secret(.serverHandshake)),
        ("CLIENT_TRAFFIC_SECRET_0", .secret(.clientTraffic)), ("SERVER_TRAFFIC_SECRET_0", .secret(.serverTraffic)),
        ("RSA", .encryptedPremaster),
    ]

    /// What stands before the digits of `session`.
    static let sessionMark: StaticString = "Session-ID:"
    static let masterMark: StaticString = "Master-Key:"

    /// Nil for a label of no use here.
    init?(_ bytes: RawSpan) {
        for (text, label) in Self.known where text.utf8CodeUnitCount == bytes.byteCount && bytes.hasBytes(text, at: 0) {
            self = label
            return
        }
        return nil
    }

    /// As it stands in the log.
    var text: String {
        let found = Self.known.first { known in
            switch (known.label, self) {
            case (.secret(let one), .secret(let other)): one == other
            case (.encryptedPremaster, .encryptedPremaster): true
            default: false
            }
        }
        return found.map { "\($0.text)" } ?? ""
    }

    /// Whether bytes can be a label at all: capital letters, digits and underscores.
    static func isPossible(_ bytes: RawSpan) -> Bool {
        for index in 0..<bytes.byteCount {
            let byte = bytes.u8(index)
            guard byte.isUppercaseASCII || byte.isASCIIDigit || byte == 0x5F else { return false }
        }
        return !bytes.isEmpty
    }

    /// Whether the second field can have so many bytes.
    func allows(keyLength: Int) -> Bool {
        switch self {
        case .secret: keyLength == 32
        case .encryptedPremaster: keyLength == 8
        case .session: (1...32).contains(keyLength)
        }
    }

    /// Whether the third field can have so many bytes.
    func allows(length: Int) -> Bool {
        switch self {
        case .secret(.master), .encryptedPremaster, .session: length == 48
        case .secret(.premaster): (1...KeyLog.premasterLimit).contains(length)
        // The hash of a TLS 1.3 suite: SHA-256 or SHA-384.
        case .secret: length == 32 || length == 48
        }
    }
}

/// Secrets of a connection, by their places in `KeyLog`.
enum KeyLogSecret: Int {
    case master, premaster, clientEarly, clientHandshake, serverHandshake, clientTraffic, serverTraffic

    static let count = 7
}
