import Testing
import WireTesting

@testable import WireCore

/// A dialogue that is sound up to some packet, and from there on what an evader made of it.
private struct Evader {
    private(set) var talk = Dialogue()
    private var random: SeededRandom
    /// Frames before the first change.
    private(set) var soundFrames = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        talk.initialSequence = [UInt32(truncatingIfNeeded: random.next()), UInt32(truncatingIfNeeded: random.next())]
        if random.oneIn(4) {
            talk.template.source = IPAddress(high: 1, low: 1, isVersion6: true)
            talk.template.destination = IPAddress(high: 1, low: 2, isVersion6: true)
        }
        talk.handshake()
        for _ in 0..<random.below(3) { talk.exchange() }
        soundFrames = talk.frames.count
        // So that what comes is another time's: sound exchanges have settled.
        talk.time += 10_000_000_000
        for _ in 0..<3 + random.below(12) { act() }
        if random.oneIn(2) { talk.close() }
        for _ in 0..<random.below(4) { act() }
    }

    private mutating func act() {
        let side = random.element(Dialogue.Side.allCases)
        switch random.below(12) {
        case 0: talk.exchange()
        case 1: overlap(side)
        case 2: talk.send(side, [.rst, .ack], at: place(side), random.bytes(random.below(3)))
        case 3: talk.send(side, random.oneIn(2) ? .syn : [.syn, .ack], at: place(side), random.bytes(random.below(20)))
        case 4: talk.send(side, [.fin, .ack], at: place(side), random.bytes(random.below(3)))
        case 5: smuggle()
        case 6: fragment(side)
        case 7: wrap()
        case 8:
            talk.send(
                side, TCPFlags(rawValue: UInt8(random.below(256))), at: place(side), random.bytes(random.below(9)))
        case 9: talk.data(side, random.bytes(1 + random.below(300)))
        case 10: talk.lose(side, random.below(100))
        default: copy()
        }
        if random.oneIn(5) { talk.time += Int64(random.below(3_000_000_000)) }
    }

    /// Near what was sent, or anywhere.
    private mutating func place(_ side: Dialogue.Side) -> Int {
        random.oneIn(4)
            ? Int(Int32(truncatingIfNeeded: random.next())) : talk.sent[side.rawValue] + random.below(120) - 60
    }

    /// Bytes of messages, or random ones, over bytes that were sent or will be.
    private mutating func overlap(_ side: Dialogue.Side) {
        let text = Array((side == .client ? Sample.post : Sample.response).utf8)
        let bytes =
            random.oneIn(3) ? random.bytes(1 + random.below(60)) : Array(text.prefix(1 + random.below(text.count)))
        let start = max(talk.sent[side.rawValue] - random.below(90), -5)
        let (lifetime, isSound) = (UInt8(random.below(256)), !random.oneIn(4))
        talk.send(side, random.oneIn(6) ? [.ack, .urg] : [.ack, .psh], at: start, bytes) {
            $0.timeToLive = lifetime
            $0.hasValidChecksums = isSound
        }
    }

    private mutating func smuggle() {
        let fields = [
            "Content-Length: 5\r\n", "Content-Length: 7\r\n", "Transfer-Encoding: chunked\r\n",
            "Content-Length : 3\r\n",
            "Transfer-Encoding: chunked, identity\r\n", "Host: b\r\n", " folded\r\n", "X\0: \r\n", "\r", "\n",
            "Upgrade: x\r\n",
        ]
        let lines = [
            "GET / HTTP/1.1\r\n", "POST /x HTTP/1.0\r\n", "HEAD / HTTP/1.1\r\n", "CONNECT a:1 HTTP/1.1\r\n",
            "GET /\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ]
        let answers = [
            "HTTP/1.1 100 \r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 101 \r\n", "HTTP/1.1 304 \r\n", "\u{16}\u{3}\u{1}\0",
        ]
        for (side, starts) in [(Dialogue.Side.client, lines), (.server, answers)] {
            var text = random.element(starts)
            for _ in 0..<random.below(4) { text += random.element(fields) }
            text += "\r\n" + random.element(["", "hello", "5\r\nhello\r\n0\r\n\r\n", "5\nhello\n0\n\n"])
            let bytes = Array(text.utf8)
            let piece = random.oneIn(3) ? 1 : 1 + random.below(bytes.count)
            for start in stride(from: 0, to: bytes.count, by: piece) {
                talk.data(side, Array(bytes[start..<min(start + piece, bytes.count)]))
            }
        }
    }

    /// A segment in fragments, of which some overlap or are missing.
    private mutating func fragment(_ side: Dialogue.Side) {
        var whole = talk.template
        if side == .server {
            swap(&whole.source, &whole.destination)
            swap(&whole.sourcePort, &whole.destinationPort)
        }
        whole.sequence = talk.initialSequence[side.rawValue] &+ 1 &+ UInt32(talk.sent[side.rawValue])
        whole.payload = random.bytes(100)
        let bytes = whole.transportBytes()
        whole.identification = UInt16(random.below(3))
        whole.transport = .other(6)
        for _ in 0..<1 + random.below(6) {
            var part = whole
            part.fragmentOffset = 8 * random.below(14)
            part.payload = Array(bytes[part.fragmentOffset..<min(part.fragmentOffset + 8 * (1 + random.below(9)), 120)])
            if random.oneIn(5) { part.payload = random.bytes(part.payload.count) }
            part.moreFragments = part.fragmentOffset + part.payload.count < 120 ? true : random.oneIn(3)
            talk.frames.append(CapturedFrame(time: talk.time, part))
            talk.time += 10_000_000
        }
    }

    /// The last frame once more, inside of tunnels.
    private mutating func wrap() {
        guard let last = talk.frames.last, last.bytes.count > 34 else { return }
        var content = Array(last.bytes[14...])
        for _ in 0..<1 + random.below(20) where content.count < 60_000 {
            content = random.element(HeaderDepthTests.Wrapping.allCases).around(content)
        }
        let type: [UInt8] = content[0] >> 4 == 6 ? [0x86, 0xdd] : [8, 0]
        talk.frames.append(CapturedFrame(time: talk.time, bytes: [UInt8](repeating: 2, count: 12) + type + content))
    }

    /// A frame of before, damaged or snapped.
    private mutating func copy() {
        var frame = random.element(talk.frames)
        frame.time = talk.time
        if random.oneIn(2) { frame.bytes[14 + random.below(frame.bytes.count - 14)] = UInt8(random.below(256)) }
        if random.oneIn(3) {
            frame.originalLength = frame.bytes.count
            frame.bytes.removeLast(random.below(frame.bytes.count))
        }
        talk.frames.append(frame)
        talk.time += 1_000_000
    }
}

