import Testing
import WireTesting
import wireaudit

/// A terminal as far as frames use one. Anything else is a mistake that it records.
private struct TerminalModel {
    let columns: Int
    private(set) var cells: [[Character]]
    private(set) var mistakes: [String] = []
    private(set) var updates = 0
    private var row = 0
    private var column = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        cells = Array(repeating: Array(repeating: "#", count: columns), count: rows)
    }

    var lines: [String] {
        cells.map { row in
            var line = String(row)
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    mutating func show(_ bytes: [UInt8]) {
        var text = Substring(String(decoding: bytes, as: UTF8.self))
        while let character = text.popFirst() {
            if character != "\u{1B}" {
                put(character)
                continue
            }
            let parameters = text.dropFirst().prefix { "0123456789;?".contains($0) }
            guard text.first == "[", let final = text.dropFirst(1 + parameters.count).first else {
                mistakes.append("a sequence that is cut")
                return
            }
            text = text.dropFirst(parameters.count + 2)
            control(String(parameters), final)
        }
    }

    private mutating func put(_ character: Character) {
        guard !character.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }) else {
            mistakes.append("a control character")
            return
        }
        cells[row][min(column, columns - 1)] = character
        column = min(column + 1, columns)
    }

    private mutating func control(_ parameters: String, _ final: Character) {
        switch (parameters, final) {
        case ("?2026", "h"): updates += 1
        case ("?2026", "l"), (_, "m"): break
        case ("", "H"): (row, column) = (0, 0)
        case ("2", "J"): cells = cells.map { $0.map { _ in " " } }
        case ("", "K"): erase(row)
        case ("", "J"):
            for line in row..<cells.count { erase(line) }
        case (_, "H"):
            let place = parameters.split(separator: ";").compactMap { Int($0) }
            guard place.count == 2, (1...cells.count).contains(place[0]), place[1] == 1 else {
                mistakes.append("a place outside: \(parameters)")
                return
            }
            (row, column) = (place[0] - 1, 0)
        default: mistakes.append("\(parameters)\(final)")
        }
    }

    /// All frames erase whole lines, with the cursor on the first cell.
    private mutating func erase(_ line: Int) {
        if column != 0 { mistakes.append("erasing from column \(column)") }
        cells[line] = Array(repeating: " ", count: columns)
    }
}

@Suite("Frames of the terminal")
struct TerminalFrameTests {
    @Test("the terminal shows the lines after every update, and only what changed is sent")
    func randomFrames() {
        let seed: UInt64 = 0x4652_414D
        var random = SeededRandom(seed: seed)
        for round in 0..<200 {
            let (columns, rows) = (1 + random.below(30), 1 + random.below(8))
            var (frame, model) = (TerminalFrame(), TerminalModel(columns: columns, rows: rows))
            var lines: [String] = []
            for _ in 0..<12 {
                lines = Self.changed(lines, columns: columns, &random)
                if random.oneIn(6) { frame.forget() }
                model.show(frame.update(lines, columns: columns, rows: rows))
                let expected = lines.prefix(rows).map(Self.plain)
                #expect(Array(model.lines.prefix(expected.count)) == expected, "seed \(seed), round \(round)")
                let below = model.lines.dropFirst(expected.count)
                #expect(below.allSatisfy { $0.isEmpty }, "seed \(seed), round \(round)")
                #expect(model.mistakes.isEmpty, "seed \(seed), round \(round): \(model.mistakes)")
                #expect(frame.update(lines, columns: columns, rows: rows).isEmpty)
            }
        }
    }

    /// Some lines of the last picture, others changed, one more or less.
    private static func changed(_ lines: [String], columns: Int, _ random: inout SeededRandom) -> [String] {
        let words = ["", "a", "bc", "é", "wide", "0123456789"]
        func line() -> String {
            var (text, width) = ("", 0)
            while !random.oneIn(4) {
                let word = String(random.element(words).prefix(columns - width))
                text += random.oneIn(3) ? "\u{1B}[1;31m\(word)\u{1B}[0m" : word
                width += word.count
            }
            return text
        }
        return (0..<random.below(10)).map { $0 < lines.count && !random.oneIn(3) ? lines[$0] : line() }
    }

    private static func plain(_ line: String) -> String {
        var (text, isColour) = ("", false)
        for character in line {
            if character == "\u{1B}" { isColour = true }
            if !isColour { text.append(character) }
            if character == "m" { isColour = false }
        }
        return text
    }

    @Test("one changed line is all that is sent, however many there are")
    func oneLine() {
        var frame = TerminalFrame()
        var lines = (0..<60).map { "line \($0) " + String(repeating: "x", count: 100) }
        _ = frame.update(lines, columns: 120, rows: 60)
        lines[40] = "now"
        let bytes = frame.update(lines, columns: 120, rows: 60)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "\u{1B}[?2026h\u{1B}[0m\u{1B}[41;1H\u{1B}[Know\u{1B}[?2026l")
    }

    @Test("another size sends everything, and no line beyond the last row")
    func sizes() {
        var frame = TerminalFrame()
        let lines = ["one", "two", "three"]
        _ = frame.update(lines, columns: 20, rows: 5)
        let bytes = String(decoding: frame.update(lines, columns: 20, rows: 2), as: UTF8.self)
        #expect(bytes.contains("\u{1B}[2J") && bytes.contains("one") && bytes.contains("two"))
        #expect(!bytes.contains("three"))
        #expect(frame.update(lines, columns: 20, rows: 0).count > 0)
    }

    @Test(
        "no control character reaches the terminal but colours",
        arguments: [
            ("a\nb\r\tc", "a?b??c"), ("\u{1B}[31mred\u{1B}[0m", "\u{1B}[31mred\u{1B}[0m"),
            ("\u{1B}[38;5;208mx\u{1B}[38:2::1:2:3my", "\u{1B}[38;5;208mx\u{1B}[38:2::1:2:3my"),
            ("\u{1B}[2J", "?[2J"), ("\u{1B}]0;title\u{7}", "?]0;title?"), ("\u{9B}2J\u{7F}", "?2J?"),
            ("\u{1B}", "?"), ("\u{1B}[", "?["), ("\u{1B}[31", "?[31"), ("\u{1B}\u{1B}[1m", "?\u{1B}[1m"),
            ("\r\n", "??"), ("é漢😀", "é漢😀"),
        ])
    func controls(line: String, expected: String) {
        var bytes: [UInt8] = []
        TerminalFrame.append(line, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
