import Foundation
import Testing
import WireRecords
import WireReport

@Suite("Strings in JSON")
struct JSONTextTests {
    private func rendered(_ bytes: [UInt8]) -> String {
        var buffer = OutputBuffer(capacity: 1)
        buffer.jsonString(bytes)
        return buffer.text
    }

    private func parsed(_ text: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        return try #require(value as? String)
    }

    @Test("every single byte gives valid JSON: ASCII as itself, others as Latin-1", arguments: UInt8.min...UInt8.max)
    func everyByte(byte: UInt8) throws {
        let expected = String(Unicode.Scalar(byte))
        #expect(try parsed(rendered([byte])) == expected)
        #expect(try parsed(rendered([0x61, byte, 0x62])) == "a" + expected + "b")
    }

    @Test("text survives, whatever characters it has")
    func text() throws {
        for text in ["", "naïve", "日本語", "🦊", "a\"b\\c/d", "tab\tline\nreturn\r", "\u{2028}\u{202E}x\u{0}", "e\u{301}"]
        {
            #expect(try parsed(rendered(Array(text.utf8))) == text)
        }
    }

    @Test("nothing that acts on a terminal or reorders text stands raw in the output")
    func display() {
        let hostile = "\u{1B}[31m\u{7F}\u{85}\u{9B}2J\u{202E}\u{2066}\u{200B}\u{FEFF}\u{E0001}"
        for scalar in rendered(Array(hostile.utf8)).unicodeScalars { #expect((0x20..<0x7F).contains(scalar.value)) }
    }

    @Test(
        "ill-formed UTF-8 is mapped byte by byte",
        arguments: [
            ([0xC0, 0xAF], "\u{C0}\u{AF}"), ([0xED, 0xA0, 0x80], "\u{ED}\u{A0}\u{80}"), ([0xE2, 0x82], "\u{E2}\u{82}"),
            ([0xF4, 0x90, 0x80, 0x80], "\u{F4}\u{90}\u{80}\u{80}"), ([0xE0, 0x80, 0xAF], "\u{E0}\u{80}\u{AF}"),
            ([0xC3, 0x28], "\u{C3}("), ([0xFF, 0xC3, 0xA9], "\u{FF}é"),
        ] as [([UInt8], String)])
    func illFormed(bytes: [UInt8], expected: String) throws {
        #expect(try parsed(rendered(bytes)) == expected)
    }

    @Test("random bytes always parse")
    func random() throws {
        var generator = SeededGenerator(seed: 20_261_120)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let text = rendered(bytes)
            #expect(throws: Never.self, "seed 20261120, bytes \(bytes)") { try parsed(text) }
        }
    }
}

/// A small generator whose sequence is the same everywhere (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
