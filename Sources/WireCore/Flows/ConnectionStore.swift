/// All connections of a shard that are open or linger after their end: an arena, found by key.
struct ConnectionStore: ~Copyable {
    /// Untouched capacity costs no memory.
    var slots = UnsafeSlab<Connection>(capacity: 1 << 11)
    private var free: [Int32] = []
    var table = ConnectionTable()
    private(set) var memory = UnsafeConnectionMemoryStore()
    var last = -1
    /// Where the connection of the next packet was expected; -1 where that is not known.
    var likely = -1
    /// Number of the next connection.
    var nextNumber = 0
    private var openCount = 0
    /// Closed connections in the order of their closing; `number` tells a slot's later use apart.
    private var lingering: [(index: Int32, number: Int, time: Int64)] = []
    private var lingeringHead = 0
    var lingeringCount: Int { lingering.count - lingeringHead }
    /// Connections whose ports were used again, in the order in which that happened.
    var superseded = SupersededConnections()
    /// Of connections with segments that equal earlier ones, by their places; and how many of them hold some.
    var repeated: [Int: RepeatedSegments] = [:]
    var holdingCount = 0
    /// Where the search for idle connections goes on.
    private var hand = 0
    /// Connections looked at in each step of time.
    private static let sweep = 16
    /// Connections and exchanges looked at in each part of a look at the APIs.
    private static let part = 8192

    /// Gives a packet to its connection, which is made if there is none. The segment stays as it is.
    mutating func receive(_ routed: inout RoutedSegment, _ transport: RawSpan, _ shard: inout ShardContext) -> (
        index: Int, isNew: Bool
    ) {
        var index = findLikely(routed.key)
        if superseded.count > 0, index >= 0, let earlier = earlierOwner(of: routed.segment, at: index) {
            takeLate(routed.segment, transport, earlier, &shard)
            return (earlier, false)
        }
        var isNew = false
        var predecessor = -1
        var isOver = index >= 0 && hasExpired(index, shard)
        if index >= 0, !isOver, routed.segment.flags.contains(.syn) {
            isOver = isReplaced(index, by: routed.segment, &shard)
        }
        if isOver {
            if routed.segment.flags.contains(.syn), slots[index].isEstablished, !hasExpired(index, shard) {
                shard.streams.findings.add(.synchronizeInside)
            }
            if supersede(index, &shard) { predecessor = index } else { end(index, .idle, &shard) }
            index = -1
        }
        if index < 0 {
            if shard.subflows.isInUse, let joined = receiveJoined(routed, transport, &shard) { return (joined, false) }
            makeRoom(routed.time, &shard)
            index = insert(routed)
            slots[index].predecessor = Int32(predecessor)
            if routed.segment.headerLength > 20, routed.segment.hasMultipath || !routed.segment.flags.contains(.syn) {
                slots[index].findMultipath(routed.segment, transport, &shard)
            }
            if shard.numbersItself { shard.streams.completed.begun.append(routed.ordinal) }
            isNew = true
        }
        if index != last {
            prefetchExchange(of: index, shard)
            last = index
        }
        let wasOpen = slots[index].facts.closedTime == nil
        slots[index].receive(&routed.segment, transport, &shard)
        if wasOpen, slots[index].facts.closedTime != nil { linger(index, routed.time, &shard) }
        return (index, isNew)
    }

    /// It was quiet for so long that what comes is no part of it any more (ByteLedger.md §2.1).
    @inline(__always)
    func hasExpired(_ index: Int, _ shard: borrowing ShardContext) -> Bool {
        if let closed = slots[index].facts.closedTime {
            return shard.steadyTime - closed > shard.streams.options.lingerLimit
        }
        return shard.steadyTime - slots[index].facts.lastTime > shard.streams.options.idleLimit
    }

    @inline(never)
    private func isReplaced(_ index: Int, by segment: Segment, _ shard: inout ShardContext) -> Bool {
        slots[index].isReplaced(by: segment, shard)
    }

