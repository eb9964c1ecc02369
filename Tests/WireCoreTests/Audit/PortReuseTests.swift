import Testing
import WireTesting

@testable import WireCore

/// A port is used again within milliseconds, and packets of the earlier connection stand behind the SYN of the next one.
@Suite("Audit: ports used again at once")
struct PortReuseTests {
    /// Three connections one after the other, with the same ports, of one call each. The n-th response has n bytes of body.
    /// Initial sequence numbers rise with time, as those of many systems do (RFC 9293 §3.4.1).
    private static let frames: [[CapturedFrame]] = {
        var time = Dialogue().time
        return (1...3).map { number in
            var talk = Dialogue()
            talk.time = time
            talk.interval = 50_000
            talk.initialSequence = [1000, 5000].map { $0 + UInt32(number) * 60_000 }
            talk.handshake()
            talk.data(.client, "GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
            talk.data(
                .server, "HTTP/1.1 200 OK\r\nContent-Length: \(number)\r\n\r\n" + String(repeating: "x", count: number))
            talk.close()
            time = talk.time
            return talk.frames
        }
    }()
    private static var count: Int { frames[0].count }
    private static let inOrder = Array(frames.joined())

    private func path(_ record: ExchangeRecord) -> String? {
        record.path.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Times are those of the places, as a capturing program gives them out.
    private func timed(_ frames: [CapturedFrame]) -> [CapturedFrame] {
        frames.enumerated().map { place, frame in
            var frame = frame
            frame.time = Self.inOrder[0].time + Int64(place) * 50_000
            return frame
        }
    }

    /// A packet with another identification: the network's copy, not the capture's.
    private func sentAgain(_ frame: CapturedFrame) -> CapturedFrame {
        var frame = frame
        let checksum = Int(frame.bytes[24]) << 8 | Int(frame.bytes[25])
        let changed = checksum - 0x1000 - (checksum < 0x1000 ? 1 : 0)
        frame.bytes[18] &+= 0x10
        (frame.bytes[24], frame.bytes[25]) = (UInt8(changed >> 8 & 0xff), UInt8(changed & 0xff))
        return frame
    }

    private func checkWhole(_ capture: AuditedCapture, _ comment: Comment) {
        #expect(capture.contradictions == [], comment)
        #expect(capture.exchanges.map(path) == ["/1", "/2", "/3"], comment)
        #expect(capture.exchanges.map { $0.costs.down[.body] } == [1, 2, 3], comment)
        #expect(capture.exchanges.allSatisfy { $0.flags.isEmpty }, comment)
        #expect(capture.connections.count == 3, comment)
    }

    @Test("in order each call has its connection")
    func ordered() { checkWhole(audit(Self.inOrder), "in order") }

    @Test("a packet that comes behind the next connection's SYN belongs to its own", arguments: 0..<7)
    func moved(place: Int) {
        // Before its SYN and before its request nobody knows of a connection, or of a call.
        for behind in (1..<6) where place >= 4 {
            var frames = Self.inOrder
            let frame = frames.remove(at: place)
            frames.insert(frame, at: Self.count + behind)
            checkWhole(audit(timed(frames)), "\(place) moved \(behind) behind the SYN")
        }
    }

    @Test("a packet that comes a second time much later belongs to its own connection", arguments: 0..<7)
    func copied(place: Int) {
        for connection in 0..<2 {
            for behind in Self.count * (connection + 1) + 1..<Self.inOrder.count {
                var frames = Self.inOrder
                frames.insert(sentAgain(Self.frames[connection][place]), at: behind)
                let capture = audit(timed(frames))
                #expect(capture.contradictions == [])
                #expect(capture.exchanges.map(path) == ["/1", "/2", "/3"], "\(connection) \(place) at \(behind)")
                #expect(capture.exchanges.map { $0.costs.down[.body] } == [1, 2, 3])
                #expect(
                    capture.connections.map { $0.counts.up.packets + $0.counts.down.packets }
                        == (0..<3).map { Self.count + ($0 == connection ? 1 : 0) })
            }
        }
    }

    @Test(
        "a late copy of the SYN, whose original is not captured, begins no connection behind the end",
        arguments: [60, 2000])
    func lateSynchronize(milliseconds: Int64) {
        var talk = Dialogue()
        talk.handshake()
        talk.exchange()
        let begin = talk.frames.count
        talk.data(.client, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n")
        talk.data(.server, "HTTP/1.1 204 No Content\r\n\r\n")
        talk.close()
        var late = talk.frames[0]
        late.time = talk.time + milliseconds * 1_000_000
        let frames = talk.frames[begin...] + [late]
        let capture = audit(Array(frames))
        #expect(capture.contradictions == [])
        #expect(capture.exchanges.map(path) == ["/1"])
        #expect(capture.connections.count == (milliseconds < 1000 ? 1 : 2))
    }

    @Test("shuffled within a few packets no call gets another's response without a flag", arguments: 0..<200)
    func shuffled(seed: Int) {
        var generator = SeededRandom(seed: UInt64(seed))
        var frames = Self.inOrder
        let window = 2 + seed % 9
        for start in stride(from: 0, to: frames.count, by: window) {
            frames[start..<min(start + window, frames.count)].shuffle(using: &generator)
        }
        let capture = audit(timed(frames))
        #expect(capture.contradictions == [])
        for record in capture.exchanges where record.flags.isEmpty {
            let number = path(record).flatMap { Int($0.dropFirst()) }
            #expect(number != nil && record.status == 200 && record.costs.down[.body] == number, "seed \(seed)")
        }
    }

    @Test("late packets are waited for in so many connections and no more")
    func limit() {
        var frames: [CapturedFrame] = []
        for number in 0..<3000 {
            var talk = Dialogue()
            talk.time += Int64(number) * 100_000
            talk.interval = 10_000
            talk.initialSequence = [1000, 5000].map { $0 + UInt32(number) * 60_000 }
            talk.handshake()
            frames += talk.frames
        }
        let capture = audit(frames)
        #expect(capture.contradictions == [])
        #expect(capture.connections.count == 3000)
    }
}
