import Testing
import WireTesting

@testable import WireCore

/// Packets of TCP that the capture has several times, and such as were sent several times.
@Suite("TCP: packets captured twice")
struct RepeatedSegmentTests {
    /// Two calls. Parts of the responses are sent twice: after 0.6 s, and after one.
    private func conversation() -> [CapturedFrame] {
        var talk = Dialogue()
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        talk.handshake()
        for path in ["/a", "/b"] {
            talk.data(.client, "GET \(path) HTTP/1.1\r\nHost: example.com\r\n\r\n")
            talk.ack(.server)
            talk.data(.server, response)
            talk.ack(.client)
            guard path == "/a" else { continue }
            talk.time += 600_000_000
            talk.data(.server, response, at: 0)
            talk.ack(.client)
        }
        var again = talk.frames[talk.frames.count - 2]
        talk.close()
        again.time = talk.frames[talk.frames.count - 1].time + 1_000_000_000
        return talk.frames + [again]
    }

    @Test(
        "a copy is in no figure of the calls, with the handshake and without", arguments: CaptureRepetition.all,
        [true, false])
    func countsOnce(repetition: CaptureRepetition, hasBeginning: Bool) {
        let frames = Array(conversation()[(hasBeginning ? 0 : 3)...])
        let once = audit(frames)
        let all = audit(repetition.applied(to: frames))
        #expect(all.contradictions == [])
        #expect(all.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(all.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(once.result.ledger.causes.down[.retransmission] > 0)
        #expect(all.result.ledger.layers.duplicate == repetition.delays.count * once.frameBytes)
        // Without the handshake, what was sent again is held until the copies are proved, and has a neighbour's owner.
        if hasBeginning { #expect(all.exchanges.map(\.costs) == once.exchanges.map(\.costs)) }
        #expect(all.findings(.repeatUnproved) == 0)
    }

    @Test("a SYN-ACK without identification counts once beside packets with one")
    func countsAnswerOnce() {
        var talk = Dialogue()
        talk.handshake()
        for index in talk.frames.indices where index == 1 {
            (talk.frames[index].bytes[18], talk.frames[index].bytes[19]) = (0, 0)
        }
        talk.close()
        let once = talk.audit()
        let copies = talk.frames.map { frame in
            var copy = frame
            copy.time += 30_000
            return copy
        }
        let all = audit((talk.frames + copies).sorted { $0.time < $1.time })
        #expect(all.result.ledger.causes.up == once.result.ledger.causes.up)
        #expect(all.result.ledger.causes.down == once.result.ledger.causes.down)
        #expect(all.result.ledger.layers.duplicate == once.frameBytes)
    }

    private func refused() -> [CapturedFrame] {
        var talk = Dialogue()
        talk.syn(.client)
        talk.rst(.server)
        return talk.frames
    }

    @Test("copies of a connection that is refused count once", arguments: CaptureRepetition.all)
    func refusal(repetition: CaptureRepetition) {
        let once = audit(refused())
        let all = audit(repetition.applied(to: refused()))
        #expect(all.contradictions == [])
        #expect(all.result.ledger.layers.duplicate == repetition.delays.count * once.frameBytes)
        #expect(all.findings(.repeatUnproved) == 0)
    }

    @Test("a refused connection that is tried again counts as often, without doubt", arguments: [false, true])
    func retries(isNumbered: Bool) {
        let first = refused()
        let frames = (0..<3).flatMap { attempt in
            first.map { frame in
                var frame = frame
                frame.time += Int64(attempt) * 500_000_000
                (frame.bytes[18], frame.bytes[19]) = (0, isNumbered ? UInt8(1 + attempt) : 0)
                return frame
            }
        }
        let all = audit(frames)
        #expect(all.contradictions == [])
        #expect(all.result.ledger.layers.duplicate == 0)
        #expect(all.findings(.repeatUnproved) == 0)
    }

    /// Which frames come again, and how much later.
    struct Resent: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var delay: Int64
        var doubt: Int
        var isResent: @Sendable (Int, CapturedFrame) -> Bool
    }

    static let resent: [Resent] = [
        Resent(testDescription: "the SYN alone", delay: 500_000_000, doubt: 2) { index, _ in index == 0 },
        Resent(testDescription: "the SYN after its time-out", delay: 1_000_000_000, doubt: 0) { index, _ in index == 0
        },
        Resent(testDescription: "all but the handshake", delay: 20_000_000, doubt: 0) { index, _ in index > 2 },
        Resent(testDescription: "one direction", delay: 20_000_000, doubt: 5) { _, frame in frame.bytes[29] == 1 },
        Resent(testDescription: "data", delay: 10_000_000, doubt: 0) { _, frame in frame.bytes.count > 60 },
    ]

    @Test("a handshake that was sent again, as its identifications tell, proves nothing of the calls behind it")
    func keepsHandshake() {
        let frames = conversation()
        var number: UInt8 = 1
        func numbered(_ frame: CapturedFrame, after delay: Int64 = 0) -> CapturedFrame {
            var frame = frame
            frame.time += delay
            (frame.bytes[18], frame.bytes[19]) = (9, number)
            number += 1
            return frame
        }
        let handshake = frames[..<3].map { numbered($0) } + frames[..<3].map { numbered($0, after: 300_000_000) }
        let rest = frames[3...].map { numbered($0, after: 400_000_000) }
        let capture = audit((handshake + rest).sorted { $0.time < $1.time })
        #expect(capture.result.ledger.layers.duplicate == 0)
        #expect(capture.result.ledger.causes.down[.retransmission] > 0)
    }

    @Test("what is not proved counts as sent, and is said", arguments: resent)
    func keepsResent(resent: Resent) {
        let frames = conversation()
        let again = frames.enumerated().filter { resent.isResent($0.offset, $0.element) }.map { _, frame in
            var frame = frame
            frame.time += resent.delay
            (frame.bytes[18], frame.bytes[19]) = (0, 0)
            return frame
        }
        #expect(!again.isEmpty && again.count < frames.count)
        let capture = audit((frames + again).sorted { $0.time < $1.time })
        #expect(capture.contradictions == [])
        #expect(capture.result.ledger.layers.duplicate == 0)
        #expect(capture.findings(.repeatUnproved) == resent.doubt)
        let counts = capture.connections.first?.counts
        #expect((counts?.up.packets ?? 0) + (counts?.down.packets ?? 0) == frames.count + again.count)
    }
}