    @inline(__always)
    func find(_ key: ConnectionKey) -> Int {
        if last >= 0, slots[last].facts.key == key, !slots[last].isVacant { return last }
        return table.find(key.hash(seed: table.seed)) { slots[$0].facts.key == key }
    }

    /// The same for the next packet.
    @inline(__always)
    private mutating func findLikely(_ key: ConnectionKey) -> Int {
        let expected = likely
        likely = -1
        if expected >= 0, slots[expected].facts.key == key, !slots[expected].isVacant { return expected }
        return find(key)
    }

    private mutating func insert(_ routed: RoutedSegment) -> Int {
        let hash = routed.key.hash(seed: table.seed)
        let index = free.popLast().map(Int.init) ?? slots.count
        let facts = ConnectionFacts(
            routed.key, number: nextNumber, place: index, file: routed.file, firstPacket: routed.number,
            ordinal: routed.ordinal, time: routed.time)
        if index < slots.count {
            slots[index] = Connection(facts, memory[index])
        } else {
            slots.append(Connection(facts, memory[index]))
        }
        nextNumber += 1
        openCount += 1
        table.insert(hash, index)
        return index
    }

    /// Adds what connections that have not ended hold. They are looked at in place: a copy would take longer.
    func addOpen(to sums: inout OpenSums, _ context: borrowing StreamContext) {
        // New ones tend to stand behind: so the latest exchanges come first, and few are gathered that are none.
        for place in (0..<slots.count).reversed() where !slots[place].isVacant {
            slots[place].addOpen(to: &sums, place, context)
        }
    }

    /// Adds the open exchanges of some connections to their APIs' rows. Returns where to go on; 0 at the end.
    func addOpenRows(
        to rows: inout SnapshotRows, from start: Int, _ context: borrowing StreamContext,
        _ tables: borrowing SummaryTables
    ) -> Int {
        var exchanges = 0
        for place in start..<max(slots.count, start) where !slots[place].isVacant {
            slots[place].addOpenRows(to: &rows, context, tables)
            exchanges += 1 + slots[place].tracker.liveCount
            if exchanges >= ConnectionStore.part { return place + 1 }
        }
        return 0
    }

    func addOpenHosts(to tables: inout SummaryTables, _ context: borrowing StreamContext) {
        for place in 0..<slots.count where !slots[place].isVacant {
            slots[place].addOpenHost(to: &tables, context)
        }
    }

    func record(place: Int, exchange: Int, _ context: borrowing StreamContext) -> ExchangeRecord {
        slots[place].provisionalRecord(exchange, context)
    }

    func record(place: Int, _ context: borrowing StreamContext) -> ConnectionRecord {
        slots[place].provisionalRecord(context)
    }

    @inline(__always)
    mutating func count(process: UInt16, of index: Int) { slots[index].facts.processes.count(process) }

    /// Tells a connection that begins with this segment what DNS said of its server. It may have begun with the answer to
    /// its SYN, where packets are not in order.
    mutating func introduce(_ index: Int, _ routed: RoutedSegment, isNew: Bool, _ shard: inout ShardContext) {
        let segment = routed.segment
        guard segment.flags.contains(.syn) else {
            if isNew { nameServer(of: index, routed.key.likelyServer, routed, shard) }
            return
        }
        let isOpening = !segment.flags.contains(.ack) && slots[index].facts.key == routed.key
        guard isNew || isOpening && slots[index].isOpened(by: segment.direction) else {
            if routed.lookup != 0 { _ = shard.payments.take(routed.lookup) }
            return
        }
        let server = segment.flags.contains(.ack) ? segment.direction : segment.direction.opposite
        nameServer(of: index, server, routed, shard)
        if routed.lookup != 0 { pay(routed.lookup, index, &shard) }
    }

