import WireCore

/// What the capture of a session lacks, and what of it was not read.
public struct SessionDamage: Sendable, Equatable {
    /// What the figures of a session rest on.
    public enum Trust: String, Sendable, CaseIterable {
        /// Nothing that the program knows of is missing.
        case whole
        /// Everything captured is counted, and some of it could not be read.
        case unread
        /// Packets, or parts of them, are missing: figures are lower bounds.
        case incomplete
    }

    /// Files that end in the middle of a packet or are damaged.
    public var damagedFiles = 0
    /// Packets that the capturing program lost; nil where a file does not say.
    public var droppedPackets: Int?
    /// Packets of which only a part was captured.
    public var cutPackets = 0
    /// Places where bytes of a connection were sent that no packet holds, and those bytes.
    public var gaps = 0
    public var missingBytes: Int?
    /// Captured payload that was counted, but not read.
    public var unreadBytes = 0

    public init() {}

    init(_ part: PartialResult) {
        let capture = part.row(.capture)
        damagedFiles = capture.integer("damaged")
        droppedPackets = capture.optionalInteger("dropped")
        cutPackets = capture.integer("snapped")
        gaps = part.rows[PartialKey(.finding, [FindingCode.streamGap.code])]?.integer("count") ?? 0
        missingBytes = capture.optionalInteger("missing")
        let causes = capture.costs("cause")
        unreadBytes =
            causes.up[.opaque] &+ causes.down[.opaque] &+ capture.integer("other.quic")
            &+ capture.integer("other.wireguard")
    }

    public var trust: Trust {
        if damagedFiles > 0 || (droppedPackets ?? 0) > 0 || cutPackets > 0 || gaps > 0 || (missingBytes ?? 0) > 0 {
            return .incomplete
        }
        return unreadBytes > 0 ? .unread : .whole
    }
}
