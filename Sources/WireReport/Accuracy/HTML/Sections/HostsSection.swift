import WireLogs
import WireRecords

/// Hosts that TLS hides, held against logs in total.
struct HostsSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let comparisons = index.hostComparisons(options)
        guard !comparisons.isEmpty else { return "" }
        return """
            <section id="hosts" aria-labelledby="hosts-h">
            <h2 id="hosts-h">Hosts that were not read</h2>
            \(index.boundsTables(options).map(bounds).joined())<p>\(HostComparison.introduction)</p>
            \(comparisons.map(hostTable).joined())<p class="legend">\(HostComparison.legend(layer: options.layer))</p>
            </section>

            """
    }

    private func bounds(_ table: QuestionTable) -> Markup {
        "<h3>\(table.title), \(mark(table.source).swatch) \(label(table.source))</h3>\n\(page.table(table))"
    }

    private func hostTable(_ comparison: HostComparison) -> Markup {
        let shown = options.top.map { comparison.lines.prefix($0) } ?? comparison.lines[...]
        let directions = Direction.allCases.filter { comparison.speaks($0) }
        let rows = shown.flatMap { line in directions.map { hostRow(line, $0) } }.joined()
        let left = comparison.lines.count - shown.count
        var notes: [String] = left > 0 ? ["\(counted(left, "more host")) (--top all)"] : []
        if let remarks = comparison.remarks { notes.append(remarks) }
        let table: Markup = """
            <table><thead><tr><th scope="col">Host</th><th scope="col">Direction</th>\
            <th scope="col" class="n">Connections</th><th scope="col" class="n">Wire</th>\
            <th scope="col" class="n">Set-up</th><th scope="col" class="n">Data</th>\
            <th scope="col" class="n">Rows</th><th scope="col" class="n">Logged</th>\
            <th scope="col" class="n">Difference</th><th scope="col" class="n">Of wire</th>\
            <th scope="col" class="n">Of data</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        return """
            <h3>\(mark(comparison.source).swatch) \(label(comparison.source))</h3>
            \(rows.isEmpty ? "" as Markup : PageDocument.scrolling("Hosts", table))\
            \(notes.isEmpty ? "" as Markup : "<p>\(notes.joined(separator: "; ")).</p>\n")
            """
    }

    private func hostRow(_ line: HostLine, _ direction: Direction) -> Markup {
        let (wire, log) = (line.host[direction], line.log[direction])
        let name = shortened(displayText(line.host.host), to: 120, ellipsis: "…")
        let numbers = [line.host.connections, wire.wire, wire.setup, wire.application, log.rows].map { grouped($0) }
        let difference = line.difference(direction)
        let figures = [
            log.rows == 0 ? nil : grouped(log.bytes), log.rows == 0 ? nil : signed(difference),
            line.shareOfWire(direction), line.shareOfData(direction),
        ].map { $0 ?? "–" }
        let cells = (numbers + figures).map { "<td class=\"n\">\($0)</td>" as Markup }.joined()
        return "<tr><th scope=\"row\">\(name)</th><td>\(direction.nouns)</td>\(cells)</tr>\n"
    }
}