    private mutating func nameServer(
        of index: Int, _ server: Direction, _ routed: RoutedSegment, _ shard: borrowing ShardContext
    ) {
        let address = routed.key.sender(of: server).address
        slots[index].facts.introduce(server, shard.streams.name(of: address))
    }

    /// Apart: most connections have no lookup, and do not pay for the room that its cost takes.
    @inline(never)
    private mutating func pay(_ number: Int32, _ index: Int, _ shard: inout ShardContext) {
        guard let lookup = shard.payments.take(number), slots[index].lookup == nil else { return }
        slots[index].lookup = lookup.bytes
        shard.pay(lookup)
    }

    /// A message of lookups that a connection has paid for came late. Where the connection is over, nobody pays for it.
    mutating func payLate(_ lookup: LookupCost, _ key: ConnectionKey, _ shard: inout ShardContext) {
        let index = find(key)
        guard index >= 0, slots[index].lookup?.serial == lookup.serial else { return }
        slots[index].lookup? += lookup.bytes
        shard.payLate(lookup)
    }

    mutating func linger(_ index: Int, _ time: Int64, _ shard: inout ShardContext) {
        lingering.append((Int32(index), slots[index].facts.number, time))
        shard.streams.timers.add(
            TimerWheel.Entry(place: Int32(index), number: slots[index].facts.number, owner: .connection),
            at: time + TimerWheel.lateSegmentWindow)
    }

    /// Before a connection is made: ends closed ones of which there are too many, and at the limit the one that has been
    /// quiet longest among a few.
    private mutating func makeRoom(_ time: Int64, _ shard: inout ShardContext) {
        while lingeringCount > shard.streams.options.limitPerShard(of: shard.streams.options.lingerCountLimit) {
            endOldestLingering(&shard)
        }
        guard openCount >= shard.streams.options.limitPerShard(of: shard.streams.options.connectionLimit) else {
            return
        }
        var quietest = -1
        for _ in 0..<min(slots.count, 8) {
            moveHand()
            guard !slots[hand].isVacant else { continue }
            if quietest < 0 || slots[hand].facts.lastTime < slots[quietest].facts.lastTime { quietest = hand }
        }
        guard quietest >= 0 else { return }
        shard.streams.findings.add(.connectionLimit)
        end(quietest, .idle, &shard)
    }

    private mutating func endOldestLingering(_ shard: inout ShardContext) {
        let entry = lingering[lingeringHead]
        lingeringHead += 1
        if lingeringHead + 1 < lingering.count {
            prefetchEnd(
                Int(lingering[lingeringHead + 1].index), Int(lingering[lingeringHead].index), shard)
        }
        let place = Int(entry.index)
        if !slots[place].isVacant, slots[place].facts.number == entry.number { end(place, .idle, &shard) }
        if lingeringHead > 4096, lingeringHead * 2 > lingering.count {
            lingering.removeFirst(lingeringHead)
            lingeringHead = 0
        }
    }

    private mutating func moveHand() { hand = hand + 1 < slots.count ? hand + 1 : 0 }

    // MARK: What time does

    /// A packet of that time is to come, in another step than those before: does what is due by then, lets go of closed
    /// connections that lingered long enough, and of idle ones.
    mutating func pass(_ time: Int64, _ shard: inout ShardContext) {
        if time < shard.streams.timers.earliestTime {
            guard shard.streams.timers.fallBack(to: time) else { return }
            for place in lingeringHead..<lingering.count { lingering[place].time = min(lingering[place].time, time) }
            superseded.fallBack(to: time)
        }
        shard.streams.timers.note(time)
        advance(to: time, &shard)
        while lingeringHead < lingering.count,
            shard.steadyTime - lingering[lingeringHead].time > shard.streams.options.lingerLimit
        {
            endOldestLingering(&shard)
        }
        if superseded.count > 0 { endSuperseded(&shard) }
        for _ in 0..<min(slots.count, ConnectionStore.sweep) {
            moveHand()
            if !slots[hand].isVacant, slots[hand].facts.closedTime == nil,
                shard.steadyTime - slots[hand].facts.lastTime > shard.streams.options.idleLimit
            {
                end(hand, .idle, &shard)
            }
        }
    }

