import Testing
import WireTesting

@testable import WireCore

@Suite("An upgrade of HTTP/1 to HTTP/2, told to the streams without packets")
struct UpgradeToHTTP2Tests {
    private static let request = """
        GET /first HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\
        Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n
        """
    private static let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"

    private static func setUp(_ bytes: [UInt8]) -> KnownRun { KnownRun(bytes, KnownRun.connection, .setupHTTP) }

    /// The request is the exchange's; that it was made in HTTP/1 was set-up of the connection.
    private static let dialogue: KnownDialogue = {
        var talk = KnownDialogue()
        var encoder = HTTP2FieldEncoder()
        let block = encoder.response()
        talk.say(0, [setUp(Array(request.utf8))])
        talk.say(1, [setUp(Array(switching.utf8) + HTTP2Frame.settings().bytes)])
        talk.say(0, [setUp(HTTP2Frame.preface + HTTP2Frame.settings().bytes)])
        let first = [HTTP2Frame.headers(1, block), .data(1, .filler(10), endStream: true)]
        talk.say(1, first.flatMap { $0.runs(0) })
        talk.say(0, HTTP2Frame.headers(3, encoder.request("/3"), endStream: true).runs(1))
        talk.say(1, HTTP2Frame.headers(3, encoder.response(), endStream: true).runs(1))
        return talk
    }()

    private func check(_ outcome: ConnectionOutcome, _ comment: Comment) {
        #expect(outcome.costs == Self.dialogue.costs(exchanges: 2), comment)
        #expect(outcome.exchanges.map(\.target) == ["/first", "/3"], comment)
        #expect(outcome.exchanges.map(\.status) == [200, 200], comment)
        #expect(outcome.exchanges.map(\.flags) == [[], []], comment)
        #expect(outcome.isBalanced, comment)
    }

    @Test("the request becomes stream 1, and what both sides said in HTTP/1 is set-up")
    func upgrades() {
        let bench = LayerBench()
        Self.dialogue.play(bench)
        check(ConnectionOutcome(bench), "one packet a turn")
    }

    @Test("a cut at any place changes nothing")
    func survivesCuts() {
        for (turn, place) in Self.dialogue.cuts {
            let bench = LayerBench()
            Self.dialogue.play(bench, cut: turn, at: place)
            check(ConnectionOutcome(bench), "packet \(turn) cut at \(place)")
        }
        for size in [1, 2, 3, 5, 11] {
            let bench = LayerBench()
            Self.dialogue.play(bench, each: size)
            check(ConnectionOutcome(bench), "packets of \(size) bytes")
        }
    }

    @Test("a capture that ends behind 101: the request is stream 1 without a response, and the upgrade set-up")
    func endsBehindSwitching() {
        var talk = KnownDialogue()
        talk.say(0, [Self.setUp(Array(Self.request.utf8))])
        talk.say(1, [Self.setUp(Array(Self.switching.utf8))])
        let whole = talk
        talk.say(0, [Self.setUp(HTTP2Frame.preface + HTTP2Frame.settings().bytes)])
        for (name, talk) in [("nothing behind it", whole), ("the client's preface", talk)] {
            let bench = LayerBench()
            talk.play(bench)
            let outcome = ConnectionOutcome(bench, isOrderly: false)
            #expect(outcome.exchanges.map(\.target) == ["/first"], "\(name)")
            #expect(outcome.exchanges.map(\.status) == [0], "\(name)")
            #expect(outcome.exchanges.map(\.flags) == [["no-end", "no-response"]], "\(name)")
            #expect(outcome.costs == talk.costs(exchanges: 1), "\(name)")
            #expect(outcome.isBalanced, "\(name)")
        }
    }

    @Test("101 that names another protocol stays the response of its exchange")
    func switchesElsewhere() {
        let bench = LayerBench()
        var talk = KnownDialogue()
        talk.say(0, 0, (.startLine, "GET /ws HTTP/1.1\r\n"), (.headers, "Host: a\r\nUpgrade: websocket\r\n\r\n"))
        talk.say(
            1, 0, (.startLine, "HTTP/1.1 101 Switching\r\n"),
            (.headers, "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"))
        talk.play(bench)
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.map(\.status) == [101])
        #expect(outcome.costs == talk.costs(exchanges: 1))
    }

    @Test("an upgrade that the server declines leaves HTTP/1")
    func declines() {
        let bench = LayerBench()
        var talk = KnownDialogue()
        talk.say(0, [KnownRun(Array(Self.request.utf8), 0, .headers)])
        talk.say(1, 0, (.startLine, "HTTP/1.1 200 OK\r\n"), (.headers, "Content-Length: 2\r\n\r\n"), (.body, "ok"))
        talk.play(bench)
        let outcome = ConnectionOutcome(bench)
        #expect(outcome.exchanges.map(\.response) == ["HTTP/1.1 contentLength whole"])
        #expect(outcome.connection == ["", ""])
        #expect(outcome.exchanges.map { $0.costs[1] } == [talk.costs(exchanges: 1)[0][1]])
    }
}
