import Testing
import WireCore
import WireTesting

@Suite("Audit: reuse of connections")
struct ConnectionReuseTests {
    /// A connection with one call: begins at a second, and the answer takes so many.
    struct Talk: Sendable {
        var begin: Double
        var wait = 0.01
        var host = "a.test"
        var request = "GET / HTTP/1.1\r\n"
        var response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        var resets = false

        func frames(port: UInt16) -> [CapturedFrame] {
            var talk = Dialogue(clientPort: port)
            talk.time = 1_000_000_000_000 + Int64(begin * 1_000_000_000)
            talk.handshake()
            guard !request.isEmpty else {
                talk.close()
                return talk.frames
            }
            talk.data(.client, "\(request)Host: \(host)\r\n\r\n")
            talk.time += Int64(wait * 1_000_000_000)
            talk.data(.server, response)
            if resets { talk.rst(.server) } else { talk.close() }
            return talk.frames
        }
    }

    private static let upgrade = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: upgrade\r\n\r\n"
    private static let cut = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello"
    private static let cases: [(name: String, talks: [Talk], used: Int, needed: Int)] = [
        ("one by one", (0..<4).map { Talk(begin: Double($0)) }, 4, 1),
        ("all at one time", (0..<4).map { Talk(begin: Double($0) / 100, wait: 2) }, 4, 4),
        ("three hosts at one address", (0..<3).map { Talk(begin: Double($0), host: "h\($0).test") }, 3, 3),
        ("an hour apart", (0..<3).map { Talk(begin: Double($0) * 3600) }, 3, 3),
        ("one without a call", [Talk(begin: 0), Talk(begin: 1, request: "")], 1, 1),
        (
            "behind an upgrade",
            [
                Talk(
                    begin: 0, request: "GET / HTTP/1.1\r\nUpgrade: chat\r\nConnection: upgrade\r\n", response: upgrade),
                Talk(begin: 1),
            ], 2, 2
        ),
        ("behind one that broke", [Talk(begin: 0, response: cut, resets: true), Talk(begin: 1)], 2, 2),
    ]

    @Test("the saving is the set-up and closing of connections that were not needed", arguments: cases.indices)
    func saving(index: Int) {
        let example = Self.cases[index]
        let frames = example.talks.enumerated().flatMap { $1.frames(port: 50_000 + UInt16($0)) }
            .sorted { $0.time < $1.time }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        let setups = capture.result.hosts.map(\.setup)
        #expect(setups.reduce(0) { $0 + $1.usedConnections } == example.used, "\(example.name)")
        #expect(setups.reduce(0) { $0 + $1.neededConnections } == example.needed, "\(example.name)")
        // Three packets to open and three to close, of 40 bytes.
        #expect(setups.reduce(0) { $0 + $1.reuseSaving } == (example.used - example.needed) * 240, "\(example.name)")
    }

    @Test("connections of HTTP/2 at one time could have been one; what steers them is not counted")
    func multiplexed() {
        var frames: [CapturedFrame] = []
        for number in 0..<2 as Range<UInt16> {
            var talk = HTTP2Talk(bare: LayeredConversation(port: 50_000 + number))
            talk.begin()
            talk.exchange(1)
            for var frame in talk.talk.talk.frames {
                frame.time += Int64(number) * 10_000
                frames.append(frame)
            }
        }
        let capture = audit(frames.sorted { $0.time < $1.time })
        #expect(capture.contradictions == [])
        let setup = capture.result.hosts.map(\.setup).first { $0.usedConnections > 0 }
        #expect(setup?.usedConnections == 2 && setup?.neededConnections == 1)
        let steering = capture.connections.map { $0.costs.up[.setupHTTP] + $0.costs.down[.setupHTTP] }
        #expect(steering.allSatisfy { $0 > 0 })
        let whole = capture.connections[1].costs
        let setUp = whole.up.setup + whole.down.setup + whole.up[.teardown] + whole.down[.teardown]
        #expect(setup?.reuseSaving == setUp - steering[1])
    }

    @Test("of TLS that was not read, connections that were open at one time were needed")
    func unread() {
        func capture(apart seconds: Double) -> AuditedCapture {
            var frames: [CapturedFrame] = []
            for number in 0..<3 as Range<UInt16> {
                var talk = LayeredConversation(.aes128GCM13, port: 50_000 + number)
                talk.exchange(0)
                for var frame in talk.talk.frames {
                    frame.time += Int64(Double(number) * seconds * 1_000_000_000)
                    frames.append(frame)
                }
            }
            return audit(frames.sorted { $0.time < $1.time })
        }
        let later = capture(apart: 1).result.hosts.map(\.setup).first { $0.usedConnections > 0 }
        #expect(later?.unreadConnections == 3 && later?.neededConnections == 1)
        let together = capture(apart: 0.000_01).result.hosts.map(\.setup).first { $0.usedConnections > 0 }
        #expect(together?.neededConnections == 3 && together?.reuseSaving == 0)
    }
}
