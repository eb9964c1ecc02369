import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("Key logs that grow, are full, and keep their secrets")
struct KeyLogFollowingTests {
    private final class Follower: KeyLogFollower {
        var texts: [String] = []
        var requests = 0

        func readMore(into log: KeyLog) -> Bool {
            requests += 1
            guard !texts.isEmpty else { return false }
            unsafe log.add(Array(texts.removeFirst().utf8).span.bytes)
            return true
        }
    }

    private static let random = [UInt8](repeating: 0xAB, count: 32)
    private static let randomText = String(repeating: "ab", count: 32)

    @Test("a follower is asked once for each miss, and not when all is there")
    func following() {
        let log = KeyLog()
        let follower = Follower()
        log.follower = follower
        #expect(log.secrets(clientRandom: Self.random) == nil)
        #expect(follower.requests == 1)
        let secret = String(repeating: "0c", count: 32)
        follower.texts = [
            "CLIENT_HANDSHAKE_TRAFFIC_SECRET \(Self.randomText) \(secret)\n",
            """
            SERVER_HANDSHAKE_TRAFFIC_SECRET \(Self.randomText) \(secret)
            CLIENT_TRAFFIC_SECRET_0 \(Self.randomText) \(secret)
            SERVER_TRAFFIC_SECRET_0 \(Self.randomText) \(secret)

            """,
        ]
        let first = log.secrets(clientRandom: Self.random)
        #expect(first?.clientHandshake != nil && first?.serverTraffic == nil)
        #expect(follower.requests == 2)
        #expect(log.secrets(clientRandom: Self.random)?.serverTraffic?.count == 32)
        #expect(follower.requests == 3)
        #expect(log.secrets(clientRandom: Self.random)?.isComplete == true)
        #expect(follower.requests == 3)
        follower.texts = ["RSA abababababababab \(String(repeating: "01", count: 48))\n"]
        #expect(log.premaster(encryptedPrefix: Array(Self.random.prefix(8))) == [UInt8](repeating: 1, count: 48))
        #expect(log.premaster(encryptedPrefix: Array(Self.random.prefix(8))) != nil)
        #expect(follower.requests == 4)
    }

    @Test("a full log keeps what it has and counts the rest")
    func limit() {
        let log = KeyLog(lineLimit: 1000)
        var line = Array("CLIENT_RANDOM \(Self.randomText) \(String(repeating: "01", count: 48))\n".utf8)
        for count in 0..<1000 {
            #expect(!log.isFull && log.lineCount == count)
            unsafe log.add(line.span.bytes)
        }
        #expect(log.isFull && log.lineCount == 1000 && log.droppedLines == 0)
        line[20] = UInt8(ascii: "0")
        unsafe log.add(line.span.bytes)
        unsafe log.add(Array("NONSENSE\n".utf8).span.bytes)
        #expect(log.lineCount == 1000 && log.droppedLines == 1 && log.malformedLines == 1)
        #expect(log.secrets(clientRandom: Self.random)?.master == [UInt8](repeating: 1, count: 48))
    }

    @Test("many connections are all found again")
    func many() {
        let log = KeyLog()
        var random = SeededRandom(seed: 0x4B4C)
        var expected: [[UInt8]: [UInt8]] = [:]
        for _ in 0..<2000 {
            let (client, secret) = (random.bytes(32), random.bytes(48))
            expected[client] = secret
            let digits = [client, secret].map { bytes in
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            unsafe log.add(Array("CLIENT_RANDOM \(digits[0]) \(digits[1])\n".utf8).span.bytes)
        }
        for (client, secret) in expected { #expect(log.secrets(clientRandom: client)?.master == secret) }
    }

    @Test("no text of a log or of secrets shows any")
    func secrecy() throws {
        let log = KeyLog()
        unsafe log.add(
            Array("CLIENT_RANDOM \(Self.randomText) \(String(repeating: "9d", count: 48))\nCLIENT_RANDOM 9d".utf8)
                .span.bytes)
        let secrets = try #require(log.secrets(clientRandom: Self.random))
        let values: [Any] = [
            log, secrets, Optional(secrets) as Any, [secrets], KeyLogStore(), KeyLog.Source(), (secrets, 1),
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [dumped, String(describing: value), String(reflecting: value), "\(value)"] {
                #expect(!text.contains("157") && !text.lowercased().contains("9d"), "\(text)")
            }
        }
    }
}
