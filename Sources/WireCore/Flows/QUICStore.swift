import WireNative

/// All QUIC connections that are open or linger after their end.
///
/// A datagram's connection is found by the connection ID that it is sent to, and where it has none by its addresses: an
/// endpoint may change its address and port (RFC 9000 §9), so one store has all connections, whichever shard they would be
/// in.
struct QUICStore: ~Copyable {
    private(set) var slots: [QUICConnection?] = []
    private var free: [Int] = []
    private var directory = QUICDirectory()
    private var late: QUICLateSearch
    /// Of connections with datagrams that are like earlier ones, by their places.
    var repeated: [Int: RepeatedDatagrams] = [:]
    private let derivation = QUICInitialDerivation()
    var nextNumber = 0
    private var openCount = 0
    private var hand = 0

    private static let sweep = 16
    /// Datagrams that wait for a ClientHello, at which the key log is tried.
    private static let trialCount = 8
    /// How long they wait before, nanoseconds, unless there are many of them.
    private static let helloPatience: Int64 = 1_000_000_000
    private static let mostWaiting = 256

    init(options: AuditOptions) {
        late = QUICLateSearch(byteLimit: options.quicSearchLimit, trialLimit: options.quicTrialLimit)
    }

    var isEmpty: Bool { openCount == 0 }

    // MARK: Datagrams

    /// Takes a datagram. Where it is no connection's, it is other UDP, or QUIC without a connection. The segment stays as it
    /// is; given otherwise it would be copied, for each datagram.
    mutating func receive(_ routed: inout RoutedSegment, _ payload: RawSpan, _ shard: inout ShardContext) {
        let isLong = QUICPacket.isLongHeader(payload)
        // What no connection has taken by the end, none will.
        defer { if routed.lookup != 0 { _ = shard.payments.take(routed.lookup) } }
        guard
            let found = find(routed.key, routed.segment.payload, payload, isLong)
                ?? begin(routed, payload, isLong, &shard)
        else { return leave(routed, payload, isLong, &shard) }
        let isSettled = deliver(&routed, payload, found, isLong: isLong, &shard)
        if isLong, late.isHolding { deliverEarlier(routed, found.place, &shard) }
        guard !isSettled, let connection = slots[found.place], let first = connection.waiting.datagrams.first,
            connection.waiting.datagrams.count.isMultiple(of: QUICStore.trialCount)
        else { return }
        // Where the clocks of two capture points differ, the server's packets stand before the ClientHello.
        let isLate = routed.time - first.datagram.time > QUICStore.helloPatience
        guard isLate || connection.waiting.datagrams.count >= QUICStore.mostWaiting else { return }
        tryKeys(connection, found.place, &shard)
    }

    /// See `ConnectionStore`.
    func payLate(_ lookup: LookupCost, _ key: ConnectionKey, _ shard: inout ShardContext) {
        guard let place = directory.find(addresses: key)?.place, let connection = slots[place],
            connection.lookup?.serial == lookup.serial
        else { return }
        connection.lookup? += lookup.bytes
        shard.payLate(lookup)
    }

    /// The datagram is no connection's.
    @inline(never)
    private mutating func leave(
        _ routed: RoutedSegment, _ payload: RawSpan, _ isLong: Bool, _ shard: inout ShardContext
    ) {
        var routed = routed
        if routed.seat == nil { routed.seat = shard.straySeat(routed, payload) }
        shard.book(routed)
        if !isLong { searchLate(routed, payload, &shard) }
    }

    /// Returns whether nothing follows from it. The segment stays as it is.
    private mutating func deliver(
        _ routed: inout RoutedSegment, _ payload: RawSpan, _ found: QUICDirectory.Found, isLong: Bool,
        _ shard: inout ShardContext
    ) -> Bool {
        guard let connection = slots[found.place] else { return true }
        let direction = directory.direction(of: routed.key, found, connection)
        if routed.process != 0 { connection.tracker.connection.processes.count(routed.process) }
        let datagram = QUICDatagram(
            time: routed.time, direction: direction, length: routed.segment.payload, cost: routed.segment.cost,
            frames: routed.segment.frames, frameBytes: routed.segment.frameBytes,
            shortIDLength: found.shortIDLength ?? (isLong ? nil : connection[direction.opposite].idLength),
            likeness: routed.resemblance == nil ? .none : .equal)
        let receipt = connection.receive(datagram, payload, &shard.streams)
        if receipt != .settled { registerNew(of: connection, found.place, &shard) }
        if receipt != .settled, receipt != .open {
            receiveRepeated(routed, payload, datagram, receipt, at: found.place, &shard)
        }
        if !repeated.isEmpty { resolveRepeated(at: found.place, &shard) }
        return receipt == .settled
    }

