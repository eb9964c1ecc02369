/// When exchanges are given out: some time after their last byte, so that a long connection needs no more memory than a
/// short one, and whoever watches learns of them soon.
extension ExchangeTracker {
    /// The exchange stays until the connection's end, because it pays for that: the first, or with equal shares all.
    func isKept(_ index: Int32, _ context: borrowing StreamContext) -> Bool {
        switch context.options.setup {
        case .even: true
        case .first: index == first
        case .separate: false
        }
    }

    /// Nothing is to come of either message.
    func isOver(_ index: Int, _ phases: ReaderPhases, _ context: borrowing StreamContext) -> Bool {
        guard context.exchanges[index].response.isFinished else { return false }
        // A response that no request was seen for gets none any more, but for the one that waits for it.
        let isOrphan = !context.exchanges[index].request.isPresent && Int32(index) != orphanResponse
        guard isOrphan || context.exchanges[index].request.isFinished else { return false }
        return !isOpen(index, 0, phases, context) && !isOpen(index, 1, phases, context)
    }

    /// The direction is in the exchange's message, or in what the exchange turned it into.
    private func isOpen(
        _ index: Int, _ direction: Direction, _ phases: ReaderPhases, _ context: borrowing StreamContext
    ) -> Bool {
        guard context.attribution.connection[direction].latest == Int32(index) else { return false }
        return phases.isInMessage[direction] || context.attribution.accounts[index].ranges[direction].end == .never
    }

    /// The message that a direction is in is an exchange of its own, and has no whole start line yet: it may turn out to be
    /// none, and then the exchanges behind it move up. So none of them may leave before.
    func mayBeCancelled(
        _ direction: Direction, before number: Int, _ phases: ReaderPhases, _ context: borrowing StreamContext
    ) -> Bool {
        let unread = Int(context.attribution.connection[direction].latest)
        guard phases.isInStartLine[direction], unread >= 0 else { return false }
        return !hasOtherMessage(unread, role(direction), context) && context.exchanges[unread].number < number
    }

    /// The exchange has more than the message of this role.
    func hasOtherMessage(_ index: Int, _ role: MessageRole, _ context: borrowing StreamContext) -> Bool {
        let isOtherPresent =
            role == .request ? context.exchanges[index].response.isPresent : context.exchanges[index].request.isPresent
        return isOtherPresent || context.exchanges[index].interim > 0
    }

    /// When to look again; nil where the exchange is over and late segments had their time. `since`: the first look.
    func nextLook(
        _ index: Int, at now: Int64, since: Int64, _ phases: ReaderPhases, _ context: borrowing StreamContext
    ) -> Int64? {
        let (last, number) = (context.attribution.accounts[index].lastTime, context.exchanges[index].number)
        guard isOver(index, phases, context), !mayBeCancelled(0, before: number, phases, context),
            !mayBeCancelled(1, before: number, phases, context)
        else { return TimerWheel.nextLook(now, last: last, since: since) }
        // Times outside of the window are those of a clock that was set back: the exchange is old.
        return (0...TimerWheel.lateSegmentWindow).contains(now - last) ? last + TimerWheel.lateSegmentWindow : nil
    }

    /// Gives out an exchange that is over, if all of it is acknowledged. Returns when to look again; nil for never.
    mutating func retireIfAcknowledged(
        _ index: Int, at now: Int64, since: Int64, _ acknowledged: DirectionPair<StreamPosition>,
        _ context: inout StreamContext
    ) -> Int64? {
        for direction in Direction.both where context.attribution.accounts[index].ranges[direction].isPresent {
            if acknowledged[direction] >= context.attribution.accounts[index].ranges[direction].end { continue }
            return TimerWheel.nextLook(now, last: context.attribution.accounts[index].lastTime, since: since)
        }
        let stream = context.exchanges[index].stream
        if stream >= 0, multiplexed?.mayLackFrames(stream: stream, acknowledged: acknowledged) == true {
            context.exchanges[index].flags.insert(.gap)
        }
        retire(index, &context)
        return nil
    }

