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

    @Test(
        "connections of HTTP/2 at one time could have been one; of what steers them all that opens them counts",
        arguments: [0, 1, 20])
    func multiplexed(pings: Int) {
        var frames: [CapturedFrame] = []
        for number in 0..<2 as Range<UInt16> {
            var talk = HTTP2Talk(bare: LayeredConversation(port: 50_000 + number))
            talk.begin()
            talk.exchange(1)
            for _ in 0..<pings { talk.frames(.client, [.ping()]) }
            for var frame in talk.talk.talk.frames {
                frame.time += Int64(number) * 10_000
                frames.append(frame)
            }
        }
        let capture = audit(frames.sorted { $0.time < $1.time })
        #expect(capture.contradictions == [])
        let setup = capture.result.hosts.map(\.setup).first { $0.usedConnections > 0 }
        #expect(setup?.usedConnections == 2 && setup?.neededConnections == 1)
        // Preface, SETTINGS with two parameters, one without, and two acknowledgements, in three packets; a PING in one of its own.
        let (opening, ping) = (24 + 21 + 3 * 9, 17)
        let control = opening + 3 * 40 + pings * (ping + 40)
        #expect(setup?.reuseSaving == 120 + control * opening / (opening + pings * ping))
    }

    /// Several calls, at these seconds; behind the last one the connection stays open for so long.
    private func calls(at times: [Double], port: UInt16, open: Double = 0) -> [CapturedFrame] {
        var talk = Dialogue(clientPort: port)
        let start: Int64 = 1_000_000_000_000
        talk.time = start + Int64(times[0] * 1_000_000_000) - 1_000_000
        talk.handshake()
        for time in times {
            talk.time = start + Int64(time * 1_000_000_000)
            talk.data(.client, "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
            talk.time += 500_000_000
            talk.data(.server, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        }
        talk.time += Int64(open * 1_000_000_000)
        talk.close()
        return talk.frames
    }

    @Test(
        "a connection is busy while a call goes on, not between them",
        arguments: [(30.0, 1), (0.2, 2), (54.8, 2), (55.2, 2)])
    func pauses(time: Double, needed: Int) {
        for (open, policy) in [(0.0, SetupPolicy.first), (5, .first), (0, .separate), (5, .separate)] {
            var options = AuditOptions()
            options.setup = policy
            let frames = calls(at: [0, 55, 70], port: 50_000, open: open) + calls(at: [time], port: 50_001)
            let capture = audit(frames.sorted { $0.time < $1.time }, options)
            let setup = capture.result.hosts.first { $0.host == "a.test" }?.setup
            #expect(setup?.usedConnections == 2 && setup?.neededConnections == needed)
            let closed = capture.connections.first { $0.client.port == 50_001 }
            let cost = closed.map {
                $0.costs.up.setup + $0.costs.down.setup + $0.costs.up[.teardown] + $0.costs.down[.teardown]
            }
            #expect(setup?.reuseSaving == (needed == 1 ? cost : 0))
        }
    }

    @Test("pauses of two connections together carry the calls of a third")
    func pausesOfTwo() {
        let frames =
            calls(at: [0, 2, 4.8, 10], port: 50_000) + calls(at: [0.2, 8.2], port: 50_001)
            + calls(at: [1, 4.9, 8], port: 50_002)
        let capture = audit(frames.sorted { $0.time < $1.time })
        let setup = capture.result.hosts.first { $0.host == "a.test" }?.setup
        #expect(setup?.neededConnections == 2 && setup?.exchanges == 9)
    }

    /// Connections of HTTP/2 that begin one after another, each with a call that goes on until all have begun.
    private func parallel(_ settings: HTTP2Frame, goesAway: Bool) -> AuditedCapture {
        var frames: [CapturedFrame] = []
        for number in 0..<2 as Range<UInt16> {
            var talk = HTTP2Talk(bare: LayeredConversation(port: 50_000 + number))
            talk.begin()
            talk.frames(.server, [settings])
            talk.frames(.client, [.headers(1, talk.request("/"), endStream: true)])
            if goesAway { talk.frames(.server, [.goAway(last: 1)]) }
            talk.talk.talk.time += 1_000_000_000
            talk.frames(.server, [.headers(1, talk.response(), endStream: true)])
            for var frame in talk.talk.talk.frames {
                frame.time += Int64(number) * 10_000_000
                frames.append(frame)
            }
        }
        return audit(frames.sorted { $0.time < $1.time })
    }

    @Test("a busy connection of HTTP/2 takes no call where its server allows few, or wants no more")
    func limited() {
        let many = HTTP2Frame.settings([(3, 100)])
        for (settings, goesAway, needed) in [
            (many, false, 1), (HTTP2Frame.settings([(3, 1)]), false, 2), (HTTP2Frame.settings([(3, 99)]), false, 2),
            (many, true, 2),
        ] {
            let capture = parallel(settings, goesAway: goesAway)
            #expect(capture.contradictions == [])
            let setup = capture.result.hosts.map(\.setup).first { $0.usedConnections > 0 }
            #expect(setup?.usedConnections == 2 && setup?.neededConnections == needed)
            #expect((setup?.reuseSaving ?? 0 > 0) == (needed == 1))
        }
    }

    @Test("packets that only say close_notify are a part of closing")
    func closeNotify() {
        func saving(closes: Bool) -> Int? {
            var frames: [CapturedFrame] = []
            var keys = ""
            for number in 0..<2 as Range<UInt16> {
                var talk = LayeredConversation(.aes128GCM13, port: 50_000 + number, seed: UInt64(number) + 1)
                talk.exchange(0)
                if closes {
                    for side in [Dialogue.Side.client, .server] {
                        talk.sealOther(side, KnownRun.connection, .teardown) { $0.closeNotify(side) }
                        talk.sendRest(side)
                    }
                }
                talk.close()
                keys += talk.peers?.keyLog ?? ""
                for var frame in talk.talk.frames {
                    frame.time += Int64(number) * 10_000_000_000
                    frames.append(frame)
                }
            }
            let capture = audit(frames.sorted { $0.time < $1.time }, AuditOptions(), keys: keys)
            #expect(capture.contradictions == [])
            return capture.result.hosts.map(\.setup).first { $0.usedConnections > 0 }?.reuseSaving
        }
        // A record of 24 bytes and a header of 40 each.
        guard let with = saving(closes: true), let without = saving(closes: false) else {
            Issue.record("nothing was used")
            return
        }
        #expect(without > 0 && with - without == 2 * (24 + 40))
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
