import Testing
import WireTesting

@testable import WireCore

/// Connections whose first packets the capture lacks, or shows late: which response is whose is told by acknowledgments.
@Suite("Audit: packets missing at a connection's start")
struct LostStartTests {
    /// Four requests, each answered at once. The n-th response has n bytes of body.
    private static let talk = {
        var talk = Dialogue()
        talk.handshake()
        for number in 1...4 {
            talk.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(
                .server, "HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n" + String(repeating: "x", count: number))
        }
        talk.ack(.client)
        talk.close()
        return talk
    }()
    /// Places of the packets: SYN, SYN-ACK, ACK, then requests and responses in turn.
    private static func request(_ number: Int) -> Int { 1 + 2 * number }
    private static func response(_ number: Int) -> Int { 2 + 2 * number }

    private func captured(without lost: Set<Int>) -> AuditedCapture {
        let frames = Self.talk.frames.enumerated().filter { !lost.contains($0.offset) }.map(\.element)
        return audit(frames)
    }

    /// A response has as many bytes as its request's number, or none; a figure that is missing has its flag.
    private func check(_ capture: AuditedCapture, answered: Set<Int>, _ comment: Comment) {
        #expect(capture.contradictions == [], comment)
        for record in capture.exchanges {
            guard let path = record.path, let number = Int(String(decoding: path.dropFirst(), as: UTF8.self)) else {
                #expect(record.flags.contains(.noRequest), comment)
                continue
            }
            #expect((record.status == 200) == answered.contains(number), comment)
            if record.status == 200 {
                #expect(record.costs.down[.body] == number, comment)
            } else {
                #expect(record.flags.isSuperset(of: [.gap, .noResponse]), comment)
            }
        }
    }

    @Test("a later response is not taken for the first one's where the server's SYN and first responses are lost")
    func lostSynchronize() {
        for lost in 1...3 {
            for keepsAcknowledgment in [true, false] {
                let packets = Set([1] + (1...lost).map(Self.response) + (keepsAcknowledgment ? [] : [2]))
                let capture = captured(without: packets)
                #expect(capture.exchanges.count == 4)
                check(capture, answered: Set(lost + 1...4), "\(lost) lost, \(keepsAcknowledgment)")
                #expect(capture.connections[0].flags.contains(.gap))
                let unseen = (1...lost).reduce(0) { $0 + 38 + $1 }
                #expect(capture.connections[0].counts.down.unseen == unseen)
            }
        }
    }

    @Test("nothing is said to be missing where only the server's SYN is lost")
    func lostSynchronizeAlone() {
        let capture = captured(without: [1])
        check(capture, answered: [1, 2, 3, 4], "SYN alone")
        #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty })
        #expect(capture.connections[0].counts.down.unseen == 0)
    }

    @Test("the same in the other direction: the client's SYN and first requests are lost", arguments: 1...3)
    func lostClient(lost: Int) {
        let capture = captured(without: Set([0, 2] + (1...lost).map(Self.request)))
        check(capture, answered: Set(lost + 1...4), "\(lost) lost")
        #expect(capture.connections[0].counts.up.unseen == lost * 28)
        #expect(capture.exchanges.filter { $0.path == nil }.count == lost)
    }

    @Test("an acknowledgment of another connection's numbers tells nothing")
    func foreignAcknowledgment() {
        var frames = Self.talk.frames
        frames.removeSubrange(1...2)
        var stray = Dialogue()
        stray.send(.client, .ack, at: 0, acknowledging: -(1 << 25))
        frames.insert(stray.frames[0], at: 1)
        frames[1].time = frames[0].time + 1
        let capture = audit(frames)
        check(capture, answered: [1, 2, 3, 4], "stray")
        #expect(capture.connections[0].counts.down.unseen == 0)
    }

    @Test("calls whose packets come behind the late start of a direction leave a flag")
    func lateStart() {
        var frames = Self.talk.frames
        // The second request and its response, much later the beginning.
        let first = frames[0...4]
        frames.removeSubrange(0...4)
        frames.insert(contentsOf: first, at: 4)
        for place in frames.indices { frames[place].time = 1_000_000_000_000 + Int64(place) * 400_000_000 }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(Set(capture.exchanges.compactMap(\.path)).count < 4)
        #expect(capture.connections.contains { $0.flags.contains(.noStart) })
        #expect(capture.exchanges.contains { $0.flags.contains(.noStart) })
    }

    @Test("the first packets in any order", arguments: 0..<300 as Range<UInt64>)
    func shuffledStart(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var frames = Self.talk.frames
        frames[..<10].shuffle(using: &random)
        for place in frames.indices { frames[place].time = 1_000_000_000_000 + Int64(place) * 30_000 }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        for record in capture.exchanges where record.flags.isEmpty {
            let number = record.path.flatMap { Int(String(decoding: $0.dropFirst(), as: UTF8.self)) }
            #expect(record.status == 200 && record.costs.down[.body] == number, "seed \(seed)")
        }
        #expect(Set(capture.exchanges.compactMap(\.path)).count == 4, "seed \(seed)")
    }

    @Test("a reset that stands behind bytes that were not captured says that they are missing")
    func resetBehindMissing() {
        for missing in [0, 1, 2, 500] {
            var talk = Dialogue()
            talk.handshake()
            talk.data(.client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.lose(.server, missing)
            talk.rst(.server)
            // At one byte it may be the place of a FIN.
            #expect(talk.audit().connections[0].flags.contains(.gap) == (missing > 1), "\(missing)")
        }
    }
}