    /// How many exchanges may stay, of all and of unanswered ones.
    private func limits(_ context: borrowing StreamContext) -> (live: Int, open: Int) {
        let total = context.options.limitPerShard(of: context.options.totalExchangeLimit)
        let isFull = context.attribution.openCount > total
        let open = isFull ? 2 : context.options.unansweredLimit
        return (min(isFull ? 2 : context.options.exchangeLimit, open), open)
    }

    /// There are so many exchanges, of this connection or of all, that its oldest must leave without waiting.
    func isBeyondLimit(_ context: borrowing StreamContext) -> Bool {
        let limits = limits(context)
        return liveCount > limits.live && (context.options.setup != .even || liveCount > limits.open)
    }

    /// Gives out its oldest exchanges: those that are over, then the oldest of the others.
    mutating func retireBeyondLimit(_ phases: ReaderPhases, _ context: inout StreamContext) {
        let limits = limits(context)
        if context.options.setup != .even { retireOver(beyond: limits.live, phases, &context) }
        guard liveCount > limits.open, first >= 0 else { return }
        let account = context.attribution.connection
        let oldest = context.attribution.accounts[Int(first)].following
        guard oldest >= 0, oldest != account[0].latest, oldest != account[1].latest else { return }
        context.findings.add(.exchangeLimit)
        noteAbandoned(Int(oldest), context)
        retire(Int(oldest), &context)
    }

    private mutating func noteAbandoned(_ index: Int, _ context: borrowing StreamContext) {
        guard context.exchanges[index].stream < 0, context.exchanges[index].request.isPresent,
            !context.exchanges[index].response.isPresent
        else { return }
        let requests = abandoned ?? AbandonedRequests()
        abandoned = requests
        requests.append(number: context.exchanges[index].number, method: context.exchanges[index].methodKind)
    }

    private mutating func retireOver(beyond limit: Int, _ phases: ReaderPhases, _ context: inout StreamContext) {
        var index = first
        if index >= 0, isKept(index, context) { index = context.attribution.accounts[Int(index)].following }
        while index >= 0, liveCount > limit {
            let following = context.attribution.accounts[Int(index)].following
            // A response whose request may still come is stepped over.
            if index != orphanResponse {
                guard isOver(Int(index), phases, context) else { return }
                retire(Int(index), &context)
            }
            index = following
        }
    }

    /// Gives an exchange out, with its record, and closes its account.
    mutating func retire(_ index: Int, _ context: inout StreamContext) {
        complete(index, &context)
        if context.exchanges[index].flags.contains(.noEnd) { unfinished += 1 }
        let client = client
        calls.add(index, isLimited: multiplexed?.allowFewCalls(client.opposite) == true, context)
        // From here on costs stand in rows by direction: a late SYN can change nothing any more.
        connection.client = client
        let account = context.attribution.connection
        context.attribution.accounts[index].costs.add(to: &account[0].attributed, 0)
        context.attribution.accounts[index].costs.add(to: &account[1].attributed, 1)
        giveOut(index, client, &context)
        if oldestUnanswered == Int32(index) { oldestUnanswered = unanswered(behind: index, context) }
        if orphanResponse == Int32(index) { orphanResponse = -1 }
        if context.exchanges[index].stream >= 0 {
            multiplexed?.forget(
                stream: context.exchanges[index].stream, of: context.attribution.owner(Int32(index)))
        }
        unlink(index, &context)
        context.closeExchange(Int32(index))
    }

    /// Gives out all exchanges: the connection has ended.
    mutating func retireAll(_ context: inout StreamContext) {
        while first >= 0 { retire(Int(first), &context) }
    }

