/// A TCP connection with what runs over it: the order of its segments, TCP, which puts bytes in order, and the streams that
/// read them.
struct Connection {
    /// Nil for plain TCP.
    var multipath: MultipathTCP?
    var order: SegmentOrder
    var streams: ConnectionStreams
    let account: UnsafePair<ConnectionAccount>
    /// No packet was put into this slot of the store.
    var isVacant = false
    /// Place in the store of the connection whose ports this one uses again; -1 for none.
    var predecessor: Int32 = -1
    /// Its messages were ended and its exchanges given out.
    private(set) var isConcluded = false
    /// No packet has come since.
    private var isUnchanged = false
    /// DNS lookups that this connection pays for.
    var lookup: LookupBytes?

    @inline(__always)
    init(_ facts: ConnectionFacts, _ memory: UnsafeConnectionMemory) {
        order = SegmentOrder(TCPConnection(memory.tcp, memory.assembly, memory.histories))
        streams = ConnectionStreams(
            MessageStreams(
                tracker: ExchangeTracker(facts), http1: HTTP1Stream(directions: memory.http1, streams: memory.assembly),
                directions: memory.streams, assembly: memory.assembly))
        account = memory.account
    }

    var facts: ConnectionFacts {
        @inline(__always) _read { yield streams.messages.tracker.connection }
        @inline(__always) _modify { yield &streams.messages.tracker.connection }
    }

    var tcp: TCPConnection {
        @inline(__always) _read { yield order.tcp }
    }

    var tracker: ExchangeTracker {
        @inline(__always) _read { yield streams.messages.tracker }
    }

    /// Consumes one packet, passed `inout` to avoid a copy; it does not change. `transport` is what was captured of the TCP
    /// header and payload.
    @inline(__always)
    mutating func receive(_ segment: inout Segment, _ transport: RawSpan, _ shard: inout ShardContext) {
        shard.streams.attribution.connection = account
        isUnchanged = false
        if multipath == nil {
            order.receive(segment, transport, &streams, &shard)
        } else {
            receive(segment, transport, ofSubflow: 0, &shard)
        }
    }

    /// Both endpoints were heard, and neither has ended.
    var isEstablished: Bool { facts.closedTime == nil && order.isUnfinished }

    /// Whether a packet, which has SYN set, begins another connection on the same addresses and ports.
    @inline(__always)
    func isReplaced(by segment: Segment, _ shard: borrowing ShardContext) -> Bool {
        order.isReplaced(by: segment, streams.messages.tracker.connection, shard)
    }

    /// One SYN of this direction was seen, and its exchanges are not paid for yet.
    func isOpened(by direction: Direction) -> Bool { tcp.directions[direction].counts.syn == 1 && !isConcluded }

    // MARK: What time does

    /// Looks whether the exchange is over by now, and gives it out then. Returns when to look again; nil for never.
    /// `since`: when it was looked for first.
    mutating func retireIfOver(
        _ owner: Owner, at now: Int64, since: Int64, _ shard: inout ShardContext
    ) -> Int64? {
        if streams.messages.tracker.isKept(owner.index, shard.streams) { return nil }
        shard.streams.attribution.connection = account
        let (index, phases) = (Int(owner.index), streams.messages.http1.phases)
        let next = streams.messages.tracker.nextLook(index, at: now, since: since, phases, shard.streams)
        if next != nil { return next }
        var acknowledged = DirectionPair(repeating: StreamPosition.unset)
        for direction in Direction.both { acknowledged[direction] = tcp.directions[direction].acknowledged }
        return streams.messages.tracker.retireIfAcknowledged(index, at: now, since: since, acknowledged, &shard.streams)
    }

    /// Gives up what its packets waited for in the other direction, if that was long enough. Returns when to look again;
    /// nil where none waits.
    mutating func giveUpWaiting(at now: Int64, _ shard: inout ShardContext) -> Int64? {
        order.isTimed = false
        guard order.isHolding else { return nil }
        shard.streams.attribution.connection = account
        shard.streams.attribution.packet = PacketContext(time: facts.lastTime)
        if !streams.isWaiting { order.giveUpStale(at: now, &streams, &shard) }
        tcp.resolveDeferredCosts(&shard)
        guard let time = order.heldUntil(shard) else { return nil }
        order.isTimed = true
        return max(time, now)
    }

