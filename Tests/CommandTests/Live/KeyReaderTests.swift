import Testing
import WireTesting
import wireaudit

@Suite("Keys")
struct KeyReaderTests {
    static let keys: [(bytes: String, keys: [Key])] = [
        ("q", [.character("q")]), ("Q ~", [.character("Q"), .character(" "), .character("~")]),
        ("é", [.character("é")]), ("漢", [.character("漢")]), ("😀x", [.character("😀"), .character("x")]),
        ("\r", [.enter]), ("\n", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\t", [.tab]),
        ("\u{3}", [.control("c")]), ("\u{1}\u{1A}", [.control("a"), .control("z")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
        ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
        ("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z", [.delete, .pageUp, .pageDown, .backTab]),
        ("\u{1B}[1;5A\u{1B}[3;2~", [.up, .delete]), ("\u{1B}OM", [.enter]),
        // Function keys of xterm and of the Linux console, focus, an answer about colours: nothing of ours.
        ("\u{1B}OPx", [.character("x")]), ("\u{1B}[15~x", [.character("x")]), ("\u{1B}[[Ax", [.character("x")]),
        ("\u{1B}[I\u{1B}[Ox", [.character("x")]), ("\u{1B}[?2026;2$yx", [.character("x")]),
        // Alt with a key; an escape in the middle of a sequence begins anew.
        ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}[1\u{1B}[A", [.up]),
        ("\u{1B}[\u{3}", [.control("c")]), ("\u{1B}O\u{3}", [.control("c")]), ("\u{1B}[[\u{3}", [.control("c")]),
        ("\u{1B}[" + String(repeating: "1;", count: 5000) + "Ax", [.up, .character("x")]),
    ]

    @Test("bytes of terminals are keys, in whatever pieces they come", arguments: keys.indices)
    func everySplit(index: Int) {
        let (text, expected) = Self.keys[index]
        let bytes = Array(text.utf8)
        for split in 0...min(bytes.count, 40) {
            var reader = KeyReader()
            let found = reader.read(Array(bytes[..<split])) + reader.read(Array(bytes[split...]))
            #expect(found == expected, "\(bytes.prefix(40)) cut at \(split)")
            #expect(!reader.isWaiting)
            #expect(reader.endWait() == [])
        }
        var reader = KeyReader()
        #expect(bytes.flatMap { reader.read([$0]) } == expected)
    }

    @Test("an escape byte is the escape key when nothing follows")
    func escape() {
        var reader = KeyReader()
        #expect(reader.read([0x1B]) == [])
        #expect(reader.isWaiting)
        #expect(reader.endWait() == [.escape])
        #expect(!reader.isWaiting)
        #expect(reader.read(Array("[A".utf8)) == [.character("["), .character("A")])
    }

    @Test("a sequence that never ends is given up without a key")
    func cutSequences() {
        for text in ["\u{1B}[", "\u{1B}[1;5", "\u{1B}O", "\u{1B}[["] {
            var reader = KeyReader()
            #expect(reader.read(Array(text.utf8)) == [])
            #expect(reader.isWaiting)
            #expect(reader.endWait() == [])
            #expect(reader.read([0x71]) == [.character("q")])
        }
    }

    @Test(
        "what is no UTF-8 is no key, and what follows is read",
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xC3], [0xE6, 0xBC], [0xF0, 0x9F],
            // A control character of Latin 1.
            [0xC2, 0x9B],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        var reader = KeyReader()
        #expect(reader.read(bytes + [0x71]) == [.character("q")])
    }

    @Test("any bytes give the same keys in any pieces")
    func randomBytes() {
        let seed: UInt64 = 0x4B45_5953
        var random = SeededRandom(seed: seed)
        let likely: [UInt8] = [0x1B, 0x5B, 0x4F, 0x41, 0x7E, 0x31, 0x3B, 0xC3, 0xA9, 0xE6, 0xBC, 0xA2, 0x0D, 0x03]
        for round in 0..<500 {
            let bytes = (0..<random.below(60)).map { _ in
                random.oneIn(3) ? UInt8(random.below(256)) : random.element(likely)
            }
            var whole = KeyReader()
            let expected = whole.read(bytes)
            var pieces = KeyReader()
            var found: [Key] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = min(1 + random.below(5), rest.count)
                found += pieces.read(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(found == expected, "seed \(seed), round \(round)")
            #expect(pieces.isWaiting == whole.isWaiting && pieces.endWait() == whole.endWait())
        }
    }
}
