import WireTesting

@testable import WireCore

/// Speaks to an exchange tracker as a reader of messages does. Each request and each answer has 10 bytes.
final class TrackerBench {
    let bench: LayerBench
    /// Exchanges' indices by the order of requests and of answers.
    var asked: [Int] = []
    var answered: [Int] = []

    init(_ options: AuditOptions = AuditOptions(), isCertain: Bool = true) {
        bench = LayerBench(options, joinsLate: !isCertain)
        if !isCertain {
            for direction in Direction.both { bench.memory.assembly[direction].start(midstream: SequenceNumber(7)) }
        }
        bench.tracker.requester = 0
    }

    var context: StreamContext {
        _read { yield bench.shard.streams }
        _modify { yield &bench.shard.streams }
    }

    var tracker: ExchangeTracker {
        _read { yield bench.tracker }
        _modify { yield &bench.tracker }
    }

    private func enter(_ direction: Direction, acknowledging acknowledged: Int?) -> StreamPosition {
        let start = bench.next(direction)
        context.attribution.packet.acknowledged =
            acknowledged.map { StreamPosition($0) } ?? bench.next(direction.opposite)
        bench.memory.assembly[direction].acceptNext(10)
        return start
    }

    /// A request. `acknowledged`: how much of the answers its packet acknowledges; nil for all that came.
    func ask(acknowledging acknowledged: Int? = nil, method: MethodKind = .other) {
        let start = enter(0, acknowledging: acknowledged)
        let index = bench.tracker.exchange(
            ofRequest: 0, at: start, answers: bench.memory.assembly[1].next, &bench.shard.streams)
        context.exchanges[index].request.isPresent = true
        context.exchanges[index].request.isFinished = true
        context.exchanges[index].methodKind = method
        context.attribution.accounts[index].ranges[0] = OwnedRange(start: start, end: start + 10)
        context.attribution.connection[0].latest = Int32(index)
        bench.tracker.isLost[0] = false
        asked.append(index)
    }

    /// A whole answer.
    func answer(acknowledging acknowledged: Int? = nil) {
        let requests = bench.memory.assembly[0]
        let start = enter(1, acknowledging: acknowledged)
        let index = bench.tracker.exchange(
            ofResponse: 1, requests: requests, requestsHaveBegun: requests.next != .zero, &bench.shard.streams)
        context.exchanges[index].response.isPresent = true
        context.attribution.accounts[index].ranges[1] = OwnedRange(start: start, end: start + 10)
        context.attribution.connection[1].latest = Int32(index)
        bench.tracker.isLost[1] = false
        bench.tracker.noteAnswered(index, &bench.shard.streams)
        context.exchanges[index].response.isFinished = true
        answered.append(index)
    }

    /// A request, or an answer, that no packet held.
    func lose(_ direction: Direction, isNoticed: Bool = true) {
        let start = bench.next(direction).value
        bench.memory.assembly[direction].giveUp(StreamGap(range: start..<start + 10))
        guard isNoticed else { return }
        bench.tracker.connection.flags.insert(.gap)
        bench.tracker.noteUncertain(.gap, direction, &bench.shard.streams)
        bench.tracker.isLost[direction] = true
    }

    func isKept(_ index: Int) -> Bool { bench.tracker.isKept(Int32(index), bench.shard.streams) }

    var isBeyondLimit: Bool { bench.tracker.isBeyondLimit(bench.shard.streams) }

    func retireBeyondLimit() { bench.tracker.retireBeyondLimit(.betweenMessages, &bench.shard.streams) }

    func retire(_ index: Int) { bench.tracker.retire(index, &bench.shard.streams) }

    /// Number of the exchange that owns a byte; -1 for none.
    func owner(at place: Int, _ direction: Direction) -> Int {
        Int(bench.shard.streams.attribution.owner(at: StreamPosition(place), direction).index)
    }

    /// For each answer, the request that it was paired with: their order; nil for none.
    var pairs: [Int?] { answered.map { asked.firstIndex(of: $0) } }

    /// Indices of the exchanges in the order of the chain, which must be linked both ways.
    var chain: [Int] {
        var chain: [Int] = []
        var (index, previous) = (bench.tracker.first, Int32(-1))
        while index >= 0, chain.count <= bench.tracker.liveCount {
            guard context.attribution.accounts[Int(index)].previous == previous else { return [] }
            chain.append(Int(index))
            (previous, index) = (index, context.attribution.accounts[Int(index)].following)
        }
        return bench.tracker.last == previous ? chain : []
    }

    func flags(_ index: Int) -> [String] { context.exchanges[index].flags.names }
}
