import WireCore
import WireRecords

/// What stands beside the ledger where the terminal is wide: the interfaces, and how much came lately.
struct LivePanel {
    private static let mostInterfaces = 4

    let state: LiveState
    let style: TerminalStyle

    func lines(height: Int) -> [String] {
        let interfaces = self.interfaces
        let room = height - interfaces.count - 1
        guard room >= 4 else { return Array(interfaces.prefix(height)) }
        return interfaces + [""] + rates(height: room)
    }

    private var interfaces: [String] {
        var table = TextTable(text: "INTERFACES", numbers: [("packets", 11), ("bytes", 15), ("lost", 7)])
        let shown = state.interfaces.prefix(LivePanel.mostInterfaces)
        for interface in shown {
            let name = [interface.name, interface.description ?? "", interface.linkType.commonName]
            let lost = interface.dropped
            table.add(
                [
                    name.filter { !$0.isEmpty }.map { style.safe($0) }.joined(separator: style.separator),
                    fittingCount(interface.packets, 11), fittingBytes(interface.bytes, 15), fittingCount(lost, 7),
                ], paints: [interface.fault == nil ? nil : .warning, nil, nil, lost > 0 ? .warning : .faint])
        }
        let left = state.interfaces.count - shown.count
        return table.lines(style) + (left > 0 ? [style.paint("\(style.ellipsis) and \(left) more", .faint)] : [])
    }

    private func rates(height: Int) -> [String] {
        let values = state.rates.history.suffix(style.width)
        let title = "BYTES IN A SECOND"
        let peak = "peak " + rateInWords(values.max() ?? 0)
        let gap = String(repeating: " ", count: max(style.width - title.utf8.count - peak.utf8.count, 1))
        let rows = columnChart(values, width: style.width, height: height - 1, style: style)
        return [style.paint(title, .heading) + gap + style.paint(peak, .faint)]
            + rows.map { style.paint($0, .overhead) }
    }
}

/// A column of cells for each number, the latest at the right; the highest reaches the top.
func columnChart(_ values: some Collection<Int>, width: Int, height: Int, style: TerminalStyle) -> [String] {
    let levels: [Character] = style.unicode ? [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] : [" ", ".", "#"]
    let steps = levels.count - 1
    let peak = values.max() ?? 0
    let heights = values.map { $0 > 0 ? max(scaled($0, of: peak, to: height * steps), 1) : 0 }
    return stride(from: height - 1, through: 0, by: -1).map { row in
        String(repeating: " ", count: max(width - heights.count, 0))
            + String(heights.map { levels[min(max($0 - row * steps, 0), steps)] })
    }
}
