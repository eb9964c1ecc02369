/// All connections of a part that are open or linger after their end: an arena, found by key.
struct ConnectionStore: ~Copyable {
    /// Untouched capacity costs no memory.
    private(set) var slots = UnsafeSlab<Connection>(capacity: 1 << 11)
    private var free: [Int32] = []
    private(set) var table = ConnectionTable()
    private(set) var sides = UnsafeSideStore()
    private(set) var last = -1
    /// Number of the next connection.
    var nextNumber = 0
    private var openCount = 0
    /// Closed connections in the order of their closing; `number` tells a slot's later use apart.
    private var lingering: [(index: Int32, number: Int, time: Int64)] = []
    private var lingeringHead = 0
    var lingeringCount: Int { lingering.count - lingeringHead }
    /// Where the search for idle connections goes on.
    private var hand = 0
    /// Connections looked at in each step of time.
    private static let sweep = 16
    /// Connections and exchanges looked at in each part of a look at the APIs.
    private static let part = 8192

    /// Gives a packet to its connection, which is made if there is none. The arrival stays as it is.
    mutating func receive(_ arrival: inout Arrival, _ transport: RawSpan, _ books: inout Books) -> (
        index: Int, isNew: Bool
    ) {
        var index = find(arrival.key)
        var isNew = false
        if index >= 0, hasExpired(index, books) || isReplaced(index, by: arrival.segment) {
            if arrival.segment.flags.contains(.syn), slots[index].isEstablished, !hasExpired(index, books) {
                books.findings.add(.synchronizeInside)
            }
            end(index, .idle, &books)
            index = -1
        }
        if index < 0 {
            makeRoom(arrival.time, &books)
            index = insert(arrival)
            if books.numbersItself { books.outbox.begun.append(arrival.ordinal) }
            isNew = true
        }
        if index != last {
            prefetchExchange(of: index, books)
            last = index
        }
        let wasOpen = slots[index].closedTime == nil
        slots[index].receive(arrival.segment, transport, &books)
        if wasOpen, slots[index].closedTime != nil { linger(index, arrival.time, &books) }
        return (index, isNew)
    }

    /// It was quiet for so long that what comes is no part of it any more (ledger §2).
    @inline(__always)
    private func hasExpired(_ index: Int, _ books: borrowing Books) -> Bool {
        if let closed = slots[index].closedTime { return books.steadyTime - closed > books.options.lingerLimit }
        return books.steadyTime - slots[index].lastTime > books.options.idleLimit
    }

    @inline(__always)
    private func isReplaced(_ index: Int, by segment: Segment) -> Bool {
        segment.flags.contains(.syn) && slots[index].isReplaced(by: segment)
    }

    @inline(__always)
    private func find(_ key: ConnectionKey) -> Int {
        if last >= 0, slots[last].key == key, !slots[last].isVacant { return last }
        return table.find(key.hash(seed: table.seed)) { slots[$0].key == key }
    }

    /// Whether the sender of the packet gives different packets different identifications, as far as was seen.
    func identificationIsTelling(_ key: ConnectionKey) -> Bool {
        let index = find(key)
        return index < 0 || !slots[index].sides[key.sender].repeatsIdentification
    }

    private mutating func insert(_ arrival: Arrival) -> Int {
        let hash = arrival.key.hash(seed: table.seed)
        let index = free.popLast().map(Int.init) ?? slots.count
        let sides = sides[index]
        if index < slots.count {
            slots[index] = Connection(arrival, number: nextNumber, sides: sides, place: index)
        } else {
            slots.append(Connection(arrival, number: nextNumber, sides: sides, place: index))
        }
        nextNumber += 1
        openCount += 1
        table.insert(hash, index)
        return index
    }

    /// Adds what connections that have not ended hold. They are looked at in place: a copy would take longer.
    func addOpen(to sums: inout OpenSums, _ books: borrowing Books) {
        // New ones tend to stand behind: so the latest exchanges come first, and few are gathered that are none.
        for place in (0..<slots.count).reversed() where !slots[place].isVacant {
            slots[place].addOpen(to: &sums, place, books)
        }
    }

    /// Adds the open exchanges of some connections to their APIs' rows. Returns where to go on; 0 at the end.
    func addOpenRows(
        to rows: inout SnapshotRows, from start: Int, _ books: borrowing Books, _ tables: borrowing SummaryTables
    ) -> Int {
        var exchanges = 0
        for place in start..<max(slots.count, start) where !slots[place].isVacant {
            slots[place].addOpenRows(to: &rows, books, tables)
            exchanges += 1 + slots[place].liveExchangeCount
            if exchanges >= ConnectionStore.part { return place + 1 }
        }
        return 0
    }

    func record(place: Int, exchange: Int, _ books: borrowing Books) -> ExchangeRecord {
        slots[place].provisionalRecord(exchange, books)
    }

    mutating func setProcessName(_ name: [UInt8], of index: Int) { slots[index].processName = name }

    /// Tells a connection that begins with this segment what DNS said of its server.
    mutating func introduce(_ index: Int, _ arrival: Arrival, _ books: inout Books) {
        let segment = arrival.segment
        guard segment.flags.contains(.syn) else { return }
        let server = segment.flags.contains(.ack) ? segment.side : 1 - segment.side
        slots[index].serverName = books.name(of: arrival.key.endpoint(side: server).address)
        guard let cost = arrival.lookup else { return }
        slots[index].lookup = cost
        books.ledger.other.dns -= cost.up + cost.down
    }

