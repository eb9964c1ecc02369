import WireLogs
import WireRecords

extension AccuracyMarkdown {
    /// Hosts that TLS hides, folded away: for each log a line for each host and direction.
    func hosts(_ page: inout MarkdownText) {
        let comparisons = index.hostComparisons(options)
        guard !comparisons.isEmpty else { return }
        page.beginDetails("Host totals: TLS connections that were not decrypted")
        page.paragraph(markdownWords(HostComparison.introduction))
        for comparison in comparisons {
            page.paragraph(markdownCode(index.result.sources[comparison.source].id))
            let shown = options.top.map { comparison.lines.prefix($0) } ?? comparison.lines[...]
            let rows = shown.flatMap { line in
                Direction.allCases.filter { comparison.speaks($0) }.map { cells(line, $0) }
            }
            if !rows.isEmpty { page.table(AccuracyMarkdown.hostTitles, texts: 2, rows) }
            let left = comparison.lines.count - shown.count
            if left > 0 { page.paragraph("… and \(counted(left, "more host")).") }
            if let remarks = comparison.remarks { page.paragraph(markdownWords(remarks) + ".") }
        }
        page.paragraph("<sub>\(markdownWords(HostComparison.legend(layer: options.layer)))</sub>")
        page.endDetails()
    }

    private static let hostTitles = [
        "host", "", "connections", "wire", "set-up", "data", "rows", "logged", "difference", "of wire", "of data",
    ]

    private func cells(_ line: HostLine, _ direction: Direction) -> [String] {
        let (wire, log) = (line.host[direction], line.log[direction])
        let difference = line.difference(direction)
        let figures = [
            log.rows == 0 ? nil : grouped(log.bytes),
            log.rows == 0 ? nil : (difference > 0 ? "+" : "") + grouped(difference),
            line.shareOfWire(direction), line.shareOfData(direction),
        ]
        return [
            markdownCode(line.host.host), direction.noun, grouped(line.host.connections), grouped(wire.wire),
            grouped(wire.setup), grouped(wire.application), grouped(log.rows),
        ] + figures.map { $0.map(markdownWords) ?? "–" }
    }
}
