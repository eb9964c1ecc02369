/// Everything that connections share: the stores of exchanges, held segments and unsettled charges, the tables of APIs
/// and hosts, the sums. A connection changes itself and the books, nothing else.
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
    var names = NameDirectory()
    var hostClients = HostClients()
    var tables = SummaryTables()
    var ledger = LedgerSummary()
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
    /// Bytes of unfinished records over all connections.
    var recordBytes = 0
    /// About what the tables of field compression of all connections hold, bytes.
    var fieldTableBytes = 0
    /// Keys for TLS; it may have none.
    let keys: KeyLog
    /// Bytes of unfinished heads that readers keep.
    var headBytes = 0
    private(set) var sink: (any AuditSink)?
    var paths: [String] = []
    var connectionCount = 0
    var exchangeCount = 0
    /// Exchanges of which the response ended, whether or not they are still in the books.
    var answeredCount = 0
    /// Connections whose packets wait for a key.
    var awaitingKeys = 0
    private var parts: [Int] = []
    let examiner: (any BodyExaminer)?

    init(options: AuditOptions, sink: (any AuditSink)?, examiner: (any BodyExaminer)?, keys: KeyLog) {
        self.keys = keys
        self.options = options
        self.sink = sink
        template = PathTemplate(patterns: options.templates)
        self.examiner = examiner ?? (options.decodesBodies ? DecoderPool(outputLimit: options.decodedBodyLimit) : nil)
    }

    /// Bytes of a request target that are kept. Records give it whole; the tables' names need only its beginning.
    var targetLimit: Int { sink == nil ? 2048 : .max }

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

/// The rows of the API and host tables while they grow.
struct SummaryTables {
    private(set) var apis = NameTable()
    private(set) var apiRows: [APISummary] = []
    private(set) var hosts = NameTable()
    var hostRows: [HostSummary] = []

    /// The row of an API; when the table is full, the row that all further APIs share.
    mutating func api(_ name: [UInt8], limit: Int, isFull: inout Bool) -> Int32 {
        if let index = apis.intern(name, limit: limit) {
            if index == apiRows.count { apiRows.append(APISummary(api: NameTable.text(name))) }
            return Int32(index)
        }
        isFull = true
        let other = Array("(other APIs)".utf8)
        let index = apis.intern(other)!
        if index == apiRows.count { apiRows.append(APISummary(api: "(other APIs)")) }
        return Int32(index)
    }

    /// The row that an API has already.
    func row(ofAPI name: [UInt8]) -> Int? { apis.find(name) }

    func apiName(_ index: Int32) -> [UInt8] { apis.names[Int(index)] }
    func hostName(_ index: Int32) -> [UInt8] { hosts.names[Int(index)] }

    mutating func addExchange(api: Int32, host: Int32, _ costs: Directions<CostVector>) {
        apiRows[Int(api)].exchanges += 1
        apiRows[Int(api)].costs += costs
        hostRows[Int(host)].exchanges += 1
        hostRows[Int(host)].costs += costs
    }

    /// What an encrypted connection cost.
    mutating func addEncrypted(api: Int32, _ costs: Directions<CostVector>) {
        apiRows[Int(api)].isEncrypted = true
        apiRows[Int(api)].costs += costs
    }

    mutating func host(_ name: [UInt8], limit: Int) -> Int32 {
        if let index = hosts.intern(name, limit: limit) {
            if index == hostRows.count { hostRows.append(HostSummary(host: NameTable.text(name))) }
            return Int32(index)
        }
        let index = hosts.intern(Array("(other hosts)".utf8))!
        if index == hostRows.count { hostRows.append(HostSummary(host: "(other hosts)")) }
        return Int32(index)
    }
}
