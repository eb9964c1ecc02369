import WireCore

/// All calls of one API on one side of a comparison.
public struct ComparedAPI: Sendable {
    public var calls = 0
    public var costs = Directions<CostVector>()
    /// TLS that was not read: a host, whose calls are not known.
    public var isEncrypted = false
    package var sample = CostSample()

    public init() {}

    /// Mean wire bytes of a call; nil without calls.
    public func wirePerCall(_ measure: CostMeasure) -> Double? {
        calls > 0 ? Double(measure.wire(costs)) / Double(calls) : nil
    }
}

/// Everything that went to and from one host on one side.
public struct ComparedHost: Sendable {
    public var connections = 0
    public var calls = 0
    /// Some of its TLS or QUIC was not read.
    public var hasUnread = false
    /// UDP outside QUIC connections.
    public var isUDP = false
    public var costs = Directions<CostVector>()

    package init(
        connections: Int = 0, calls: Int = 0, hasUnread: Bool = false, isUDP: Bool = false,
        costs: Directions<CostVector> = Directions()
    ) {
        (self.connections, self.calls, self.costs) = (connections, calls, costs)
        (self.hasUnread, self.isUDP) = (hasUnread, isUDP)
    }

    /// Nil where nothing of its connections was read, so that nobody knows its calls; nobody looks for calls in UDP.
    public var knownCalls: Int? { isUDP || calls == 0 && hasUnread ? nil : calls }

    /// UDP has none.
    public var knownConnections: Int? { isUDP ? nil : connections }
}

/// Which rows a comparison is about, by the user's choice.
public struct ComparedRows: Sendable {
    public var choosesHosts = false
    /// Then there are no rows of hosts: their bytes are those of other APIs, too.
    public var choosesAPIs = false

    public init(choosesHosts: Bool = false, choosesAPIs: Bool = false) {
        (self.choosesHosts, self.choosesAPIs) = (choosesHosts, choosesAPIs)
    }
}

/// One side of a comparison: captures that were audited, or audits that were read, summed up.
public struct ComparedSide: Sendable {
    /// Where it comes from, in the order given.
    public var captures: [String] = []
    public var audits: [String] = []
    public private(set) var apis: [String: ComparedAPI] = [:]
    public private(set) var hosts: [String: ComparedHost] = [:]
    /// Original lengths of all frames.
    public var bytes = 0
    public var packets = 0
    /// Some of the traffic is missing or could not be read: codes of findings, and of losses that the files tell.
    public var doubts: Set<String> = []
    public let rows: ComparedRows

    /// Codes of doubts that are no findings.
    public static let droppedPackets = "packets-dropped"
    public static let unreadCalls = "tls-unread"
    public static let unreadFrames = "frames-unread"

    public init(_ rows: ComparedRows = ComparedRows()) { self.rows = rows }

    /// Single calls are known, so that their spread tells noise from change. Audits hold sums only.
    public var knowsCalls: Bool { audits.isEmpty }

    public var calls: Int { apis.values.reduce(0) { $0 &+ $1.calls } }

    /// Nil where nobody knows: of what was not read no call was seen, which is not none.
    public var knownCalls: Int? { calls == 0 && hidesCalls ? nil : calls }

    private var hidesCalls: Bool {
        apis.values.contains(where: \.isEncrypted) || hosts.values.contains(where: \.hasUnread)
    }

    /// All doubts: those of the captures, and that calls of some of the rows were not read.
    public var allDoubts: Set<String> { hidesCalls ? doubts.union([ComparedSide.unreadCalls]) : doubts }

    /// Wire bytes of all that was chosen.
    public func wire(_ measure: CostMeasure) -> Int {
        guard rows.choosesAPIs else { return hosts.values.reduce(0) { $0 &+ measure.wire($1.costs) } }
        return apis.values.reduce(0) { $0 &+ measure.wire($1.costs) }
    }

    /// Wire bytes of TLS and QUIC that was not read: nobody knows of which calls they are.
    public func unreadWire(_ measure: CostMeasure) -> Int {
        apis.values.reduce(0) { $0 &+ ($1.isEncrypted ? measure.wire($1.costs) : 0) }
    }

    /// Wire bytes of calls.
    public func callWire(_ measure: CostMeasure) -> Int {
        apis.values.reduce(0) { $0 &+ ($1.calls > 0 ? measure.wire($1.costs) : 0) }
    }

    /// Wire bytes of the hosts that no row of an API has: UDP, TCP without HTTP, and what no call pays for.
    public func restWire(_ measure: CostMeasure) -> Int {
        wire(measure) &- apis.values.reduce(0) { $0 &+ measure.wire($1.costs) }
    }

    /// No API and no host is what the user chose.
    public var isEmpty: Bool { apis.isEmpty && hosts.isEmpty }

    package mutating func add(api: String, calls: Int, _ costs: Directions<CostVector>, isEncrypted: Bool) {
        apis[api, default: ComparedAPI()].calls &+= calls
        apis[api]?.costs += costs
        if isEncrypted { apis[api]?.isEncrypted = true }
    }

    package mutating func add(host: String, _ other: ComparedHost) {
        guard !rows.choosesAPIs else { return }
        hosts[host, default: ComparedHost()].connections &+= other.connections
        hosts[host]?.calls &+= other.calls
        hosts[host]?.costs += other.costs
        if other.hasUnread { hosts[host]?.hasUnread = true }
        if other.isUDP { hosts[host]?.isUDP = true }
    }

    /// Adds an audit of captures, with the calls that were collected while it ran.
    ///
    /// - Parameters:
    ///   - includesAPI, includesHost: the rows that the comparison is about.
    public mutating func add(
        _ result: AuditResult, _ collector: CostCollector, includesAPI: (APISummary) -> Bool,
        includesHost: (HostSummary) -> Bool
    ) {
        for row in result.apis where includesAPI(row) {
            add(api: row.api, calls: row.exchanges, row.costs, isEncrypted: row.isEncrypted)
            if let sample = collector.samples[row.api] { apis[row.api]?.sample = sample }
        }
        for row in result.hostRows where includesHost(row) {
            let hasUnread = !row.protocols.isDisjoint(with: .unread)
            add(
                host: row.host,
                ComparedHost(
                    connections: row.connections, calls: row.exchanges, hasUnread: hasUnread,
                    isUDP: row.datagrams != nil, costs: row.costs))
        }
        bytes &+= result.ledger.bytes
        for file in result.files {
            captures.append(file.path)
            packets &+= file.packets
            if (file.dropped ?? 0) > 0 { doubts.insert(ComparedSide.droppedPackets) }
        }
        if result.ledger.unreadFrames > 0 { doubts.insert(ComparedSide.unreadFrames) }
        for finding in result.findings where finding.code.severity == .dataLoss { doubts.insert(finding.code.code) }
    }
}

/// Keeps costs of single calls while an audit runs.
public final class CostCollector: AuditSink {
    private(set) var samples: [String: CostSample] = [:]
    private let cells: [CostCell]
    private let limit: Int

    /// - Parameter limit: APIs of which calls are kept.
    public init(_ measure: CostMeasure, limit: Int) {
        cells = measure.cells
        self.limit = limit
    }

    public func receive(_ record: ConnectionRecord) {}

    public func receive(_ record: ExchangeRecord) {
        let api = String(decoding: record.api, as: UTF8.self)
        guard samples[api] != nil || samples.count < limit else { return }
        samples[api, default: CostSample()].add(record, cells)
    }
}
