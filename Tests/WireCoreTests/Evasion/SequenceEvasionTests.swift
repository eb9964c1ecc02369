import Testing
import WireCore
import WireTesting

/// Packets that were not meant for the receiver, or that it does not believe.
@Suite("Evasion: packets that the receiver drops")
struct SequenceEvasionTests {
    private static let answered = "GET / none 200 content-length"

    static let hopLimits = [
        EvasionCase(
            "a request that expires on its way, then the real one",
            findings: ["hop-limit-jump": 2, "inconsistent-retransmission": 1], [answered]
        ) {
            $0.handshake()
            $0.data(.client, Sample.request) { $0.timeToLive = 3 }
            $0.data(.client, "PUT / HTTP/1.1\r\nHost: b\r\n\r\n", at: 0)
            $0.data(.server, Sample.response)
        },
        EvasionCase(
            "a reset of another host", findings: ["hop-limit-jump": 1], [answered]
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.server, .rst, at: 43) { $0.timeToLive = 200 }
        },
        EvasionCase("routes that differ by a few hops", [answered]) {
            $0.handshake()
            $0.data(.client, Sample.request) { $0.timeToLive = 57 }
            $0.data(.client, Sample.request, at: 0) { $0.timeToLive = 71 }
            $0.data(.server, Sample.response) { $0.timeToLive = 60 }
        },
        EvasionCase(
            "a route that changed for good", findings: ["hop-limit-jump": 1],
            [
                answered, answered,
            ]
        ) { talk in
            talk.handshake()
            talk.exchange()
            talk.template.timeToLive = 120
            talk.data(.client, Sample.request)
            talk.template.timeToLive = 64
            talk.data(.server, Sample.response)
        },
    ]

    @Test("hop limits that jump are said", arguments: hopLimits)
    func noticesHopLimits(evasion: EvasionCase) { evasion.check() }

    /// Resets by the place of their sequence number after an exchange (27 bytes up, 43 down, all acknowledged).
    static let resets: [(place: Int, closes: Bool)] = [
        (43, true), (44, true), (42, true), (1000, true), (41, false), (0, false), (-1, false), (-100_000, false),
        (10_000_000, false), (1 << 30, false), (-(1 << 30), false),
    ]

    @Test("only a reset in the window closes the connection", arguments: resets.indices)
    func judgesResets(index: Int) {
        let (place, closes) = Self.resets[index]
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        talk.send(.server, .rst, at: place)
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "\(place)")
        #expect(capture.connections.map(\.close) == [closes ? .reset : .fin])
        #expect(capture.findingCounts == (closes ? [:] : ["reset-refused": 1]))
        #expect(capture.exchanges.map(\.status) == [200, 200])
        #expect(capture.connections[0].costs.down[.teardown] == 80)
    }

    static let handshakes = [
        EvasionCase(
            "a reset without acknowledgment before the server spoke", findings: ["reset-refused": 1],
            [answered]
        ) {
            $0.syn(.client)
            $0.send(.server, .rst, at: 77_777)
            $0.syn(.server)
            $0.ack(.client)
            $0.exchange()
        },
        EvasionCase(
            "one that acknowledges what was not sent", findings: ["reset-refused": 1], [answered]
        ) {
            $0.syn(.client)
            $0.send(.server, [.rst, .ack], at: 77_777, acknowledging: 5)
            $0.syn(.server)
            $0.ack(.client)
            $0.exchange()
        },
        EvasionCase("a refusal", []) {
            $0.syn(.client)
            $0.send(.server, [.rst, .ack], at: 123_456, acknowledging: 0)
        },
        EvasionCase("a reset is no beginning of a stream", [answered + " no-start"]) {
            $0.send(.server, .rst, at: 99_999)
            $0.time += 1_000_000
            $0.exchange()
        },
    ]

    @Test("resets while the connection opens", arguments: handshakes)
    func judgesEarlyResets(evasion: EvasionCase) { evasion.check() }

    static let ends = [
        EvasionCase(
            "a FIN beyond the data, then the real one", findings: ["end-contradiction": 1],
            [
                "GET / none 200 close"
            ]
        ) {
            $0.handshake()
            $0.data(.client, Sample.request)
            $0.data(.server, "HTTP/1.1 200 OK\r\n\r\nhello")
            $0.send(.server, [.ack, .fin], at: 1000)
            $0.fin(.server, " world")
            $0.fin(.client)
        },
        EvasionCase(
            "a FIN before data that was sent", findings: ["end-contradiction": 1],
            [
                "GET / none 200 close… no-end"
            ]
        ) {
            $0.handshake()
            $0.data(.client, Sample.request)
            $0.data(.server, "HTTP/1.1 200 OK\r\n\r\nhello")
            $0.send(.server, [.ack, .fin], at: 20)
            $0.fin(.client)
        },
        EvasionCase(
            "data behind a FIN", findings: ["end-contradiction": 2],
            [
                "GET / none 200 content-length", "GET / none - - no-response",
            ]
        ) {
            $0.handshake()
            $0.exchange()
            $0.close()
            $0.data(.client, Array(Sample.request.utf8.dropFirst(10)), at: 37)
            $0.data(.client, Array(Sample.request.utf8.prefix(10)), at: 27)
        },
        EvasionCase("a FIN sent again", [answered]) {
            $0.handshake()
            $0.exchange()
            $0.close()
            $0.fin(.client)
            $0.fin(.server)
        },
    ]

    @Test("a FIN at two places, and data behind it", arguments: ends)
    func noticesEnds(evasion: EvasionCase) { evasion.check() }

    static let oddities = [
        EvasionCase("urgent data is part of the stream", findings: ["urgent-data": 1], [answered]) {
            $0.handshake()
            $0.send(.client, [.ack, .urg], at: 0, Array(Sample.request.utf8))
            $0.lose(.client, 27)
            $0.data(.server, Sample.response)
        },
        EvasionCase(
            "segments beyond any window", findings: ["refused-segment": 2],
            [
                answered, answered,
            ]
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .ack, at: 1 << 29, Array("stray".utf8))
            $0.send(.client, .ack, at: -(1 << 29), Array("stray".utf8))
            $0.exchange()
        },
        EvasionCase(
            "a segment far ahead is overtaken by the stream",
            findings: ["inconsistent-retransmission": 1, "message-malformed": 1],
            [answered, "GET /evilP/1.1 none - - no-end no-response malformed"]
        ) {
            $0.handshake()
            $0.send(.client, .ack, at: 32, Array("evil".utf8))
            $0.exchange()
            $0.data(.client, Sample.request)
        },
        EvasionCase(
            "all flags at once", findings: ["end-contradiction": 1, "refused-segment": 1, "reset-refused": 1],
            [answered]
        ) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, [.fin, .psh, .urg], at: -70_000)
            $0.send(.client, [], at: 27)
            $0.send(.client, [.rst, .urg, .psh, .fin], at: -70_000, [1, 2, 3])
        },
    ]

    @Test("urgent data, strays and flags that contradict each other", arguments: oddities)
    func takesOddities(evasion: EvasionCase) { evasion.check() }

    static let synchronizes = [
        EvasionCase("a forged SYN", findings: ["syn-in-connection": 1], [answered, answered]) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .syn, at: 1 << 30)
            $0.exchange()
        },
        EvasionCase("a forged SYN and its answer", findings: ["syn-in-connection": 1], [answered, answered]) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .syn, at: 1 << 30)
            $0.send(.server, [.syn, .ack], at: -(1 << 30), acknowledging: 1 + 1 << 30)
            $0.exchange()
        },
        EvasionCase("a SYN with the same number", findings: ["repeats-unproved": 1], [answered, answered]) {
            $0.handshake()
            $0.exchange()
            $0.send(.client, .syn, at: -1)
            $0.exchange()
        },
    ]

    @Test("a SYN inside of a connection: another begins, and the streams go on in it", arguments: synchronizes)
    func takesSynchronizes(evasion: EvasionCase) { evasion.check() }
}
