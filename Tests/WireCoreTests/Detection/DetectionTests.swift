import Testing
import WireTesting

@testable import WireCore

@Suite("Detection of protocols")
struct DetectionTests {
    /// What a direction turns out to carry.
    enum Found: String, Sendable {
        case plain, records, frames, undecided, tunnel, proxyHeader

        init(_ direction: StreamDirection) {
            switch direction.carrier {
            case .stream: self = direction.messages == .tunnel ? .tunnel : .plain
            case .undecided: self = .undecided
            case .proxyHeader: self = .proxyHeader
            case .records: self = .records
            case .frames: self = .frames
            }
        }
    }

    struct Example: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var found: Found
        /// Bytes after which it is decided; fewer may be undecided.
        var decidedAt = 1
        /// Costs without packet headers, once the stream has ended.
        var costs: String
    }

    static let hello = TLSPeers(.aes128GCM13).withHandshake[0]
    private static let settings = HTTP2Frame.settings([(3, 100)]).bytes

    static let examples: [Example] = [
        Example(
            testDescription: "the preface of HTTP/2", bytes: HTTP2Frame.preface + settings, found: .frames,
            decidedAt: 24,
            costs: "setup.http \(24 + settings.count)"),
        Example(
            testDescription: "a ClientHello", bytes: hello, found: .records, decidedAt: 11,
            costs: "setup.tls \(hello.count)"),
        Example(
            testDescription: "a request that begins as the preface does", bytes: Array("PRI / HTTP/1.1\r\n\r\n".utf8),
            found: .plain, decidedAt: 7, costs: "start_line 16 headers 2"),
        Example(
            testDescription: "a request with the preface's first byte", bytes: Array("PUT / HTTP/1.1\r\n\r\n".utf8),
            found: .plain, decidedAt: 2, costs: "start_line 16 headers 2"),
        Example(
            testDescription: "what only begins as a record",
            bytes: [22, 3, 1, 0, 90, 7] + [UInt8](repeating: 46, count: 80),
            found: .plain, decidedAt: 6, costs: "opaque 86"),
        Example(
            testDescription: "the beginning of a hello, and no more", bytes: Array(hello.prefix(4)), found: .undecided,
            decidedAt: 5, costs: "opaque 4"),
        Example(
            testDescription: "nothing known", bytes: Array("SSH-2.0-nothing\r\n".utf8), found: .plain,
            costs: "opaque 17"),
    ]

    @Test("goes by the bytes, and loses none, however they come", arguments: examples)
    func detects(example: Example) {
        var pieces = (1..<example.bytes.count).map { [Array(example.bytes[..<$0]), Array(example.bytes[$0...])] }
        pieces.append([example.bytes])
        pieces.append(example.bytes.map { [$0] })
        for packets in pieces {
            let bench = LayerBench()
            var count = 0
            for packet in packets {
                bench.deliver(packet, 0)
                count += packet.count
                let found = Found(bench.memory.streams[0])
                let expected: Found =
                    count < example.decidedAt && count < example.bytes.count ? .undecided : example.found
                #expect(found == expected || found == example.found, "behind \(count) bytes of \(packets.map(\.count))")
            }
            #expect(Found(bench.memory.streams[0]) == example.found, "\(packets.map(\.count))")
            bench.finish()
            var costs = bench.costs(0)
            let headers = costs[.tcpip] + costs.handshakeHeaders
            costs[.setupTLS] -= costs.handshakeHeaders
            costs[.tcpip] = 0
            #expect(costs.text == example.costs, "\(packets.map(\.count))")
            #expect(headers == packets.count * LayerBench.headers.internet, "\(packets.map(\.count))")
            #expect(bench.shard.streams.buffered.records == 0)
            #expect(bench.shard.streams.attribution.pending.count == 0, "\(packets.map(\.count))")
        }
    }

    @Test("a gap, or a loss, ends the waiting for more of a beginning")
    func decidesAtGap() {
        let bench = LayerBench()
        bench.deliver(Array(Self.hello.prefix(4)), 0)
        #expect(Found(bench.memory.streams[0]) == .undecided)
        let claims = bench.skip(30, 0)
        #expect(claims.map(\.count) == [30])
        #expect(Found(bench.memory.streams[0]) == .plain)
        #expect(ConnectionOutcome(bench).isBalanced)
    }

    @Test("both directions are told apart: a ClientHello says nothing of what the server sends")
    func tellsDirectionsApart() {
        let bench = LayerBench()
        bench.deliver(Self.hello, 0)
        #expect(Direction.both.map { Found(bench.memory.streams[$0]) } == [.records, .plain])
        bench.deliver(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), 1)
        #expect(Found(bench.memory.streams[1]) == .plain)
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.map(\.status) == [400])
        #expect(outcome.costs.first?.last == "start_line 26 headers 2")
    }

    @Test(
        "a hello inside a tunnel opens records, which the exchange that opened the tunnel does not pay",
        arguments: [1, 3, 500])
    func detectsInTunnel(size: Int) {
        var talk = KnownDialogue()
        talk.say(0, 0, (.startLine, "CONNECT b:443 HTTP/1.1\r\n"), (.headers, "\r\n"))
        talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "\r\n"))
        talk.say(0, [KnownRun(Self.hello, KnownRun.connection, .setupTLS)])
        let bench = LayerBench()
        talk.play(bench, each: size)
        #expect(Found(bench.memory.streams[0]) == .records)
        bench.finish()
        var own = bench.memory.account[0].unattributed
        own[.setupTLS] -= own.handshakeHeaders
        #expect(own[.setupTLS] == Self.hello.count)
        let records = bench.takeRecords()
        #expect(records.map(\.flags.names) == [["tunnel"]])
        #expect(records.map { $0.costs.up.message } == [26] && records.map { $0.costs.up[.opaque] } == [0])
    }

    @Test("HTTP/2 inside TLS goes by the agreed protocol", arguments: [TLSSuite.aes128GCM12, .aes128GCM13])
    func detectsInsideRecords(suite: TLSSuite) {
        var peers = TLSPeers(suite, protocols: ["h2"])
        let flights = peers.handshake()
        let preface = peers.seal(.client, HTTP2Frame.preface + Self.settings)
        for size in [Int.max, 1] {
            let bench = LayerBench(keys: RecordLayerBench.keys(peers.keyLog))
            for (side, bytes) in flights.map({ ($0.side, $0.bytes) }) + [(.client, preface)] {
                var rest = bytes[...]
                while !rest.isEmpty {
                    bench.deliver(Array(rest.prefix(size)), Direction(side.rawValue))
                    rest = rest.dropFirst(size)
                }
            }
            #expect(Found(bench.memory.streams[0]) == .records)
            #expect(bench.memory.streams[0].messages == .http2 && bench.memory.streams[1].messages == .http1)
            #expect(bench.costs(0)[.setupHTTP] == 24 + Self.settings.count)
            #expect(bench.costs(0)[.tlsRecords] == preface.count - 24 - Self.settings.count)
        }
    }
}

extension TLSPeers {
    /// Flights of a handshake.
    fileprivate var withHandshake: [[UInt8]] {
        var peers = self
        return peers.handshake().map(\.bytes)
    }
}
