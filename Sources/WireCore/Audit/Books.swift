/// Everything that the connections of a part share: the stores of exchanges, held segments and unsettled charges, the
/// sums. A connection changes itself and the books, nothing else.
struct Books: ~Copyable {
    let options: AuditOptions
    let template: PathTemplate
    var findings = FindingSink()
    var exchanges = ExchangeStore()
    var held = HeldSegments()
    var debts = HeaderDebts()
    var charges = PendingCharges()
    var due = DueWheel()
    /// The earlier of the times of this frame and the one before. By it connections are called idle: some captures have
    /// single frames with times years ahead.
    var steadyTime = Int64.min
    var drops = DropTimes()
    let names: NameDirectory
    /// What the connections add to the ledger of all.
    var ledger = LedgerSummary()
    var outbox = Outbox()
    /// Original lengths of all frames of the capture so far.
    var bytesSoFar = 0
    /// What the bytes being delivered share of their packet's headers.
    var shares = ShareList()
    var moment = Moment()
    var pieces = SegmentPieces()
    /// What carries the bytes that are being delivered.
    var carrier = Carrier()
    /// While a record is read: the packet that it came in last, and that packet's shares.
    var packetCarrier = Carrier()
    var packetShares = ShareList()
    /// Content of the record that is being read.
    var plaintext: [UInt8] = []
    /// Bytes of unfinished records over all connections of the part.
    var recordBytes = 0
    /// About what the tables of field compression of these connections hold, bytes.
    var fieldTableBytes = 0
    /// Keys for TLS; it may have none.
    let keys: KeyLog
    /// Bytes of unfinished heads that readers keep.
    var headBytes = 0
    /// Records are wanted.
    let keepsRecords: Bool
    /// The part numbers its connections by itself, and tells in the outbox where each began.
    var numbersItself = false
    var paths: [String] = []
    /// Exchanges of which the response ended, whether or not they are still in the books.
    var answeredCount = 0
    /// Connections whose packets wait for a key.
    var awaitingKeys = 0
    private var parts: [Int] = []
    let examiner: (any BodyExaminer)?

    init(
        options: AuditOptions, keepsRecords: Bool, examiner: (any BodyExaminer)?, keys: KeyLog, names: NameDirectory
    ) {
        self.keys = keys
        self.names = names
        self.options = options
        self.keepsRecords = keepsRecords
        template = PathTemplate(patterns: options.templates)
        let pool =
            options.decodesBodies
            ? DecoderPool(
                outputLimit: options.decodedBodyLimit, totalLimit: options.part(of: options.totalDecodedLimit),
                memoryLimit: options.part(of: options.decoderMemoryLimit)) : nil
        self.examiner = examiner ?? pool
    }

    /// Bytes of a request target that are kept. Records give it whole; the tables' names need only its beginning.
    var targetLimit: Int { keepsRecords ? .max : 2048 }

    /// Bytes kept of what cannot be read yet.
    var waitingBytes: Int { held.byteCount + headBytes + recordBytes }

    /// The name of an address as of now.
    func name(of address: IPAddress) -> [UInt8]? { names.name(of: address, at: findings.ordinal) }

    /// Whole parts of an amount for each share, in their order.
    mutating func divide(_ amount: Int, among list: ShareList) -> [Int] {
        list.divide(amount, into: &parts)
        return parts
    }
}

/// A packet, or a record, while its bytes are delivered. It becomes a debt when some of them must wait for others.
/// Between packets there is none: no debt, no record.
struct Carrier: Sendable {
    /// Below 0 while it is no debt.
    var debt: Int32 = -1
    var cost = HeaderCost()
    var record: RecordUnit?
}
