/// What a look at an audit gives beside what it always gives: it takes time with the number of open connections.
public struct SnapshotContent: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The rows of hosts.
    public static let hosts = SnapshotContent(rawValue: 1)
    /// Records of connections that have not ended.
    public static let connections = SnapshotContent(rawValue: 2)
}

/// An audit in the middle of its capture: what is known by now. Nothing of it is final but the layers.
public struct AuditSnapshot: Sendable {
    /// Frames so far, with their original lengths.
    public var packets = 0
    public var bytes = 0
    /// Time of the latest frame, nanoseconds since the epoch; nil before the first.
    public var time: Int64?
    /// Layers and other lines are exact; `causes` hold what is attributed by now, open connections included. `owned` is not
    /// filled in.
    public var ledger = LedgerSummary()
    /// IP bytes of TCP connections that have no cause yet: their bytes are still being read.
    public var undecided: Int { ledger.layers.internet - ledger.other.total - causes }
    /// Rows in no particular order, with the exchanges that are still open, and with open connections of which TLS hides
    /// all.
    public var apis: [APISummary] {
        get { rows.rows }
        set { rows = SnapshotRows(newValue) }
    }
    var rows = SnapshotRows()
    /// Rows in no particular order, with what is still open; their `setup` is that of ended connections. Empty where it was
    /// not asked for.
    public var hosts: [HostSummary] = []
    /// Records as they would be if the capture ended now, of the connections in memory that cost most, the costliest
    /// first; at most `connectionRecordLimit`. Empty where they were not asked for.
    public var connectionRecords: [ConnectionRecord] = []
    /// Most connections of which a look gives records.
    public static let connectionRecordLimit = 512
    /// Connections so far, and those of them that are open now.
    public var connections = 0
    public var openConnections = 0
    /// Connections in memory: open ones, and closed ones that may still get late packets.
    public var keptConnections = 0
    /// Exchanges so far, and those of them that wait for their response or its end.
    public var exchanges = 0
    public var openExchanges = 0
    /// Answered exchanges that may still change by late packets, the latest first.
    public var recent: [ExchangeRecord] = []
    /// TLS connections whose packets wait for a key.
    public var awaitingKeys = 0
    /// Bytes kept of what cannot be read yet: segments behind a gap, unfinished heads and records.
    public var heldBytes = 0
    public var findings: [FindingCount] = []

    private var causes: Int { ledger.causes.up.internet + ledger.causes.down.internet }

    public init() {}
}
