import Testing
import WireNative
import WireTesting

@testable import WireCore

@Suite("Key logs")
struct KeyLogTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func random(_ number: UInt8) -> [UInt8] { (0..<32).map { $0 &* 3 &+ number } }
    private static func secret(_ number: UInt8, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) &+ number }
    }

    private static func line(_ label: String, _ random: [UInt8], _ secret: [UInt8]) -> String {
        "\(label) \(hex(random)) \(hex(secret))\n"
    }

    private static func log(_ text: String) -> KeyLog {
        let log = KeyLog()
        unsafe log.add(Array(text.utf8).span.bytes)
        log.endOfInput()
        return log
    }

    static let labels: [(String, WritableKeyPath<TLSSecrets, [UInt8]?> & Sendable, Int)] = [
        ("CLIENT_RANDOM", \.master, 48), ("PMS_CLIENT_RANDOM", \.premaster, 66),
        ("CLIENT_EARLY_TRAFFIC_SECRET", \.clientEarly, 32),
        ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", \.clientHandshake, 48),
        ("SERVER_HANDSHAKE_TRAFFIC_SECRET", \.serverHandshake, 48),
        ("CLIENT_TRAFFIC_SECRET_0", \.clientTraffic, 32), ("SERVER_TRAFFIC_SECRET_0", \.serverTraffic, 32),
    ]

    /// All labels for three connections among lines of other kinds; and what is to be found.
    private static var sample: (text: String, secrets: [[UInt8]: TLSSecrets]) {
        var text = "# written by a browser\r\n\r\n"
        var secrets: [[UInt8]: TLSSecrets] = [:]
        for number: UInt8 in [1, 2, 3] {
            for (index, (label, path, count)) in labels.enumerated() {
                let secret = secret(number &* 16 &+ UInt8(index), count)
                text += line(label, random(number), secret)
                secrets[random(number), default: TLSSecrets()][keyPath: path] = secret
            }
            text += "EXPORTER_SECRET \(hex(random(number))) \(hex(secret(9, 32)))\n"
        }
        text += "RSA 0102030405060708 \(hex(secret(77, 48)))\n"
        return (text, secrets)
    }

    @Test("lines for Encrypted Client Hello are in the format, and of no use here")
    func encryptedHello() {
        let config = [UInt8](repeating: 0xFE, count: 80)
        let log = Self.log(
            Self.line("ECH_SECRET", Self.random(1), Self.secret(1, 32))
                + Self.line("ECH_CONFIG", Self.random(1), config))
        #expect(log.ignoredLines == 2)
        #expect(log.malformedLines + log.lineCount == 0)
    }

    @Test("every label's secret is found by the client's random number")
    func labels() {
        let (text, secrets) = Self.sample
        for text in [text, text.uppercased(), text.split(separator: "\n").joined(separator: "\r\n"), "\u{FEFF}" + text]
        {
            let log = Self.log(text)
            #expect(log.lineCount == 22)
            #expect(log.ignoredLines == 3)
            #expect(log.malformedLines == 0)
            #expect(!log.isFull)
            for (random, expected) in secrets { #expect(log.secrets(clientRandom: random) == expected) }
            #expect(log.premaster(encryptedPrefix: [1, 2, 3, 4, 5, 6, 7, 8]) == Self.secret(77, 48))
            #expect(log.secrets(clientRandom: Self.random(4)) == nil)
            #expect(log.premaster(encryptedPrefix: [1, 2, 3, 4, 5, 6, 7, 9]) == nil)
        }
    }

    @Test("lines may be split anywhere")
    func splits() {
        let text = Array(Self.sample.text.utf8)
        let (_, secrets) = Self.sample
        for piece in [1, 2, 3, 7, 64, 65] {
            let log = KeyLog()
            var rest = text[...]
            while !rest.isEmpty {
                unsafe log.add(Array(rest.prefix(piece)).span.bytes)
                rest = rest.dropFirst(piece)
            }
            log.endOfInput()
            for (random, expected) in secrets { #expect(log.secrets(clientRandom: random) == expected) }
        }
        let short = Array((Self.line("CLIENT_RANDOM", Self.random(1), Self.secret(1, 48)) + "#\r\n").utf8)
        for cut in 0...short.count {
            let log = KeyLog()
            unsafe log.add(Array(short[..<cut]).span.bytes)
            unsafe log.add(Array(short[cut...]).span.bytes)
            #expect(log.lineCount == 1 && log.malformedLines == 0)
            #expect(log.secrets(clientRandom: Self.random(1))?.master == Self.secret(1, 48), "cut at \(cut)")
        }
    }

    @Test("a text cut anywhere gives its whole lines, and counts the rest once")
    func truncation() {
        let first = Self.line("CLIENT_RANDOM", Self.random(1), Self.secret(1, 48))
        let text = Array((first + Self.line("CLIENT_RANDOM", Self.random(2), Self.secret(2, 48))).utf8)
        for count in first.utf8.count...text.count {
            let log = KeyLog()
            unsafe log.add(Array(text[..<count]).span.bytes)
            #expect(log.malformedLines == 0)
            log.endOfInput()
            log.endOfInput()
            let isWhole = count >= text.count - 1
            #expect(log.lineCount == (isWhole ? 2 : 1))
            #expect(log.malformedLines == (isWhole || count == first.utf8.count ? 0 : 1), "\(count) bytes")
            #expect((log.secrets(clientRandom: Self.random(2)) != nil) == isWhole)
        }
    }

    @Test("a source that pauses within a line is counted once and goes on")
    func pauses() {
        let text = Array(Self.line("CLIENT_TRAFFIC_SECRET_0", Self.random(1), Self.secret(1, 48)).utf8)
        for cut in 0..<text.count {
            let log = KeyLog()
            var source = KeyLog.Source()
            var other = KeyLog.Source()
            unsafe log.add(Array(text[..<cut]).span.bytes, of: &source)
            log.pause(&source)
            log.pause(&source)
            #expect(log.lineCount + log.malformedLines == (cut == 0 ? 0 : 1))
            unsafe log.add(Array("# another file".utf8).span.bytes, of: &other)
            unsafe log.add(Array(text[cut...]).span.bytes, of: &source)
            log.pause(&source)
            #expect(log.lineCount == 1 && log.malformedLines == 0)
            #expect(log.secrets(clientRandom: Self.random(1))?.clientTraffic == Self.secret(1, 48))
            log.endOfInput(of: &other)
            log.endOfInput(of: &source)
            #expect(log.lineCount == 1 && log.malformedLines == 0)
        }
    }

    @Test("lines out of form are counted and left out")
    func malformed() {
        let random = Self.hex(Self.random(1))
        let secret = Self.hex(Self.secret(1, 48))
        let lines = [
            "CLIENT_RANDOM", "CLIENT_RANDOM \(random)", "CLIENT_RANDOM \(random) \(secret) 00",
            "CLIENT_RANDOM \(random) \(secret.dropLast())", "CLIENT_RANDOM \(random) \(secret.dropLast(2))",
            "CLIENT_RANDOM \(random) \(secret)00", "CLIENT_RANDOM \(random.dropLast(2)) \(secret)",
            "CLIENT_RANDOM \(random)00 \(secret)", "CLIENT_RANDOM \(random) \(secret.dropLast())g",
            "CLIENT_RANDOM \(random.dropLast())/ \(secret)", "CLIENT_TRAFFIC_SECRET_0 \(random) \(secret)\(secret)",
            "CLIENT_TRAFFIC_SECRET_0 \(random) \(secret.dropLast(2))", "RSA \(random) \(secret)",
            "RSA 0102030405060708 \(secret.dropLast(2))", "PMS_CLIENT_RANDOM \(random) 0", "hello world again",
            "Other 00 00", "OTHER 00 0x", "\u{0}\u{1}", "RSA Session-ID:00 Master-Key:00",
            "PMS_CLIENT_RANDOM \(random) " + String(repeating: "0", count: 4098),
            "CLIENT_RANDOM \(random) " + String(repeating: "0", count: 20_000), String(repeating: " ", count: 20_000),
        ]
        for line in lines {
            for ending in ["\n", "\r\n", ""] {
                let log = Self.log(line + ending)
                #expect(log.malformedLines == 1, "\(line.prefix(300))")
                #expect(log.lineCount == 0 && log.ignoredLines == 0)
                #expect(log.secrets(clientRandom: Self.random(1)) == nil)
            }
        }
        let log = Self.log(lines.joined(separator: "\n") + "\n\(Self.sample.text)")
        #expect(log.malformedLines == lines.count && log.lineCount == 22)
        for blank in ["", " ", "\t\r", "#", " # x", "#CLIENT_RANDOM \(random) \(secret)"] {
            let log = Self.log(blank + "\n" + blank)
            #expect(log.malformedLines == 0 && log.lineCount == 0 && log.ignoredLines == 0)
        }
    }

    @Test("a later line replaces an earlier one, whatever their lengths")
    func replacement() {
        var text = ""
        for count in [32, 48, 48, 32, 32] {
            let secret = Self.secret(UInt8(truncatingIfNeeded: text.utf8.count), count)
            text += Self.line("SERVER_TRAFFIC_SECRET_0", Self.random(1), secret)
            #expect(Self.log(text).secrets(clientRandom: Self.random(1))?.serverTraffic == secret)
        }
        let log = Self.log(
            Self.line("CLIENT_RANDOM", Self.random(1), Self.secret(1, 48))
                + Self.line("CLIENT_RANDOM", Self.random(2), Self.secret(2, 48))
                + Self.line("CLIENT_RANDOM", Self.random(1), Self.secret(3, 48)))
        #expect(log.secrets(clientRandom: Self.random(1))?.master == Self.secret(3, 48))
        #expect(log.secrets(clientRandom: Self.random(2))?.master == Self.secret(2, 48))
        #expect(log.lineCount == 3)
    }

    @Test("garbage does no harm")
    func garbage() {
        var random = SeededRandom(seed: 0x6B65_796C)
        let log = KeyLog()
        let pieces = ["CLIENT_RANDOM ", "RSA ", "00", "\n", " ", "PMS_CLIENT_RANDOM ", "#", "\u{FEFF}"].map {
            Array($0.utf8)
        }
        for _ in 0..<2000 {
            let bytes = random.oneIn(2) ? random.bytes(random.below(100)) : random.element(pieces)
            unsafe log.add(bytes.span.bytes)
        }
        log.endOfInput()
        #expect(log.lineCount == 0 && log.malformedLines > 100)
        unsafe log.add(Array(Self.sample.text.utf8).span.bytes)
        #expect(log.lineCount == 22)
    }

    @Test("random numbers of wrong length find nothing")
    func oddRandoms() {
        let log = Self.log(Self.sample.text)
        for count in [0, 1, 8, 31, 33, 64] {
            let random = [UInt8](repeating: 1, count: count)
            #expect(log.secrets(clientRandom: random) == nil)
            #expect(count == 8 || log.premaster(encryptedPrefix: random) == nil)
        }
    }
}