    private mutating func linger(_ index: Int, _ time: Int64, _ books: inout Books) {
        lingering.append((Int32(index), slots[index].number, time))
        books.due.add(
            DueWheel.Entry(place: Int32(index), number: slots[index].number, owner: .connection),
            at: time + Connection.retention)
    }

    /// Before a connection is made: ends closed ones of which there are too many, and at the limit the one that has been
    /// quiet longest among a few.
    private mutating func makeRoom(_ time: Int64, _ books: inout Books) {
        while lingeringCount > books.options.part(of: books.options.lingerCountLimit) { endOldestLingering(&books) }
        guard openCount >= books.options.part(of: books.options.connectionLimit) else { return }
        var quietest = -1
        for _ in 0..<min(slots.count, 8) {
            moveHand()
            guard !slots[hand].isVacant else { continue }
            if quietest < 0 || slots[hand].lastTime < slots[quietest].lastTime { quietest = hand }
        }
        guard quietest >= 0 else { return }
        books.findings.add(.connectionLimit)
        end(quietest, .idle, &books)
    }

    private mutating func endOldestLingering(_ books: inout Books) {
        let entry = lingering[lingeringHead]
        lingeringHead += 1
        if lingeringHead + 1 < lingering.count {
            prefetchEnd(
                Int(lingering[lingeringHead + 1].index), Int(lingering[lingeringHead].index), books)
        }
        let place = Int(entry.index)
        if !slots[place].isVacant, slots[place].number == entry.number { end(place, .idle, &books) }
        if lingeringHead > 4096, lingeringHead * 2 > lingering.count {
            lingering.removeFirst(lingeringHead)
            lingeringHead = 0
        }
    }

    private mutating func moveHand() { hand = hand + 1 < slots.count ? hand + 1 : 0 }

    // MARK: What time does

    /// A packet of that time is to come, in another step than those before: does what is due by then, lets go of closed
    /// connections that lingered long enough, and of idle ones.
    mutating func pass(_ time: Int64, _ books: inout Books) {
        if time < books.due.earliestTime {
            guard books.due.fallBack(to: time) else { return }
            for place in lingeringHead..<lingering.count { lingering[place].time = min(lingering[place].time, time) }
        }
        books.due.note(time)
        advance(to: time, &books)
        while lingeringHead < lingering.count,
            books.steadyTime - lingering[lingeringHead].time > books.options.lingerLimit
        {
            endOldestLingering(&books)
        }
        for _ in 0..<min(slots.count, ConnectionStore.sweep) {
            moveHand()
            if !slots[hand].isVacant, slots[hand].closedTime == nil,
                books.steadyTime - slots[hand].lastTime > books.options.idleLimit
            {
                end(hand, .idle, &books)
            }
        }
    }

    /// Does what is due by `time`: lets go of exchanges that have settled, concludes closed connections.
    mutating func advance(to time: Int64, _ books: inout Books) {
        while let turn = books.due.turn(to: time) {
            books.outbox.step = turn.time
            for (place, entry) in turn.entries.enumerated() {
                prefetchDue(turn.entries, behind: place, books)
                look(at: entry, turn.time, &books)
            }
        }
        books.outbox.step = .max
    }

    private mutating func look(at entry: DueWheel.Entry, _ time: Int64, _ books: inout Books) {
        let place = Int(entry.place)
        guard !slots[place].isVacant, slots[place].number == entry.number else { return }
        let next: Int64?
        if entry.owner == .connection {
            next = slots[place].settleClosed(at: time, since: entry.since, &books)
        } else {
            guard books.exchanges.isLive(entry.owner) else { return }
            next = slots[place].settle(Int(entry.owner.index), at: time, since: entry.since, &books)
        }
        if let next { books.due.add(entry, at: next) }
    }

    /// Goes on with what waited for keys, where those have come now, or waited for long enough.
    mutating func resumeAwaited(at time: Int64, _ books: inout Books) {
        for place in 0..<slots.count where !slots[place].isVacant && slots[place].keyAwaitedSince != nil {
            books.moment = Moment(time: slots[place].lastTime)
            slots[place].checkAwaitedKey(at: time, &books)
        }
    }

    /// `reason` says why where the connection was not closed.
    private mutating func end(_ index: Int, _ reason: ConnectionClose, _ books: inout Books) {
        slots[index].end(reason, &books)
        table.remove(slots[index].key.hash(seed: table.seed), index)
        slots[index].isVacant = true
        slots[index].sides.reset()
        free.append(Int32(index))
        openCount -= 1
        if last == index { last = -1 }
    }

    /// Places of all that are left, with the places of their first packets in the order of the audit.
    var rest: [(ordinal: Int, place: Int)] {
        (0..<slots.count).filter { !slots[$0].isVacant }.map { (slots[$0].ordinal, $0) }
    }

    /// At the end of the capture.
    mutating func endLast(_ place: Int, _ books: inout Books) {
        end(place, hasExpired(place, books) ? .idle : .open, &books)
    }
}
