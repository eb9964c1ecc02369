/// TLS of one direction, counted in whole records: each with its five bytes of header, by the content type that the
/// header shows (RFC 8446 §5.1). In TLS 1.3 an encrypted handshake message shows itself as application data. A record of
/// which some bytes are missing counts whole, because its header tells its length; its connection has the flag `gap`.
public struct TLSDirectionFacts: Sendable, Equatable {
    public var records = 0
    /// Bytes of records by outer content type.
    public var handshake = 0
    public var applicationData = 0
    public var alert = 0
    public var changeCipherSpec = 0
    /// Heartbeats and content types that are not known.
    public var other = 0
    /// Handshake messages that could be read, by type, in order of first appearance.
    public var messages: [TLSMessageCount] = []

    public init() {}

    /// All record bytes.
    public var total: Int { handshake + applicationData + alert + changeCipherSpec + other }
}

/// Handshake messages of one type in one direction.
public struct TLSMessageCount: Sendable, Equatable {
    /// Handshake type (RFC 8446 §4).
    public var type: UInt8
    public var count: Int
    /// Bytes of the messages with their four bytes of header, without record headers.
    public var bytes: Int

    public init(type: UInt8, count: Int, bytes: Int) {
        self.type = type
        self.count = count
        self.bytes = bytes
    }
}

/// Why the content of a TLS connection was not read.
public enum TLSBlindness: String, Sendable, CaseIterable {
    /// No key log was given, or the capture holds none.
    case noKeys = "no-keys"
    /// The key log has no line for this connection.
    case keyMissing = "key-missing"
    /// A key was there, but it does not open the records.
    case keyWrong = "key-wrong"
    /// The cipher suite, or something else of the connection, is not supported.
    case unsupported
    /// The handshake is not in the capture.
    case noHandshake = "no-handshake"
    /// Bytes of a record are missing from the capture.
    case gap
}

/// How a TLS connection was resumed.
public enum TLSResumption: String, Sendable, CaseIterable {
    /// By the session identifier that the server kept (RFC 5246 §7.3).
    case sessionIdentifier = "session-id"
    /// By a ticket (RFC 5077).
    case ticket
    /// By a pre-shared key (RFC 8446 §2.2).
    case preSharedKey = "psk"
}

/// A version of TLS or of what came before it, by its usual name.
public enum TLSVersion: String, Sendable, CaseIterable {
    case ssl3 = "SSL 3.0"
    case tls10 = "TLS 1.0"
    case tls11 = "TLS 1.1"
    case tls12 = "TLS 1.2"
    case tls13 = "TLS 1.3"

    /// - Parameter number: as hellos write it (RFC 8446 §4.2.1).
    init?(number: UInt16) {
        guard number >= ProtocolVersion.ssl3, number <= ProtocolVersion.tls13 else { return nil }
        self = TLSVersion.allCases[Int(number - ProtocolVersion.ssl3)]
    }
}

/// What became of early data (RFC 8446 §2.3).
public enum TLSEarlyData: String, Sendable, CaseIterable {
    case offered, accepted, rejected
}

/// What a TLS connection shows of itself, with or without keys.
public struct TLSFacts: Sendable, Equatable {
    /// What the server chose; nil when no ServerHello was read.
    public var version: TLSVersion?
    /// Registered name of the cipher suite, or "0x1234" for one that is not in the table.
    public var cipher: String?
    /// Protocol that the server selected (RFC 7301); in TLS 1.3 that is encrypted: nil without keys.
    public var applicationProtocol: [UInt8]?
    /// Protocols that the client offered.
    public var offeredProtocols: [[UInt8]] = []
    /// Lower-case name that the client asked for (RFC 6066 §3).
    public var serverName: [UInt8]?
    /// Nil: a full handshake, or not known.
    public var resumption: TLSResumption?
    /// Both hellos were read, so that `resumption` nil means a full handshake.
    public var handshakeWasRead = false
    public var earlyData: TLSEarlyData?
    public var helloRetryRequested = false
    /// ChangeCipherSpec records that TLS 1.3 sends for middleboxes only (RFC 8446 §D.4).
    public var compatibilityRecords = 0
    /// Bytes of Certificate messages of the server, with their headers; nil when they could not be read.
    public var certificateBytes: Int?
    /// The server's certificates, where the audit reads them (`AuditOptions.certificates`).
    public var chain: CertificateChain?
    public var tickets = 0
    /// The longest time that the server takes one of them, seconds; nil where it was not read, or does not tell.
    public var ticketLifetime: Int?
    public var keyUpdates = 0
    /// What the hello shows of an encrypted one in it: the number of the server's key (config_id); nil where there is none.
    /// Clients that have no key send a number at random.
    var helloKey: UInt8?
    /// Alerts that could be read, in order, at most 8: level and description (RFC 8446 §6).
    public var alerts: [TLSAlert] = []
    /// Each direction ended with close_notify, as far as that could be read.
    public var closeNotify = Directions(up: false, down: false)
    /// Records of application data could be opened.
    public var isDecrypted = false
    /// Why not, or why not to the end; nil when all could, or there was nothing to open.
    public var blindness: TLSBlindness?
    public var directions = Directions(up: TLSDirectionFacts(), down: TLSDirectionFacts())

    /// TLS 1.3: no ticket is taken for longer (RFC 8446 §4.6.1).
    static let mostTicketLifetime = 604_800

    public init() {}
}

public struct TLSAlert: Sendable, Equatable {
    /// The client sent it.
    public var isFromClient: Bool
    public var level: UInt8
    public var description: UInt8

    public init(isFromClient: Bool, level: UInt8, description: UInt8) {
        self.isFromClient = isFromClient
        self.level = level
        self.description = description
    }
}
