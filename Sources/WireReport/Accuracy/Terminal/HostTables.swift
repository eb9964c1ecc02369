import WireLogs
import WireRecords

/// Hosts that TLS hides: for each log a table of requests and one of responses.
struct HostTables {
    let index: AccuracyIndex
    let options: ReportOptions
    let style: TerminalStyle

    func render() -> [[String]] {
        let comparisons = index.hostComparisons(options)
        guard !comparisons.isEmpty else { return [] }
        var sections = comparisons.map(section)
        let isTable = comparisons.contains { !$0.lines.isEmpty }
        let words = HostComparison.introduction + (isTable ? " " + HostComparison.legend(layer: options.layer) : "")
        sections[sections.count - 1] += wrappedSentence(style.plain(words), width: style.width, indent: 0)
            .map { style.paint($0, .faint) }
        return sections
    }

    private func section(_ comparison: HostComparison) -> [String] {
        let name = "HOSTS IN TOTAL: " + style.safe(index.result.sources[comparison.source].id)
        var lines = [style.paint(shortened(name, to: style.width, ellipsis: style.ellipsis), .heading)]
        for direction in Direction.allCases where comparison.speaks(direction) {
            lines += table(comparison, direction)
        }
        let left = comparison.lines.count - shown(comparison).count
        if left > 0 { lines.append("\(style.ellipsis) and \(counted(left, "more host")) (--top all)") }
        if let remarks = comparison.remarks {
            lines += wrappedSentence(remarks, width: style.width - 2, indent: 2).map { "  " + $0 }
        }
        return lines
    }

    private func shown(_ comparison: HostComparison) -> ArraySlice<HostLine> {
        options.top.map { comparison.lines.prefix($0) } ?? comparison.lines[...]
    }

    /// The columns, those first that give way last.
    private static let columns = [
        "logged", "wire", "of wire", "rows", "data", "of data", "difference", "conn", "set-up",
    ]
    private static let order = [
        "conn", "wire", "set-up", "data", "rows", "logged", "difference", "of wire", "of data",
    ]

    private func table(_ comparison: HostComparison, _ direction: Direction) -> [String] {
        var columns = HostTables.columns
        while true {
            let titles = HostTables.order.filter { columns.contains($0) }
            var table = TextTable(text: "  " + direction.noun + "s", numbers: titles)
            for line in shown(comparison) {
                let cells = titles.map { style.plain(cell($0, line, direction) ?? style.dash) }
                table.add(["  " + style.safe(line.host.host)] + cells)
            }
            if columns.count == 1 || table.width(withText: 20) <= style.width { return table.lines(style) }
            columns.removeLast()
        }
    }

    private func cell(_ column: String, _ line: HostLine, _ direction: Direction) -> String? {
        let (wire, log) = (line.host[direction], line.log[direction])
        return switch column {
        case "conn": grouped(line.host.connections)
        case "wire": grouped(wire.wire)
        case "set-up": grouped(wire.setup)
        case "data": grouped(wire.application)
        case "rows": grouped(log.rows)
        case "logged": log.rows == 0 ? nil : grouped(log.bytes)
        case "difference": log.rows == 0 ? nil : signedText(line.difference(direction))
        case "of wire": line.shareOfWire(direction)
        default: line.shareOfData(direction)
        }
    }

    private func signedText(_ bytes: Int) -> String { (bytes > 0 ? "+" : "") + grouped(bytes) }
}
