/// Who pays for a connection's set-up, teardown and keep-alives in the API table (ledger §5).
public enum SetupPolicy: String, Sendable, CaseIterable {
    /// The exchange that caused the connection.
    case first
    /// All exchanges of the connection in equal shares.
    case even
    /// Nobody: they stand in the connection's record and the host's line alone.
    case separate
}

/// Limits and choices of an audit. The defaults suit a person at a terminal.
public struct AuditOptions: Sendable {
    public var setup: SetupPolicy = .first
    /// Decode bodies to learn their decoded sizes. Costs as much time as the decompressor takes.
    public var decodesBodies = false
    /// Records have the heads of their messages.
    public var keepsHeads = false
    /// Largest decoded size of one body, bytes; a larger one stays unknown.
    public var decodedBodyLimit = 1 << 30
    /// User's path templates: `/users/{name}` replaces what matches segment by segment.
    public var templates: [String] = []
    /// A connection without packets for this long ends: nanoseconds.
    public var idleLimit: Int64 = 3_600_000_000_000
    /// A closed connection is kept this long for late packets: nanoseconds.
    public var lingerLimit: Int64 = 60_000_000_000
    /// Most connections kept open at one time.
    public var connectionLimit = 65_536
    /// Most closed connections kept for late packets.
    public var lingerCountLimit = 8192
    /// Bytes held for one direction of a connection while an earlier segment is missing.
    public var heldBytesLimit = 4 << 20
    /// Bytes held over all connections.
    public var totalHeldBytesLimit = 64 << 20
    /// A hole that the peer acknowledged is given up after this long: nanoseconds.
    public var reorderingWindow: Int64 = 1_000_000_000
    /// Most exchanges of one connection kept for late costs; beyond it answered ones are closed at once.
    var exchangeLimit: Int { 4096 }
    /// Most exchanges of one connection kept while they wait for an answer or for an equal share of the set-up.
    var unansweredLimit: Int { 65_536 }
    /// Unfinished header sections over all connections, bytes; beyond it they are not kept.
    var totalHeadBytesLimit: Int { 32 << 20 }
    /// Longest header section that is read, bytes.
    public var headerSectionLimit = 256 << 10
    /// Most different APIs in the table.
    public var apiLimit = 32_768

    /// Parts that connections are shared out to. Limits over all connections are shared out equally with them.
    static var partCount: Int { ConnectionKey.partCount }

    /// Of a limit over all connections, what those of one part may use.
    func part(of total: Int) -> Int { max(1, (total + AuditOptions.partCount - 1) / AuditOptions.partCount) }

    public init() {}
}

/// Receives records as connections end. Without a sink nothing is made of them but totals.
public protocol AuditSink: AnyObject {
    func receive(_ record: ExchangeRecord)
    func receive(_ record: ConnectionRecord)
}
