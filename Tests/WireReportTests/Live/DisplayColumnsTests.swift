import Testing
import WireRecords
import WireReport

@Suite("Columns of text on a terminal")
struct DisplayColumnsTests {
    @Test(
        "wide characters and emoji take two, marks none",
        arguments: [
            ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("⚡", 2), ("⌚", 2), ("🀄", 2), ("🇯🇵", 4), ("❤", 1), ("❤\u{FE0F}", 2),
            ("ꥠ", 2), ("〈", 2), ("🈁", 2), ("x\u{20DD}", 1),
        ])
    func width(text: String, columns: Int) {
        #expect(displayWidth(text) == columns)
        #expect(paintedWidth("\u{1B}[1;37m" + text + "\u{1B}[0m m") == columns + 2)
    }

    @Test(
        "a line that is cut keeps its colours to itself",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m and more", 6, "\u{1B}[31mred\u{1B}[0m an\u{1B}[0m"),
            ("\u{1B}[31mred\u{1B}[0m and more", 2, "\u{1B}[31mre\u{1B}[0m"), ("plain", 3, "pla"), ("plain", 0, ""),
            ("\u{1B}[31mred\u{1B}[0m", 3, "\u{1B}[31mred\u{1B}[0m"), ("日本", 3, "日"),
        ])
    func clipping(text: String, width: Int, expected: String) {
        #expect(clipped(text, to: width) == expected)
    }

    @Test("marks without end do not make a line without end")
    func marks() {
        let text = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(clipped(text, to: 80).unicodeScalars.count == 5)
    }
}
