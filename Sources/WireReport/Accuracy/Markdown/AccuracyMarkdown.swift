import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords

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
        page.heading("Traffic estimates compared with the wire", level: 2)
        guard let first = index.sources.first else {
            page.paragraph("Nothing to compare: no estimator was chosen and no log was given.")
            return page.text
        }
        let headline = AccuracyHeadline(
            index: index, options: options, audit: audit, code: { markdownCode($0) }, number: { markdownWords($0) })
        page.paragraph(summary(headline))
        let ranges = headline.ranges { markdownCode(result.apis[$0]) }
        let more = [ranges, headline.note, headline.advice].compactMap(\.self)
        if !more.isEmpty { page.paragraph(more.joined(separator: " ")) }
        for sentence in options.merged.map(mergedInWords) ?? [] { page.paragraph(markdownWords(sentence) + ".") }
        losses(&page)
        guard !index.isEmpty else { return page.text }
        if index.hasFigures {
            page.table(AccuracyMarkdown.sourceTitles, texts: 2, index.sources.map { sourceRow($0) })
        }
        page.heading("Largest causes", level: 3)
        verdicts(&page)
        advice(&page)
        // Without a choice no source's APIs matter more than another's; the table by API has all.
        if options.hasChosenSources { worst(&page, first) }
        causes(&page)
        matrix(&page, .up)
        matrix(&page, .down)
        for log in result.logs { logDetails(&page, log) }
        for question in index.questionTables(options) + index.boundsTables(options) { self.question(&page, question) }
        hosts(&page)
        page.paragraph(
            "<sub>Error: estimate minus message, bytes per call; median, p90: absolute error that half, or nine of ten, of the "
                + "calls do not exceed; wire: error against all IP \(options.layer == .link ? "and link " : "")bytes, "
                + "in % of these. wireaudit \(toolVersion)</sub>")
        return page.text
    }

    // MARK: The summary

    /// One sentence: the source that matters most or, where none was chosen, all of them.
    private func summary(_ headline: AccuracyHeadline) -> String {
        let files = audit.files.map { markdownCode($0.path) }.joined(separator: ", ")
        var text = "**\(headline.verdict ?? "")**, over "
        text += "\(grouped(result.counted)) of \(counted(result.exchanges, "exchange"))"
        if !files.isEmpty { text += " in \(files)" }
        return text + "."
    }

    /// What no figure below can hold.
    private func losses(_ page: inout MarkdownText) {
        let left = leftOutInWords(result) { markdownCode($0) }
        if !left.isEmpty {
            page.paragraph("Left out: " + left.joined(separator: ", ") + ".")
        }
        let unread = UnreadTLS(audit, result)
        if let sentence = unread.unreadSentence { page.paragraph(markdownWords(sentence)) }
        if let sentence = unread.failureSentence(name: { markdownCode($0) }) { page.paragraph(sentence) }
        for log in result.logs {
            guard let doubt = sessionDoubtInWords(log) else { continue }
            page.paragraph("**Warning:** \(markdownCode(log.path)): \(markdownWords(doubt)).")
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
        "source", "", "requests recorded", "request error", "%", "median", "p90", "wire", "responses recorded",
        "response error", "%", "median", "p90", "wire",
    ]

    private func sourceRow(_ source: Int) -> [String] {
        let facts = result.sources[source]
        var cells: [String?] = [markdownCode(facts.id), facts.kind == .log ? "measured" : "simulated"]
        for direction in [Direction.up, .down] {
            let row = index.total(source, direction)
            cells.append(
                row.flatMap { shareText($0.coverage.recordedCalls, of: $0.coverage.calls) }.map(markdownWords))
            guard let row, row.message.count > 0 else {
                cells += Array(repeating: nil, count: 5)
                continue
            }
            cells += [
                signedMeanText(row.message.errorTotal, of: row.message.count).map(markdownWords),
                signedPercent(row.message.errorTotal, of: row.message.truthTotal).map(markdownWords),
                row.message.medianText.map(markdownWords), row.message.p90Text.map(markdownWords),
                signedPercent(row.wire.errorTotal, of: row.wire.truthTotal).map(markdownWords),
            ]
        }
        return cells.map { $0 ?? "–" }
    }

    private func verdicts(_ page: inout MarkdownText) {
        let all = accuracyVerdicts(result)
        let silent = index.sources.filter { index.isSilent($0) }
        for source in index.sources where !silent.contains(source) {
            let facts = result.sources[source]
            page.bullet("\(markdownCode(facts.id)) (\(facts.origin))")
            for verdict in all where verdict.source == source {
                let range = APIRange(index, source, verdict.direction).map {
                    " " + $0.sentence(name: { markdownCode(result.apis[$0]) }, number: markdownWords)
                }
                page.bullet(markdownWords(verdict.text) + (range ?? ""), level: 1)
            }
            for sentence in missingFiguresInWords(facts) { page.bullet(sentence, level: 1) }
        }
        if !silent.isEmpty {
            let names = silent.map { markdownCode(result.sources[$0].id) }
            page.bullet("No figure for any call: " + names.joined(separator: ", "))
        }
        page.endList()
    }
}
