/// What readers of streams share with those of the other connections of a shard: whose the bytes are, the exchanges, what
/// was found, and how much may be kept.
struct StreamContext: ~Copyable {
    private let passing = PassedByAddress()
    let options: AuditOptions
    let template: PathTemplate
    let naming: OperationNaming
    let names: NameDirectory
    let processes: ProcessDirectory
    /// Keys for TLS; it may have none.
    let keys: KeyLog
    let lateKeys = LateKeySearch()
    let examiner: (any BodyExaminer)?
    /// Records are wanted.
    let keepsRecords: Bool
    var paths: [String] = []
    var attribution = Attribution()
    /// By the index of the owner's account.
    var exchanges = UnsafeSlab<Exchange>(capacity: 1 << 11)
    var findings = FindingSink()
    var completed = CompletedFlows()
    var processSums = ProcessSums()
    var timers = TimerWheel()
    var drops = DropTimes()
    var buffered = BufferedBytes()
    /// Original lengths of all frames of the capture so far.
    var bytesSoFar = 0
    /// Exchanges of which the response ended, whether or not they were given out.
    var answeredCount = 0
    /// Connections whose packets wait for a key.
    var awaitingKeys = 0
    /// The DNS message that the body which ended last was, until its exchange is known.
    var answer: [UInt8]?
    let contentBudget = ContentBudget()
    var mediaTypes = MediaTypes()
    /// Content of the record that is being read.
    var plaintext: [UInt8] = []

    init(
        options: AuditOptions, keepsRecords: Bool, examiner: (any BodyExaminer)?, keys: KeyLog, names: NameDirectory,
        processes: ProcessDirectory = ProcessDirectory()
    ) {
        self.keys = keys
        self.names = names
        self.processes = processes
        self.options = options
        self.keepsRecords = keepsRecords
        template = PathTemplate(patterns: options.templates, redacts: options.redactsURLs)
        naming = OperationNaming(options)
        let pool =
            options.decodesBodies
            ? DecoderPool(
                outputLimit: options.decodedBodyLimit, totalLimit: options.limitPerShard(of: options.totalDecodedLimit),
                memoryLimit: options.limitPerShard(of: options.decoderMemoryLimit)) : nil
        self.examiner = examiner ?? pool
    }

    /// Bytes of a request target that are kept. Records give it whole; the tables' names need only its beginning.
    var targetLimit: Int { keepsRecords ? .max : 2048 }

    /// The unfinished heads of all connections take more than they may.
    var isCrowdedWithHeads: Bool {
        buffered.heads > options.limitPerShard(of: options.totalHeadBytesLimit)
    }

    /// The name of a media type; nil where none is told, or its field must not be shown.
    func shownType(_ number: UInt16) -> [UInt8]? { naming.showsTypes ? mediaTypes.name(number) : nil }

    /// The name of an address as of now.
    func name(of address: IPAddress) -> [UInt8]? { names.name(of: address, at: findings.ordinal) }

    /// Opens the account of an exchange. Its index is that of the exchange.
    mutating func openExchange() -> Owner {
        let owner = attribution.openAccount()
        if Int(owner.index) == exchanges.count { exchanges.append(Exchange()) }
        return owner
    }

    /// Brings an exchange and its account into the processor's cache.
    @inline(__always)
    func prefetchExchange(_ index: Int) {
        exchanges.prefetch(index, byteCount: MemoryLayout<Exchange>.size)
        attribution.accounts.prefetch(index, byteCount: MemoryLayout<OwnerAccount>.size)
    }

    mutating func closeExchange(_ index: Int32) {
        exchanges[Int(index)].renew()
        attribution.closeAccount(index)
    }
}

/// Bytes kept of what cannot be read yet, over all connections of a shard.
struct BufferedBytes {
    /// Of unfinished records.
    var records = 0
    /// Of unfinished heads.
    var heads = 0
    /// About what the tables of field compression hold.
    var fieldTables = 0
    /// Records and packets that were not read, by number.
    var hiddenPieces = 0
}
