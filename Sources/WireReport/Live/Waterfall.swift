import WireCore
import WireRecords

/// The ledger as lines of label, share, bytes, both directions, and a bar that begins where the one before ended.
struct Waterfall {
    let ledger: LedgerSummary
    let style: TerminalStyle
    private let lines: [LedgerLine]
    private let titles: [String]
    private let labelWidth: Int
    private let numberWidths: [Int]
    private let barWidth: Int
    private let showsShare: Bool
    private static let shareWidth = 7
    private static let smallestBar = 5

    init(ledger: LedgerSummary, style: TerminalStyle) {
        self.init(ledger: ledger, lines: ledger.lines(), style: style)
    }

    /// - Parameters:
    ///   - lines: they add up to the ledger's bytes.
    ///   - leastWidth: of numbers, that columns may stay where they are while numbers grow.
    ///   - showsDirections: false leaves out the bytes up and down.
    init(
        ledger: LedgerSummary, lines: [LedgerLine], style: TerminalStyle, leastWidth: Int = 0,
        showsDirections: Bool = true
    ) {
        self.ledger = ledger
        self.style = style
        self.lines = lines
        let labelWidth = lines.reduce(0) { max($0, displayWidth(Waterfall.label($1))) }
        var titles = ["bytes", "up", "down"]
        var numberWidths = titles.enumerated().map { index, title in
            lines.reduce(max(title.count, leastWidth)) { max($0, Waterfall.numbers($1)[index].count) }
        }
        let all = Waterfall.width(labelWidth, numberWidths)
        if !showsDirections || all > style.width {
            titles = ["bytes"]
            numberWidths.removeLast(2)
        }
        let used = Waterfall.width(labelWidth, numberWidths)
        self.titles = titles
        self.labelWidth = labelWidth
        self.numberWidths = numberWidths
        showsShare = used <= style.width
        let room = min(style.width - used - 2, 60)
        barWidth = room < Waterfall.smallestBar ? 0 : room
    }

    /// Columns of label, numbers and share.
    private static func width(_ label: Int, _ numbers: [Int]) -> Int {
        numbers.reduce(label) { $0 + 2 + $1 } + 2 + shareWidth
    }

    func rows() -> [String] {
        let heading = row("WHERE THE BYTES WENT", titles, "share")
        var rendered = [style.paint(heading, .heading)]
        var start = 0
        for line in lines {
            let share = percent(line.bytes, of: ledger.bytes) ?? style.dash
            let text = row(Waterfall.label(line), Waterfall.numbers(line), style.plain(share))
            let bar = waterfallBar(
                start: line.role == .total ? 0 : start, length: line.bytes, of: ledger.bytes, cells: barWidth,
                style: style)
            if line.role != .total { start += line.bytes }
            rendered.append(painted(text, bar, line))
        }
        return rendered
    }

    private func painted(_ text: String, _ bar: String, _ line: LedgerLine) -> String {
        let paint: Paint
        switch line.role {
        case .message: paint = .message
        case .overhead: paint = .overhead
        case .opening: paint = .opening
        case .loss: paint = .loss
        case .outside: paint = .outside
        case .total: paint = .faint
        }
        let words = line.role == .total ? style.paint(text, .heading) : text
        return bar.isEmpty ? words : words + "  " + style.paint(bar, paint)
    }

    private func row(_ label: String, _ numbers: [String], _ share: String) -> String {
        var text = padded(label, labelWidth, right: false)
        for (number, width) in zip(numbers, numberWidths) { text += "  " + padded(number, width, right: true) }
        return showsShare ? text + "  " + padded(share, Waterfall.shareWidth, right: true) : text
    }

    private static func label(_ line: LedgerLine) -> String { line.role == .total ? line.label : "  " + line.label }

    private static func numbers(_ line: LedgerLine) -> [String] {
        [
            grouped(line.bytes), line.directions.map { grouped($0.up) } ?? "",
            line.directions.map { grouped($0.down) } ?? "",
        ]
    }
}
