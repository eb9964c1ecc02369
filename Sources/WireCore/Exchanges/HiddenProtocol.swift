/// What TLS that was not read carries, as far as its hellos and its port tell.
enum HiddenProtocol: Sendable, Equatable {
    case http
    /// The protocol that ALPN names (RFC 7301), or that the port is registered for.
    case other([UInt8])
    case unknown

    /// Nil where some of it was read, or nothing came that could not be.
    init?(of security: borrowing RecordProtection, port: UInt16) {
        guard !security.isDecrypted, security.blindness != nil else { return nil }
        let known = security.handshake.known
        self.init(selected: known.applicationProtocol, offered: known.offeredProtocols, port: port)
    }

    /// - Parameters:
    ///   - selected: what the server chose; TLS 1.3 hides it.
    ///   - offered: what the client offered.
    init(selected: [UInt8]?, offered: [[UInt8]], port: UInt16) {
        let names = (selected.map { [$0] } ?? offered).filter(HiddenProtocol.isReadable)
        if names.contains(where: HiddenProtocol.isHTTP) {
            self = .http
        } else if let name = names.first {
            self = .other(name)
        } else if let name = HiddenProtocol.name(ofPort: port) {
            self = name == "https" ? .http : .other(Array(name.utf8))
        } else {
            self = .unknown
        }
    }

    /// The name of the row in which all such connections to a host stand.
    func rowName(host: [UInt8]) -> [UInt8] {
        switch self {
        case .http: Array("https://".utf8) + host + Array(" (encrypted)".utf8)
        case .other(let name): Array("tls://".utf8) + host + Array(" (encrypted ".utf8) + name + Array(")".utf8)
        case .unknown: Array("tls://".utf8) + host + Array(" (encrypted)".utf8)
        }
    }

    /// Reserved values, which are no names, are not (RFC 8701).
    private static func isReadable(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 32 && name.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Registered names of HTTP, and those of its drafts and of SPDY.
    private static func isHTTP(_ name: [UInt8]) -> Bool {
        name == Array("h2".utf8) || name == Array("h3".utf8)
            || ["http/", "h2-", "h3-", "spdy/"].contains { name.starts(with: $0.utf8) }
    }

    /// Ports that are registered for one protocol inside TLS, or at which it usually begins.
    private static func name(ofPort port: UInt16) -> String? {
        switch port {
        case 443, 8443: "https"
        case 21, 990: "ftp"
        case 25, 465, 587: "smtp"
        case 110, 995: "pop3"
        case 143, 993: "imap"
        case 389, 636: "ldap"
        case 853: "dot"
        case 1883, 8883: "mqtt"
        case 3306: "mysql"
        case 3389: "rdp"
        case 5060, 5061: "sip"
        case 5222, 5223: "xmpp"
        case 5432: "postgresql"
        case 5671: "amqp"
        case 6379: "redis"
        case 6697: "irc"
        case 27017: "mongodb"
        default: nil
        }
    }
}