    /// Does what is due by `time`: lets go of exchanges that have settled, concludes closed connections.
    mutating func advance(to time: Int64, _ shard: inout ShardContext) {
        while let turn = shard.streams.timers.turn(to: time) {
            shard.streams.completed.step = turn.time
            for (place, entry) in turn.entries.enumerated() {
                prefetchDue(turn.entries, behind: place, shard)
                look(at: entry, turn.time, &shard)
            }
        }
        shard.streams.completed.step = .max
    }

    private mutating func look(at entry: TimerWheel.Entry, _ time: Int64, _ shard: inout ShardContext) {
        let place = Int(entry.place)
        guard !slots[place].isVacant, slots[place].facts.number == entry.number else { return }
        let next: Int64?
        if entry.owner == .connection {
            let wasOpen = slots[place].facts.closedTime == nil
            let waits = slots[place].giveUpWaiting(at: time, &shard)
            if wasOpen, slots[place].facts.closedTime != nil { linger(place, time, &shard) }
            next = waits ?? slots[place].concludeIfQuiet(at: time, since: entry.since, &shard)
        } else {
            guard shard.streams.attribution.isOpen(entry.owner) else { return }
            next = slots[place].retireIfOver(entry.owner, at: time, since: entry.since, &shard)
        }
        if let next { shard.streams.timers.add(entry, at: next) }
    }

    /// Goes on with what waited for keys, where those have come now, or waited for long enough.
    mutating func resumeAwaited(at time: Int64, _ shard: inout ShardContext) {
        for place in 0..<slots.count where !slots[place].isVacant && slots[place].streams.isWaiting {
            let wasOpen = slots[place].facts.closedTime == nil
            slots[place].checkAwaitedKey(at: time, &shard)
            if wasOpen, slots[place].facts.closedTime != nil { linger(place, time, &shard) }
        }
    }

    /// `reason` says why where the connection was not closed.
    mutating func end(_ index: Int, _ reason: ConnectionClose, _ shard: inout ShardContext) {
        endRepeated(at: index, &shard)
        slots[index].end(reason, &shard)
        vacate(index)
    }

    private mutating func vacate(_ index: Int) {
        table.remove(slots[index].facts.key.hash(seed: table.seed), index)
        slots[index].isVacant = true
        memory[index].renew()
        free.append(Int32(index))
        openCount -= 1
        if last == index { last = -1 }
    }

    /// Discards a connection of so many packets, of which nothing was read: none has payload, or all are held because its
    /// beginning is awaited. Returns false if it has others.
    mutating func withdraw(
        _ key: ConnectionKey, holding count: Int, paying lookup: LookupCost?, _ shard: inout ShardContext
    ) -> Bool {
        let index = find(key)
        guard index >= 0, repeated[index] == nil, slots[index].predecessor < 0 else { return false }
        let sent = sentPackets(of: index)
        guard sent[0] + sent[1] == count, slots[index].lookup == lookup?.bytes else { return false }
        if slots[index].order.isHolding {
            guard slots[index].order.discardOpening(of: count, &shard) else { return false }
        }
        if let lookup { shard.refund(lookup) }
        slots[index].traceWithdrawal(&shard)
        if let multipath = slots[index].multipath { shard.subflows.remove(multipath, slots[index].facts) }
        vacate(index)
        return true
    }

    /// Places of all that are left, with the places of their first packets in the order of the audit.
    var rest: [(ordinal: Int, place: Int)] {
        (0..<slots.count).filter { !slots[$0].isVacant }.map { (slots[$0].facts.ordinal, $0) }
    }

    /// At the end of the capture.
    mutating func endLast(_ place: Int, _ shard: inout ShardContext) {
        end(place, hasExpired(place, shard) ? .idle : .open, &shard)
    }
}
