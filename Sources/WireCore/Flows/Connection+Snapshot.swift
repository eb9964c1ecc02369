/// A connection that has not ended, whatever carries it.
protocol OpenConnection {
    var tracker: ExchangeTracker { get }
    var account: UnsafePair<ConnectionAccount> { get }
    /// Packets of it wait for a key.
    var isWaiting: Bool { get }
}

extension Connection: OpenConnection {
    var isWaiting: Bool { streams.isWaiting }
}

extension QUICConnection: OpenConnection {
    var isWaiting: Bool { isCounted }
}

/// A connection in the middle of a capture. Nothing is changed by looking.
extension OpenConnection {
    /// Adds its costs so far, and its exchanges.
    func addOpen(to sums: inout OpenSums, _ place: Int, _ context: borrowing StreamContext) {
        let client = tracker.client
        sums.keptConnections += 1
        if tracker.connection.closedTime == nil { sums.openConnections += 1 }
        if isWaiting { sums.awaitingKeys += 1 }
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

    /// Adds its exchanges to the rows of their APIs.
    func addOpenRows(
        to rows: inout SnapshotRows, _ context: borrowing StreamContext, _ tables: borrowing SummaryTables
    ) {
        guard tracker.first >= 0 else { return }
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
