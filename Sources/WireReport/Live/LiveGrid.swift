import WireCore
import WireRecords

/// The audit's totals in cells that keep their places.
struct LiveGrid {
    static let gap = "   "
    private static let narrowestCell = 23
    private static let widestCell = 30

    let state: LiveState
    let style: TerminalStyle

    /// A number or a word with what it means before it.
    struct Fact {
        var label: String
        var value: String
        var paint: Paint?
    }

    /// Cells in a line, and their width.
    var shape: (cells: Int, width: Int) { LiveGrid.shape(style, most: columns.count) }

    private static func shape(_ style: TerminalStyle, most: Int) -> (cells: Int, width: Int) {
        let gap = LiveGrid.gap.utf8.count
        let cells = min(max((style.width + gap) / (narrowestCell + gap), 1), max(most, 1))
        return (cells, min((style.width + gap) / cells - gap, widestCell))
    }

    /// Facts one after the other, in as many lines as they take, `height` at most.
    static func lines(_ facts: [Fact], height: Int, _ style: TerminalStyle) -> [String] {
        let (cells, width) = shape(style, most: 5)
        return Array(inLines(facts.map { cell($0, width, style) }, cells).prefix(max(height, 0)))
    }

    /// At most `height` lines; the facts that matter most stand first in each column.
    func lines(height: Int) -> [String] {
        let (count, width) = shape
        guard width >= 12 else { return [] }
        let columns = self.columns.prefix(count).map { $0.map { LiveGrid.cell($0, width, style) } }
        return (0..<min(height, 3)).map { row in columns.map { $0[row] }.joined(separator: LiveGrid.gap) }
    }

    private static func cell(_ fact: Fact, _ width: Int, _ style: TerminalStyle) -> String {
        let value = shortened(fact.value, to: width, ellipsis: style.ellipsis)
        let room = width - displayWidth(value)
        let label = shortened(fact.label, to: max(room - 1, 0), ellipsis: style.ellipsis)
        let painted = fact.paint.map { style.paint(value, $0) } ?? value
        return style.paint(label, .faint) + String(repeating: " ", count: room - displayWidth(label)) + painted
    }

    // MARK: Facts

    private var columns: [[Fact]] {
        let snapshot = state.snapshot
        var columns = [
            [bytes, count("packets", snapshot.packets), lost],
            [
                count("exchanges", snapshot.exchanges),
                count("in progress", snapshot.openExchanges, isFaintAtZero: true),
                memory,
            ],
            [
                count("connections", snapshot.connections),
                count("open", snapshot.openConnections, isFaintAtZero: true),
                count("waiting for key", snapshot.awaitingKeys, isFaintAtZero: true),
            ],
        ]
        let limits = state.limits.map(fact)
        for start in stride(from: 0, to: limits.count, by: 3) {
            let part = limits[start..<min(start + 3, limits.count)]
            columns.append(part + Array(repeating: Fact(label: "", value: ""), count: 3 - part.count))
        }
        return columns
    }

    private var bytes: Fact { Fact(label: "bytes", value: fittingBytes(state.snapshot.bytes, 16)) }

    private func count(_ label: String, _ value: Int, isFaintAtZero: Bool = false) -> Fact {
        Fact(label: label, value: fittingCount(value, 13), paint: isFaintAtZero && value == 0 ? .faint : nil)
    }

    private var lost: Fact {
        let dropped = state.interfaces.reduce(0) { $0 + $1.dropped }
        return Fact(label: "packets lost", value: fittingCount(dropped, 11), paint: dropped > 0 ? .warning : .faint)
    }

    private var memory: Fact {
        let value = state.residentBytes.map { sizeInWords($0) ?? counted($0, "byte") }
        return Fact(label: "memory", value: value ?? style.dash)
    }

    /// `423 of 10,000`
    private func fact(_ limit: LiveLimit) -> Fact {
        let words = [limit.used, limit.limit].map {
            limit.isBytes ? sizeInWords($0) ?? "\($0) B" : fittingCount($0, 7)
        }
        return Fact(
            label: style.safe(limit.name), value: words.joined(separator: " of "), paint: limit.isNear ? .warning : nil)
    }
}
