import Testing
import WireCore
import WireTesting

@Suite("Audit: handshake")
struct HandshakeTests {
    static let scenarios = [
        Scenario("SYN, SYN with ACK, ACK", up: ["setup.tcp": 80], down: ["setup.tcp": 40]) { $0.handshake() },
        Scenario("options are part of the handshake", up: ["setup.tcp": 88], down: ["setup.tcp": 44]) { talk in
            talk.syn(.client) { $0.options = [.maximumSegmentSize(1460), .windowScale(7)] }
            talk.syn(.server) { $0.options = [.maximumSegmentSize(1400)] }
            talk.ack(.client)
        },
        Scenario("a SYN sent three times opens one connection", up: ["setup.tcp": 160], down: ["setup.tcp": 40]) {
            $0.syn(.client)
            $0.syn(.client)
            $0.handshake()
        },
        Scenario(
            "of two ACKs of a SYN sent twice, the first is handshake", up: ["setup.tcp": 80, "ack": 40],
            down: ["setup.tcp": 80]
        ) {
            $0.syn(.client)
            $0.syn(.server)
            $0.syn(.server)
            $0.ack(.client)
            $0.ack(.client)
        },
        Scenario("simultaneous open", up: ["setup.tcp": 80], down: ["setup.tcp": 80]) {
            $0.syn(.client)
            $0.syn(.server, acknowledges: false)
            $0.syn(.client, acknowledges: true)
            $0.syn(.server)
        },
        Scenario("an attempt without answer keeps its cost", up: ["setup.tcp": 80], down: [:]) {
            $0.syn(.client)
            $0.syn(.client)
        },
        Scenario("a refused attempt", up: ["setup.tcp": 40], down: ["teardown": 40], close: .reset) {
            $0.syn(.client)
            $0.rst(.server)
        },
        Scenario(
            "a request in place of the handshake's ACK is data",
            up: ["setup.tcp": 40, "tcpip": 40, "start_line": 16, "headers": 11], down: ["setup.tcp": 40]
        ) {
            $0.syn(.client)
            $0.syn(.server)
            $0.data(.client, Sample.request)
        },
        Scenario(
            "a SYN captured late is no other connection",
            up: ["setup.tcp": 40, "ack": 40, "tcpip": 40, "start_line": 16, "headers": 11],
            down: ["setup.tcp": 40, "tcpip": 40, "start_line": 17, "headers": 21, "body": 5]
        ) { talk in
            talk.handshake()
            talk.exchange()
            talk.frames.swapAt(1, 4)
            talk.frames.remove(at: 2)
        },
    ]

    @Test("books each packet of the handshake to set-up", arguments: scenarios)
    func booksHandshake(scenario: Scenario) throws { try scenario.check() }

    @Test("gives Fast Open's payload to its message and the SYN's headers to set-up")
    func booksFastOpen() throws {
        var talk = Dialogue()
        talk.syn(.client, Sample.request) { $0.options = [.fastOpenCookie([1, 2, 3, 4, 5, 6, 7, 8])] }
        talk.send(.server, [.syn, .ack], at: -1)
        talk.ack(.client)
        talk.data(.server, Sample.response)
        talk.ack(.client)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.exchanges.count == 1)
        #expect(
            capture.exchanges[0].costs.up.lines
                == ["start_line": 16, "headers": 11, "setup.tcp": 52 + 40, "ack": 40])
        #expect(capture.exchanges[0].costs.down.lines["setup.tcp"] == 40)
        #expect(capture.exchanges[0].request?.complete == true)
    }

    @Test("books Fast Open's payload that the server did not take and the client sends again as a retransmission")
    func booksRefusedFastOpen() throws {
        var talk = Dialogue()
        talk.syn(.client, Sample.request)
        talk.syn(.server)
        talk.ack(.client)
        talk.data(.client, Sample.request, at: 0)
        let capture = talk.audit()
        #expect(capture.contradictions == [])
        try #require(capture.exchanges.count == 1)
        #expect(
            capture.exchanges[0].costs.up.lines
                == ["start_line": 16, "headers": 11, "setup.tcp": 80, "retransmission": 67])
    }

    @Test("takes who sent the SYN for the client, whatever the ports and whoever asks")
    func findsClient() throws {
        var talk = Dialogue(clientPort: 20)
        talk.template.destinationPort = 60_000
        talk.handshake()
        talk.data(.client, "hello")
        var capture = talk.audit()
        #expect(capture.connections[0].client.port == 20)

        // Without its own SYN, the server's SYN with ACK tells as much.
        talk.frames.removeFirst()
        capture = talk.audit()
        #expect(capture.connections[0].client.port == 20)
        #expect(capture.contradictions == [])
    }

    @Test("without a SYN takes who asks for the client, else the higher port")
    func guessesClient() throws {
        var talk = Dialogue(clientPort: 20)
        talk.template.destinationPort = 60_000
        talk.data(.client, "nonsense")
        #expect(talk.audit().connections[0].client.port == 60_000)
        talk = Dialogue(clientPort: 20)
        talk.template.destinationPort = 60_000
        talk.exchange()
        let capture = talk.audit()
        #expect(capture.connections[0].client.port == 20)
        #expect(capture.connections[0].flags.contains(.noStart))
        #expect(capture.exchanges[0].flags == [.noStart])
        #expect(capture.contradictions == [])
    }
}
