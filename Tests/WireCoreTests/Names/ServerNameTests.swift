import Testing
import WireTesting

@testable import WireCore

@Suite("Names of servers")
struct ServerNameTests {
    private static func answer(_ name: String, time: Int64) -> CapturedFrame {
        var packet = PacketBuilder()
        packet.transport = .udp
        packet.source = IPAddress(version4: 0x0808_0808)
        packet.destination = IPAddress(version4: 0x0A00_0001)
        packet.sourcePort = 53
        packet.destinationPort = 30_000
        packet.payload = DNSBytes.answer(name, identifier: 1, [[10, 0, 0, 2]])
        return CapturedFrame(time: time, packet)
    }

    /// A connection to 10.0.0.2; `answers`: names of DNS answers, by the number of frames in front of them.
    private static func names(withStart: Bool, _ answers: [(place: Int, name: String)]) -> [[UInt8]?] {
        var talk = Dialogue()
        talk.template.destination = IPAddress(version4: 0x0A00_0002)
        talk.handshake()
        let start = withStart ? 0 : talk.frames.count
        talk.exchange()
        talk.close()
        var frames = Array(talk.frames[start...])
        for answer in answers.reversed() {
            let time = answer.place < frames.count ? frames[answer.place].time : frames[frames.count - 1].time
            frames.insert(Self.answer(answer.name, time: time), at: answer.place)
        }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        return capture.connections.map(\.serverName)
    }

    @Test("are those that DNS had told when the connection began", arguments: [true, false])
    func beginnings(withStart: Bool) {
        let last = 4
        let cases: [([(place: Int, name: String)], String?)] = [
            ([(0, "a.test")], "a.test"), ([], nil), ([(1, "late.test")], nil), ([(last, "late.test")], nil),
            ([(0, "a.test"), (1, "late.test")], "a.test"), ([(0, "old.test"), (0, "a.test")], "a.test"),
        ]
        for (answers, name) in cases {
            #expect(Self.names(withStart: withStart, answers) == [name.map { Array($0.utf8) }], "\(answers)")
        }
    }
}
