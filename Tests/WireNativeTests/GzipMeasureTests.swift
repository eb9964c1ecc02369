import Testing
import WireNative

@Suite("Size after an SDK's gzip")
struct GzipMeasureTests {
    /// The 29-byte unit repeated and cut to 2,000 bytes; classic zlib 1.2 and 1.3 make 66 bytes of it.
    static let repeated = Array(
        Array(repeating: Array(#"{"id":1234,"s":"on_the_way"},"#.utf8), count: 100).joined().prefix(2000))

    /// Less repetitive text from a linear congruential generator.
    static func varied(_ size: Int) -> [UInt8] {
        var state = 20_261_120
        func next() -> Int {
            state = (1_103_515_245 * state + 12_345) % (1 << 31)
            return state
        }
        var text: [UInt8] = [0x5B]
        let words = ["new", "picked", "on_the_way", "done"]
        while text.count < size {
            let id = next() % 100_000
            let eta = next() % 997
            text += Array(#"{"id":\#(id),"eta":\#(eta),"s":"\#(words[state >> 29 & 3])"},"#.utf8)
        }
        return Array(text.prefix(size))
    }

    private func size(_ content: [UInt8], pieces: [Int] = []) -> Int? {
        let measure = GzipMeasure()
        measure.reset()
        var offset = 0
        var pieces = pieces[...]
        while offset < content.count {
            let end = min(content.count, offset + (pieces.popFirst() ?? content.count))
            measure.consume(unsafe content.span.bytes.extracting(offset..<end))
            offset = end
        }
        return measure.finish()
    }

    @Test("sizes are those of zlib's default level with a gzip wrapper")
    func knownSizes() {
        #expect(size(Self.repeated) == 66)
        #expect(size(Array(#"{"qty":1,"note":"no onions"}"#.utf8)) == 46)
        #expect(size(Self.varied(20_000)) == 3830)
    }

    @Test("empty content and gzip stay as they are")
    func unchanged() {
        #expect(size([]) == 0)
        #expect(size(CompressedFixtures.gzip) == CompressedFixtures.gzip.count)
        #expect(size(CompressedFixtures.gzip, pieces: [1, 1, 1]) == CompressedFixtures.gzip.count)
        #expect(size([0x1F]) == 21)
        #expect(size([0x1F, 0x8C]) == 22)
    }

    @Test("how content is split does not change the size", arguments: 1...24)
    func pieces(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let length = 1 + below(150_000)
        var content = Self.varied(length)
        for _ in 0..<below(length) { content[below(length)] = UInt8(below(256)) }
        let bound = 1 + below(1 << (1 + below(16)))
        let pieces = (0...length / max(1, bound / 4)).map { _ in 1 + below(bound) }
        #expect(size(content, pieces: pieces) == size(content), "seed \(seed)")
    }

    @Test("a measure is used again")
    func reuse() {
        let measure = GzipMeasure()
        for content in [Self.repeated, [], CompressedFixtures.gzip, Self.varied(20_000)] {
            measure.reset()
            unsafe measure.consume(content.span.bytes)
            #expect(measure.finish() == size(content))
        }
    }
}

@Suite("Strings of JavaScript in pieces")
struct StringLengthTests {
    @Test(
        "lengths as JavaScript gives them, wherever pieces end",
        arguments: [
            ("", 0, 2), ("plain", 5, 7), ("größe €", 7, 9), ("😀", 2, 4), ("a\"b\\c", 5, 9), ("\n\t\r\u{8}\u{C}", 5, 12),
            ("\u{1}\u{1F}\u{7F}", 3, 15), ("\u{FEFF}a", 1, 3), ("a\u{FEFF}", 2, 4), ("\u{2028}", 1, 3),
        ])
    func lengths(text: String, units: Int, quoted: Int) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var length = StringLength()
            length.consume(unsafe bytes.span.bytes.extracting(0..<cut))
            length.consume(unsafe bytes.span.bytes.extracting(cut..<bytes.count))
            #expect(length.units == units)
            #expect(length.quoted == quoted)
        }
    }
}

@Suite("UTF-8 in pieces")
struct UTF8CheckTests {
    static let samples: [(bytes: [UInt8], isText: Bool)] = [
        ([], true), (Array("plain".utf8), true), (Array("größe €, 😀 und 中".utf8), true), ([0x80], false),
        ([0xC0, 0x80], false), ([0xC1, 0xBF], false), ([0xC3], false), ([0xE0, 0x9F, 0x80], false),
        ([0xE0, 0xA0, 0x80], true), ([0xED, 0xA0, 0x80], false), ([0xED, 0x9F, 0xBF], true),
        ([0xF0, 0x8F, 0x80, 0x80], false), ([0xF0, 0x90, 0x80, 0x80], true), ([0xF4, 0x90, 0x80, 0x80], false),
        ([0xF4, 0x8F, 0xBF, 0xBF], true), ([0xF5, 0x80, 0x80, 0x80], false), ([0xE2, 0x82], false),
        ([0xC3, 0x28], false), ([0xFF], false),
    ]

    @Test("text is told from other bytes, wherever pieces end", arguments: samples)
    func check(sample: (bytes: [UInt8], isText: Bool)) {
        for prefix in ["", "12345678", "1234567890abc"] {
            let bytes = Array(prefix.utf8) + sample.bytes
            for cut in 0...bytes.count {
                var check = UTF8Check()
                check.consume(unsafe bytes.span.bytes.extracting(0..<cut))
                check.consume(unsafe bytes.span.bytes.extracting(cut..<bytes.count))
                #expect(check.isText == sample.isText, "\(bytes) cut at \(cut)")
            }
        }
    }

    @Test("it agrees with the standard library on random bytes", arguments: 1...200)
    func random(seed: UInt64) {
        var state = seed
        let alphabet: [UInt8] = [0x41, 0x7F, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0x90, 0xA0, 0x8F]
        let bytes = (0..<8).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return alphabet[Int(state >> 33) % alphabet.count]
        }
        var check = UTF8Check()
        unsafe check.consume(bytes.span.bytes)
        #expect(check.isText == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
}
