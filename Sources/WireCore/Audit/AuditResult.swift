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

/// Bytes by layer, over all frames.
public struct LayerTotals: Sendable, Equatable {
    public var pseudo = 0
    public var link = 0
    public var tunnel = 0
    public var network = 0
    public var transport = 0
    public var payload = 0
    /// Whole frames without IP.
    public var nonIP = 0
    /// Whole frames proved to be second captures of a frame.
    public var duplicate = 0

    public init() {}

    mutating func add(_ other: LayerTotals) {
        pseudo += other.pseudo
        link += other.link
        tunnel += other.tunnel
        network += other.network
        transport += other.transport
        payload += other.payload
        nonIP += other.nonIP
        duplicate += other.duplicate
    }

    public var total: Int { pseudo + link + tunnel + network + transport + payload + nonIP + duplicate }
    /// IP bytes: what the causes and the other lines share out.
    public var internet: Int { network + transport + payload }
}

/// IP bytes that belong to no TCP connection.
public struct OtherTotals: Sendable, Equatable {
    /// DNS over UDP that no connection followed.
    public var dns = 0
    public var quic = 0
    /// Other UDP.
    public var udp = 0
    /// ICMP and ICMPv6.
    public var icmp = 0
    /// Other protocols over IP, unreadable transport headers, fragments that never became a datagram.
    public var otherIP = 0

    public init() {}

    mutating func add(_ other: OtherTotals) {
        dns += other.dns
        quic += other.quic
        udp += other.udp
        icmp += other.icmp
        otherIP += other.otherIP
    }

    public var total: Int { dns + quic + udp + icmp + otherIP }
}

/// The books of a whole capture.
public struct LedgerSummary: Sendable {
    /// Sum of the original lengths of all frames.
    public var bytes = 0
    public var layers = LayerTotals()
    /// IP bytes of TCP connections by cause, with the DNS exchanges that connections paid for.
    public var causes = Directions<CostVector>()
    public var other = OtherTotals()
    /// What the lines of APIs and hosts add up to; must equal `causes`.
    public var owned = Directions<CostVector>()

    public init() {}

    /// Adds what parts of the audit counted on their own.
    mutating func add(_ other: LedgerSummary) {
        bytes += other.bytes
        layers.add(other.layers)
        causes += other.causes
        self.other.add(other.other)
        owned += other.owned
    }

    /// Every identity holds: layers sum to the frames, causes and other lines to the IP layers, owners to the causes.
    public var balanced: Bool {
        layers.total == bytes
            && causes.up.internet + causes.down.internet + other.total == layers.internet
            && owned == causes
    }
}

/// One row of the API table.
public struct APISummary: Sendable {
    /// `method host path-template`; exchanges without request have the method `?`. What TLS hides of a host stands as
    /// `https://host (encrypted)`.
    public var api: String
    public var exchanges = 0
    public var costs = Directions<CostVector>()
    /// The row of a host whose application data could not be read: how many calls there were is not known.
    public var isEncrypted = false

    public init(api: String) { self.api = api }
}

/// All that went to and from one host.
public struct HostSummary: Sendable {
    public var host: String
    public var connections = 0
    public var exchanges = 0
    /// Connections on which no exchange was found, those left out whose TLS was not read.
    public var connectionsWithoutExchange = 0
    /// Everything: the host's exchanges and its connections' own costs.
    public var costs = Directions<CostVector>()
    /// The part that no API row has: connections without exchange, payload between messages, and with
    /// `setup: separate` set-up, teardown and keep-alives.
    public var unassigned = Directions<CostVector>()

    /// What its connections cost before they could carry a message, and after.
    public var setup = SetupSummary()

    public init(host: String) { self.host = host }
}

/// The setting up of a host's connections. All of it was counted, nothing estimated; `reuseSaving` is a difference of
/// counts under a supposition that it names. Bytes of the IP layer, both directions.
public struct SetupSummary: Sendable, Equatable {
    /// Connections that began with TLS.
    public var tlsConnections = 0
    /// TLS handshakes of which both hellos were read and that resumed nothing.
    public var fullHandshakes = 0
    public var resumedHandshakes = 0
    /// Those of them that had application data of which none could be read.
    public var unreadConnections = 0
    /// Those of which some application data could be read and some not.
    public var partlyReadConnections = 0
    /// Those whose handshake failed: they carried no call, and no key could show one. Not among the unread ones.
    public var failedHandshakes = 0
    /// Calls that these connections carried, to whatever host.
    public var exchanges = 0
    /// Certificate messages of the server that could be read.
    public var certificateBytes = 0
    /// setup.dns + setup.tcp + setup.tls + setup.http of all connections, whoever pays them.
    public var setupBytes = 0
    /// `teardown` of all connections, whoever pays it.
    public var teardownBytes = 0
    /// Set-up and teardown of every connection to the host but the first of each client: what would not have been
    /// spent if each client had kept one connection.
    public var reuseSaving = 0

    public init() {}

    mutating func add(_ other: SetupSummary) {
        tlsConnections += other.tlsConnections
        fullHandshakes += other.fullHandshakes
        resumedHandshakes += other.resumedHandshakes
        unreadConnections += other.unreadConnections
        partlyReadConnections += other.partlyReadConnections
        failedHandshakes += other.failedHandshakes
        exchanges += other.exchanges
        certificateBytes += other.certificateBytes
        setupBytes += other.setupBytes
        teardownBytes += other.teardownBytes
        reuseSaving += other.reuseSaving
    }
}

/// A key log as it was found; of its secrets only the number.
public struct KeyLogSummary: Sendable, Equatable {
    public var path: String
    /// Lines that hold a secret.
    public var secrets = 0
    /// Lines that are neither a secret, nor a comment, nor empty.
    public var malformed = 0
    /// Why nothing of it was read, one clause; nil where it was.
    public var problem: String?
    /// Why the system could not read it on, one clause; nil where it could.
    public var fault: String?

    public init(path: String) { self.path = path }
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
    public var connections = 0
    public var exchanges = 0
    public var findings: [FindingCount] = []

    public init() {}
}
