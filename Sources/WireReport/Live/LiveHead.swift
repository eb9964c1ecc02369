import WireCore
import WireRecords

/// The first line: what is captured, for how long, and how much comes now.
struct LiveHead {
    private static let longestSparkline = 60
    private static let shortestSparkline = 8

    let state: LiveState
    let style: TerminalStyle
    /// Losses have no line of their own.
    var tellsLosses = false
    var hasSparkline = true

    private struct Part {
        var text: String
        var paint: Paint?
        /// Small numbers stay longest.
        var rank: Int
        var isRight = false
    }

    func line() -> String {
        let parts = fitting(self.parts)
        let left = parts.filter { !$0.isRight }
        let right = parts.filter(\.isRight)
        let used = parts.reduce(0) { $0 + displayWidth($1.text) + 2 } - 2
        var shown = [left, right].map { $0.map(painted).joined(separator: "  ") }
        var room = style.width - max(used, 0)
        let cells = min(room - 4, LiveHead.longestSparkline)
        if hasSparkline, cells >= LiveHead.shortestSparkline, parts.count == self.parts.count {
            let history = state.rates.history.suffix(cells)
            let line = String(repeating: " ", count: cells - history.count) + sparkline(history, style: style)
            shown[1] += "  " + style.paint(line, .overhead)
            room -= cells + 2
        }
        let gap = String(repeating: " ", count: right.isEmpty || left.isEmpty ? max(room, 0) : room + 2)
        return shown[0] + gap + shown[1]
    }

    private func painted(_ part: Part) -> String { part.paint.map { style.paint(part.text, $0) } ?? part.text }

    private func fitting(_ parts: [Part]) -> [Part] {
        var used = -2
        var chosen: Set<Int> = []
        for index in parts.indices.sorted(by: { parts[$0].rank < parts[$1].rank }) {
            let width = displayWidth(parts[index].text) + 2
            guard used + width <= style.width else { continue }
            used += width
            chosen.insert(index)
        }
        return parts.indices.filter(chosen.contains).map { parts[$0] }
    }

    private var parts: [Part] {
        var parts: [Part] = []
        let dropped = state.interfaces.reduce(0) { $0 + $1.dropped }
        if tellsLosses, dropped > 0 {
            parts.append(Part(text: "\(fittingCount(dropped, 9)) lost", paint: .warning, rank: 0))
        }
        parts.append(Part(text: "wireaudit live", paint: .heading, rank: 6))
        parts.append(Part(text: names, rank: 3))
        parts.append(Part(text: clockTime(state.elapsed), rank: 4))
        // Packets are still taken, and the numbers of the next picture will have them.
        if state.isFrozen { parts.append(Part(text: style.color ? " FROZEN " : "FROZEN", paint: .badge, rank: 1)) }
        let packets = padded(fittingCount(state.rates.packetsPerSecond, 9), 9, right: true) + " packets/s"
        parts.append(Part(text: packets, rank: 5, isRight: true))
        let bytes = padded(rateInWords(state.rates.bytesPerSecond), 9, right: true)
        parts.append(Part(text: bytes, paint: .heading, rank: 2, isRight: true))
        return parts
    }

    private var names: String {
        let names = state.interfaces.map { style.safe($0.name) }.joined(separator: ", ")
        let room = max(style.width / 3, 6)
        guard displayWidth(names) > room else { return names }
        if state.interfaces.count > 1, room >= 14 { return counted(state.interfaces.count, "interface") }
        return shortened(names, to: room, ellipsis: style.ellipsis)
    }
}