    private mutating func registerNew(of connection: QUICConnection, _ place: Int, _ shard: inout ShardContext) {
        guard !connection.newIDs.isEmpty else { return }
        for known in connection.newIDs { register(known, place, &shard) }
        connection.newIDs.removeAll(keepingCapacity: true)
    }

    // MARK: Connections without a beginning

    /// A datagram is no connection's so far: perhaps it is one that began before the capture did.
    private mutating func searchLate(_ routed: RoutedSegment, _ payload: RawSpan, _ shard: inout ShardContext) {
        let found = late.receive(routed, payload, shard.streams.keys)
        if late.takeLimited() { shard.streams.findings.add(.quicSearchLimit) }
        guard let (join, held) = found, let first = held.first else { return }
        let sender = routed.key.sender
        let client = join.isFromClient ? sender : sender.opposite
        let place = open(first.routed, client, at: routed.ordinal, &shard)
        slots[place]?.take(join, sender)
        deliver(held, place, zero: 0, &shard)
    }

    /// Delivers datagrams that were booked as no connection's. `zero`: the connection's direction that direction 0 of their
    /// addresses is.
    private mutating func deliver(
        _ held: [QUICLateSearch.Held], _ place: Int, zero: Direction, _ shard: inout ShardContext
    ) {
        let findingPlace = shard.streams.findings.place
        for var datagram in held {
            shard.takeBack(datagram.routed)
            shard.streams.findings.place = FindingPlace(file: datagram.routed.file, packet: datagram.routed.number)
            let direction = datagram.routed.key.sender.index == 0 ? zero : zero.opposite
            let found = QUICDirectory.Found(place: place, direction: direction)
            let bytes = datagram.bytes
            _ = deliver(&datagram.routed, unsafe bytes.span.bytes, found, isLong: false, &shard)
        }
        shard.streams.findings.place = findingPlace
    }

    /// Short headers that the capture shows before the long one that tells of their connection ID are the connection's.
    private mutating func deliverEarlier(_ routed: RoutedSegment, _ place: Int, _ shard: inout ShardContext) {
        let pair = QUICPair(key: routed.key)
        guard let connection = slots[place], let zero = directory.zero(of: pair, place) else { return }
        let known = connection.knownIDs
        let lengths = (connection[0].idLength, connection[1].idLength)
        let earlier = late.take(pair) { held in
            let direction = held.routed.key.sender.index == 0 ? zero : zero.opposite
            guard let length = direction.index == 0 ? lengths.1 : lengths.0, length < held.bytes.count else {
                return false
            }
            // Where the receiver chose none, addresses are all there is.
            let id = QUICConnectionID(unsafe held.bytes.span.bytes, 1..<1 + length)
            return length == 0 || known.contains { $0.to == direction && $0.id == id }
        }
        if !earlier.isEmpty { deliver(earlier, place, zero: zero, &shard) }
    }

    /// Packets wait for a ClientHello that may never have been captured.
    private mutating func tryKeys(_ connection: QUICConnection, _ place: Int, _ shard: inout ShardContext) {
        guard connection.mayBeJoined, let (join, direction) = late.find(connection, shard.streams.keys) else {
            if late.takeLimited() { shard.streams.findings.add(.quicSearchLimit) }
            return
        }
        connection.take(join, direction)
        shard.streams.attribution.connection = connection.account
        connection.resumeWaiting(&shard.streams)
        registerNew(of: connection, place, &shard)
    }

    /// Goes on with what waited for keys, if they have come now, or were waited for long enough.
    mutating func resumeAwaited(at time: Int64, _ shard: inout ShardContext) {
        for place in slots.indices {
            guard let connection = slots[place], connection.holdsWaiting else { continue }
            shard.streams.attribution.connection = connection.account
            shard.streams.attribution.packet = PacketContext(time: connection.facts.lastTime)
            connection.giveUpStale(at: time, &shard.streams)
            connection.resumeWaiting(&shard.streams)
            registerNew(of: connection, place, &shard)
        }
    }

    // MARK: Finding

    /// `length`: bytes of the whole payload.
    private func find(
        _ key: ConnectionKey, _ length: Int, _ payload: RawSpan, _ isLong: Bool
    ) -> QUICDirectory.Found? {
        guard payload.byteCount > 0 else { return nil }
        guard isLong else { return directory.find(short: payload, key) }
        guard let packet = QUICPacket(payload, at: 0, length: length, shortIDLength: 0) else { return nil }
        return find(long: packet, payload, key)
    }

