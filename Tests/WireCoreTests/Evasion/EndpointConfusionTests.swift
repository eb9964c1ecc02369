import Testing
import WireTesting

@testable import WireCore

/// Connections of which it is not plain who is who, or which connection a packet belongs to.
@Suite("Evasion: mixed endpoints")
struct EndpointConfusionTests {
    private static let answered = "GET / none 200 content-length"

    static let roles = [
        EvasionCase("the server speaks first", [answered]) {
            $0.handshake()
            $0.data(.server, "220 welcome\r\n")
            $0.exchange()
        },
        EvasionCase("an answer before any request is the first request's", [answered]) {
            $0.handshake()
            $0.data(.server, Sample.response)
            $0.data(.client, Sample.request, acknowledging: 0)
        },
        EvasionCase("simultaneous open", [answered]) {
            $0.syn(.client)
            $0.syn(.server, acknowledges: false)
            $0.syn(.client, acknowledges: true)
            $0.syn(.server)
            $0.exchange()
        },
        EvasionCase(
            "half open: no answer to anything", findings: ["stream-gap": 1], ["GET / none - - no-end no-response"]
        ) {
            $0.syn(.client)
            $0.ack(.client)
            $0.data(.client, Sample.request)
        },
        EvasionCase(
            "only the server's half", findings: ["stream-gap": 1],
            ["- - - 200 content-length no-start no-end no-request"]
        ) {
            $0.lose(.client, 27)
            $0.data(.server, Sample.response)
        },
    ]

    @Test("who asks and who answers", arguments: roles)
    func findsRoles(evasion: EvasionCase) { evasion.check() }

    @Test("requests of both sides: the first one's sender is the client, the other's are opaque")
    func mixesRequests() {
        var talk = Dialogue()
        talk.handshake()
        talk.data(.client, Sample.request)
        talk.data(.server, Sample.request)
        talk.data(.client, Sample.response)
        talk.data(.server, Sample.response)
        talk.close()
        let capture = checkEvasion(talk.frames, "both ask")
        #expect(capture.connections.count == 1)
        #expect(capture.exchanges.first?.method.map { String(decoding: $0, as: UTF8.self) } == "GET")
        #expect(capture.findings(.messageMalformed) > 0)
        let costs = capture.connections[0].costs
        #expect(costs.up.message + costs.up[.opaque] == 70)
        #expect(costs.down.message + costs.down[.opaque] == 70)
    }

    @Test("a connection of a host with itself, on one port", arguments: [0, 80] as [UInt16])
    func connectsToItself(port: UInt16) {
        var talk = Dialogue(clientPort: port)
        talk.template.destinationPort = port
        talk.template.destination = talk.template.source
        talk.handshake()
        talk.exchange()
        talk.close()
        let capture = checkEvasion(talk.frames, "port \(port)")
        #expect(capture.connections.count > 0)
        #expect(capture.result.ledger.bytes == capture.frameBytes)

        // One sequence space, as such a connection really has.
        talk = Dialogue(clientPort: port)
        talk.template.destinationPort = port
        talk.template.destination = talk.template.source
        talk.initialSequence = [1000, 1000]
        talk.syn(.client)
        talk.ack(.client, upTo: 0)
        talk.data(.client, Sample.request)
        talk.data(.client, Sample.response)
        talk.fin(.client)
        let own = checkEvasion(talk.frames, "port \(port), one sequence space")
        #expect(own.connections.count == 1)
        #expect(own.exchanges.first?.request?.complete == true)
    }

    @Test("ports of client and server turned round make another connection, unless they are equal")
    func turnsPorts() {
        var talk = Dialogue(clientPort: 80)
        talk.template.destinationPort = 51_234
        talk.handshake()
        talk.exchange()
        var other = Dialogue(clientPort: 51_234)
        other.time = talk.time
        other.initialSequence = [70_000, 90_000]
        other.handshake()
        other.exchange()
        let capture = checkEvasion(talk.frames + other.frames, "turned round")
        #expect(capture.connections.map(\.client.port) == [80, 51_234])
        #expect(capture.exchanges.map(\.connection) == [0, 1])
    }

    /// New initial sequence numbers relative to the old ones, all inside of the old sequence space.
    @Test(
        "addresses and ports used again at once, in the same sequence space", arguments: [1, 20, 28, 200, 60_000, -5])
    func reusesAtOnce(distance: Int) {
        for closes in [true, false] {
            var talk = Dialogue()
            talk.handshake()
            talk.exchange()
            if closes { talk.close() }
            var next = Dialogue()
            next.time = talk.time
            next.initialSequence = talk.initialSequence.map { $0 &+ UInt32(truncatingIfNeeded: distance) }
            next.handshake()
            next.exchange()
            next.close()
            let capture = checkEvasion(talk.frames + next.frames, "distance \(distance), closed: \(closes)")
            #expect(capture.connections.count == 2)
            #expect(capture.exchanges.map(\.connection) == [0, 1])
            #expect(capture.exchanges.allSatisfy { $0.response?.complete == true })
            #expect(capture.connections.allSatisfy { $0.counts.up.syn == 1 && $0.counts.down.syn == 1 })
            #expect(capture.findings(.inconsistentRetransmission) == 0)
        }
    }
}
