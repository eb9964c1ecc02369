/// What calls cost that nobody could read: while their connection goes on each has an account as an exchange has, so that
/// acknowledgments, retransmissions and headers are shared out alike. At its end the connection gets it all back, because in
/// the ledger they have no name.
extension RecordProtection {
    /// A call takes as much memory as so many records that are kept.
    private static let callWeight = 16

    /// Whose a record is that begins and that nobody can read.
    func ownerOfHidden(_ content: Int, _ direction: Direction, _ context: inout StreamContext) -> Owner {
        if unnamed.isUndecided { unnamed.decide(handshake.known, client: client) }
        let keepsCosts = context.options.keepsUnnamedCalls
        let keeps = keepsCosts || context.options.keepsHiddenPieces
        switch unnamed.begin(content, direction, at: context.attribution.packet.time, keeps: keeps) {
        case .none: return .connection
        case .new: guard openUnnamed(keepsCosts: keepsCosts, &context) else { return .connection }
        case .latest: break
        }
        return unnamed.calls.last?.owner ?? .connection
    }

    /// A call has begun. False: too many are kept.
    private func openUnnamed(keepsCosts: Bool, _ context: inout StreamContext) -> Bool {
        guard context.buffered.hiddenPieces < context.options.limitPerShard(of: context.options.hiddenPieceLimit) else {
            hidesMore = true
            unnamed.calls.removeLast()
            unnamed.stop()
            return false
        }
        context.buffered.hiddenPieces += RecordProtection.callWeight
        guard keepsCosts else { return true }
        let isFull =
            context.attribution.openCount > context.options.limitPerShard(of: context.options.totalExchangeLimit)
        let limit = isFull ? 2 : context.options.exchangeLimit
        while unnamed.calls.count - unnamed.firstOpen > limit {
            closeUnnamed(unnamed.firstOpen, &context)
            unnamed.firstOpen += 1
        }
        unnamed.calls[unnamed.calls.count - 1].owner = context.openExchange()
        return true
    }

    /// Late costs of the call are the connection's from here on.
    private func closeUnnamed(_ place: Int, _ context: inout StreamContext) {
        let owner = unnamed.calls[place].owner
        guard let client = unnamed.client, context.attribution.isOpen(owner) else { return }
        let costs = context.attribution.returnCosts(of: Int(owner.index))
        unnamed.calls[place].costs = Directions(up: costs[client], down: costs[client.opposite])
        context.closeExchange(owner.index)
    }

    /// The connection has ended: its calls get their shares of set-up, teardown and keep-alives as exchanges do, and the
    /// connection gets back what they cost.
    func closeUnnamed(_ context: inout StreamContext) {
        guard !unnamed.calls.isEmpty else { return }
        context.buffered.hiddenPieces -= unnamed.calls.count * RecordProtection.callWeight
        var shares = ShareList()
        for call in unnamed.calls where call.isRequest && context.attribution.isOpen(call.owner) {
            shares.add(call.owner, 1)
        }
        switch context.options.setup {
        case .first where !shares.isEmpty: context.attribution.moveOverhead(to: Int(shares[0].owner.index))
        case .even where !shares.isEmpty: context.attribution.divideOverhead(among: shares)
        case .first, .even, .separate: break
        }
        for place in unnamed.calls.indices { closeUnnamed(place, &context) }
    }
}
