import Testing
import WireTesting

@testable import WireCore

/// Captures in which the two directions of a connection are shown out of step, as by a tap with two ports: every figure but
/// times equals that of the capture in order.
@Suite("Audit: order of the two directions")
struct DirectionOrderTests {
    /// The frames with the two directions interleaved anew. Each direction keeps its order; its frames come up to
    /// `reach` places earlier or later. Times ascend.
    private static func interleaved(_ frames: [CapturedFrame], reach: Int, _ random: inout SeededRandom)
        -> [CapturedFrame]
    {
        var latest: [[UInt8]: Int] = [:]
        // Half of the time one direction is shown late as a whole.
        let isSkew = random.oneIn(2)
        let late = random.below(2)
        var sources: [[UInt8]] = []
        let places = frames.enumerated().map { index, frame in
            let source = Array(frame.bytes[26..<30])
            if !sources.contains(source) { sources.append(source) }
            let delay = isSkew ? sources.firstIndex(of: source) == late ? reach : 0 : random.below(reach + 1)
            let place = max(index + delay, latest[source] ?? 0)
            latest[source] = place
            return place
        }
        let order = frames.indices.sorted { (places[$0], $0) < (places[$1], $1) }
        return zip(order, frames.map(\.time).sorted()).map { index, time in
            var frame = frames[index]
            frame.time = time
            return frame
        }
    }

    @Test(
        "costs each exchange what it cost in order, whatever is repeated and overlaps",
        arguments: 0..<10 as Range<UInt64>)
    func conversations(block: UInt64) {
        var options = AuditOptions()
        options.setup = .separate
        for seed in block * 12..<block * 12 + 12 {
            var random = SeededRandom(seed: seed)
            let model = RandomConversation(seed: seed)
            let frames = Self.interleaved(model.talk.frames, reach: random.element([1, 2, 5, 20, 100]), &random)
            let capture = audit(frames, options)
            #expect(capture.contradictions == [], "seed \(seed)")
            #expect(capture.result.ledger.balanced, "seed \(seed)")
            #expect(capture.connections.count == 1, "seed \(seed)")
            #expect(capture.exchanges.count == model.costs.count, "seed \(seed)")
            for (record, costs) in zip(capture.exchanges, model.costs) {
                let found = [record.costs.up, record.costs.down].map(RandomConversation.Costs.init)
                #expect(found == costs, "seed \(seed), exchange \(record.exchange)")
                #expect(record.flags == [] && record.status == 200, "seed \(seed), exchange \(record.exchange)")
                #expect(record.path == Array("/\(record.exchange)".utf8), "seed \(seed), exchange \(record.exchange)")
            }
        }
    }

    @Test("TLS and HTTP/2 are read as in order", arguments: 0..<10 as Range<UInt64>)
    func layers(block: UInt64) {
        for seed in block * 4..<block * 4 + 4 {
            var random = SeededRandom(seed: seed)
            let model = RandomLayers(seed: seed)
            var conversation = model.talk
            conversation.talk.frames = Self.interleaved(
                conversation.talk.frames, reach: random.element([1, 2, 5, 20, 100]), &random)
            let name = "seed \(seed), \(model.suite?.rawValue ?? "clear"), \(model.hasFrames ? "HTTP/2" : "HTTP/1.1")"
            let capture = conversation.check(name)
            #expect(capture.exchanges.allSatisfy { $0.flags.subtracting(.pushed).isEmpty }, "\(name)")
            #expect(capture.exchanges.allSatisfy { $0.status == 200 }, "\(name)")
            // What is acknowledged before it was captured shows two clocks.
            #expect(capture.result.findings.allSatisfy { $0.code == .clockSkew }, "\(name)")
            let paths = capture.exchanges.map { $0.path.map { String(decoding: $0, as: UTF8.self) } }
            #expect(paths == model.bodies.indices.map { "/\($0)" }, "\(name)")
        }
    }

    /// Conversations in which the order decides what a message means.
    static let talks: [EvasionCase] = [
        EvasionCase("an answer to HEAD", []) {
            $0.handshake()
            $0.data(.client, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            $0.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
            $0.data(.client, "GET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
            $0.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
            $0.close()
        },
        EvasionCase("100 Continue", []) {
            $0.handshake()
            for number in 0..<3 {
                $0.data(
                    .client, "PUT /\(number) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
                $0.data(.server, "HTTP/1.1 100 Continue\r\n\r\n")
                $0.data(.client, "abc")
                $0.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
                $0.ack(.client)
            }
            $0.close()
        },
        EvasionCase("a tunnel", []) {
            $0.handshake()
            $0.data(.client, "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n\r\n")
            $0.data(.server, "HTTP/1.1 200 OK\r\n\r\n")
            $0.data(.client, "\u{1}\u{2}\u{3}GET / HTTP/1.1\r\n\r\n")
            $0.data(.server, "\u{4}\u{5}")
            $0.close()
        },
        EvasionCase("requests without waiting, and a server that closes", []) {
            $0.handshake()
            for number in 0..<4 { $0.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n") }
            for number in 0..<3 {
                $0.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n" + "abc".prefix(number))
            }
            $0.data(.server, "HTTP/1.1 200 OK\r\n\r\nuntil the end")
            $0.fin(.server)
            $0.ack(.client)
            $0.fin(.client)
            $0.ack(.server)
        },
        EvasionCase("a reset behind an answer", []) {
            $0.handshake()
            for number in 0..<2 {
                $0.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                $0.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
            }
            $0.rst(.client)
        },
        EvasionCase("a refused connection", []) {
            $0.syn(.client)
            $0.send(.server, [.rst, .ack], at: -1, acknowledging: 0)
        },
    ]

    private static func facts(_ capture: AuditedCapture) -> [String] {
        capture.exchanges.map { record in
            let costs = [record.costs.up, record.costs.down].map(\.text)
            return "\(record.exchange) \(EvasionCase.line(record)) \(costs) \(record.unseenBytes)"
        }
            + capture.connections.map {
                "\($0.client) \($0.close.name) \($0.flags.names) \([$0.costs.up, $0.costs.down].map(\.text)) \($0.counts)"
            }
    }

    @Test("what a message means does not depend on when the capture shows the other direction", arguments: talks)
    func meanings(talk: EvasionCase) {
        var dialogue = Dialogue()
        talk.write(&dialogue)
        let whole = Self.facts(audit(dialogue.frames))
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let frames = Self.interleaved(dialogue.frames, reach: 1 + random.below(30), &random)
            #expect(Self.facts(audit(frames)) == whole, "seed \(seed)")
        }
    }

    @Test("with the order of the file, an answer before its request is another's")
    func fileOrder() {
        var dialogue = Dialogue()
        Self.talks[0].write(&dialogue)
        // Both answers in front of both requests.
        dialogue.frames.swapAt(3, 4)
        var options = AuditOptions()
        #expect(audit(dialogue.frames, options).exchanges.map { $0.costs.down[.body] } == [0, 2])
        options.ordersDirections = false
        #expect(audit(dialogue.frames, options).exchanges.map { $0.costs.down[.body] } != [0, 2])
    }
}
