import WireCore
import WireTesting

/// Text of a message with the cause its bytes have.
struct Part: Sendable {
    var cause: Cause
    /// Whose it is; below 0 is the connection's own.
    var exchange: Int
    var text: String

    static func start(_ text: String, _ exchange: Int = 0) -> Part {
        Part(cause: .startLine, exchange: exchange, text: text)
    }
    static func headers(_ text: String, _ exchange: Int = 0) -> Part {
        Part(cause: .headers, exchange: exchange, text: text)
    }
    static func framing(_ text: String, _ exchange: Int = 0) -> Part {
        Part(cause: .framing, exchange: exchange, text: text)
    }
    static func body(_ text: String, _ exchange: Int = 0) -> Part {
        Part(cause: .body, exchange: exchange, text: text)
    }
    static func opaque(_ text: String, _ exchange: Int = -1) -> Part {
        Part(cause: .opaque, exchange: exchange, text: text)
    }
}

/// What one side sends before the other one speaks.
struct Turn: Sendable {
    var side: Dialogue.Side
    var parts: [Part]
    var bytes: [UInt8] { parts.flatMap { Array($0.text.utf8) } }

    static func client(_ parts: Part...) -> Turn { Turn(side: .client, parts: parts) }
    static func server(_ parts: Part...) -> Turn { Turn(side: .server, parts: parts) }
    static func get(_ exchange: Int = 0) -> Turn {
        .client(.start("GET /a HTTP/1.1\r\n", exchange), .headers("Host: h\r\n\r\n", exchange))
    }
}

/// An HTTP conversation whose every byte is labelled with its cause and owner.
struct MessageCase: Sendable {
    struct Facts: Sendable, Equatable {
        var request: BodyFraming?
        var response: BodyFraming?
        var status: Int?
        var flags: RecordFlags = []
        var isComplete = true
    }

    var testDescription: String
    var facts: [Facts]
    var turns: [Turn]
    /// Both sides send a FIN at the end.
    var closes = true

    /// Writes the conversation with each turn cut at the places that `cuts` gives for it.
    func dialogue(port: UInt16 = 51_234, cuts: (_ turn: Int, _ count: Int) -> [Int] = { _, _ in [] }) -> Dialogue {
        var talk = Dialogue(clientPort: port)
        talk.handshake()
        for (index, turn) in turns.enumerated() {
            let bytes = turn.bytes
            let ends = cuts(index, bytes.count) + [bytes.count]
            var start = 0
            for end in ends where end > start {
                talk.data(turn.side, Array(bytes[start..<end]))
                start = end
            }
        }
        if closes {
            talk.fin(.server)
            talk.fin(.client)
        }
        return talk
    }

    /// Compares a connection's records with the labels; describes what differs.
    func differences(_ connection: Int, _ exchanges: [ExchangeRecord], _ capture: AuditedCapture) -> [String] {
        var list: [String] = []
        if exchanges.count != facts.count { return ["\(exchanges.count) exchanges"] }
        for (index, record) in exchanges.enumerated() {
            for side in Dialogue.Side.allCases {
                let costs = side == .client ? record.costs.up : record.costs.down
                for cause in [Cause.startLine, .headers, .framing, .body, .opaque] {
                    let expected = bytes(side, cause, index)
                    if costs[cause] != expected {
                        list.append("\(index) \(side) \(cause.name): \(costs[cause]), not \(expected)")
                    }
                }
            }
            let isComplete = (record.request?.complete ?? true) && (record.response?.complete ?? true)
            let found = Facts(
                request: record.request?.framing, response: record.response?.framing, status: record.status,
                flags: record.flags, isComplete: isComplete)
            if found != facts[index] { list.append("\(index): \(found)") }
        }
        let opaque = capture.connections[connection].costs.down[.opaque]
        let expected = (-1..<facts.count).reduce(0) { $0 + bytes(.server, .opaque, $1) }
        if opaque != expected { list.append("\(opaque) opaque bytes, not \(expected)") }
        return list
    }

    private func bytes(_ side: Dialogue.Side, _ cause: Cause, _ exchange: Int) -> Int {
        var sum = 0
        for turn in turns where turn.side == side {
            for part in turn.parts where part.cause == cause && part.exchange == exchange {
                sum += part.text.utf8.count
            }
        }
        return sum
    }
}
