/// How a connection ended.
public enum ConnectionClose: UInt8, Sendable, CaseIterable {
    /// Both endpoints sent a FIN.
    case fin
    /// A reset.
    case reset
    /// The capture ended first.
    case open
    /// QUIC: an endpoint sent CONNECTION_CLOSE, or a stateless reset.
    case closed
    /// Nothing came for so long that it was given up; see `AuditOptions`.
    case idle

    public var name: String {
        switch self {
        case .fin: "fin"
        case .reset: "reset"
        case .open: "open"
        case .closed: "closed"
        case .idle: "idle"
        }
    }
}

/// Packets and payload of one direction of a connection.
public struct DirectionCounts: Sendable, Equatable {
    /// Captured packets (fragments of one datagram count each).
    public var packets = 0
    /// Original lengths of those frames.
    public var frames = 0
    /// IP bytes: network, transport and payload.
    public var internet = 0
    /// TCP payload by IP lengths = new + repeated + refused. Of QUIC: UDP payload, and the rest is 0.
    public var payload = 0
    /// Distinct sequence space, first sight.
    public var payloadNew = 0
    /// Seen before: retransmitted, overlapping, probes.
    public var payloadRepeated = 0
    /// Payload of RST packets and of segments far outside any window.
    public var payloadRefused = 0
    /// Sequence space between the first and the highest byte that no packet held.
    public var unseen = 0
    public var syn = 0
    public var fin = 0
    public var rst = 0
    public var retransmittedSegments = 0
    public var outOfOrderSegments = 0

    public init() {}
}

/// What carries the bytes of a connection.
public enum ConnectionTransport: String, Sendable, CaseIterable {
    case tcp, quic
}

/// One connection with every byte it cost.
public struct ConnectionRecord: Sendable {
    /// Path of the capture file in which it began.
    public var file: String
    /// Number in the audit, from 0 in order of first packets.
    public var connection: Int
    public var transport: ConnectionTransport
    /// Number of its first packet in that file, from 1.
    public var firstPacket: Int
    public var client: Endpoint
    public var server: Endpoint
    /// Whom the client serves, where a PROXY header says so: the client is a proxy.
    public var proxiedClient: Endpoint?
    /// Name of the server that TLS asked for, else its DNS name; lower case.
    public var serverName: [UInt8]?
    /// The app that most of its packets name, where the capture names processes.
    public var process: CaptureProcess?
    /// First packet, nanoseconds since the epoch.
    public var time: Int64
    /// From first to last packet as captured, nanoseconds. See `clockLead`.
    public var duration: Int64
    /// How far the clock of the server's direction is ahead of that of the client's, as far as causality tells:
    /// nanoseconds. Nil where they may agree.
    public var clockLead: ClosedRange<Int64>?
    public var exchanges: Int
    /// "http/1.1", "http/1.0", "http/0.9", "h2"; nil when not understood.
    public var applicationProtocol: String?
    /// Nil: no TLS.
    public var tls: TLSFacts?
    public var close: ConnectionClose
    public var counts: Directions<DirectionCounts>
    /// Costs of the connection with those of all its exchanges.
    public var costs: Directions<CostVector>
    public var flags: RecordFlags
    /// Whose DNS answer gave the server's address, where that was read of another connection.
    public var lookup: LookupLink?
    /// When it was in use; nil where it carried nothing, or has not ended.
    package var use: ConnectionUse?
    /// What nobody could read of it; nil where nothing of the kind is kept.
    public var hidden: HiddenTraffic?

    public var offloadHidden: Int { costs.up.offloadHidden + costs.down.offloadHidden }

    /// The capture has all of its packets, from the first on, with all of their bytes.
    var isWhole: Bool {
        counts.up.unseen == 0 && counts.down.unseen == 0 && flags.isDisjoint(with: [.gap, .snapped, .noStart, .drops])
    }

    /// The duration; nil where the clocks of the directions differ.
    public var knownDuration: Int64? { clockLead == nil ? duration : nil }
}

extension ConnectionRecord {
    /// A record of nothing, for what needs one only to learn its fields.
    package static let blank = ConnectionRecord(
        file: "", connection: 0, transport: .tcp, firstPacket: 0, client: Endpoint(address: IPAddress(), port: 0),
        server: Endpoint(address: IPAddress(), port: 0), time: 0, duration: 0, exchanges: 0, close: .open,
        counts: Directions(up: DirectionCounts(), down: DirectionCounts()),
        costs: Directions(up: CostVector(), down: CostVector()), flags: [])
}
