import WireTesting

@testable import WireCore

/// What the layers of one connection need around them: memory, a context without keys and names, and the streams. No
/// packet is built: tests speak to a layer in its own words.
///
/// Direction 0 is the client's. Positions begin at 0, as behind a SYN, unless `joinsLate`.
final class LayerBench {
    static let client = Direction(0)
    static let server = Direction(1)

    private let assembly = UnsafePairStorage(repeating: StreamAssembler())
    private let tcpDirections = UnsafePairStorage(repeating: TCPDirection())
    private let streamDirections = UnsafePairStorage(repeating: StreamDirection())
    private let http1Directions = UnsafePairStorage(repeating: HTTP1Direction())
    private let account = UnsafePairStorage(repeating: ConnectionAccount())
    private let histories = UnsafePairStorage(repeating: UnsafeReadHistory())
    let memory: UnsafeConnectionMemory
    var shard: ShardContext
    var connection: Connection

    init(
        _ options: AuditOptions = AuditOptions(), keys: KeyLog = KeyLog(), examiner: (any BodyExaminer)? = nil,
        joinsLate: Bool = false
    ) {
        memory = UnsafeConnectionMemory(
            assembly: assembly.pair, tcp: tcpDirections.pair, streams: streamDirections.pair,
            http1: http1Directions.pair, account: account.pair, histories: histories.pair)
        shard = ShardContext(
            StreamContext(
                options: options, keepsRecords: true, examiner: examiner, keys: keys, names: NameDirectory()))
        shard.streams.paths = ["capture"]
        connection = Connection(LayerBench.facts(startWasSeen: !joinsLate), memory)
        shard.streams.attribution.connection = account.pair
        guard !joinsLate else { return }
        for direction in Direction.both { memory.assembly[direction].start(synchronize: SequenceNumber(999)) }
    }

    /// A connection of 10.0.0.1:50000 with 10.0.0.2:80.
    static func facts(startWasSeen: Bool = true) -> ConnectionFacts {
        let key = ConnectionKey(
            IPAddress(version4: 0x0A00_0001), IPAddress(version4: 0x0A00_0002), ports: 50_000 << 16 | 80)
        var facts = ConnectionFacts(key, number: 0, place: 0, file: 0, firstPacket: 1, ordinal: 0, time: 0)
        facts.startWasSeen = startWasSeen
        if startWasSeen { facts.client = client }
        return facts
    }

    var context: StreamContext {
        _read { yield shard.streams }
        _modify { yield &shard.streams }
    }

    var messages: MessageStreams {
        _read { yield connection.streams.messages }
        _modify { yield &connection.streams.messages }
    }

    var tracker: ExchangeTracker {
        _read { yield connection.streams.messages.tracker }
        _modify { yield &connection.streams.messages.tracker }
    }

    // MARK: Bytes in

    /// Headers of each packet.
    static let headers = HeaderCost(internet: 40, link: 14)

    /// Packets delivered, by direction.
    private(set) var packets = [0, 0]

    /// How far a direction was delivered.
    func next(_ direction: Direction) -> StreamPosition { memory.assembly[direction].next }

    /// Delivers the next bytes of a direction as one packet, which acknowledges all that came the other way.
    func deliver(_ bytes: [UInt8], _ direction: Direction, time: Int64? = nil) {
        let start = next(direction)
        if let time { shard.streams.attribution.packet.time = time }
        shard.streams.attribution.packet.acknowledged = next(direction.opposite)
        memory.assembly[direction].acknowledgedAtNext = shard.streams.attribution.packet.acknowledged
        memory.assembly[direction].acceptNext(bytes.count)
        packets[direction.index] += 1
        shard.streams.attribution.enter(packet: LayerBench.headers)
        unsafe connection.streams.receive(bytes.span.bytes, at: start, direction, &shard.streams)
        shard.streams.attribution.leave(direction)
    }

    /// Passes bytes that are not there, in the parts that the reader makes of them.
    @discardableResult
    func skip(_ count: Int, _ direction: Direction, _ reason: SkipReason = .gap) -> [SkipClaim] {
        var claims: [SkipClaim] = []
        var left = count
        while left > 0 {
            let start = next(direction)
            let claim = connection.streams.skip(left, at: start, direction, reason, &shard.streams)
            // As TCP does.
            connection.streams.noteUnseen(claim, &shard.streams)
            shard.streams.attribution.connection[direction].runs?.append(claim.owner, upTo: start + claim.count)
            memory.assembly[direction].giveUp(
                StreamGap(range: start.value..<start.value + claim.count, owner: claim.owner, cause: claim.cause))
            claims.append(claim)
            left -= claim.count
        }
        return claims
    }

    /// A packet of which the capture holds the beginning only.
    func deliver(_ bytes: [UInt8], truncatedTo captured: Int, _ direction: Direction) {
        let start = next(direction)
        shard.streams.attribution.packet.acknowledged = next(direction.opposite)
        memory.assembly[direction].acceptNext(bytes.count)
        packets[direction.index] += 1
        shard.streams.attribution.enter(packet: LayerBench.headers)
        let run = Array(bytes.prefix(captured))
        unsafe connection.streams.receive(run.span.bytes, at: start, direction, &shard.streams)
        var place = captured
        while place < bytes.count {
            let claim = connection.streams.skip(
                bytes.count - place, at: start + place, direction, .truncated, &shard.streams)
            shard.streams.attribution.claimUnread(claim.owner, claim.cause, claim.count, direction)
            place += claim.count
            memory.account[direction].runs?.append(claim.owner, upTo: start + place)
        }
        shard.streams.attribution.leave(direction)
    }

    /// No more bytes come: both directions ended with a FIN, or the capture ends.
    func finish(isOrderly: Bool = true) {
        if isOrderly { connection.facts.close = .fin }
        for direction in Direction.both {
            connection.streams.finish(direction, isOrderly: isOrderly, &shard.streams)
        }
        for direction in Direction.both { connection.streams.flush(direction, &shard.streams) }
    }

    // MARK: What came out

    /// The exchanges of the connection in their order, given out.
    func takeRecords() -> [ExchangeRecord] {
        tracker.retireAll(&shard.streams)
        return shard.streams.completed.exchangeRecords.sorted { $0.exchange < $1.exchange }
    }

    /// Bytes of the IP layer that the connection and its exchanges have cost, by cause and direction.
    func costs(_ direction: Direction) -> CostVector {
        var sum = memory.account[direction].unattributed
        sum += memory.account[direction].attributed
        var index = tracker.first
        while index >= 0 {
            sum += shard.streams.attribution.accounts[Int(index)].costs[direction]
            index = shard.streams.attribution.accounts[Int(index)].following
        }
        return sum
    }

    /// Findings by code.
    var findings: [FindingCode: Int] {
        Dictionary(uniqueKeysWithValues: shard.streams.findings.summary(paths: []).map { ($0.code, $0.count) })
    }
}

extension CostVector {
    /// "body 5 headers 20": causes that are not 0, in their order.
    var text: String {
        Cause.allCases.filter { self[$0] != 0 }.map { "\($0.name) \(self[$0])" }.joined(separator: " ")
    }
}
