import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

extension AccuracyBlocks {
    /// What became of one log: its rows, its clock, what it never saw, and what is odd in it.
    ///
    /// - Parameter problems: how many of these are listed, and that the report is brief; nil for all.
    func log(_ log: LogSummary, problems: Int? = nil) -> ReportSection {
        let title: ReportText = problems == nil ? "Log " : "How it was found: "
        let left = log.problems.count - (problems ?? .max)
        let more: [ReportItem] = left > 0 ? ["… and \(counted(left, "more problem")) (--full)"] : []
        return ReportSection(
            "log", "\(title)\(name: log.path) · \(log.format.rawValue) · measured by the app", .folded,
            blocks: [
                .list(
                    facts(log, isBrief: problems != nil).map { ReportItem($0) }
                        + log.problems.prefix(problems ?? .max).map { ReportItem(words($0), .warning) } + more)
            ])
    }

    /// Sentences without a full stop.
    func facts(_ log: LogSummary, isBrief: Bool) -> [ReportText] {
        let fates = logFates(log).filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.words)" }
        let rows = counted(log.rows, "row") + (fates.isEmpty ? "" : ": " + fates.joined(separator: ", "))
        let plain = [rows, ambiguityInWords(log), unboundedInWords(log), clockInWords(log).map { "clock: " + $0 }]
        let others = isBrief ? [] : [redirectsInWords(log), unseenInWords(log, result, rows: index.totals(log))]
        let formulas = index.formulas(of: log)
        return (log.columns.map { ["columns: \(name: $0, most: 2000)"] } ?? [])
            + (plain + others).compactMap { $0.map { ReportText($0) } }
            + [formulaInWords(log, formulas, note: index.bestFormula(of: log))].compactMap(\.self)
            + (isBrief
                ? []
                : formulasInWords(formulas).map { kind, id, figures in "\(kind): \(name: id, most: 2000), \(figures)" })
    }

    func words(_ problem: LogProblem) -> ReportText { "\(name: problem.what, most: 400) (\(placeInWords(problem)))" }

    // MARK: Hosts that TLS hides

    /// For each log a table of requests and one of responses.
    var hosts: ReportSection {
        let comparisons = index.hostComparisons(options)
        let blocks = comparisons.flatMap { comparison in
            hostTables(comparison) + (comparison.remarks.map { [.sentence("\($0).")] } ?? [])
        }
        let isTable = comparisons.contains { !$0.lines.isEmpty }
        let legend = HostComparison.introduction + (isTable ? " " + HostComparison.legend(layer: options.layer) : "")
        return ReportSection(
            "hosts", "Hosts in total", .folded,
            blocks: comparisons.isEmpty ? [] : blocks + [.sentence(ReportText(legend), .faint)])
    }

    func hostTables(_ comparison: HostComparison) -> [ReportBlock] {
        Direction.allCases.filter { comparison.speaks($0) }.map { direction in
            .table(
                ReportTable(
                    title: "\(name: result.sources[comparison.source].id), \(direction.nouns)",
                    columns: [
                        .text("host"), .number("conn", rank: 7), .number("wire"), .number("set-up", rank: 8),
                        .number("data", rank: 4), .number("rows", rank: 3), .number("logged"),
                        .number("difference", rank: 6), .number("of wire", rank: 1), .number("of data", rank: 5),
                    ],
                    rows: comparison.lines.map { hostCells($0, direction) }, noun: "host"))
        }
    }

    private func hostCells(_ line: HostLine, _ direction: Direction) -> [ReportCell] {
        let (wire, log) = (line.host[direction], line.log[direction])
        let isLogged = log.rows > 0
        return [
            ReportCell(name: line.host.host), ReportCell(count: line.host.connections), ReportCell(count: wire.wire),
            ReportCell(count: wire.setup), ReportCell(count: wire.application), ReportCell(count: log.rows),
            ReportCell(count: isLogged ? log.bytes : nil),
            ReportCell(isLogged ? signedBytes(line.difference(direction)) : nil),
            ReportCell(line.shareOfWire(direction)),
            ReportCell(line.shareOfData(direction)),
        ]
    }
}

extension AccuracyIndex {
    /// What a log has of both directions, over all APIs.
    func totals(_ log: LogSummary) -> [AccuracyRow] {
        result.sources.indices.contains(log.source) ? totals(log.source) : []
    }

    /// The published formula of a log and the fitted one, by direction.
    func formulas(of log: LogSummary) -> [LogFormula] {
        result.sources.indices.contains(log.source) ? result.sources[log.source].formulas : []
    }

    /// The formula that explains a log best; empty where none does.
    func bestFormula(of log: LogSummary) -> String {
        result.sources.indices.contains(log.source) ? result.sources[log.source].note : ""
    }
}
