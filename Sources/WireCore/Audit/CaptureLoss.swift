/// What captures lack, and what of them was not read.
public struct CaptureLoss: Sendable, Equatable {
    /// What figures rest on.
    public enum Trust: String, Sendable, CaseIterable {
        /// Nothing that the program knows of is missing.
        case whole
        /// Everything captured is counted, and some of it could not be read.
        case unread
        /// Packets, or parts of them, are missing: figures are lower bounds, and some content is unknown.
        case incomplete
    }

    /// Files that end in the middle of a packet or are damaged.
    public var damagedFiles = 0
    /// Packets that the capturing program lost; nil where no file says.
    public var droppedPackets: Int?
    /// Packets of which only a part was captured.
    public var cutPackets = 0
    /// Places where bytes of a connection were sent that no packet holds.
    public var gaps = 0
    /// Bytes of TCP in these places; nil where that was not counted.
    public var missingBytes: Int?
    /// What was counted, but not read: payload of TCP, QUIC, other UDP and other IP that no reader knows, and frames without
    /// IP that are no protocol of the link itself.
    public var unreadBytes = 0
    /// What these are a share of: all IP bytes, and where frames without IP were not read those of all frames.
    public var wholeBytes = 0

    public init() {}

    public init(_ result: AuditResult) {
        damagedFiles = result.files.count { $0.damagedAt != nil }
        let dropped = result.files.compactMap(\.dropped)
        droppedPackets = dropped.isEmpty ? nil : dropped.reduce(0, &+)
        cutPackets = result.files.reduce(0) { $0 &+ $1.snapped }
        gaps = result.findings.reduce(0) { $0 &+ ($1.code == .streamGap ? $1.count : 0) }
        let causes = result.ledger.causes
        unreadBytes =
            causes.up[.opaque] &+ causes.down[.opaque] &+ result.ledger.other.quic &+ result.ledger.other.wireGuard
            &+ result.ledger.other.udp &+ result.ledger.other.otherIP &+ result.ledger.unreadFrames
        wholeBytes = result.ledger.unreadFrames > 0 ? result.ledger.bytes : result.ledger.layers.internet
    }

    public var trust: Trust {
        if damagedFiles > 0 || (droppedPackets ?? 0) > 0 || cutPackets > 0 || gaps > 0 { return .incomplete }
        return unreadBytes > 0 ? .unread : .whole
    }
}
