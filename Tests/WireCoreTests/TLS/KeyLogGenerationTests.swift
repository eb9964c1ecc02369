import Testing
import WireTesting

@testable import WireCore

@Suite("Key logs that grow while a capture is made")
struct KeyLogGenerationTests {
    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func random(_ number: Int) -> [UInt8] {
        [UInt8](be32: UInt32(number)) + [UInt8](repeating: 0xC1, count: 28)
    }

    private static func line(_ number: Int, _ label: String = "CLIENT_RANDOM", length: Int = 48) -> String {
        "\(label) \(digits(random(number))) \(digits([UInt8](repeating: UInt8(number & 0xFF), count: length)))\n"
    }

    private func add(_ text: String, to log: KeyLog) { unsafe log.add(Array(text.utf8).span.bytes) }

    @Test("a log that grows takes all that comes, and always knows the latest half of what it may keep")
    func generations() {
        for limit in [10, 100, 1000] {
            let log = KeyLog(lineLimit: limit)
            log.mayGrow = true
            for number in 0..<4 * limit {
                add(Self.line(number), to: log)
                #expect(!log.isFull)
                let master = log.secrets(clientRandom: Self.random(number))?.master
                #expect(master == [UInt8](repeating: UInt8(number & 0xFF), count: 48))
                let oldest = max(0, number - limit / 2 + 1)
                #expect(log.secrets(clientRandom: Self.random(oldest)) != nil, "\(oldest) of \(number)")
            }
            let known = (0..<4 * limit).count { log.secrets(clientRandom: Self.random($0)) != nil }
            #expect(known <= limit && known >= limit / 2)
            #expect(log.lineCount == 4 * limit && log.droppedLines == 0)
            #expect(known + log.forgottenLines == 4 * limit)
            #expect(log.secrets(clientRandom: Self.random(0)) == nil)
        }
    }

    @Test("secrets of one connection that came in two halves are found together; the later of two counts")
    func acrossHalves() {
        let log = KeyLog(lineLimit: 20)
        log.mayGrow = true
        add(Self.line(1, "CLIENT_HANDSHAKE_TRAFFIC_SECRET", length: 32), to: log)
        add(Self.line(1, "SERVER_HANDSHAKE_TRAFFIC_SECRET", length: 32), to: log)
        add(Self.line(2), to: log)
        for number in 100..<109 { add(Self.line(number), to: log) }
        add(Self.line(1, "CLIENT_TRAFFIC_SECRET_0", length: 32), to: log)
        add(Self.line(1, "SERVER_TRAFFIC_SECRET_0", length: 32), to: log)
        let other = "CLIENT_RANDOM \(Self.digits(Self.random(2))) \(Self.digits([UInt8](repeating: 9, count: 48)))\n"
        add(other, to: log)
        #expect(log.secrets(clientRandom: Self.random(1))?.isComplete == true)
        #expect(log.secrets(clientRandom: Self.random(2))?.master == [UInt8](repeating: 9, count: 48))
        for number in 200..<207 { add(Self.line(number), to: log) }
        let rest = log.secrets(clientRandom: Self.random(1))
        #expect(rest?.clientHandshake == nil && rest?.clientTraffic != nil)
    }

    @Test("a premaster secret is found in both halves, also when the log is read on for it")
    func premasters() {
        final class Follower: KeyLogFollower {
            var text = ""
            func readMore(into log: KeyLog) -> Bool {
                defer { text = "" }
                unsafe log.add(Array(text.utf8).span.bytes)
                return !text.isEmpty
            }
        }
        let follower = Follower()
        let log = KeyLog(lineLimit: 20)
        log.mayGrow = true
        log.follower = follower
        let prefix: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let secret = Self.digits([UInt8](repeating: 7, count: 48))
        // The lines behind it begin another half.
        follower.text = "RSA \(Self.digits(prefix)) \(secret)\n" + (0..<12).map { Self.line($0) }.joined()
        #expect(log.premaster(encryptedPrefix: prefix) == [UInt8](repeating: 7, count: 48))
        #expect(log.premaster(encryptedPrefix: prefix) != nil)
        for number in 20..<40 { add(Self.line(number), to: log) }
        #expect(log.premaster(encryptedPrefix: prefix) == nil)
    }

    @Test("a log that does not grow is full at its limit")
    func steady() {
        let log = KeyLog(lineLimit: 20)
        for number in 0..<30 { add(Self.line(number), to: log) }
        #expect(log.isFull && log.droppedLines == 10)
        #expect((0..<30).count { log.secrets(clientRandom: Self.random($0)) != nil } == 20)
        // 48 bytes each, with two of length.
        let small = KeyLog(byteLimit: 500)
        for number in 0..<30 { add(Self.line(number), to: small) }
        #expect(small.isFull && small.droppedLines == 20)
        #expect((0..<30).count { small.secrets(clientRandom: Self.random($0)) != nil } == 10)
    }

    @Test("only lines of connections that were seen are collected, however the text comes", arguments: 1..<40)
    func collecting(length: Int) {
        let kept = (0..<5).map { Self.line($0) }
        let text = Array(("# comment\n" + kept[0] + "NONSENSE\n" + kept[1] + "\n" + kept[2] + kept[3] + kept[4]).utf8)
        let log = KeyLog()
        log.collectsLines = true
        for number in [1, 3] { log.noteHello(clientRandom: Self.random(number)) }
        var source = KeyLog.Source()
        var collected: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: length) {
            unsafe log.add(Array(text[start..<min(start + length, text.count)]).span.bytes, of: &source)
            if start.isMultiple(of: 5) { collected += log.takeCollected() }
        }
        log.endOfInput(of: &source)
        collected += log.takeCollected()
        #expect(String(decoding: collected, as: UTF8.self).lowercased() == (kept[1] + kept[3]).lowercased())
        #expect(log.lineCount == 5 && !log.hasCollected)
        // A hello that comes later finds what is there already; the same one again brings nothing.
        for _ in 0..<2 { log.noteHello(clientRandom: Self.random(4)) }
        log.noteHello(clientRandom: Self.random(77))
        #expect(String(decoding: log.takeCollected(), as: UTF8.self).lowercased() == kept[4].lowercased())
    }
}
