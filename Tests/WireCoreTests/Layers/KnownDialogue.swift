import WireTesting

@testable import WireCore

/// What two endpoints say, with the owner and cause of each byte: packets in the order of the capture.
struct KnownDialogue: Sendable {
    struct Turn: Sendable {
        var direction: Direction
        var runs: [KnownRun]

        var bytes: [UInt8] { runs.flatMap(\.bytes) }
    }

    var turns: [Turn] = []

    mutating func say(_ direction: Direction, _ runs: [KnownRun]) {
        turns.append(Turn(direction: direction, runs: runs))
    }

    /// Text of one exchange; -1 for the connection.
    mutating func say(_ direction: Direction, _ exchange: Int, _ parts: (Cause, String)...) {
        say(direction, parts.map { KnownRun(Array($0.1.utf8), exchange, $0.0) })
    }

    // MARK: Delivery

    /// Delivers each turn as one packet.
    func play(_ bench: LayerBench) { play(bench) { _, bytes in [bytes] } }

    /// Delivers each turn in packets of that many bytes at most.
    func play(_ bench: LayerBench, each size: Int) {
        play(bench) { _, bytes in
            stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        }
    }

    /// Delivers one of the turns in two packets.
    func play(_ bench: LayerBench, cut turn: Int, at place: Int) {
        play(bench) { index, bytes in index == turn ? [Array(bytes[..<place]), Array(bytes[place...])] : [bytes] }
    }

    func play(_ bench: LayerBench, _ cut: (Int, [UInt8]) -> [[UInt8]]) {
        for (index, turn) in turns.enumerated() {
            for bytes in cut(index, turn.bytes) {
                bench.deliver(bytes, turn.direction, time: bench.shard.streams.attribution.packet.time + 1)
            }
        }
    }

    /// All places inside of packets.
    var cuts: [(turn: Int, place: Int)] {
        turns.enumerated().flatMap { index, turn in (1..<max(turn.bytes.count, 1)).map { (index, $0) } }
    }

    // MARK: What must come of it

    /// Costs of each exchange and of the connection (last), without packet headers, by direction.
    func costs(exchanges: Int) -> [[String]] {
        var costs = [[CostVector]](repeating: [CostVector(), CostVector()], count: exchanges + 1)
        for turn in turns {
            for run in turn.runs {
                let place = run.owner < 0 ? exchanges : run.owner
                costs[place][turn.direction.index][run.cause] += run.bytes.count
            }
        }
        return costs.map { $0.map(\.text) }
    }

    var exchangeCount: Int { (turns.flatMap { $0.runs.map(\.owner) }.max() ?? -1) + 1 }
}

/// What came of a connection, as far as it must not depend on how packets cut it.
struct ConnectionOutcome: Equatable {
    struct Exchange: Equatable {
        var method: String
        var target: String
        var status: Int
        var request: String
        var response: String
        var flags: [String]
        var decodedBody: [Int?]
        /// Costs by direction, without packet headers.
        var costs: [String]
    }

    var exchanges: [Exchange]
    var connection: [String]
    /// All that was delivered has a cause, and nothing waits.
    var isBalanced: Bool

    /// Ends the connection of the bench and gives out what it had.
    init(_ bench: LayerBench, isOrderly: Bool = true) {
        bench.finish(isOrderly: isOrderly)
        let delivered = Direction.both.map { direction in
            bench.memory.assembly[direction].next.value - bench.memory.assembly[direction].unseenByteCount
        }
        isBalanced =
            Direction.both.allSatisfy { direction in
                let costs = bench.costs(direction)
                return costs.internet - costs[.tcpip] == delivered[direction.index]
                    && costs[.tcpip] == bench.packets[direction.index] * LayerBench.headers.internet
            } && bench.shard.streams.attribution.pending.count == 0 && bench.shard.streams.buffered.heads == 0
        connection = Direction.both.map { direction in
            ConnectionOutcome.text(bench.memory.account[direction].unattributed)
        }
        exchanges = bench.takeRecords().map { Exchange($0) }
    }

    fileprivate static func text(_ message: MessageFacts?) -> String {
        guard let message else { return "none" }
        return "\(message.version ?? "?") \(message.framing) \(message.complete ? "whole" : "in part")"
    }

    static func text(_ costs: CostVector) -> String {
        var costs = costs
        costs[.tcpip] = 0
        return costs.text
    }

    /// As `KnownDialogue.costs`.
    var costs: [[String]] { exchanges.map(\.costs) + [connection] }
}

extension ConnectionOutcome.Exchange {
    init(_ record: ExchangeRecord) {
        self.init(
            method: String(decoding: record.method ?? [], as: UTF8.self),
            target: String(decoding: record.target ?? [], as: UTF8.self), status: record.status ?? 0,
            request: ConnectionOutcome.text(record.request), response: ConnectionOutcome.text(record.response),
            flags: record.flags.names, decodedBody: [record.decodedBody.up, record.decodedBody.down],
            costs: [ConnectionOutcome.text(record.costs.up), ConnectionOutcome.text(record.costs.down)])
    }
}
