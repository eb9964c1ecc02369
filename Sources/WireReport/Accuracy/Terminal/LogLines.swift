import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// What became of one log: its rows, its clock, what it never saw, and what is odd in it.
struct LogLines {
    let log: LogSummary
    let index: AccuracyIndex
    let style: TerminalStyle

    func render() -> [String] {
        var lines =
            title("LOG ")
            + told([
                columns, rows, ambiguityInWords(log), unboundedInWords(log), clock, redirectsInWords(log), unseen,
                formula,
            ])
        for (kind, id, figures) in formulasInWords(index.formulas(of: log)) {
            lines += wrappedSentence(
                style.plain("\(kind): \(style.safe(id)), \(figures)"), width: style.width - 2, indent: 2
            )
            .map { "  " + $0 }
        }
        return lines + problems(log.problems[...])
    }

    /// How the rows found their calls, and the first problems.
    func brief(most: Int) -> [String] {
        var lines =
            title("HOW IT WAS FOUND: ")
            + told([columns, rows, ambiguityInWords(log), unboundedInWords(log), clock, formula])
        lines += problems(log.problems.prefix(most))
        let left = log.problems.count - most
        if left > 0 { lines.append("  \(style.ellipsis) and \(counted(left, "more problem")) (--full)") }
        return lines
    }

    private func title(_ words: String) -> [String] {
        let facts = style.separator + log.format.rawValue + style.separator + "measured by the app"
        let room = max(style.width - displayWidth(facts), 20)
        let title = shortened(words + style.safe(log.path), to: room, ellipsis: style.ellipsis)
        return [style.paint(title, .heading) + facts]
    }

    private func told(_ sentences: [String?]) -> [String] {
        sentences.compactMap(\.self).flatMap { text in
            wrappedSentence(style.plain(text), width: style.width - 2, indent: 2).map { "  " + $0 }
        }
    }

    private func problems(_ problems: ArraySlice<LogProblem>) -> [String] {
        problems.flatMap { problem in
            wrappedSentence("! " + words(problem), width: style.width - 2, indent: 2)
                .map { "  " + style.paint($0, .warning) }
        }
    }

    private var columns: String? { columnsInWords(log).map(style.safe) }

    private var rows: String {
        let parts = logFates(log).filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.words)" }
        return counted(log.rows, "row") + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    private var clock: String? { clockInWords(log).map { "clock: " + $0 } }

    private var unseen: String { unseenInWords(log, index.result, rows: index.totals(log)) }

    private var formula: String? {
        formulaInWords(log, index.formulas(of: log), note: style.safe(index.note(of: log)))
    }

    private func words(_ problem: LogProblem) -> String {
        style.safe(problem.what) + " (\(placeInWords(problem)))"
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
    func note(of log: LogSummary) -> String {
        result.sources.indices.contains(log.source) ? result.sources[log.source].note : ""
    }
}
