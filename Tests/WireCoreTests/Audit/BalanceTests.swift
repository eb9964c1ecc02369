import Testing
import WireCore
import WireTesting

@Suite("Audit: the books balance, whatever comes")
struct BalanceTests {
    static let snippets = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "POST /x HTTP/1.1\r\nContent-Length: 9\r\n\r\n", "HTTP/1.1 200 OK\r\n",
        "Content-Length: 12\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n", "0\r\n\r\n", "\r\n",
        "HTTP",
        "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 Up\r\n\r\n", "CONNECT h:1 HTTP/1.1\r\n\r\n",
        "HEAD / HTTP/1.1\r\n\r\n",
        "HTTP/1.1 204 No\r\n\r\n", "nonsense", "G", "H", "GET /old\r\n", "Connection: close\r\n\r\n",
        "ffffffffffff\r\n",
        "HTTP/1.0 500 Bad\r\n\r\n", "zz\r\n", " folded\r\n", "\u{16}\u{3}\u{1}", "Content-Length: -1\r\n\r\n",
    ]

    private static func options(_ policy: SetupPolicy) -> AuditOptions {
        var options = AuditOptions()
        options.setup = policy
        options.connectionLimit = 12
        options.lingerCountLimit = 4
        options.lingerLimit = 200_000_000
        options.idleLimit = 2_000_000_000
        options.heldBytesLimit = 2000
        options.totalHeldBytesLimit = 6000
        options.reorderingWindow = 20_000_000
        options.headerSectionLimit = 200
        options.apiLimit = 8
        options.decodesBodies = true
        return options
    }

    /// Packets of a few connections with random flags, close sequence numbers, and pieces of HTTP for payload.
    private static func storm(_ count: Int, _ random: inout SeededRandom) -> [CapturedFrame] {
        var time: Int64 = 1_000_000_000
        return (0..<count).map { _ in
            var packet = PacketBuilder()
            packet.sourcePort = UInt16(50_000 + random.below(6))
            let isDown = random.oneIn(2)
            if isDown {
                swap(&packet.source, &packet.destination)
                swap(&packet.sourcePort, &packet.destinationPort)
            }
            packet.flags = random.element([
                .ack, .ack, .ack, .ack, .ack, [.ack, .psh], [.ack, .psh], [.ack, .fin], .syn, [.syn, .ack], .rst, [],
                TCPFlags(rawValue: UInt8(random.below(256))),
            ])
            packet.sequence = UInt32.max - 200 &+ UInt32(random.below(400))
            packet.acknowledgment = UInt32.max - 200 &+ UInt32(random.below(400))
            if random.oneIn(40) { packet.sequence = UInt32(truncatingIfNeeded: random.next()) }
            if random.oneIn(40) { packet.acknowledgment = UInt32(truncatingIfNeeded: random.next()) }
            packet.window = random.oneIn(8) ? 0 : 500
            packet.identification = UInt16(random.below(20))
            if random.oneIn(10) { packet.options = [.maximumSegmentSize(UInt16(random.below(2000)))] }
            if random.below(3) > 0 {
                for _ in 0..<1 + random.below(4) { packet.payload += Array(random.element(snippets).utf8) }
            }
            if random.oneIn(10) { packet.payload = random.bytes(1 + random.below(60)) }
            if random.oneIn(30) { packet.lengthField = UInt16(random.below(200)) }
            time += Int64(random.below(8)) * 1_000_000 + (random.oneIn(200) ? 3_000_000_000 : 0)
            var frame = CapturedFrame(time: time, packet)
            if random.oneIn(20) {
                frame.originalLength = frame.bytes.count
                frame.bytes.removeLast(random.below(frame.bytes.count + 1))
            }
            if random.oneIn(50) { frame.time -= Int64(random.below(100)) * 1_000_000 }
            frame.interface = random.oneIn(20) ? 1 : 0
            return frame
        }
    }

    @Test("for random packets of a few connections", arguments: SetupPolicy.allCases, [1, 2, 3, 4] as [UInt64])
    func balancesStorm(policy: SetupPolicy, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let capture = audit(Self.storm(1500, &random), Self.options(policy))
        #expect(capture.contradictions == [], "seed \(seed)")
        #expect(capture.exchanges.count > 60, "seed \(seed)")
    }

    @Test("for many short captures of random packets", arguments: SetupPolicy.allCases)
    func balancesShortCaptures(policy: SetupPolicy) {
        for seed in 100..<180 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let capture = audit(Self.storm(3 + random.below(25), &random), Self.options(policy))
            #expect(capture.contradictions == [], "seed \(seed)")
        }
    }

    @Test("for conversations whose frames were damaged, lost, and put out of order", arguments: SetupPolicy.allCases)
    func balancesDamagedConversations(policy: SetupPolicy) {
        let seed: UInt64 = 77
        var random = SeededRandom(seed: seed)
        var frames: [CapturedFrame] = []
        for index in 0..<40 {
            let weather = RandomConversation.Weather(loss: random.below(20), repetition: 30, overlap: 30)
            let conversation = RandomConversation(
                seed: random.next(), port: UInt16(40_000 + index), weather: weather)
            frames += conversation.talk.frames
        }
        for round in 0..<frames.count {
            let index = random.below(frames.count)
            switch random.below(12) {
            case 0: frames[index].bytes[random.below(frames[index].bytes.count)] = UInt8(random.below(256))
            case 1:
                frames[index].bytes[14 + random.below(min(40, frames[index].bytes.count - 14))] ^=
                    1 << UInt8(random.below(8))
            case 2: frames[index].bytes += random.bytes(random.below(10))
            case 3: frames.swapAt(index, min(frames.count - 1, index + random.below(30)))
            case 4: frames[index].originalLength = random.below(3000)
            case 5: if round.isMultiple(of: 3) { frames[index].bytes = random.bytes(15 + random.below(100)) }
            default: break
            }
            if frames[index].bytes.count < 20 { frames[index].bytes += random.bytes(20) }
        }
        let capture = audit(frames, Self.options(policy))
        #expect(capture.contradictions == [], "seed \(seed)")
        #expect(capture.connections.count > 40)
    }

    @Test("for nothing at all, and for noise", arguments: SetupPolicy.allCases)
    func balancesNoise(policy: SetupPolicy) {
        #expect(audit([]).contradictions == [])
        var random = SeededRandom(seed: 5)
        let frames = (0..<1000).map { index in
            var frame = CapturedFrame(time: Int64(index), bytes: random.bytes(random.below(120)))
            if random.oneIn(2) { frame.linkType = LinkType(rawValue: UInt32(random.element([101, 104, 105, 12]))) }
            return frame
        }
        let capture = audit(frames, Self.options(policy))
        #expect(capture.contradictions == [], "seed 5")
    }
}
