/// Who pays for a connection's set-up, teardown and keep-alives in the API table (ByteLedger.md §5.5).
public enum SetupPolicy: String, Sendable, CaseIterable {
    /// The exchange that caused the connection.
    case first
    /// All exchanges of the connection in equal shares.
    case even
    /// Nobody: they stand in the connection's record and the host's line alone.
    case separate
}

/// Limits and choices of an audit. The defaults suit a person at a terminal.
///
/// Bytes, unless a limit says otherwise; times are nanoseconds of the capture. What goes beyond a limit is never lost
/// unsaid: it is counted elsewhere, and a finding or a flag of its record tells.
public struct AuditOptions: Sendable {
    public var setup: SetupPolicy = .first
    /// Decode bodies to learn their decoded sizes. Costs as much time as the decompressor takes.
    public var decodesBodies = false
    /// Records have the heads of their messages.
    public var keepsHeads = false
    /// Records of connections tell when which bytes came that nobody could read.
    public var keepsHiddenPieces = false
    /// Records of connections tell what calls cost that nobody could read, where records tell these apart.
    public var keepsUnnamedCalls = false
    /// Records have what each header field of HTTP/2 and HTTP/3 took as sent.
    public var keepsFieldSizes = false
    /// Reads the certificates of servers; nil: nobody asks what they cost.
    public var certificates: CertificateReader?
    /// User's path templates: `/users/{name}` replaces what matches segment by segment.
    public var templates: [String] = []
    /// Which operations are named beside their paths.
    public var operations = OperationOptions()
    /// Names of APIs and hosts hold no values of URLs (`RedactedURL`). Records have the targets as they were sent.
    public var redactsURLs = false

    /// Apps of which there are records, and rows of APIs and hosts, nil standing for what names none; nil: all. The ledger
    /// and the rows of apps cover the whole capture all the same.
    public var includesApp: (@Sendable (String?) -> Bool)?

    /// Name, number or file of the interface at which connections count that were captured at several sides of an address
    /// translation; nil: nearest to the network.
    public var countedInterface: String?

    // MARK: Connections

    /// Connections are dealt out to so many shards by their addresses and ports. Limits over all connections are shared
    /// out equally among the shards, so that none of them needs to know what the others hold.
    public static let shardCount = ConnectionKey.shardCount
    /// The shard of all QUIC connections, behind those of TCP: they may change their addresses.
    static let datagramShard = shardCount
    /// With that of QUIC, which has as large a share of what is shared out.
    static let allShardCount = shardCount + 1
    /// Most connections kept open at one time, over all shards.
    public var connectionLimit = 65_536
    /// Most closed connections kept for late packets, over all shards.
    public var lingerCountLimit = 8192
    /// A closed connection is kept this long for late packets.
    public var lingerLimit: Int64 = 60_000_000_000
    /// A connection without packets for this long ends.
    public var idleLimit: Int64 = 3_600_000_000_000
    /// Most different hosts in the table.
    public var hostLimit = 32_768
    /// Most pairs of a host and a client of which is remembered that they have been connected.
    public var hostClientLimit = 262_144
    /// Connections that wait for others that began before them and end later, until it is known which were needed.
    public var reuseLimit = 16_384

    // MARK: Streams

    /// Held for one direction of a connection while an earlier segment is missing.
    public var heldBytesLimit = 4 << 20
    /// Most segments held for one direction.
    public var heldSegmentLimit = 8192
    /// Held over all shards.
    public var totalHeldBytesLimit = 64 << 20
    /// Packets are taken in the order in which they were sent, as far as acknowledgment numbers tell it. If not, the order
    /// of the capture is taken for it.
    public var ordersDirections = true
    /// Bytes that the peer acknowledged and that no packet has shown are given up after this long.
    public var reorderingWindow: Int64 = 1_000_000_000
    /// Most costs of one direction that wait until it is known who pays them.
    public var chargeLimit = 4096

    // MARK: Messages

