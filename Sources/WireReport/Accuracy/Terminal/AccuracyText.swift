import WireAccuracy
import WireCore
import WireEstimates
import WireRecords

/// How far estimates are off, for a person at a terminal: what was compared, the error of each source, what the errors
/// are made of and what would repair most, the APIs, and what became of each log.
public func accuracyText(
    _ result: AccuracyResult, audit: AuditResult, options: ReportOptions, style: TerminalStyle
) -> OutputBuffer {
    let index = AccuracyIndex(result, options)
    let unread = UnreadTLS(audit, result)
    let failure = unread.failureSentence { style.safe($0) }.map {
        wrappedSentence(style.plain($0), width: style.width, indent: 2)
    }
    var sections = [
        CaptureLines(result: audit, options: options, style: style).render() + comparedLines(result, style)
            + (failure ?? [])
    ]
    guard !result.sources.isEmpty else {
        return textBuffer(sections + [["Nothing to compare: no estimator was chosen and no log was given."]], style)
    }
    sections.append(headlineLines(index, audit, options, style))
    guard !index.isEmpty else { return textBuffer(sections, style) }
    let evidence = AccuracyEvidence(index: index, options: options, style: style)
    return textBuffer(sections + (options.isBrief ? evidence.brief(after: sections) : evidence.full), style)
}

/// What a verdict rests on.
private struct AccuracyEvidence {
    let index: AccuracyIndex
    let options: ReportOptions
    let style: TerminalStyle
    /// Rows of each list in the main points, and lines of all of them.
    private static let mainPoints = 3
    private static let mostLines = 50

    var full: [[String]] {
        var sections = sources
        // A log's fate before the long part: its reader wants to know first whether it fits the capture at all.
        sections += index.result.logs.map { LogLines(log: $0, index: index, style: style).render() }
        sections += index.boundsTables(options).map { questionLines($0, index, style) }
        sections += HostTables(index: index, options: options, style: style).render()
        sections += CauseBlocks(index: index, style: style).render()
        sections += AdviceBlocks(index: index, style: style).render()
        sections += APIMatrix(index: index, options: options, style: style).render()
        sections += index.questionTables(options).map { questionLines($0, index, style) }
        return sections + [workLines(index.result.work, style)]
    }

    /// The worst APIs of the first source, its causes, what to change, and how it was found; of sources that nobody chose,
    /// how they compare. Lists are shorter where all would be too long.
    func brief(after before: [[String]]) -> [[String]] {
        let hint = "--full: all sources, APIs, causes and figures; --format html: the same as a page"
        let end = [[style.paint(hint, .faint)]]
        guard options.hasChosenSources, let first = index.sources.first else { return sources + end }
        let drafts = (1...Self.mainPoints).reversed().lazy.map { points(of: first, most: $0) + end }
        let isShort = { (draft: [[String]]) in
            (before + draft).reduce(-1) { $0 + ($1.isEmpty ? 0 : $1.count + 1) } <= Self.mostLines
        }
        return drafts.first(where: isShort) ?? points(of: first, most: 1) + end
    }

    private func points(of source: Int, most: Int) -> [[String]] {
        var options = options
        options.top = min(options.top ?? .max, most)
        var sections = index.sources.count > 1 ? sources : []
        sections += APIMatrix(index: index, options: options, style: style, only: source).render()
        sections += CauseBlocks(index: index, style: style).brief(source, most: most + 1)
        sections += AdviceBlocks(index: index, style: style, most: most).render(of: source)
        let bounds = index.boundsTables(options)
        sections += bounds.map { questionLines($0, index, style, more: "--full") }
        if bounds.isEmpty { sections += HostTables(index: index, options: options, style: style).render() }
        return sections + index.result.logs.map { LogLines(log: $0, index: index, style: style).brief(most: most) }
    }

    private var sources: [[String]] {
        index.hasFigures ? SourceTables(index: index, options: options, style: style).render() : []
    }
}

