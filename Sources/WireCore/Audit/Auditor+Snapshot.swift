/// The audit in the middle of a capture. Nothing is changed by looking.
extension Auditor {
    private static let recentLimit = 1 << 20

    /// What is known by now. Takes time with the number of open connections and exchanges.
    /// - Parameter recent: most records of answered exchanges to give.
    public func snapshot(recent: Int = 32) -> AuditSnapshot {
        var snapshot = AuditSnapshot()
        snapshot.packets = files.reduce(0) { $0 + $1.packets }
        snapshot.bytes = books.ledger.bytes
        snapshot.time = files.compactMap(\.last).max()
        snapshot.ledger = books.ledger
        snapshot.apis = books.tables.apiRows
        snapshot.connections = books.connectionCount
        snapshot.exchanges = books.exchangeCount
        snapshot.heldBytes = books.held.byteCount + books.headBytes + books.recordBytes
        snapshot.findings = books.findings.summary(paths: books.paths)
        var rows: [[UInt8]: Int] = [:]
        let most = min(max(recent, 0), Auditor.recentLimit)
        connections.addOpen(to: &snapshot, rows: &rows, recent: most, books)
        return snapshot
    }
}

extension ConnectionStore {
    /// Adds what connections that have not ended hold.
    func addOpen(
        to snapshot: inout AuditSnapshot, rows: inout [[UInt8]: Int], recent: Int, _ books: borrowing Books
    ) {
        var latest: [(place: Int, exchange: Int, time: Int64)] = []
        visit { place, connection in
            snapshot.connections += 1
            snapshot.keptConnections += 1
            if connection.closedTime == nil { snapshot.openConnections += 1 }
            if connection.keyAwaitedSince != nil { snapshot.awaitingKeys += 1 }
            connection.addOpen(to: &snapshot, rows: &rows, books) { exchange, time in
                latest.append((place, exchange, time))
                guard latest.count >= 4 * recent + 64 else { return }
                latest.sort { $0.time > $1.time }
                latest.removeSubrange(recent...)
            }
        }
        latest.sort { ($0.time, $1.exchange) > ($1.time, $0.exchange) }
        snapshot.recent = latest.prefix(recent).map { record(place: $0.place, exchange: $0.exchange, books) }
    }
}

extension Connection {
    /// Adds its costs so far, and its exchanges; answered ones are told to `answered` with the time of their last byte.
    func addOpen(
        to snapshot: inout AuditSnapshot, rows: inout [[UInt8]: Int], _ books: borrowing Books,
        _ answered: (Int, Int64) -> Void
    ) {
        let client = resolvedClientSide
        snapshot.ledger.causes += Directions(up: sides[client].own, down: sides[1 - client].own)
        snapshot.ledger.causes += Directions(up: sides[client].settled, down: sides[1 - client].settled)
        var share = overheadShare(client, books)
        var index = firstExchange
        while index >= 0 {
            let exchange = Int(index)
            var costs = Directions(
                up: books.exchanges.slots[exchange].costs[client],
                down: books.exchanges.slots[exchange].costs[1 - client])
            snapshot.ledger.causes += costs
            costs += share
            if books.options.setup == .first { share = Directions<CostVector>() }
            snapshot.exchanges += 1
            if books.exchanges.slots[exchange].isAnswered {
                answered(exchange, books.exchanges.slots[exchange].lastTime)
            } else {
                snapshot.openExchanges += 1
            }
            if books.exchanges.slots[exchange].methodLength > 0 {
                snapshot.add(names(of: exchange, books).api, costs, rows: &rows, books)
            }
            index = books.exchanges.slots[exchange].following
        }
    }

    /// What each of its exchanges, or the first, would pay of its set-up and closing if it ended now. Equal shares are
    /// rounded down.
    private func overheadShare(_ client: Int, _ books: borrowing Books) -> Directions<CostVector> {
        var share = Directions<CostVector>()
        guard books.options.setup != .separate, firstExchange >= 0 else { return share }
        let parts = books.options.setup == .even ? max(liveExchangeCount, 1) : 1
        for cause in Cause.allCases where cause.isOverhead {
            share.up[cause] = sides[client].own[cause] / parts
            share.down[cause] = sides[1 - client].own[cause] / parts
        }
        share.up.link = sides[client].overheadLink / parts
        share.down.link = sides[1 - client].overheadLink / parts
        return share
    }

    /// The record of an exchange that may still change.
    func provisionalRecord(_ index: Int, _ books: borrowing Books) -> ExchangeRecord {
        let client = resolvedClientSide
        let costs = Directions(
            up: books.exchanges.slots[index].costs[client], down: books.exchanges.slots[index].costs[1 - client])
        return record(books.exchanges.slots[index], costs, names(of: index, books), books)
    }
}

extension AuditSnapshot {
    /// Adds an open exchange to the row of its API, which may be new.
    fileprivate mutating func add(
        _ api: [UInt8], _ costs: Directions<CostVector>, rows: inout [[UInt8]: Int], _ books: borrowing Books
    ) {
        let row = rows[api] ?? books.tables.row(ofAPI: api) ?? apis.count
        rows[api] = row
        if row == apis.count { apis.append(APISummary(api: NameTable.text(api))) }
        apis[row].exchanges += 1
        apis[row].costs += costs
    }
}