    private func find(long packet: QUICPacket, _ payload: RawSpan, _ key: ConnectionKey) -> QUICDirectory.Found? {
        if packet.destination.count > 0, packet.destination.count <= QUICConnectionID.longest,
            let found = directory.find(QUICConnectionID(payload, packet.destination), key)
        {
            return found
        }
        guard let found = directory.find(addresses: key), let connection = slots[found.place] else { return nil }
        guard packet.kind == .initial, found.direction == connection.client else { return found }
        // An Initial to an ID that nobody knows: the connection begins anew, or another begins on the same ports.
        if connection.beginsAnew { return found }
        guard packet.source.count > 0, packet.source.count <= QUICConnectionID.longest else { return nil }
        let direction = directory.direction(to: QUICConnectionID(payload, packet.source), of: found.place)
        return direction.map { $0 != connection.client } == true ? found : nil
    }

    // MARK: Beginnings

    /// A connection begins with a client's Initial. One that the capture joins late begins with any long header.
    @inline(never)
    private mutating func begin(
        _ routed: RoutedSegment, _ payload: RawSpan, _ isLong: Bool, _ shard: inout ShardContext
    ) -> QUICDirectory.Found? {
        guard isLong, let packet = QUICPacket(payload, at: 0, length: routed.segment.payload, shortIDLength: 0) else {
            return nil
        }
        let sender = routed.key.sender
        let initial = QUICFirstInitial(packet, payload, derivation)
        let isFromClient = initial != nil || Self.isFromClient(packet, routed)
        let place = open(routed, isFromClient ? sender : sender.opposite, at: routed.ordinal, &shard)
        if let initial { slots[place]?.begin(initial) }
        if packet.destination.count > 0, packet.destination.count <= QUICConnectionID.longest, !isFromClient {
            register(QUICKnownID(id: QUICConnectionID(payload, packet.destination), to: sender), place, &shard)
        }
        return QUICDirectory.Found(place: place, direction: sender)
    }

    /// Opens a connection, which begins with a datagram. `ordinal`: where that shows.
    private mutating func open(
        _ routed: RoutedSegment, _ client: Direction, at ordinal: Int, _ shard: inout ShardContext
    ) -> Int {
        makeRoom(&shard)
        let place = free.popLast() ?? slots.count
        let facts = ConnectionFacts(
            routed.key, number: nextNumber, place: place, file: routed.file, firstPacket: routed.number,
            ordinal: routed.ordinal, time: routed.time)
        let connection = QUICConnection(
            facts, client: client, keys: shard.streams.keys, certificates: shard.streams.options.certificates,
            derivation)
        connection.tracker.connection.introduce(
            client.opposite, shard.streams.name(of: routed.key.sender(of: client.opposite).address))
        if routed.lookup != 0, routed.key.sender == client, let lookup = shard.payments.take(routed.lookup) {
            connection.lookup = lookup.bytes
            shard.pay(lookup)
        }
        if place == slots.count { slots.append(connection) } else { slots[place] = connection }
        nextNumber += 1
        openCount += 1
        if shard.numbersItself { shard.streams.completed.begun.append(ordinal) }
        return place
    }

    /// Who sent the first packet that was seen. Servers answer Initials only, from the lower port.
    private static func isFromClient(_ packet: QUICPacket, _ routed: RoutedSegment) -> Bool {
        switch packet.kind {
        case .retry, .negotiation: return false
        case .earlyData: return true
        default:
            let sender = routed.key.sender
            return routed.key.sender(of: sender).port >= routed.key.sender(of: sender.opposite).port
        }
    }

    private mutating func register(_ known: QUICKnownID, _ place: Int, _ shard: inout ShardContext) {
        guard let connection = slots[place] else { return }
        let limit = shard.streams.options.quicIDLimit
        guard directory.register(known, of: connection, place, limit: limit) else { return }
        shard.streams.findings.add(.quicIDLimit)
    }

    // MARK: Time

    private mutating func makeRoom(_ shard: inout ShardContext) {
        guard openCount >= shard.streams.options.quicConnectionLimit else { return }
        var quietest = -1
        for _ in 0..<min(slots.count, 8) {
            moveHand()
            guard let candidate = slots[hand] else { continue }
            if quietest < 0 || candidate.facts.lastTime < slots[quietest]!.facts.lastTime { quietest = hand }
        }
        if quietest < 0 { quietest = slots.firstIndex { $0 != nil } ?? -1 }
        guard quietest >= 0 else { return }
        shard.streams.findings.add(.connectionLimit)
        end(quietest, .idle, &shard)
    }

