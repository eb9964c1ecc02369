/// The audit in the middle of a capture. Nothing is changed by looking.
extension Auditor {
    private static let recentLimit = 1 << 20

    /// What is known by now. Takes time with the number of open connections and exchanges, and of APIs.
    /// - Parameters:
    ///   - recent: most records of answered exchanges to give.
    ///   - content: what else is wanted.
    public func snapshot(recent: Int = 32, content: SnapshotContent = []) -> AuditSnapshot {
        var snapshot = AuditSnapshot()
        update(&snapshot, recent: recent, content: content)
        while !updateAPIs(of: &snapshot) {}
        return snapshot
    }

    /// Brings a snapshot of this audit, or a new one, up to date, but for its APIs.
    public func update(_ snapshot: inout AuditSnapshot, recent: Int = 32, content: SnapshotContent = []) {
        snapshot.packets = router.files.reduce(0) { $0 + $1.packets }
        snapshot.time = router.files.compactMap(\.last).max()
        snapshot.ledger = ledger
        snapshot.bytes = snapshot.ledger.bytes
        snapshot.findings = findings.summary(paths: router.files.map(\.path))
        snapshot.heldBytes = 0
        var sums = OpenSums(
            recent: min(max(recent, 0), Auditor.recentLimit),
            connections: content.contains(.connections) ? AuditSnapshot.connectionRecordLimit : 0)
        for shard in 0..<shards.count {
            sums.shard = shard
            shards[shard].addOpen(to: &sums)
            snapshot.heldBytes += shards[shard].context.waitingBytes
        }
        snapshot.ledger.causes += sums.causes
        snapshot.connections = totals.state.connectionCount + sums.keptConnections
        snapshot.keptConnections = sums.keptConnections
        snapshot.openConnections = sums.openConnections
        snapshot.exchanges = totals.state.exchangeCount + sums.exchanges
        snapshot.openExchanges = sums.openExchanges
        snapshot.awaitingKeys = sums.awaitingKeys
        snapshot.recent = sums.answered.first.compactMap {
            shards[$0.shard].record(place: $0.place, exchange: $0.exchange)
        }
        snapshot.connectionRecords = sums.costliest.first.compactMap {
            guard var record = shards[$0.shard].record(place: $0.place) else { return nil }
            // The host of its calls may not be known yet.
            if record.tls?.serverName != nil { totals.state.link(&record, host: nil) }
            return record
        }
        snapshot.hosts = content.contains(.hosts) ? hostRows() : []
    }

    private func hostRows() -> [HostSummary] {
        var tables = totals.state.judgedTables
        for shard in 0..<shards.count { shards[shard].addOpenHosts(to: &tables) }
        return tables.hostRows + (datagramRows?.rows ?? []).map { HostSummary($0) }
    }

    /// Brings the APIs of a snapshot of this audit up to date, a part of the work at a time: between two parts frames
    /// may be consumed. Of the rows only those are copied that changed since, as long as nobody else holds them.
    /// - Returns: whether that was the last part. Before it the rows are not whole.
    public func updateAPIs(of snapshot: inout AuditSnapshot) -> Bool {
        // Held here alone, the rows are changed in place.
        var rows = snapshot.rows
        snapshot.rows = SnapshotRows()
        if rows.next == SnapshotRows.Place() { rows.begin(totals.state.tables) }
        let shard = rows.next.shard
        rows.next.connection = shards[shard].addOpenRows(
            to: &rows, from: rows.next.connection, totals.state.tables)
        if rows.next.connection == 0 { rows.next.shard = (shard + 1) % shards.count }
        snapshot.rows = rows
        return rows.next == SnapshotRows.Place()
    }
}