/// The verdict, before the evidence.
private func headlineLines(
    _ index: AccuracyIndex, _ audit: AuditResult, _ options: ReportOptions, _ style: TerminalStyle
) -> [String] {
    let headline = AccuracyHeadline(
        index: index, options: options, audit: audit, code: { style.safe($0) }, number: { style.plain($0) })
    guard let verdict = headline.verdict else { return [] }
    let bold = wrappedSentence(style.plain(verdict) + ".", width: style.width, indent: 0)
        .map { style.paint($0, .heading) }
    let ranges = options.isBrief ? nil : headline.ranges { style.safe(index.result.apis[$0]) }
    let more = [ranges, headline.note, headline.advice].compactMap(\.self).joined(separator: " ")
    let doubts = index.result.logs.flatMap { log in
        guard let doubt = sessionDoubtInWords(log) else { return [String]() }
        let text = "! \(style.safe(log.path)): \(style.plain(doubt))."
        return wrappedSentence(text, width: style.width, indent: 2).map { style.paint($0, .warning) }
    }
    return bold + doubts + (more.isEmpty ? [] : wrappedSentence(style.plain(more), width: style.width, indent: 0))
}

/// A table; the columns at its end give way where they do not fit.
private func questionLines(
    _ question: QuestionTable, _ index: AccuracyIndex, _ style: TerminalStyle, more option: String = "--top all"
) -> [String] {
    let title = "\(question.title.uppercased()): \(style.safe(index.result.sources[question.source].id))"
    var columns = question.columns.count
    var lines: [String] = []
    while true {
        var table = TextTable(text: "", numbers: Array(question.columns.prefix(columns)))
        for row in question.rows {
            table.add(["  " + style.safe(row.name)] + row.cells.prefix(columns).map { style.plain($0 ?? style.dash) })
        }
        lines = table.lines(style)
        if columns == 1 || table.width(withText: 24) <= style.width { break }
        columns -= 1
    }
    lines.insert(style.paint(shortened(title, to: style.width, ellipsis: style.ellipsis), .heading), at: 0)
    if question.more > 0 { lines.append("\(style.ellipsis) and \(counted(question.more, "more row")) (\(option))") }
    guard let note = question.note else { return lines }
    return lines + wrappedSentence(style.plain(note), width: style.width, indent: 0).map { style.paint($0, .faint) }
}

/// How many exchanges count, and why the others do not.
private func comparedLines(_ result: AccuracyResult, _ style: TerminalStyle) -> [String] {
    var text = "\(grouped(result.counted)) of \(counted(result.exchanges, "exchange")) compared"
    let left = leftOutInWords(result) { style.safe($0) }
    if !left.isEmpty { text += "; left out: " + left.joined(separator: ", ") }
    return wrappedSentence(text, width: style.width, indent: 2)
}

/// The exchanges left out, by reason in words; one that has no words goes through `unknown`.
func leftOutInWords(_ result: AccuracyResult, unknown: (String) -> String) -> [String] {
    result.leftOut.filter { $0.count > 0 }.map { reason, count in
        let words =
            switch reason {
            case "gap": "with bytes missing from the capture"
            case "snapped": "captured in part"
            case "no-start": "that began before the capture"
            case "no-end": "that continue after the capture"
            case "no-request": "without request"
            case "no-response": "without response"
            case "cut-head": "with a message that ends within or before its head"
            case "pushed": "pushed by the server"
            case "unread-fields": "with compressed fields that could not be read"
            default: unknown(reason)
            }
        return "\(grouped(count)) \(words)"
    }
}

/// What it took to look into bodies. Nothing where none was looked into.
private func workLines(_ work: ContentWork, _ style: TerminalStyle) -> [String] {
    var parts: [String] = []
    if work.decodedBodies > 0 {
        parts.append(
            "decoded \(bodies(work.decodedBodies)) from \(size(work.codedBytes)) to \(size(work.decodedBytes)) in "
                + durationInWords(UInt64(max(work.decodingTime, 0))))
    }
    if work.recompressedBodies > 0 {
        parts.append(
            "compressed \(bodies(work.recompressedBodies)) (\(size(work.recompressedBytes))) again in "
                + durationInWords(UInt64(max(work.recompressionTime, 0))))
    }
    if work.remembered > 0 { parts.append("\(grouped(work.remembered)) reused from an identical earlier body") }
    if work.undecodable > 0 { parts.append("\(grouped(work.undecodable)) could not be decoded") }
    guard let first = parts.first else { return [] }
    let text = ([first.prefix(1).uppercased() + first.dropFirst()] + parts.dropFirst()).joined(separator: "; ") + "."
    return wrapped(style.plain(text), width: style.width, indent: 0).map { style.paint($0, .faint) }
}

private func bodies(_ count: Int) -> String { counted(count, "body", "bodies") }

private func size(_ bytes: Int) -> String { sizeInWords(bytes) ?? counted(bytes, "byte") }