    private mutating func moveHand() { hand = hand + 1 < slots.count ? hand + 1 : 0 }

    /// A packet of that time is to come: does what is due by then, and lets go of connections that are over.
    mutating func pass(_ time: Int64, _ shard: inout ShardContext) {
        if time < shard.streams.timers.earliestTime {
            guard shard.streams.timers.fallBack(to: time) else { return }
        }
        shard.streams.timers.note(time)
        advance(to: time, &shard)
        for _ in 0..<min(slots.count, QUICStore.sweep) {
            moveHand()
            if slots[hand] != nil, hasExpired(hand, shard) { end(hand, .idle, &shard) }
        }
    }

    private func hasExpired(_ place: Int, _ shard: borrowing ShardContext) -> Bool {
        guard let facts = slots[place]?.facts else { return false }
        if let closed = facts.closedTime { return shard.steadyTime - closed > shard.streams.options.lingerLimit }
        return shard.steadyTime - facts.lastTime > shard.streams.options.idleLimit
    }

    /// Lets go of exchanges that have settled by `time`.
    mutating func advance(to time: Int64, _ shard: inout ShardContext) {
        while let turn = shard.streams.timers.turn(to: time) {
            shard.streams.completed.step = turn.time
            for entry in turn.entries {
                guard let connection = slots[Int(entry.place)], connection.facts.number == entry.number,
                    shard.streams.attribution.isOpen(entry.owner)
                else { continue }
                let next = connection.retireIfOver(entry.owner, at: turn.time, since: entry.since, &shard.streams)
                if let next { shard.streams.timers.add(entry, at: next) }
            }
        }
        shard.streams.completed.step = .max
    }

    /// `reason` says why where the connection was not closed.
    private mutating func end(_ place: Int, _ reason: ConnectionClose, _ shard: inout ShardContext) {
        guard let connection = slots[place] else { return }
        tryKeys(connection, place, &shard)
        resolveRepeated(at: place, isLast: true, &shard)
        connection.end(reason, &shard)
        directory.remove(connection, place)
        slots[place] = nil
        free.append(place)
        openCount -= 1
    }

    /// Discards a connection of so many datagrams that has opened no more than Initial packets. Returns false if it has
    /// others.
    mutating func withdraw(
        _ key: ConnectionKey, holding count: Int, paying lookup: LookupCost?, _ shard: inout ShardContext
    ) -> Bool {
        guard let place = directory.find(addresses: key)?.place, let connection = slots[place],
            repeated[place] == nil, !connection.holdsWaiting, connection.openedPackets == 0,
            connection[0].counts.packets + connection[1].counts.packets == count,
            connection.lookup == lookup?.bytes
        else { return false }
        if let lookup { shard.refund(lookup) }
        shard.streams.attribution.connection = connection.account
        shard.streams.attribution.traceWithdrawal()
        directory.remove(connection, place)
        slots[place] = nil
        free.append(place)
        openCount -= 1
        return true
    }

    // MARK: The end, and looks at what is open

    /// Places of all that are left, with the places of their first packets in the order of the audit.
    var rest: [(ordinal: Int, place: Int)] {
        slots.indices.compactMap { place in slots[place].map { ($0.facts.ordinal, place) } }
    }

    /// At the end of the capture.
    mutating func endLast(_ place: Int, _ shard: inout ShardContext) {
        end(place, hasExpired(place, shard) ? .idle : .open, &shard)
    }

    func addOpen(to sums: inout OpenSums, _ context: borrowing StreamContext) {
        for place in slots.indices.reversed() { slots[place]?.addOpen(to: &sums, place, context) }
    }

    func addOpenRows(
        to rows: inout SnapshotRows, _ context: borrowing StreamContext, _ tables: borrowing SummaryTables
    ) {
        for connection in slots { connection?.addOpenRows(to: &rows, context, tables) }
    }

    func addOpenHosts(to tables: inout SummaryTables, _ context: borrowing StreamContext) {
        for connection in slots { connection?.addOpenHost(to: &tables, context) }
    }

    func record(place: Int, exchange: Int, _ context: borrowing StreamContext) -> ExchangeRecord? {
        slots[place]?.provisionalRecord(exchange, context)
    }

    func record(place: Int, _ context: borrowing StreamContext) -> ConnectionRecord? {
        slots[place]?.provisionalRecord(context)
    }
}
