/// A connection that has not ended, whatever carries it.
protocol OpenConnection {
    var tracker: ExchangeTracker { get }
    var account: UnsafePair<ConnectionAccount> { get }
    /// Packets of it wait for a key.
    var isWaiting: Bool { get }
    func counts(_ direction: Direction) -> DirectionCounts
}

extension Connection: OpenConnection {
    var isWaiting: Bool { streams.isWaiting }
    func counts(_ direction: Direction) -> DirectionCounts { tcp.directions[direction].counts }
}

extension QUICConnection: OpenConnection {
    var isWaiting: Bool { waiting.isCounted }
    func counts(_ direction: Direction) -> DirectionCounts { self[direction].counts }
}

/// A connection in the middle of a capture. Nothing is changed by looking.
extension OpenConnection {
    /// Adds its costs so far, and its exchanges.
    func addOpen(to sums: inout OpenSums, _ place: Int, _ context: borrowing StreamContext) {
        let client = tracker.client
        sums.keptConnections += 1
        if tracker.connection.closedTime == nil { sums.openConnections += 1 }
        if isWaiting { sums.awaitingKeys += 1 }
        sums.addConnection(place) { counts(0).internet + counts(1).internet }
        sums.causes.up.add(account[client].unattributed)
        sums.causes.down.add(account[client.opposite].unattributed)
        // Nothing has been given out before the first exchange left.
        if tracker.count > tracker.liveCount {
            sums.causes.up.add(account[client].attributed)
            sums.causes.down.add(account[client.opposite].attributed)
        }
        var index = tracker.first
        while index >= 0 {
            let exchange = Int(index)
            sums.causes.up.add(context.attribution.accounts[exchange].costs[client])
            sums.causes.down.add(context.attribution.accounts[exchange].costs[client.opposite])
            sums.exchanges += 1
            if context.exchanges[exchange].isAnswered {
                sums.addAnswered(place, exchange, context.attribution.accounts[exchange].lastTime)
            } else {
                sums.openExchanges += 1
            }
            index = context.attribution.accounts[exchange].following
        }
    }

    /// Adds its exchanges to the rows of their APIs, or what TLS hides of it to the row of that.
    func addOpenRows(
        to rows: inout SnapshotRows, _ context: borrowing StreamContext, _ tables: borrowing SummaryTables
    ) {
        guard tracker.first >= 0 else {
            guard tracker.security != nil, let hidden = tracker.hiddenProtocol else { return }
            let name = hidden.rowName(host: tracker.host ?? tracker.serverText(context))
            return rows.addEncrypted(name, account.own(client: tracker.client), tables)
        }
        let client = tracker.client
        var share = overheadShare(client, context)
        var index = tracker.first
        while index >= 0 {
            let exchange = Int(index)
            if context.exchanges[exchange].methodLength > 0 {
                let row = rows.row(of: exchange, context, tables) { tracker.names(of: exchange, context).api }
                rows.add(
                    context.attribution.accounts[exchange].costs[client],
                    context.attribution.accounts[exchange].costs[client.opposite], share, to: row)
            }
            if context.options.setup == .first { share = nil }
            index = context.attribution.accounts[exchange].following
        }
    }

    /// Adds it and its open exchanges to the rows of their hosts, as if it ended now.
    func addOpenHost(to tables: inout SummaryTables, _ context: borrowing StreamContext) {
        let client = tracker.client
        let own = account.own(client: tracker.client)
        var index = tracker.first
        // Of its exchanges none may have been given out.
        let name =
            tracker.host ?? (index >= 0 ? tracker.names(of: Int(index), context).host : tracker.serverText(context))
        let host = tables.host(name, limit: context.options.hostLimit)
        var unassigned = own
        if index >= 0, context.options.setup != .separate {
            for cause in Attribution.overheadCauses { (unassigned.up[cause], unassigned.down[cause]) = (0, 0) }
            unassigned.up.link -= account[client].overheadLink
            unassigned.down.link -= account[client.opposite].overheadLink
        }
        tables.addOpenConnection(
            host: host, own: own, unassigned: tracker.hiddenProtocol == nil ? unassigned : Directions(),
            protocols: ProtocolSet(tracker), hasExchanges: tracker.count > 0)
        while index >= 0 {
            let exchange = Int(index)
            let row = tables.host(tracker.names(of: exchange, context).host, limit: context.options.hostLimit)
            tables.hostRows[Int(row)].protocols.formUnion(
                ProtocolSet(stream: context.exchanges[exchange].stream, tracker.connection.transport))
            tables.addOpenExchange(
                host: row, context.attribution.accounts[exchange].costs[client],
                context.attribution.accounts[exchange].costs[client.opposite])
            index = context.attribution.accounts[exchange].following
        }
    }

    /// Its record, if it ended now.
    func provisionalRecord(_ context: borrowing StreamContext) -> ConnectionRecord {
        let client = tracker.client
        var costs = account.own(client: tracker.client)
        costs += Directions(up: account[client].attributed, down: account[client.opposite].attributed)
        var index = tracker.first
        while index >= 0 {
            costs.up.add(context.attribution.accounts[Int(index)].costs[client])
            costs.down.add(context.attribution.accounts[Int(index)].costs[client.opposite])
            index = context.attribution.accounts[Int(index)].following
        }
        return tracker.record(costs, Directions(up: counts(client), down: counts(client.opposite)), context)
    }

    /// What each of its exchanges, or the first, would pay of its set-up and closing if it ended now. Equal shares are
    /// rounded down.
    private func overheadShare(
        _ client: Direction, _ context: borrowing StreamContext
    ) -> Directions<CostVector>? {
        guard context.options.setup != .separate else { return nil }
        let count = context.options.setup == .even ? max(tracker.liveCount, 1) : 1
        let server = client.opposite
        var share = Directions<CostVector>()
        for cause in Attribution.overheadCauses {
            share.up[cause] = Self.share(of: account[client].unattributed[cause], count)
            share.down[cause] = Self.share(of: account[server].unattributed[cause], count)
        }
        share.up.link = Self.share(of: account[client].overheadLink, count)
        share.down.link = Self.share(of: account[server].overheadLink, count)
        return share
    }

    /// A division takes longer than all else here, and mostly there is nothing to divide.
    @inline(__always)
    private static func share(of amount: Int, _ count: Int) -> Int {
        count == 1 || amount == 0 ? amount : amount / count
    }

    /// The record of an exchange that may still change.
    func provisionalRecord(_ index: Int, _ context: borrowing StreamContext) -> ExchangeRecord {
        tracker.record(of: index, tracker.names(of: index, context), context)
    }
}
