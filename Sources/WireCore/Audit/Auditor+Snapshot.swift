/// The audit in the middle of a capture. Nothing is changed by looking.
extension Auditor {
    private static let recentLimit = 1 << 20

    /// What is known by now. Takes time with the number of open connections and exchanges, and of APIs.
    /// - Parameter recent: most records of answered exchanges to give.
    public func snapshot(recent: Int = 32) -> AuditSnapshot {
        var snapshot = AuditSnapshot()
        update(&snapshot, recent: recent)
        while !updateAPIs(of: &snapshot) {}
        return snapshot
    }

    /// Brings a snapshot of this audit, or a new one, up to date, but for its APIs.
    public func update(_ snapshot: inout AuditSnapshot, recent: Int = 32) {
        snapshot.packets = router.files.reduce(0) { $0 + $1.packets }
        snapshot.time = router.files.compactMap(\.last).max()
        snapshot.ledger = ledger
        snapshot.bytes = snapshot.ledger.bytes
        snapshot.findings = findings.summary(paths: router.files.map(\.path))
        snapshot.heldBytes = 0
        var sums = OpenSums(recent: min(max(recent, 0), Auditor.recentLimit))
        for part in 0..<parts.count {
            sums.part = part
            parts[part].connections.addOpen(to: &sums, parts[part].books)
            snapshot.heldBytes += parts[part].books.waitingBytes
        }
        snapshot.ledger.causes += sums.causes
        snapshot.connections = accounts.state.connectionCount + sums.keptConnections
        snapshot.keptConnections = sums.keptConnections
        snapshot.openConnections = sums.openConnections
        snapshot.exchanges = accounts.state.exchangeCount + sums.exchanges
        snapshot.openExchanges = sums.openExchanges
        snapshot.awaitingKeys = sums.awaitingKeys
        snapshot.recent = sums.latest.map {
            parts[$0.part].connections.record(place: $0.place, exchange: $0.exchange, parts[$0.part].books)
        }
    }

    /// Brings the APIs of a snapshot of this audit up to date, a part of the work at a time: between two parts frames
    /// may be consumed. Of the rows only those are copied that changed since, as long as nobody else holds them.
    /// - Returns: whether that was the last part. Before it the rows are not whole.
    public func updateAPIs(of snapshot: inout AuditSnapshot) -> Bool {
        // Held here alone, the rows are changed in place.
        var rows = snapshot.rows
        snapshot.rows = SnapshotRows()
        if rows.next == SnapshotRows.Place() { rows.begin(accounts.state.tables) }
        let part = rows.next.part
        rows.next.connection = parts[part].connections.addOpenRows(
            to: &rows, from: rows.next.connection, parts[part].books, accounts.state.tables)
        if rows.next.connection == 0 { rows.next.part = (part + 1) % parts.count }
        snapshot.rows = rows
        return rows.next == SnapshotRows.Place()
    }
}

/// What connections that have not ended add to the books' sums.
struct OpenSums {
    /// How many of the latest answered exchanges are wanted.
    private let recent: Int
    var causes = Directions<CostVector>()
    var keptConnections = 0
    var openConnections = 0
    var awaitingKeys = 0
    var exchanges = 0
    var openExchanges = 0
    /// Whose connections are being added.
    var part = 0
    private var candidates: [(part: Int, place: Int, exchange: Int, time: Int64)] = []
    /// Older ones are not among the latest.
    private var oldest = Int64.min

    init(recent: Int) { self.recent = recent }

    @inline(__always)
    mutating func addAnswered(_ place: Int, _ exchange: Int, _ time: Int64) {
        guard time >= oldest, recent > 0 else { return }
        candidates.append((part, place, exchange, time))
        if candidates.count >= 4 * recent + 64 { cut() }
    }

    private mutating func cut() {
        candidates.sort { $0.time > $1.time }
        candidates.removeSubrange(recent...)
        oldest = candidates[recent - 1].time
    }

    /// The latest answered exchanges, the last one first.
    var latest: ArraySlice<(part: Int, place: Int, exchange: Int, time: Int64)> {
        candidates.sorted { ($0.time, $1.part, $1.exchange) > ($1.time, $0.part, $0.exchange) }.prefix(recent)
    }
}

