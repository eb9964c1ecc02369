import WireCore
import WireTesting

/// A random conversation, and a slow but obvious account of what it must cost: one entry per byte of each direction.
struct RandomConversation {
    /// What an exchange must cost, by side.
    struct Costs: Equatable {
        var startLine = 0
        var headers = 0
        var body = 0
        var tcpip = 0
        var retransmission = 0
        var ack = 0
    }

    /// One direction, byte by byte.
    struct Stream {
        var bytes: [UInt8] = []
        var owner: [Int] = []
        var cause: [Cause] = []
        var isSeen: [Bool] = []
        var new = 0
        var repeated = 0
        /// How far the other side acknowledged it.
        var acknowledged = 0

        var unseen: Int {
            guard let last = isSeen.lastIndex(of: true) else { return 0 }
            return isSeen[..<last].count { !$0 }
        }
    }

    /// Chances in a hundred.
    struct Weather {
        var loss = 0
        var repetition = 20
        var overlap = 20
        var shuffles = true
    }

    private(set) var talk: Dialogue
    private(set) var streams = [Stream(), Stream()]
    private(set) var costs: [[Costs]] = []
    private var random: SeededRandom
    private let weather: Weather

    init(seed: UInt64, port: UInt16 = 51_234, weather: Weather = Weather()) {
        random = SeededRandom(seed: seed)
        self.weather = weather
        talk = Dialogue(clientPort: port)
        talk.interval = 20_000
        talk.initialSequence = [UInt32(truncatingIfNeeded: random.next()), UInt32(truncatingIfNeeded: random.next())]
        talk.handshake()
        for _ in 0..<1 + random.below(4) {
            let first = costs.count
            let count = 1 + random.below(3)
            for exchange in first..<first + count { addMessages(exchange) }
            sendNew(.client, first..<first + count)
            sendNew(.server, first..<first + count)
        }
        talk.fin(.client)
        talk.fin(.server)
    }

    private mutating func addMessages(_ exchange: Int) {
        costs.append([Costs(), Costs()])
        let body = [0, 1, 30, 400][random.below(4)]
        append(0, exchange, "POST /\(exchange) HTTP/1.1\r\n", "Content-Length: \(body)\r\n\r\n", body)
        let answer = [0, 2, 100, 1500][random.below(4)]
        append(1, exchange, "HTTP/1.1 200 OK\r\n", "Content-Length: \(answer)\r\n\r\n", answer)
    }

    private mutating func append(_ side: Int, _ exchange: Int, _ start: String, _ headers: String, _ body: Int) {
        for (cause, bytes) in [
            (Cause.startLine, Array(start.utf8)), (.headers, Array(headers.utf8)), (.body, random.bytes(body)),
        ] {
            streams[side].bytes += bytes
            streams[side].owner += [Int](repeating: exchange, count: bytes.count)
            streams[side].cause += [Cause](repeating: cause, count: bytes.count)
            streams[side].isSeen += [Bool](repeating: false, count: bytes.count)
        }
    }

    /// Sends the messages of some exchanges in pieces: shuffled, overlapping, repeated, or lost.
    private mutating func sendNew(_ side: Dialogue.Side, _ exchanges: Range<Int>) {
        let own = side.rawValue
        let begin = streams[own].owner.firstIndex { exchanges.contains($0) } ?? 0
        let end = streams[own].bytes.count
        var pieces: [Range<Int>] = []
        var start = begin
        while start < end {
            let length = min(end - start, 2 + random.below([10, 60, 900][random.below(3)]))
            let before = random.below(100) < weather.overlap ? random.below(20) : 0
            pieces.append(max(0, start - before)..<start + length)
            start += length
        }
        for piece in pieces where random.below(100) < weather.repetition { pieces.append(piece) }
        if random.below(100) < weather.repetition, begin > 40 { pieces.append(begin - 30..<begin - 10) }
        if weather.shuffles, random.oneIn(2) { pieces.shuffle(using: &random) }
        for piece in pieces {
            if random.below(100) >= weather.loss, piece.count > 1 { send(side, piece) }
            if random.oneIn(3) { acknowledge(side.other) }
        }
        // Nothing is left unsent unless it is to be lost.
        guard weather.loss == 0 else { return }
        while let gap = streams[own].isSeen.firstIndex(of: false) { send(side, gap..<min(gap + 50, end)) }
        acknowledge(side.other)
    }

    private mutating func send(_ side: Dialogue.Side, _ range: Range<Int>) {
        let own = side.rawValue
        let acknowledged = seenUpTo(side.other.rawValue)
        talk.data(
            side, Array(streams[own].bytes[range]), at: range.lowerBound, acknowledging: acknowledged)
        streams[1 - own].acknowledged = max(streams[1 - own].acknowledged, acknowledged)
        var newBytes: [(owner: Int, count: Int)] = []
        var oldBytes: [(owner: Int, count: Int)] = []
        for position in range {
            let owner = streams[own].owner[position]
            if streams[own].isSeen[position] {
                streams[own].repeated += 1
                costs[owner][own].retransmission += 1
                Self.count(owner, in: &oldBytes)
            } else {
                streams[own].isSeen[position] = true
                streams[own].new += 1
                Self.count(owner, in: &newBytes)
                switch streams[own].cause[position] {
                case .startLine: costs[owner][own].startLine += 1
                case .headers: costs[owner][own].headers += 1
                default: costs[owner][own].body += 1
                }
            }
        }
        for (owner, part) in Self.share(40, newBytes.isEmpty ? oldBytes : newBytes) {
            if newBytes.isEmpty {
                costs[owner][own].retransmission += part
            } else {
                costs[owner][own].tcpip += part
            }
        }
    }

    /// A bare acknowledgment of all that came without a hole, if it acknowledges anything new.
    private mutating func acknowledge(_ side: Dialogue.Side) {
        let other = side.other.rawValue
        let position = seenUpTo(other)
        guard position > streams[other].acknowledged else { return }
        streams[other].acknowledged = position
        costs[streams[other].owner[position - 1]][side.rawValue].ack += 40
        talk.ack(side, upTo: position)
    }

    private func seenUpTo(_ side: Int) -> Int {
        streams[side].isSeen.firstIndex(of: false) ?? streams[side].isSeen.count
    }

    private static func count(_ owner: Int, in list: inout [(owner: Int, count: Int)]) {
        if let index = list.firstIndex(where: { $0.owner == owner }) {
            list[index].count += 1
        } else {
            list.append((owner, 1))
        }
    }

    /// Whole parts by largest remainder, one byte at a time.
    private static func share(_ amount: Int, _ list: [(owner: Int, count: Int)]) -> [(Int, Int)] {
        let total = list.reduce(0) { $0 + $1.count }
        var parts = list.map { (owner: $0.owner, part: amount * $0.count / total, rest: amount * $0.count % total) }
        for _ in 0..<amount - parts.reduce(0, { $0 + $1.part }) {
            var best = 0
            for index in parts.indices where parts[index].rest > parts[best].rest { best = index }
            parts[best].part += 1
            parts[best].rest = -1
        }
        return parts.map { ($0.owner, $0.part) }
    }
}
