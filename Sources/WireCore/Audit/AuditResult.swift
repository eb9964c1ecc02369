/// One file of the capture as the reader found it.
public struct CaptureFileSummary: Sendable {
    public var path: String
    /// "pcap", "pcapng", with " (gzip)" or " (zstd)" kept apart in `compression`.
    public var format: String
    public var compression: String?
    /// In order of first appearance.
    public var linkTypes: [LinkType] = []
    /// Frames audited (a filter leaves out the others).
    public var packets = 0
    /// Original lengths of those frames.
    public var bytes = 0
    public var capturedBytes = 0
    /// Time of the earliest and latest frame, nanoseconds since the epoch; nil without frames.
    public var first: Int64?
    public var last: Int64?
    /// Frames that the capturing program says it lost; nil where the file does not say.
    public var dropped: Int?
    /// Frames of which fewer bytes than the original length were captured.
    public var snapped = 0
    /// Frames that the filter left out.
    public var filtered = 0
    /// Byte offset (in the decompressed file) at which reading had to end; nil when it was read to its end.
    public var damagedAt: Int?
    /// Why the system could not read on there, one clause; nil where the end, or the damage, is the file's own.
    public var fault: String?

    public init(path: String, format: String, compression: String? = nil) {
        self.path = path
        self.format = format
        self.compression = compression
    }

    /// Counts a frame of that time. Returns whether it is older than the latest before it.
    @inline(__always)
    mutating func note(_ frame: CaptureFrame, _ time: Int64) -> Bool {
        packets += 1
        bytes += frame.originalLength
        capturedBytes += frame.capturedLength
        if frame.capturedLength < frame.originalLength { snapped += 1 }
        guard let latest = last else {
            first = time
            last = time
            return false
        }
        guard time < latest else {
            last = time
            return false
        }
        if let earliest = first, time < earliest { first = time }
        return true
    }
}

/// A key log as it was found; of its secrets only the number.
public struct KeyLogSummary: Sendable, Equatable {
    public var path: String
    /// Lines that hold a secret.
    public var secrets = 0
    /// Lines that are neither a secret, nor a comment, nor empty.
    public var malformed = 0
    /// No secret of any of the logs is of a connection of the capture.
    public var isOfOtherCapture = false
    /// Why nothing of it was read, one clause; nil where it was.
    public var problem: String?
    /// Why the system could not read it on, one clause; nil where it could.
    public var fault: String?

    public init(path: String) { self.path = path }
}

/// A place at which connections count that were captured at others too.
public struct CountedPoint: Sendable, Equatable {
    /// Path of the file.
    public var file: String
    /// The number that the packet has for it, or the file from 0; nil where neither has one.
    public var interface: Int?
    /// As the file names it; nil where it does not.
    public var name: String?
    public var connections: Int

    public init(file: String, interface: Int?, name: String? = nil, connections: Int) {
        (self.file, self.interface, self.name, self.connections) = (file, interface, name, connections)
    }
}

/// The audit of one capture, whatever number of files it came in.
public struct AuditResult: Sendable {
    /// A live capture stands here as one file with the format "live" and the names of its interfaces as path.
    public var files: [CaptureFileSummary] = []
    /// Interfaces of a live capture; empty for files.
    public var interfaces: [CaptureInterfaceSummary] = []
    /// Those that were asked for, in that order; secrets inside of a capture are not among them.
    public var keyLogs: [KeyLogSummary] = []
    public var ledger = LedgerSummary()
    /// In no particular order; reports sort.
    public var apis: [APISummary] = []
    public var hosts: [HostSummary] = []
    /// Everything of connections and UDP by app, in no particular order; empty where the capture names no app.
    public var apps: [AppSummary] = []
    /// The bodies of all exchanges by media type, in no particular order.
    public var contentTypes: [ContentTypeSummary] = []
    /// UDP by endpoint, without that of QUIC connections.
    public var datagrams: [DatagramSummary] = []
    public var connections = 0
    /// Those of them over QUIC.
    public var quicConnections = 0
    /// Those whose beginning was not captured.
    public var lateConnections = 0
    /// Exchanges whose end is not in the capture.
    public var unfinishedExchanges = 0
    public var exchanges = 0
    public var findings: [FindingCount] = []
    /// Of connections that were captured on several sides of a translation of their addresses.
    public var countedPoints: [CountedPoint] = []
    /// No frame was captured at the interface that the options choose.
    public var lacksCountedInterface = false
    /// Where that is so, the first of those it has: names, or numbers.
    public var otherInterfaces: [String] = []

    public init() {}

    /// The rows of hosts, and those of UDP behind them.
    public var hostRows: [HostSummary] { hosts + datagrams.map { HostSummary($0) } }
}