@Suite("Evasion: everything at once")
struct EvaderModelTests {
    @Test("books balance, no byte is lost, and what was sound before stays as it was", arguments: 0..<Effort.rounds(6))
    func survivesEvaders(block: Int) {
        var codes = Set<String>()
        for round in 0..<100 {
            let seed = UInt64(block * 1000 + round)
            let evader = Evader(seed: seed)
            let frames = evader.talk.frames
            var options = AuditOptions()
            // So that an exchange's costs are those of its packets alone.
            options.setup = .separate
            let capture = checkEvasion(frames, "seed \(seed)", options)
            #expect(capture.result.ledger.bytes == capture.frameBytes, "seed \(seed)")

            codes.formUnion(capture.findingCounts.keys)

            let sound = audit(Array(frames.prefix(evader.soundFrames)), options)
            for (record, old) in zip(capture.exchanges(of: 0), sound.exchanges) {
                #expect(EvasionCase.line(record) == EvasionCase.line(old), "seed \(seed)")
                #expect(record.costs.up.message == old.costs.up.message, "seed \(seed)")
                #expect(record.costs.down.message == old.costs.down.message, "seed \(seed)")
            }
            #expect(capture.exchanges(of: 0).count >= sound.exchanges.count, "seed \(seed)")
        }
        // An evader that is not noticed proves nothing.
        let tried: Set = [
            "inconsistent-retransmission", "hop-limit-jump", "checksum-wrong", "reset-refused", "syn-in-connection",
            "end-contradiction", "urgent-data", "fragment-contradiction", "header-depth", "framing-ambiguous",
            "refused-segment", "message-malformed",
        ]
        #expect(tried.subtracting(codes) == [])
    }
}
