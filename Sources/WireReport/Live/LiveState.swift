import WireCore

/// All that the screen of a live audit shows.
public struct LiveState: Sendable {
    public var interfaces: [CaptureInterfaceSummary] = []
    /// The BPF expression that chooses the frames.
    public var filter: String?
    /// When the capture began: nanoseconds since the epoch.
    public var started: Int64 = 0
    /// How long it has lasted by a clock that never goes back, nanoseconds.
    public var elapsed: Int64 = 0
    public var snapshot = AuditSnapshot()
    /// The latest exchanges that no later packet will change, the latest first.
    public var finished: [ExchangeRecord] = []
    /// The latest connections that have ended and left the memory, the latest first.
    public var ended: [ConnectionRecord] = []
    public var rates = LiveRates()
    /// Memory of the process; nil where the system does not say.
    public var residentBytes: Int?
    public var limits: [LiveLimit] = []
    /// The capture that is being written; nil without one.
    public var evidence: LiveEvidence?
    /// TLS secrets read so far; nil where no key log was asked for.
    public var keySecrets: Int?
    /// The latest problem, one line.
    public var note: String?

    // MARK: What the person at the terminal chose

    /// The picture stands still while the capture goes on.
    public var isFrozen = false
    public var place = LiveNavigation()
    /// Only rows that have this text in them, as `--api` takes it; empty for all.
    public var filterText = ""
    public var isEditingFilter = false
    public var showsHelp = false

    public init() {}
}

/// How much is used of what keeps memory bounded.
public struct LiveLimit: Sendable, Equatable {
    /// A word or two, such as `connections`.
    public var name: String
    public var used: Int
    public var limit: Int
    /// The numbers are bytes and may be told in larger units.
    public var isBytes: Bool

    public init(name: String, used: Int, limit: Int, isBytes: Bool = false) {
        self.name = name
        self.used = used
        self.limit = limit
        self.isBytes = isBytes
    }

    /// Nine tenths are used: soon something will be given up.
    var isNear: Bool { used >= limit - limit / 10 }
}

/// The capture file that is written meanwhile.
public struct LiveEvidence: Sendable, Equatable {
    /// The file that is written now.
    public var path: String
    /// Of all its files.
    public var bytes: Int
    public var packets: Int
    /// Files written so far, and those of them that the ring has deleted.
    public var files: Int
    public var deletedFiles: Int
    /// Why nothing more is written, one line.
    public var fault: String?

    public init(
        path: String, bytes: Int = 0, packets: Int = 0, files: Int = 1, deletedFiles: Int = 0, fault: String? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.packets = packets
        self.files = files
        self.deletedFiles = deletedFiles
        self.fault = fault
    }
}
