import WireComparison
import WireCore
import WireRecords

extension ReportDocument {
    /// Costs before and after: the verdict, what changed, what nobody can tell, causes, hosts and method.
    ///
    /// - Parameter top: Rows of each table; nil for all.
    public init(_ comparison: CostComparison, top: Int?) {
        let words = ComparisonWords(comparison: comparison)
        let tables = ComparisonTables(comparison: comparison, words: words)
        self.init(
            kind: "comparison", title: "Traffic before and after",
            facts: [("before", comparison.before), ("after", comparison.after)].map { name, side in
                .sentence("\(name): \(words.side(side))", .faint)
            },
            sections: [
                ReportSection(
                    "answer",
                    blocks: [.sentence(words.verdict, .verdict), words.counts.map { .sentence(ReportText($0)) }]
                        + words.bound + [words.doubts.map { .sentence(ReportText($0), .warning) }]),
                ReportSection("apis", "Changed APIs", blocks: [.table(tables.changed)] + tables.colours),
                ReportSection("new", "On one side only, or encrypted", blocks: [.table(tables.oneSided)]),
                ReportSection("few", "Too few calls to tell", .folded, blocks: [.table(tables.fewCalls)]),
                ReportSection("causes", "By cause", .folded, blocks: [.table(tables.causes)]),
                ReportSection("hosts", "Hosts: totals", .folded, blocks: [.table(tables.hosts)]),
                ReportSection(
                    "unchanged", "No change beyond chance", .pageOnly, blocks: [.table(tables.unchanged)]),
                ReportSection("method", "Method", blocks: words.method.map { .sentence(ReportText($0), .faint) }),
            ],
            limits: RowLimits(top: top))
    }
}

extension ComparisonWords {
    /// What became of the bound; nothing without one.
    fileprivate var bound: [ReportBlock?] {
        guard let boundVerdict else { return [] }
        return [.sentence(boundVerdict, violations.isEmpty ? .good : .bad), .list(violations.map { ReportItem($0) })]
    }
}

private struct ComparisonTables {
    let comparison: CostComparison
    let words: ComparisonWords
    private static let perCall = "B/call"

    /// The change of each API, and what of it is beyond chance.
    private func table(_ rows: [APIChange], causes: Bool) -> ReportTable {
        let hasChance = comparison.knowsNoise && causes
        var columns: [ReportTable.Column] = [
            .api("API"), .remark("because of"), .number("calls"),
            .number("before"), .number("after"), .number("change"), .number("%"), .number("chance"),
        ]
        columns.removeAll { ($0.title == "chance" && !hasChance) || ($0.kind == .remark && !causes) }
        let moved = rows.compactMap { $0.wire.map { abs($0.change) } }.max() ?? 0
        if causes { columns.insert(.picture("less · more"), at: 2) }
        return ReportTable(
            unit: ComparisonTables.perCall, columns: columns,
            rows: rows.compactMap { row in
                guard let wire = row.wire else { return nil }
                let reasons = [ReportCell(words.causeWords(row, most: 4)), picture(wire, of: moved)]
                let figures = [
                    ReportCell(pair(row.before?.calls, row.after?.calls)), ReportCell(words.bytes(wire.before)),
                    ReportCell(words.bytes(wire.after)), change(wire), ReportCell(words.percent(wire.percent)),
                ]
                return [ReportCell(name: row.api)] + (causes ? reasons : []) + figures
                    + (hasChance ? [chance(wire)] : [])
            }, noun: "API")
    }

    private func picture(_ wire: CostChange, of most: Double) -> ReportCell {
        let end = most > 0 ? wire.change / most : 0
        return ReportCell(range: most > 0 ? min(0, end)...max(0, end) : nil)
    }

    var changed: ReportTable { table(words.changed, causes: true) }
    var fewCalls: ReportTable { table(words.fewCalls, causes: false) }
    var unchanged: ReportTable { table(words.apis(.unchanged), causes: false) }

    /// What the page's colours and the bold type of the other forms mean.
    var colours: [ReportBlock?] {
        let isNeeded = comparison.knowsNoise && !words.changed.isEmpty
        return isNeeded
            ? [.sentence("Bold or coloured: more than chance. In the others single causes are.", .faint)] : []
    }

    /// APIs that one side alone has, and those whose calls are not known.
    var oneSided: ReportTable {
        let rows = words.apis(.new) + words.apis(.vanished) + words.apis(.encrypted)
        return ReportTable(
            columns: [
                .api("API"), .text(""), .number("calls"), .number("wire before"),
                .number("wire after"),
            ],
            rows: rows.map { row in
                [
                    ReportCell(name: row.api), ReportCell(row.verdict.rawValue), ReportCell(count: row.knownCalls),
                    wire(row.before?.costs), wire(row.after?.costs),
                ]
            }, noun: "API")
    }

    var causes: ReportTable {
        let kinds = comparison.cells.filter { $0.change.before != 0 || $0.change.after != 0 }
        let rows = kinds.map { (words.name($0.cell), $0.change) } + (comparison.total.map { [("= wire", $0)] } ?? [])
        let hasChance = comparison.knowsNoise
        return ReportTable(
            unit: "B/call, same mix of calls",
            columns: [.text("cause"), .number("before"), .number("after"), .number("change")]
                + (hasChance ? [.number("chance")] : []),
            rows: comparison.isIdentical || comparison.total == nil
                ? []
                : rows.map { name, change in
                    [
                        ReportCell(name, isCertain(change) ? .strong : .plain), ReportCell(words.bytes(change.before)),
                        ReportCell(words.bytes(change.after)), self.change(change),
                    ] + (hasChance ? [chance(change)] : [])
                }, noun: "cause")
    }

    var hosts: ReportTable {
        let rows = comparison.hosts.filter { $0.before?.costs != $0.after?.costs }
        return ReportTable(
            columns: [
                .text("host"), .number("connections"), .number("calls"), .number("wire before"), .number("wire after"),
                .number("change"),
            ],
            rows: rows.map { row in
                let difference =
                    comparison.measure.wire(row.after?.costs ?? .init())
                    &- comparison.measure.wire(row.before?.costs ?? .init())
                return [
                    ReportCell(name: row.host),
                    ReportCell(pair(row.before?.knownConnections, row.after?.knownConnections)),
                    ReportCell(pair(row.before?.knownCalls, row.after?.knownCalls)), wire(row.before?.costs),
                    wire(row.after?.costs), ReportCell((difference > 0 ? "+" : "") + grouped(difference)),
                ]
            }, noun: "host")
    }

    // MARK: Cells

    private func pair(_ before: Int?, _ after: Int?) -> String { ComparisonWords.pair(before, after) }

    private func wire(_ costs: Directions<CostVector>?) -> ReportCell {
        ReportCell(count: costs.map { comparison.measure.wire($0) })
    }

    private func chance(_ change: CostChange) -> ReportCell { ReportCell(change.noise.map { "±" + words.bytes($0) }) }

    private func isCertain(_ change: CostChange) -> Bool { change.isCertain == true && !change.isNothing }

    private func change(_ change: CostChange) -> ReportCell {
        ReportCell(
            words.signed(change.change), isCertain(change) ? change.change > 0 ? .more : .less : .plain)
    }
}