    /// Longest header section that is read. Of HTTP/2: text of one decoded field block that is kept.
    public var headerSectionLimit = 256 << 10
    /// Unfinished header sections over all shards; beyond it they are not kept.
    public var totalHeadBytesLimit = 32 << 20
    /// Most exchanges of one connection kept for late costs; beyond it answered ones are closed at once.
    public var exchangeLimit = 4096
    /// Most exchanges of one connection kept while they wait for an answer or for an equal share of the set-up.
    public var unansweredLimit = 65_536
    /// Most exchanges kept over all shards; beyond it connections that go on keep their latest two only.
    public var totalExchangeLimit = 131_072
    /// Most different APIs in the table.
    public var apiLimit = 32_768
    /// Most streams of one HTTP/2 connection known at one time.
    public var streamLimit = 16_384
    /// About what the tables of HTTP/2 field compression hold over all shards.
    public var totalFieldTableLimit = 256 << 20
    /// Largest decoded size of one body; a larger one stays unknown.
    public var decodedBodyLimit = 1 << 30
    /// What all bodies may decode to for a start, over all shards. A hundred more are allowed for each coded byte.
    public var totalDecodedLimit = 4 << 30
    /// What all decoders of bodies may hold together, over all shards.
    public var decoderMemoryLimit = 384 << 20

    // MARK: TLS

    /// Bytes of unfinished TLS records over all shards.
    public var totalRecordBytesLimit = 64 << 20
    /// Early data that waits for the server's word, over all shards, counted with the records.
    public var totalEarlyDataLimit = 16 << 20
    /// Most records and packets that were not read and are kept of open connections.
    public var hiddenPieceLimit = 1 << 24
    /// How long packets wait for a key that may still come.
    public var keyPatience: Int64 = 10_000_000_000
    /// Most lines with a secret kept of key logs.
    public var keyLineLimit = 1_000_000
    /// Most bytes of secrets kept of key logs.
    public var keyBytesLimit = 256 << 20

    // MARK: Packets in front of the connections

    /// Most datagrams that wait for fragments at one time.
    public var fragmentLimit = 1024
    /// Held for them.
    public var fragmentBytesLimit = 4 << 20
    /// Longest wait from a datagram's first fragment to its last. Linux waits as long.
    public var fragmentPatience: Int64 = 30_000_000_000
    /// Most addresses with a name.
    public var nameLimit = 65_536
    /// Most DNS look-ups remembered for the connections that they were for.
    public var lookupLimit = 65_536
    /// Most processes that get a number.
    public var processLimit = 4096
    /// Most QUIC connections kept open at one time.
    public var quicConnectionLimit = 16_384
    /// Most connection IDs by which a QUIC connection is found.
    public var quicIDLimit = 256
    /// Most address pairs remembered as QUIC's.
    public var quicFlowLimit = 65_536
    /// Most rows of UDP that is of no QUIC connection, one for each server and port.
    public var datagramEndpointLimit = 4096
    /// Most address pairs of it of which is remembered who is the server, and what protocol was seen.
    public var datagramFlowLimit = 65_536
    /// Held of datagrams that may be of QUIC connections which began before the capture.
    public var quicSearchLimit = 8 << 20
    /// Most openings that are tried to find the secrets of such connections.
    public var quicTrialLimit = 4_000_000
    /// Most input files open at one time.
    public var openFileLimit = 64

    public init() {}

    /// The share of a limit over all connections that each shard has: one at least.
    @inlinable
    public func limitPerShard(of total: Int) -> Int { max(1, (total - 1) / AuditOptions.shardCount + 1) }
}

extension DatagramTable {
    init(_ options: AuditOptions) {
        self.init(rowLimit: options.datagramEndpointLimit, flowLimit: options.datagramFlowLimit)
    }
}

/// Receives records as connections end. Without a sink nothing is made of them but totals.
public protocol AuditSink: AnyObject {
    func receive(_ record: ExchangeRecord)
    func receive(_ record: ConnectionRecord)
    /// A connection, some time behind its record, that an idle one could have stood in for; `cost`: bytes of its set-up and
    /// closing. Sinks that do not want to know need no such function.
    func receive(needless connection: Int, cost: Int)
}

extension AuditSink {
    public func receive(needless connection: Int, cost: Int) {}
}
