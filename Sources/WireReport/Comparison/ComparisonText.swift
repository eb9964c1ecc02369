import WireComparison
import WireCore
import WireRecords

/// The comparison for a person at a terminal: verdict, evidence, method.
public func comparisonText(
    _ comparison: CostComparison, top: Int?, style: TerminalStyle
) -> OutputBuffer {
    let report = ComparisonText(comparison: comparison, top: top, style: style)
    return textBuffer(report.sections, style)
}

private struct ComparisonText {
    let comparison: CostComparison
    let top: Int?
    let style: TerminalStyle
    private let words: ComparisonWords

    init(comparison: CostComparison, top: Int?, style: TerminalStyle) {
        (self.comparison, self.top, self.style) = (comparison, top, style)
        words = ComparisonWords(comparison: comparison) { style.safe($0) }
    }

    var sections: [[String]] {
        [head, bound, changedAPIs, newAndVanished, fewCalls, causes, hosts, doubts, method]
    }

    private func sentence(_ text: String, indent: Int = 0, _ paint: Paint? = nil) -> [String] {
        let lines = wrappedSentence(style.plain(ascii(text)), width: style.width - indent, indent: 0)
        let margin = String(repeating: " ", count: indent)
        return lines.map { line in margin + (paint.map { style.paint(line, $0) } ?? line) }
    }

    private func ascii(_ text: String) -> String {
        style.unicode ? text : String(text.flatMap { $0 == "±" ? "+-" : String($0) })
    }

    private var head: [String] {
        sentence(words.verdict, .heading) + (words.counts.map { sentence($0) } ?? []) + [""]
            + sentence("before: " + words.side(comparison.before), .faint)
            + sentence("after:  " + words.side(comparison.after), .faint)
    }

    private var bound: [String] {
        guard let verdict = words.boundVerdict else { return [] }
        let violations = words.violations
        return sentence(verdict, violations.isEmpty ? .message : .loss)
            + violations.flatMap { sentence("- " + $0, indent: 2) }
    }

    // MARK: APIs

    private var changedAPIs: [String] {
        let rows = words.changed
        guard !rows.isEmpty else { return [] }
        let shown = top.map { rows.prefix($0) } ?? rows[...]
        let titles = ["calls", "before", "after", "change", "%"] + (comparison.knowsNoise ? ["chance"] : [])
        var table = TextTable(text: "CHANGED APIs (B/CALL)", numbers: titles)
        table.namesAPIs = true
        for row in shown { table.add(cells(row)) }
        let parts = table.parts(style)
        var lines = parts.heading
        for (row, part) in zip(shown, parts.rows) {
            lines += part
            let causes = words.causeWords(row, most: 4)
            if !causes.isEmpty { lines += sentence(causes, indent: 4, .faint) }
        }
        return lines + more(rows.count - shown.count, "API")
    }

    private func cells(_ row: APIChange) -> [String] {
        guard let wire = row.wire else { return [] }
        return [
            style.safe(row.api), "\(grouped(row.before?.calls ?? 0))/\(grouped(row.after?.calls ?? 0))",
            words.bytes(wire.before), words.bytes(wire.after), ascii(words.signed(wire.change)),
            style.plain(words.percent(wire.percent)),
        ] + (comparison.knowsNoise ? [ascii("±" + (wire.noise.map(words.bytes) ?? "?"))] : [])
    }

    private func more(_ number: Int, _ noun: String) -> [String] {
        number > 0 ? ["\(style.ellipsis) and \(counted(number, "more \(noun)")) (--top all)"] : []
    }

    /// APIs that one side alone has, and those whose calls are not known.
    private var newAndVanished: [String] {
        let rows = words.apis(.new) + words.apis(.vanished) + words.apis(.encrypted)
        guard !rows.isEmpty else { return [] }
        let shown = top.map { rows.prefix($0) } ?? rows[...]
        var table = TextTable(
            text: "ON ONE SIDE ONLY, OR ENCRYPTED", numbers: ["", "calls", "wire before", "wire after"])
        table.namesAPIs = true
        for row in shown {
            table.add([
                style.safe(row.api), row.verdict.rawValue, row.knownCalls.map { grouped($0) } ?? style.dash,
                row.before.map { grouped(comparison.measure.wire($0.costs)) } ?? style.dash,
                row.after.map { grouped(comparison.measure.wire($0.costs)) } ?? style.dash,
            ])
        }
        return table.lines(style) + more(rows.count - shown.count, "API")
    }

    private var fewCalls: [String] {
        let rows = words.fewCalls
        guard !rows.isEmpty else { return [] }
        let shown = top.map { rows.prefix($0) } ?? rows[...]
        var table = TextTable(
            text: "TOO FEW CALLS TO TELL (B/CALL)", numbers: ["calls", "before", "after", "change", "%"])
        table.namesAPIs = true
        for row in shown { table.add(Array(cells(row).prefix(6))) }
        return table.lines(style) + more(rows.count - shown.count, "API")
    }

    // MARK: Causes and hosts

    private var causes: [String] {
        let rows = comparison.cells.filter { $0.change.before != 0 || $0.change.after != 0 }
        guard let total = comparison.total, !comparison.isIdentical else { return [] }
        let titles = ["before", "after", "change"] + (comparison.knowsNoise ? ["chance"] : [])
        var table = TextTable(text: "BY CAUSE (B/CALL, SAME MIX)", numbers: titles)
        func add(_ name: String, _ change: CostChange) {
            var cells = [
                name, words.bytes(change.before), words.bytes(change.after), ascii(words.signed(change.change)),
            ]
            if comparison.knowsNoise { cells.append(ascii("±" + (change.noise.map(words.bytes) ?? "?"))) }
            let isCertain = !change.isNothing && change.isCertain == true
            table.add(cells, paints: isCertain ? Array(repeating: .total, count: cells.count) : [])
        }
        for row in rows { add("  " + words.name(row.cell), row.change) }
        add("= wire", total)
        return table.lines(style)
    }

    private var hosts: [String] {
        let rows = comparison.hosts.filter { $0.before?.costs != $0.after?.costs }
        guard !rows.isEmpty else { return [] }
        let shown = top.map { rows.prefix($0) } ?? rows[...]
        var table = TextTable(
            text: "HOSTS: TOTALS", numbers: ["connections", "calls", "wire before", "wire after", "change"])
        for row in shown {
            let wire = [row.before, row.after].map { comparison.measure.wire($0?.costs ?? .init()) }
            table.add([
                style.safe(row.host), pair(row.before?.knownConnections, row.after?.knownConnections),
                pair(row.before?.knownCalls, row.after?.knownCalls), row.before == nil ? style.dash : grouped(wire[0]),
                row.after == nil ? style.dash : grouped(wire[1]), signedText(wire[1] &- wire[0]),
            ])
        }
        return table.lines(style) + more(rows.count - shown.count, "host")
    }

    private func pair(_ before: Int?, _ after: Int?) -> String {
        ComparisonWords.pair(before, after, dash: style.dash)
    }

    private func signedText(_ bytes: Int) -> String { (bytes > 0 ? "+" : "") + grouped(bytes) }

    private var doubts: [String] { words.doubts.map { sentence($0, .warning) } ?? [] }

    private var method: [String] { words.method.flatMap { sentence($0, .faint) } }
}