    /// Puts an exchange among the completed ones, with its names and its record.
    private mutating func giveOut(_ index: Int, _ client: Direction, _ context: inout StreamContext) {
        // Taken out while it grows: the names are made from other parts of the context.
        var text: [UInt8] = []
        swap(&text, &context.completed.text)
        let names = ExchangeTracker.appendNames(of: index, to: &text, server: serverText(context), context)
        noteHost(text, names.host, of: index, context)
        if context.attribution.isTraced {
            context.attribution.traceExchange(index, number: context.exchanges[index].number, api: text[names.api])
        }
        if context.keepsRecords {
            let copies = (api: Array(text[names.api]), host: Array(text[names.host]))
            context.completed.exchangeRecords.append(record(of: index, copies, context))
        }
        swap(&text, &context.completed.text)
        let protocols = ProtocolSet(stream: context.exchanges[index].stream, connection.transport)
        let isReversed = requester.map { $0 != client } ?? false
        let types = (context.exchanges[index].request.mediaType, context.exchanges[index].response.mediaType)
        context.completed.add(
            ExchangeNames(
                api: names.api, host: names.host, protocols: protocols,
                process: connection.processes.leading(context.processes).number,
                types: isReversed ? Directions(up: types.1, down: types.0) : Directions(up: types.0, down: types.1)),
            up: context.attribution.accounts[index].costs[client],
            down: context.attribution.accounts[index].costs[client.opposite], at: context.findings)
    }

    /// The connection's host is that of its first exchange that opens no tunnel, else of its first; exchanges leave in
    /// any order.
    private mutating func noteHost(
        _ text: [UInt8], _ host: Range<Int>, of index: Int, _ context: borrowing StreamContext
    ) {
        let isTunnel = context.exchanges[index].methodKind == .connect
        let rank = context.exchanges[index].number + (isTunnel ? Int.max / 2 : 0)
        guard self.host == nil || rank < hostRank else { return }
        self.host = Array(text[host])
        hostRank = rank
    }

    /// Fills in what only the end shows: flags.
    private mutating func complete(_ index: Int, _ context: inout StreamContext) {
        var added = connection.doubts
        if !context.exchanges[index].request.isPresent { added.insert(.noRequest) }
        if !context.exchanges[index].response.isPresent { added.insert(.noResponse) }
        let isWhole = context.exchanges[index].request.isComplete && context.exchanges[index].response.isComplete
        let isStream = context.exchanges[index].stream >= 0
        // A stream that RST_STREAM ended did so in sight, whatever becomes of its connection.
        let hasEnded = isStream && context.exchanges[index].isAnswered
        if !isWhole, !hasEnded, connection.close == .reset { added.insert(.reset) }
        if !isWhole, !hasEnded, connection.close == .open { added.insert(.noEnd) }
        if hasPipelined, context.exchanges[index].number >= uncertainFrom { added.formUnion(uncertainty) }
        added.formUnion(losses(ofMissing: index, context))
        if !connection.isReadFromStart, context.exchanges[index].number == 0 { added.insert(.noStart) }
        // A request whose fields could not all be read may belong to any API.
        let hasTarget = context.exchanges[index].targetLength > 0 || context.exchanges[index].methodKind == .connect
        if isStream, context.exchanges[index].request.isPresent, !hasTarget { added.insert(.gap) }
        if context.drops.contains(
            context.exchanges[index].firstTime, through: context.attribution.accounts[index].lastTime)
        {
            added.insert(.drops)
        }
        context.exchanges[index].flags.formUnion(added)
        if !isWhole, !isStream, isCut(index, context) { context.exchanges[index].flags.insert(.aborted) }
    }

    /// A message is there in part, and nothing says why: its sender stopped, such as one who closed before.
    private func isCut(_ index: Int, _ context: borrowing StreamContext) -> Bool {
        let isPartial =
            (context.exchanges[index].request.isPresent && !context.exchanges[index].request.isComplete)
            || (context.exchanges[index].response.isPresent && !context.exchanges[index].response.isComplete)
        return isPartial && context.exchanges[index].flags.isDisjoint(with: RecordFlags.reasonsForPart)
    }

    /// A message that is missing where some may have been lost is no proof that it was not sent.
    private func losses(ofMissing index: Int, _ context: borrowing StreamContext) -> RecordFlags {
        guard let requester else { return [] }
        var flags: RecordFlags = []
        if !context.exchanges[index].request.isPresent { flags.formUnion(losses[requester]) }
        if !context.exchanges[index].response.isPresent { flags.formUnion(losses[requester.opposite]) }
        return flags
    }
}
