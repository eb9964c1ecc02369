import Testing
import WireCore
import WireRecords
import WireReport

@Suite("Text for a terminal")
struct DisplayTextTests {
    @Test(
        "controls, escapes, ill-formed bytes and characters that reorder text are shown, not sent",
        arguments: [
            ("plain /path?q=1", "plain /path?q=1"), ("\u{1B}[2J", "\\x1b[2J"), ("a\u{0}b\r\n", "a\\x00b\\x0d\\x0a"),
            ("\u{7F}\u{9B}", "\\x7f\\x9b"), ("ab\u{202E}cd", "ab\\u{202e}cd"), ("\u{2066}", "\\u{2066}"),
            ("a\u{2028}b\u{2029}\u{85}", "a\\u{2028}b\\u{2029}\\x85"), ("\u{200B}\u{FEFF}", "\\u{200b}\\u{feff}"),
            ("naïve 日本", "naïve 日本"),
        ])
    func controls(text: String, expected: String) {
        #expect(displayText(Array(text.utf8)) == expected)
    }

    @Test("every byte value alone gives printable text")
    func everyByte() {
        for byte in UInt8.min...UInt8.max {
            let text = displayText([byte])
            #expect(text.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "byte \(byte): \(text)")
        }
    }

    @Test("without Unicode everything is ASCII")
    func ascii() {
        #expect(displayText(Array("naïve 日".utf8), unicode: false) == "na\\xefve \\u{65e5}")
    }

    @Test(
        "long text gives way in the middle and keeps its end",
        arguments: [
            ("GET api.example.com /v1/orders/{id}", 24, "GET api.…/v1/orders/{id}"), ("short", 5, "short"),
            ("abcdef", 5, "ab…ef"), ("abcdef", 1, "…"), ("日本語日本語", 7, "日…本語"),
        ])
    func shortening(text: String, width: Int, expected: String) {
        let result = shortened(text, to: width, ellipsis: "…")
        #expect(result == expected)
        #expect(displayWidth(result) <= width)
    }

    @Test("lines break at spaces and later ones are indented")
    func wrapping() {
        #expect(wrapped("one two three four", width: 9, indent: 2) == ["one two", "  three", "  four"])
    }

    @Test(
        "IPv6 addresses are compressed as tshark does it",
        arguments: [
            (0, 0, "::"), (0, 1, "::1"), (0, 0x0102_0304, "::1.2.3.4"), (0, 0xFFFF_0102_0304, "::ffff:1.2.3.4"),
            (0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001, "2001:db8:0:1:1:1:1:1"),
            (0x0001_0000_0000_0002, 0, "1:0:0:2::"), (0x0001_0000_0000_0002, 3, "1:0:0:2::3"),
            (0x0000_0000_0001_0000, 0, "0:0:1::"),
            (0xFE80_0000_0000_0000, 1, "fe80::1"), (0, 0xFFFF_0000_0102_0304, "::ffff:0:102:304"),
            (0x0064_FF9B_0000_0000, 0x0102_0304, "64:ff9b::102:304"),
            (0x0001_0002_0003_0004, 0x0005_0006_0000_0000, "1:2:3:4:5:6::"),
            (0x0000_0002_0003_0004, 0x0005_0006_0007_0008, "0:2:3:4:5:6:7:8"),
            (0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ] as [(UInt64, UInt64, String)])
    func version6(high: UInt64, low: UInt64, expected: String) {
        #expect(IPAddress(high: high, low: low, isVersion6: true).description == expected)
    }

    @Test("endpoints tell address and port")
    func endpoints() {
        #expect(Endpoint(address: IPAddress(version4: 0x0A00_0002), port: 51_234).description == "10.0.0.2:51234")
        let version6 = IPAddress(high: 0x2001_0DB8_0000_0000, low: 1, isVersion6: true)
        #expect(Endpoint(address: version6, port: 443).description == "[2001:db8::1]:443")
    }

    @Test(
        "bars begin where the one before ended, show a trace of the smallest part, and stay inside",
        arguments: [
            (0, 100, "██████████"), (0, 50, "█████"), (50, 25, "     ██▌"), (0, 1, "▏"), (99, 1, "         ▏"),
            (100, 1, "         ▏"), (0, 0, ""), (95, 20, "        ██"),
        ])
    func bars(start: Int, length: Int, expected: String) {
        let style = TerminalStyle()
        #expect(waterfallBar(start: start, length: length, of: 100, cells: 10, style: style) == expected)
    }

    @Test("bars of huge numbers do not overflow")
    func hugeBars() {
        let style = TerminalStyle()
        #expect(waterfallBar(start: 0, length: .max, of: .max, cells: 3, style: style) == "███")
        #expect(waterfallBar(start: .max - 1, length: 1, of: .max, cells: 3, style: style) == "  ▏")
    }
}
