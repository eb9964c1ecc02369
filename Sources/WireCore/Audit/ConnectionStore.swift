/// All connections that are open or linger after their end: an arena, found by key.
struct ConnectionStore: ~Copyable {
    /// Untouched capacity costs no memory.
    private var slots = UnsafeSlab<Connection>(capacity: 1 << 15)
    private var free: [Int32] = []
    private var table = ConnectionTable()
    private var last = -1
    private var nextNumber = 0
    private var openCount = 0
    /// Closed connections in the order of their closing; `number` tells a slot's later use apart.
    private var lingering: [(index: Int32, number: Int, time: Int64)] = []
    private var lingeringHead = 0
    /// Where the search for idle connections goes on.
    private var hand = 0

    deinit {
        for index in 0..<slots.count { slots[index].sides.release() }
    }

    /// Gives a packet to its connection, which is made if there is none.
    mutating func receive(
        _ segment: inout Segment, _ packet: DecodedPacket, _ transport: RawSpan, _ frame: CaptureFrame, _ file: Int,
        _ books: inout Books
    ) -> (index: Int, isNew: Bool) {
        let key = ConnectionKey(packet)
        segment.side = key.sender
        var index = find(key)
        var isNew = false
        if index >= 0, packet.flags.contains(.syn), slots[index].isReplaced(by: packet, from: key.sender) {
            end(index, slots[index].closedTime == nil ? .idle : slots[index].close, &books)
            index = -1
        }
        if index < 0 {
            makeRoom(frame.time, &books)
            index = insert(key, frame, file)
            isNew = true
        }
        last = index
        let wasOpen = slots[index].closedTime == nil
        slots[index].receive(segment, transport, &books)
        if wasOpen, slots[index].closedTime != nil { linger(index, frame.time) }
        return (index, isNew)
    }

    @inline(__always)
    private func find(_ key: ConnectionKey) -> Int {
        if last >= 0, slots[last].key == key, !slots[last].isVacant { return last }
        return table.find(key.hash(seed: table.seed)) { slots[$0].key == key }
    }

    /// Whether the sender of the packet gives different packets different identifications, as far as was seen.
    func identificationIsTelling(_ packet: DecodedPacket) -> Bool {
        let key = ConnectionKey(packet)
        let index = find(key)
        return index < 0 || !slots[index].sides[key.sender].repeatsIdentification
    }

    private mutating func insert(_ key: ConnectionKey, _ frame: CaptureFrame, _ file: Int) -> Int {
        let hash = key.hash(seed: table.seed)
        let index = free.popLast().map(Int.init) ?? slots.count
        let sides = index < slots.count ? slots[index].sides : UnsafeSides()
        let connection = Connection(
            key, number: nextNumber, file: file, frame: frame, sides: sides)
        nextNumber += 1
        openCount += 1
        if index < slots.count { slots[index] = connection } else { slots.append(connection) }
        table.insert(hash, index)
        return index
    }

    mutating func setProcessName(_ name: [UInt8], of index: Int) { slots[index].processName = name }

    /// Tells a new connection what DNS said of its server.
    mutating func introduce(_ index: Int, _ packet: DecodedPacket, _ books: inout Books) {
        let opens = packet.flags.intersection([.syn, .ack])
        guard opens.contains(.syn) else { return }
        let (client, server) =
            opens == .syn ? (packet.source, packet.destination) : (packet.destination, packet.source)
        slots[index].serverName = books.names.name(of: server)
        guard let cost = books.names.takeLookup(for: server, client: client) else { return }
        slots[index].lookup = cost
        books.ledger.other.dns -= cost.up + cost.down
    }

    private mutating func linger(_ index: Int, _ time: Int64) {
        lingering.append((Int32(index), slots[index].number, time))
    }

    /// Before a connection is made: ends those that lingered long enough, a few idle ones, and at the limit the one
    /// that has been quiet longest among a few.
    private mutating func makeRoom(_ time: Int64, _ books: inout Books) {
        while lingeringHead < lingering.count,
            time - lingering[lingeringHead].time > books.options.lingerLimit
                || lingering.count - lingeringHead > books.options.lingerCountLimit
        {
            let entry = lingering[lingeringHead]
            lingeringHead += 1
            let slot = Int(entry.index)
            if !slots[slot].isVacant, slots[slot].number == entry.number { end(slot, slots[slot].close, &books) }
        }
        if lingeringHead > 4096, lingeringHead * 2 > lingering.count {
            lingering.removeFirst(lingeringHead)
            lingeringHead = 0
        }
        endIdle(time, &books)
    }

    private mutating func endIdle(_ time: Int64, _ books: inout Books) {
        let isFull = openCount >= books.options.connectionLimit
        var quietest = -1
        for _ in 0..<min(slots.count, isFull ? 8 : 2) {
            hand = hand + 1 < slots.count ? hand + 1 : 0
            guard !slots[hand].isVacant else { continue }
            if slots[hand].closedTime == nil, time - slots[hand].lastTime > books.options.idleLimit {
                end(hand, .idle, &books)
            } else if isFull, quietest < 0 || slots[hand].lastTime < slots[quietest].lastTime {
                quietest = hand
            }
        }
        guard isFull, quietest >= 0, openCount >= books.options.connectionLimit else { return }
        books.findings.add(.connectionLimit)
        end(quietest, .idle, &books)
    }

    private mutating func end(_ index: Int, _ reason: ConnectionClose, _ books: inout Books) {
        slots[index].end(reason, &books)
        table.remove(index)
        slots[index].isVacant = true
        slots[index].sides.reset()
        free.append(Int32(index))
        openCount -= 1
        if last == index { last = -1 }
    }

    /// At the end of the capture: all that are left, in the order of their numbers.
    mutating func endAll(_ books: inout Books) {
        let rest = (0..<slots.count).filter { !slots[$0].isVacant }.map { (number: slots[$0].number, index: $0) }
        for place in rest.sorted(by: { $0.number < $1.number }) { end(place.index, .open, &books) }
    }
}
