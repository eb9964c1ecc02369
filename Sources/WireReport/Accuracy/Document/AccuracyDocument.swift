import WireAccuracy
import WireCore
import WireEstimates
import WireLogs
import WireRecords

extension ReportDocument {
    /// How far estimates are off: what was compared, the error of each source, what became of each log, what the errors are
    /// made of, what would repair most, and the APIs.
    public init(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) {
        let report = AccuracyBlocks(result, audit, options)
        self.init(report, sections: report.full, limits: RowLimits(top: options.top))
    }

    fileprivate init(_ report: AccuracyBlocks, sections: [ReportSection], limits: RowLimits) {
        self.init(
            kind: "accuracy", title: "Traffic estimates compared with the wire", facts: report.facts,
            sections: [report.answer] + sections, limits: limits)
    }
}

/// The accuracy for a person at a terminal, whole or the main points in at most 50 lines: the worst APIs of the first source,
/// its causes, what to change, and how it was found; of sources that nobody chose, how they compare.
public func accuracyText(
    _ result: AccuracyResult, audit: AuditResult, options: ReportOptions, style: TerminalStyle
) -> OutputBuffer {
    guard options.isBrief else { return ReportDocument(result, audit: audit, options: options).text(style) }
    let report = AccuracyBlocks(result, audit, options)
    for rows in [3, 2] {
        let text = report.mainPoints(rows: rows).text(style).text
        guard text.count(where: { $0 == "\n" }) <= 50 else { continue }
        var buffer = OutputBuffer()
        buffer.string(text)
        return buffer
    }
    return report.mainPoints(rows: 1).text(style)
}

/// The parts of the report, each of which several forms show.
struct AccuracyBlocks {
    let index: AccuracyIndex
    let audit: AuditResult
    let options: ReportOptions
    var result: AccuracyResult { index.result }

    init(_ result: AccuracyResult, _ audit: AuditResult, _ options: ReportOptions) {
        (index, self.audit, self.options) = (AccuracyIndex(result, options), audit, options)
    }

    fileprivate func mainPoints(rows: Int) -> ReportDocument {
        var limits = RowLimits(top: min(options.top ?? .max, rows))
        limits.rest = "--full"
        return ReportDocument(self, sections: brief(rows), limits: limits)
    }

    // MARK: The verdict

    fileprivate var answer: ReportSection {
        guard !result.sources.isEmpty else {
            return ReportSection(
                "answer",
                blocks: [.sentence("Nothing to compare: no estimator was chosen and no log was given.", .verdict)])
        }
        let headline = AccuracyHeadline(index: index, options: options, audit: audit)
        let ranges = options.isBrief ? nil : headline.ranges
        let more = [ranges, headline.note, headline.advice].compactMap(\.self)
        return ReportSection(
            "answer",
            blocks: [headline.verdict.map { .sentence("\($0).", .verdict) }] + doubts
                + [.sentence(more.joined(separator: " "))])
    }

    /// Logs that may be of another session.
    private var doubts: [ReportBlock] {
        result.logs.compactMap { log in
            sessionDoubtInWords(log).map { .sentence("\(name: log.path): \($0).", .warning) }
        }
    }

    fileprivate var facts: [ReportBlock] {
        let unread = UnreadTLS(audit, result)
        return captureFacts(audit, options) + [.sentence(compared)]
            + [unread.unreadSentence.map { ReportText($0) }, unread.failureSentence].compactMap {
                $0.map { .sentence($0) }
            }
    }

    /// How many exchanges count, and why the others do not.
    private var compared: ReportText {
        let left = leftOut.joined(separator: ", ")
        let rest: ReportText = left.isEmpty ? "" : "; left out: \(left)"
        return "\(grouped(result.compared)) of \(counted(result.exchanges, "exchange")) compared\(rest)"
    }

    /// The exchanges left out, by reason.
    private var leftOut: [ReportText] {
        result.leftOut.filter { $0.count > 0 }.map { reason, count in
            let words: ReportText =
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
                default: "\(name: reason)"
                }
            return "\(grouped(count)) \(words)"
        }
    }

    // MARK: The sections

    fileprivate var full: [ReportSection] {
        guard !result.sources.isEmpty, !index.isEmpty else { return [] }
        // A log's fate before the long part: its reader wants to know first whether it fits the capture at all.
        return [sources] + result.logs.map { log($0) } + [bounds, hosts, largestCauses, causes, advice] + worst(of: nil)
            + [questions, work]
    }

    private func brief(_ rows: Int) -> [ReportSection] {
        guard !result.sources.isEmpty, !index.isEmpty else { return [] }
        let hint = ReportSection(
            "hint",
            blocks: [
                .sentence("--full: all sources, APIs, causes and figures; --format html: the same as a page", .faint)
            ])
        guard options.hasChosenSources, let first = index.sources.first else { return [sources, hint] }
        let isBounded = !bounds.blocks.isEmpty
        return (index.sources.count > 1 ? [sources] : []) + worst(of: first)
            + [causes(of: first, most: rows + 1), advice(of: first, most: rows), isBounded ? bounds : hosts]
            + result.logs.map { log($0, problems: rows) } + [hint]
    }

    private var sources: ReportSection {
        ReportSection("sources", blocks: index.hasFigures ? sourceTables.map { .table($0) } : [])
    }

    private var bounds: ReportSection {
        section("bounds", "What the records tell without keys", index.boundsTables(options))
    }

    private var questions: ReportSection {
        section("questions", "Sizes as the SDK shows them", index.questionTables(options))
    }

    private func section(_ id: String, _ title: ReportText, _ tables: [SourceTable]) -> ReportSection {
        ReportSection(
            id, title, .folded,
            blocks: tables.map { part in
                var table = part.table
                table.title = "\(table.title): \(name: result.sources[part.source].id)"
                return .table(table)
            })
    }

    /// What it took to look into bodies.
    private var work: ReportSection {
        let work = result.work
        func size(_ bytes: Int) -> String { sizeInWords(bytes) ?? counted(bytes, "byte") }
        func bodies(_ count: Int) -> String { counted(count, "body", "bodies") }
        let parts = [
            work.decodedBodies > 0
                ? "decoded \(bodies(work.decodedBodies)) from \(size(work.codedBytes)) to \(size(work.decodedBytes))"
                : nil,
            work.recompressedBodies > 0
                ? "compressed \(bodies(work.recompressedBodies)) (\(size(work.recompressedBytes))) again" : nil,
            work.remembered > 0 ? "\(grouped(work.remembered)) reused from an identical earlier body" : nil,
            work.undecodable > 0 ? "\(grouped(work.undecodable)) could not be decoded" : nil,
        ].compactMap(\.self)
        let text = parts.isEmpty ? "" : capitalized(parts.joined(separator: "; ")) + "."
        return ReportSection("work", blocks: [.sentence(ReportText(text), .faint)])
    }
}
