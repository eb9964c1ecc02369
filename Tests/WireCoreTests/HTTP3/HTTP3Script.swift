import WireTesting

@testable import WireCore

/// Integers of QUIC and frames of HTTP/3 as a sender writes them.
enum HTTP3Wire {
    static func integer(_ value: UInt64, length: Int? = nil) -> [UInt8] { QUICWire.integer(value, length: length) }

    static func frame(_ type: UInt64, _ payload: [UInt8]) -> [UInt8] { QUICWire.frame(type, payload) }

    /// SETTINGS with QPACK's capacity and a reserved setting.
    static func settings(capacity: Int) -> [UInt8] {
        frame(HTTP3FrameType.settings, integer(1) + integer(UInt64(capacity)) + integer(0x21 + 0x1F * 9) + integer(77))
    }

    /// A field section that refers to no table.
    static func section(_ fields: [(String, String)]) -> [UInt8] {
        var bytes: [UInt8] = [0, 0]
        for (name, value) in fields {
            bytes += prefixed(0x20, name.utf8.count, bits: 3) + Array(name.utf8)
            bytes += prefixed(0, value.utf8.count, bits: 7) + Array(value.utf8)
        }
        return bytes
    }

    static func prefixed(_ first: UInt8, _ value: Int, bits: Int) -> [UInt8] {
        let most = 1 << bits - 1
        guard value >= most else { return [first | UInt8(value)] }
        var bytes = [first | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

/// Something that happens on a stream.
enum HTTP3Step {
    case bytes([UInt8])
    case finish
    case reset(UInt64)
    case stop
    case skip(Int)
}

/// What happens on the streams of a connection, in the order of its packets.
struct HTTP3Script {
    struct Turn {
        var stream: UInt64
        var direction: Direction
        var step: HTTP3Step
    }

    var turns: [Turn] = []

    static let client = LayerBench.client
    static let server = LayerBench.server
    static let clientControl: UInt64 = 2
    static let serverControl: UInt64 = 3
    static let clientEncoder: UInt64 = 6
    static let serverEncoder: UInt64 = 7

    /// - Parameter capacity: of the tables that both endpoints allow; nil: no SETTINGS.
    init(capacity: Int? = 0) {
        guard let capacity else { return }
        send([0] + HTTP3Wire.settings(capacity: capacity), 2, 0)
        send([0] + HTTP3Wire.settings(capacity: capacity), 3, 1)
    }

    mutating func send(_ bytes: [UInt8], _ stream: UInt64, _ direction: Direction) {
        turns.append(Turn(stream: stream, direction: direction, step: .bytes(bytes)))
    }

    mutating func add(_ step: HTTP3Step, _ stream: UInt64, _ direction: Direction) {
        turns.append(Turn(stream: stream, direction: direction, step: step))
    }

    mutating func headers(_ fields: [(String, String)], _ stream: UInt64, _ direction: Direction) {
        send(HTTP3Wire.frame(1, HTTP3Wire.section(fields)), stream, direction)
    }

    mutating func data(_ bytes: [UInt8], _ stream: UInt64, _ direction: Direction) {
        send(HTTP3Wire.frame(0, bytes), stream, direction)
    }

    /// A whole request without body.
    mutating func get(_ stream: UInt64, _ more: [(String, String)] = []) {
        headers(HTTP3Script.request("/\(stream)") + more, stream, 0)
        add(.finish, stream, 0)
    }

    /// A whole response.
    mutating func answer(_ stream: UInt64, _ status: Int = 200, body: Int = 0, _ more: [(String, String)] = []) {
        headers([(":status", "\(status)")] + more, stream, 1)
        if body > 0 { data([UInt8](repeating: 0x78, count: body), stream, 1) }
        add(.finish, stream, 1)
    }

    static func request(_ path: String, method: String = "GET") -> [(String, String)] {
        [(":method", method), (":scheme", "https"), (":authority", "host.test"), (":path", path)]
    }

    /// The same in pieces of `size` bytes.
    func dripped(_ size: Int) -> HTTP3Script {
        var script = HTTP3Script(capacity: nil)
        for turn in turns {
            guard case .bytes(let bytes) = turn.step else {
                script.turns.append(turn)
                continue
            }
            for start in stride(from: 0, to: bytes.count, by: size) {
                script.send(Array(bytes[start..<min(start + size, bytes.count)]), turn.stream, turn.direction)
            }
        }
        return script
    }

    /// The same steps of each direction of each stream in their order, and those of different streams in any.
    func shuffled(_ random: inout SeededRandom) -> HTTP3Script {
        var queues: [[UInt64]: [Turn]] = [:]
        for turn in turns { queues[[turn.stream, UInt64(turn.direction.index)], default: []].append(turn) }
        var keys = queues.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var script = HTTP3Script(capacity: nil)
        while !keys.isEmpty {
            let place = random.below(keys.count)
            let key = keys[place]
            script.turns.append(queues[key]![0])
            queues[key]!.removeFirst()
            if queues[key]!.isEmpty { keys.remove(at: place) }
        }
        return script
    }

    /// Bytes that came, by direction.
    var byteCounts: [Int] {
        Direction.both.map { direction in
            turns.reduce(0) { sum, turn in
                guard turn.direction == direction, case .bytes(let bytes) = turn.step else { return sum }
                return sum + bytes.count
            }
        }
    }

    /// What it comes to.
    func play(
        _ options: AuditOptions = AuditOptions(), isLate: Bool = false, examiner: (any BodyExaminer)? = nil,
        isOrderly: Bool = true
    ) -> HTTP3Outcome {
        HTTP3Outcome(self, LayerBench(options, examiner: examiner, joinsLate: isLate), isLate: isLate, isOrderly)
    }
}

/// What a script came to: exchanges with costs and facts, what the connection pays, and whether each byte was posted once,
/// at once or, of a stream's first bytes, by the end.
struct HTTP3Outcome: Equatable {
    var exchanges: [ConnectionOutcome.Exchange] = []
    var connection: [String] = []
    var headers: [[Int?]] = []
    var inserted: [[Int]] = []
    var hosts: [String] = []
    var interim: [Int] = []
    var isBalanced = true
    var findings: [FindingCode: Int] = [:]

    init(_ script: HTTP3Script, _ bench: LayerBench, isLate: Bool, _ isOrderly: Bool) {
        let http3 = HTTP3Connection(isLate: isLate)
        bench.tracker.requester = 0
        bench.tracker.multiplexed = http3
        for (number, turn) in script.turns.enumerated() {
            bench.shard.streams.attribution.packet.time = Int64(number)
            play(turn, bench, http3)
        }
        if isOrderly { bench.connection.facts.close = .fin }
        http3.finishAll(isOrderly: isOrderly, &bench.tracker, &bench.shard.streams)
        let posted = Direction.both.map { bench.costs($0).internet }
        isBalanced = isBalanced && posted == script.byteCounts && bench.shard.streams.buffered.heads == 0
        isBalanced = isBalanced && bench.shard.streams.buffered.fieldTables == 0
        connection = Direction.both.map { ConnectionOutcome.text(bench.memory.account[$0].unattributed) }
        inserted = insertions(bench)
        findings = bench.findings
        let records = bench.takeRecords()
        exchanges = records.map { ConnectionOutcome.Exchange($0) }
        headers = records.map { [$0.decodedHeaders.up, $0.decodedHeaders.down] }
        hosts = records.map { String(decoding: $0.host, as: UTF8.self) }
        interim = records.map { $0.response?.interim ?? 0 }
        isBalanced = isBalanced && http3.streams.values.allSatisfy { $0.message == nil } && http3.pushes.isEmpty
    }

    /// A few bytes at a stream's beginning may wait for their owner, and no others.
    private mutating func play(_ turn: HTTP3Script.Turn, _ bench: LayerBench, _ http3: HTTP3Connection) {
        let (id, direction) = (turn.stream, turn.direction)
        switch turn.step {
        case .bytes(let bytes):
            let before = bench.costs(direction).internet + (http3.streams[id]?[direction].heldBytes ?? 0)
            _ = http3.owner(of: id, direction, &bench.tracker, &bench.shard.streams)
            let span = unsafe bytes.span.bytes
            http3.receive(span, stream: id, direction, &bench.tracker, &bench.shard.streams)
            let held = http3.streams[id]?[direction].heldBytes ?? 0
            let after = bench.costs(direction).internet + held
            if after - before != bytes.count || held > 16 { isBalanced = false }
        case .finish: http3.finish(stream: id, direction, &bench.tracker, &bench.shard.streams)
        case .reset(let code):
            http3.reset(stream: id, by: direction, errorCode: code, &bench.tracker, &bench.shard.streams)
        case .stop: http3.stopSending(stream: id, by: direction, &bench.tracker, &bench.shard.streams)
        case .skip(let count): http3.skip(count, stream: id, direction, .gap, &bench.tracker, &bench.shard.streams)
        }
    }

    private func insertions(_ bench: LayerBench) -> [[Int]] {
        var list: [[Int]] = []
        var index = bench.tracker.first
        while index >= 0 {
            let exchange = bench.shard.streams.exchanges[Int(index)]
            list.append([exchange.request.inserted ?? -1, exchange.response.inserted ?? -1])
            index = bench.shard.streams.attribution.accounts[Int(index)].following
        }
        return list
    }

}
