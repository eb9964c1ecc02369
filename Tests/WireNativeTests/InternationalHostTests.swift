import Testing

@testable import WireNative

@Suite("International host names")
struct InternationalHostTests {
    @Test(
        "labels stand as the characters that they encode",
        arguments: [
            ("xn--mnchen-3ya.de", "münchen.de"), ("XN--Mnchen-3ya.DE:8443", "münchen.DE:8443"),
            ("www.xn--e1afmkfd.xn--80akhbyknj4f", "www.пример.испытание"), ("xn--fsqu00a.xn--0zwm56d", "例子.测试"),
            ("xn--strae-oqa.de", "straße.de"), ("GET xn--mnchen-3ya.de /xn--mnchen-3ya", "GET münchen.de /münchen"),
            // The samples of RFC 3492 §7.1.
            ("xn--ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
            ("xn--4dbcagdahymbxekheh6e0a7fei0b", "למההםפשוטלאמדבריםעברית"),
            ("xn--d9juau41awczczp", "そのスピードで"), ("xn--MajiKoi5-783gue6qz075azm5e", "majiでkoiする5秒前"),
        ])
    func decodes(host: String, unicode: String) {
        if !host.hasPrefix("GET") {
            let ascii = InternationalHost.ascii(Array(unicode.utf8)).map { String(decoding: $0, as: UTF8.self) }
            #expect(ascii?.lowercased() == host.lowercased())
        }
        #expect(InternationalHost.unicode(Array(host.utf8)).map { String(decoding: $0, as: UTF8.self) } == unicode)
    }

    @Test(
        "labels that encode nothing, or could deceive, stay as they are",
        arguments: [
            "shop.example", "", "xn--", "xn--.de", "xn--abc-.de", "xn--a.de", "xn--99999999999999999.de", "xn---.de",
            "axn--mnchen-3ya.de", "xn--mnchen_3ya.de",
            // аpple with a Cyrillic а, a capital, a right-to-left override, a zero-width joiner.
            "xn--pple-43d.com", "xn--mnchen-psa.de", "xn--a-qin.de", "xn--ab-n1t.de",
        ])
    func leaves(host: String) {
        #expect(InternationalHost.unicode(Array(host.utf8)) == nil)
    }

    @Test(
        "characters are encoded as the DNS has them, in any letter case; what has several encodings stays",
        arguments: [
            ("MÜNCHEN.example:8443", "xn--mnchen-3ya.example:8443"), ("a.ünchen.ü", "a.xn--nchen-jva.xn--tda"),
            ("shop.example", nil), ("", nil), ("mu\u{308}nchen.example", nil), ("\u{430}pple.com", nil),
            ("a\u{202E}b.de", nil), (String(repeating: "ü", count: 70), nil),
        ] as [(String, String?)])
    func encodes(host: String, ascii: String?) {
        #expect(InternationalHost.ascii(Array(host.utf8)).map { String(decoding: $0, as: UTF8.self) } == ascii)
        #expect(InternationalHost.ascii([0x6D, 0xFC, 0x6E]) == nil)
    }

    @Test("any text decodes to UTF-8, or stays")
    func anyText() {
        var state = UInt64(7)
        for _ in 0..<20_000 {
            var label = Array("xn--".utf8)
            for _ in 0..<Int(state >> 33) % 40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                label.append(Array("abcxyz0189-".utf8)[Int(state >> 40) % 11])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1
            if let text = InternationalHost.unicode(label) { #expect(String(validating: text, as: UTF8.self) != nil) }
        }
    }

    @Test("a text is cut neither within a character nor within an escape")
    func cuts() {
        for (text, limit, cut) in [
            ("/a%C3%A9", 8, 8), ("/a%C3%A9", 7, 5), ("/a%C3%A9", 6, 5), ("/a%C3%A9", 5, 5), ("/a%C3%A9", 4, 2),
            ("/é", 2, 1),
            ("/100%zz", 5, 5), ("/%4", 2, 2),
        ] as [(String, Int, Int)] {
            #expect(PathText.cut(Array(text.utf8), to: limit) == cut, "\(text) \(limit)")
        }
    }
}