extension Connection {
    /// Adds its costs so far, and its exchanges.
    borrowing func addOpen(to sums: inout OpenSums, _ place: Int, _ books: borrowing Books) {
        let client = resolvedClientSide
        sums.keptConnections += 1
        if closedTime == nil { sums.openConnections += 1 }
        if keyAwaitedSince != nil { sums.awaitingKeys += 1 }
        sums.causes.up.add(sides[client].own)
        sums.causes.down.add(sides[1 - client].own)
        // Nothing has been settled before the first exchange left.
        if exchangeCount > liveExchangeCount {
            sums.causes.up.add(sides[client].settled)
            sums.causes.down.add(sides[1 - client].settled)
        }
        var index = firstExchange
        while index >= 0 {
            let exchange = Int(index)
            sums.causes.up.add(books.exchanges.slots[exchange].costs[client])
            sums.causes.down.add(books.exchanges.slots[exchange].costs[1 - client])
            sums.exchanges += 1
            if books.exchanges.slots[exchange].isAnswered {
                sums.addAnswered(place, exchange, books.exchanges.slots[exchange].lastTime)
            } else {
                sums.openExchanges += 1
            }
            index = books.exchanges.slots[exchange].following
        }
    }

    /// Adds its exchanges to the rows of their APIs.
    borrowing func addOpenRows(
        to rows: inout SnapshotRows, _ books: borrowing Books, _ tables: borrowing SummaryTables
    ) {
        guard firstExchange >= 0 else { return }
        let client = resolvedClientSide
        var share = overheadShare(client, books)
        var index = firstExchange
        while index >= 0 {
            let exchange = Int(index)
            if books.exchanges.slots[exchange].methodLength > 0 {
                let row = rows.row(of: exchange, books, tables) { names(of: exchange, books).api }
                rows.add(
                    books.exchanges.slots[exchange].costs[client],
                    books.exchanges.slots[exchange].costs[1 - client],
                    share, to: row)
            }
            if books.options.setup == .first { share = nil }
            index = books.exchanges.slots[exchange].following
        }
    }

    /// What each of its exchanges, or the first, would pay of its set-up and closing if it ended now. Equal shares are
    /// rounded down.
    private borrowing func overheadShare(_ client: Int, _ books: borrowing Books) -> Directions<
        CostVector
    >? {
        guard books.options.setup != .separate else { return nil }
        let parts = books.options.setup == .even ? max(liveExchangeCount, 1) : 1
        var share = Directions<CostVector>()
        for cause in Connection.overheadCauses {
            share.up[cause] = Connection.part(sides[client].own[cause], parts)
            share.down[cause] = Connection.part(sides[1 - client].own[cause], parts)
        }
        share.up.link = Connection.part(sides[client].overheadLink, parts)
        share.down.link = Connection.part(sides[1 - client].overheadLink, parts)
        return share
    }

    static let overheadCauses = Cause.allCases.filter(\.isOverhead)

    /// A division takes longer than all else here, and mostly there is nothing to divide.
    @inline(__always)
    private static func part(_ amount: Int, _ parts: Int) -> Int {
        parts == 1 || amount == 0 ? amount : amount / parts
    }

    /// The record of an exchange that may still change.
    func provisionalRecord(_ index: Int, _ books: borrowing Books) -> ExchangeRecord {
        let client = resolvedClientSide
        let costs = Directions(
            up: books.exchanges.slots[index].costs[client],
            down: books.exchanges.slots[index].costs[1 - client])
        return record(books.exchanges.slots[index], costs, names(of: index, books), books)
    }
}

extension CostVector {
    /// Adds in place, without a copy of either.
    @inline(__always)
    mutating func add(_ other: borrowing CostVector) {
        for index in 0..<15 { values[index] &+= other.values[index] }
        link &+= other.link
        offloadHidden &+= other.offloadHidden
        handshakeHeaders &+= other.handshakeHeaders
        closingRecords &+= other.closingRecords
    }
}