    /// Concludes a closed connection that has been quiet. Returns when to look again; nil for never.
    mutating func concludeIfQuiet(at now: Int64, since: Int64, _ shard: inout ShardContext) -> Int64? {
        guard facts.closedTime != nil, !isConcluded else { return nil }
        // What is missing before a FIN may still be sent again, and a key may still come.
        let isWhole = facts.close == .reset || tcp.directions[0].isFinished && tcp.directions[1].isFinished
        guard isWhole, !streams.isWaiting else {
            return TimerWheel.nextLook(now, last: facts.lastTime, since: since)
        }
        let rest = facts.lastTime + TimerWheel.lateSegmentWindow - now
        if rest >= 0, rest <= TimerWheel.lateSegmentWindow { return now + rest }
        conclude(&shard)
        return nil
    }

    /// Goes on with what waited for a key, if that has come now, or was waited for long enough.
    mutating func checkAwaitedKey(at time: Int64, _ shard: inout ShardContext) {
        shard.streams.attribution.connection = account
        shard.streams.attribution.packet = PacketContext(time: facts.lastTime)
        order.checkAwaitedKey(at: time, &streams, &shard)
    }

    // MARK: The end

    /// Ends the connection. `reason`: its close, if neither FIN nor RST was seen.
    mutating func end(_ reason: ConnectionClose, _ shard: inout ShardContext) {
        if facts.closedTime == nil { facts.close = reason }
        conclude(&shard)
        if let multipath { shard.subflows.remove(multipath, facts) }
        let directions = tcp.directions
        streams.messages.tracker.complete(
            counts: { directions[$0].counts }, addingTo: &shard.ledger.causes, &shard.streams)
        if shard.streams.attribution.isTraced { traceEnd(&shard) }
    }

    @inline(never)
    private func traceEnd(_ shard: inout ShardContext) {
        let host = tracker.host ?? facts.serverName(client: tracker.client)
        shard.streams.attribution.traceEnd(facts.number, client: tracker.client, host: host)
    }

    /// None of its packets counts.
    func traceWithdrawal(_ shard: inout ShardContext) {
        shard.streams.attribution.connection = account
        shard.streams.attribution.traceWithdrawal()
    }

    /// Ends all messages and gives out the exchanges. Late packets of a closed connection may still come; what they cost
    /// the connection pays.
    private mutating func conclude(_ shard: inout ShardContext) {
        shard.streams.attribution.connection = account
        shard.streams.attribution.packet = PacketContext(time: facts.lastTime)
        if !isUnchanged { giveUpAll(&shard) }
        if let lookup {
            shard.streams.attribution.pay(for: lookup, client: tracker.client)
            self.lookup = nil
        }
        if !facts.isReadFromStart { facts.flags.insert(.noStart) }
        if facts.close == .open { facts.flags.insert(.noEnd) }
        if facts.close == .reset { facts.flags.insert(.reset) }
        if shard.streams.drops.contains(facts.firstTime, through: facts.lastTime) { facts.flags.insert(.drops) }
        streams.messages.tracker.shareOverhead(&shard.streams)
        streams.messages.tracker.retireAll(&shard.streams)
        for direction in Direction.both { streams.messages.leaveUnowned(direction) }
        isConcluded = true
        isUnchanged = multipath == nil
    }

    /// Nothing that is missing will come any more, and the messages end.
    private mutating func giveUpAll(_ shard: inout ShardContext) {
        if multipath != nil { giveUpUnmapped(&shard) }
        order.giveUpAll(&streams, &shard)
        order.tcp.conclude(isFirst: !isConcluded, &streams, &shard)
        if multipath != nil { markIfTorn(&shard) }
    }
}
