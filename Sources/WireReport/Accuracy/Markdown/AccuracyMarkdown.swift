import WireAccuracy
import WireCore
import WireEstimates

/// The accuracy for a pull request: a sentence, the error of each source, what would repair most, the worst APIs, and
/// the rest folded away.
public func accuracyMarkdown(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let report = AccuracyMarkdown(index: AccuracyIndex(result, options), audit: audit, options: options)
    var buffer = OutputBuffer()
    buffer.string(report.render())
    return buffer
}

struct AccuracyMarkdown {
    let index: AccuracyIndex
    let audit: AuditResult
    let options: ReportOptions
    private var result: AccuracyResult { index.result }

    func render() -> String {
        var page = MarkdownText()
        page.heading("Traffic estimates against the wire", level: 2)
        guard let first = index.sources.first else {
            page.paragraph("Nothing to compare: no estimator was chosen and no log was given.")
            return page.text
        }
        page.paragraph(summary(first))
        losses(&page)
        page.table(AccuracyMarkdown.sourceTitles, texts: 2, index.sources.map { sourceRow($0) })
        page.heading("What would repair most", level: 3)
        verdicts(&page)
        advice(&page)
        worst(&page, first)
        causes(&page)
        matrix(&page, .up)
        matrix(&page, .down)
        for log in result.logs { logDetails(&page, log) }
        hosts(&page)
        page.paragraph(
            "<sub>Error: estimate less message, bytes a call; p90: nine of ten calls are off by no more; wire: error "
                + "in % of all IP \(options.layer == .link ? "and link " : "")bytes. wireaudit \(toolVersion)</sub>")
        return page.text
    }

    // MARK: The summary

    /// One sentence about the source that matters most: the first log, else the first estimator.
    private func summary(_ source: Int) -> String {
        let facts = result.sources[source]
        let parts = [Direction.up, .down].compactMap { direction in
            index.total(source, direction).map { "\(direction.noun)s \(phrase($0.message))" }
        }
        let files = audit.files.map { markdownCode($0.path) }.joined(separator: ", ")
        let words = parts.isEmpty ? "speaks of no call" : "counts " + parts.joined(separator: " and ")
        var text = "**\(markdownCode(facts.id)) (\(facts.origin)) \(words)**, over "
        text += "\(grouped(result.counted)) of \(counted(result.exchanges, "exchange"))"
        if !files.isEmpty { text += " in \(files)" }
        return text + "."
    }

    private func phrase(_ statistics: ErrorStatistics) -> String {
        guard statistics.count > 0 else { return "not at all" }
        if statistics.maximum == 0 { return "to the byte" }
        if statistics.errorTotal == 0 { return "right in total, though single calls are off" }
        let size = meanInWords(statistics.errorTotal, of: statistics.count)
        let share = signedPercent(statistics.errorTotal, of: statistics.truthTotal).map { " (\(markdownWords($0)))" }
        return "\(size) bytes a call too \(statistics.errorTotal < 0 ? "few" : "many")\(share ?? "")"
    }

    /// What no figure below can hold.
    private func losses(_ page: inout MarkdownText) {
        let left = leftOutInWords(result) { markdownCode($0) }
        if !left.isEmpty {
            page.paragraph("Left out: " + left.joined(separator: ", ") + ".")
        }
        for warning in warnings(of: audit) where warning.severity != .info {
            let sentence = warning.message.hasSuffix(".") ? String(warning.message.dropLast()) : warning.message
            let noun = warning.code.hasPrefix("packets-") ? "packet" : "time"
            let file = warning.file.map { " in \(markdownCode($0))" } ?? ""
            page.paragraph(
                "**Warning:** \(markdownWords(sentence)) (\(counted(warning.count, noun))\(file)).")
        }
    }

    private static let sourceTitles = [
        "source", "", "calls", "request error", "%", "p90", "wire", "response error", "%", "p90", "wire",
    ]

    private func sourceRow(_ source: Int) -> [String] {
        let facts = result.sources[source]
        let calls = index.total(source, .up) ?? index.total(source, .down)
        let share = calls.flatMap { shareText($0.coverage.recordedCalls, of: $0.coverage.calls) }
        var cells = [markdownCode(facts.id), facts.kind == .log ? "measured" : "simulated", share.map(markdownWords)]
        for direction in [Direction.up, .down] {
            guard let row = index.total(source, direction), row.message.count > 0 else {
                cells += Array(repeating: nil, count: 4)
                continue
            }
            cells += [
                signedMeanText(row.message.errorTotal, of: row.message.count).map(markdownWords),
                signedPercent(row.message.errorTotal, of: row.message.truthTotal).map(markdownWords),
                row.message.p90Text.map(markdownWords),
                signedPercent(row.wire.errorTotal, of: row.wire.truthTotal).map(markdownWords),
            ]
        }
        return cells.map { $0 ?? "–" }
    }

    private func verdicts(_ page: inout MarkdownText) {
        let all = accuracyVerdicts(result)
        for source in index.sources {
            let facts = result.sources[source]
            page.bullet("\(markdownCode(facts.id)) (\(facts.origin))")
            for verdict in all where verdict.source == source { page.bullet(markdownWords(verdict.text), level: 1) }
            if facts.unknown > 0 { page.bullet(unknownInWords(facts), level: 1) }
        }
        page.endList()
    }
}
