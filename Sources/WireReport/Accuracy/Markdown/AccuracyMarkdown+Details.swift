import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

extension AccuracyMarkdown {
    private var result: AccuracyResult { index.result }

    private func shown(_ apis: [Int]) -> ArraySlice<Int> { options.top.map { apis.prefix($0) } ?? apis[...] }

    /// The worst APIs of one source, both directions, with the cause that weighs most.
    func worst(_ page: inout MarkdownText, _ source: Int) {
        var rows: [(loss: Int, cells: [String])] = []
        for api in index.apis {
            for direction in [Direction.up, .down] {
                guard let row = index.row(source, api, direction), row.loss > 0 else { continue }
                rows.append((row.loss, worstCells(row, result.apis[api])))
            }
        }
        guard !rows.isEmpty else { return }
        let ordered = sorted(rows) { ($0.loss, $0.cells[0]) }
        page.heading("Worst APIs of \(markdownCode(result.sources[source].id))", level: 3)
        page.table(
            ["API", "", "chiefly", "calls", "error per call", "%"], texts: 3,
            ordered.prefix(min(options.top ?? 10, 10)).map(\.cells))
    }

    private func worstCells(_ row: AccuracyRow, _ api: String) -> [String] {
        let seen = row.message.count > 0
        let message = row.message
        return [
            markdownCode(api), row.direction.noun, row.chiefCause.map { markdownWords($0.meaning) } ?? "–",
            grouped(row.coverage.calls),
            seen ? signedMeanText(message.errorTotal, of: message.count).map(markdownWords) ?? "–" : "not recorded",
            seen ? signedPercent(message.errorTotal, of: message.truthTotal).map(markdownWords) ?? "–" : "–",
        ]
    }

    /// Bytes a call by cause, of each source.
    func causes(_ page: inout MarkdownText) {
        page.beginDetails("Errors by cause")
        for source in index.sources {
            let sides = [Direction.up, .down].map { index.total(source, $0).map { ErrorBreakdown($0) } }
            let causes = ErrorCause.allCases.filter { cause in
                sides.contains { $0?.posts.contains { $0.cause == cause } == true }
            }
            guard !causes.isEmpty else { continue }
            page.paragraph(title(source))
            var rows = causes.map { cause in
                ["\(markdownCode(cause.name)) \(markdownWords(cause.meaning))"]
                    + sides.map { side in mean(side?.posts.first { $0.cause == cause }?.bytes, side) }
            }
            rows.append(["**error against the message**"] + sides.map { mean($0?.net, $0) })
            rows.append(["below HTTP"] + sides.map { mean($0?.below, $0) })
            rows.append(["**error against the wire**"] + sides.map { mean($0?.wireNet, $0) })
            page.table(["bytes per call", "request", "response"], texts: 1, rows)
        }
        page.endDetails()
    }

    private func title(_ source: Int) -> String {
        let facts = result.sources[source]
        let note =
            facts.note.isEmpty
            ? "" : (facts.kind == .log ? "; fits best: " : ": ") + markdownCode(facts.note, most: 2000)
        let name = facts.name.isEmpty ? "" : " " + markdownCode(facts.name)
        return "\(markdownCode(facts.id))\(name), \(facts.origin)\(note)"
    }

    private func mean(_ bytes: Int?, _ side: ErrorBreakdown?) -> String {
        guard let bytes, let side else { return "" }
        return signedMeanText(bytes, of: side.calls).map(markdownWords) ?? "–"
    }

    /// The error of each source for each API, in percent of its messages.
    func matrix(_ page: inout MarkdownText, _ direction: Direction) {
        let sources = index.speaking(direction)
        guard !sources.isEmpty, !index.apis.isEmpty else { return }
        let apis = index.worstAPIs(direction, of: sources)
        page.beginDetails("\(direction == .up ? "Requests" : "Responses") by API, error in % of the message")
        let rows = shown(apis).map { api in
            [markdownCode(result.apis[api])] + sources.map { percentCell(index.row($0, api, direction)) }
        }
        page.table(["API"] + sources.map { markdownCode(result.sources[$0].id) }, texts: 1, rows)
        let left = apis.count - rows.count
        if left > 0 { page.paragraph("… and \(counted(left, "more API")).") }
        page.endDetails()
    }

    private func percentCell(_ row: AccuracyRow?) -> String {
        guard let row, row.coverage.calls > 0 else { return "–" }
        guard row.message.count > 0 else { return row.isPartial ? "not seen" : "–" }
        let error = signedPercent(row.message.errorTotal, of: row.message.truthTotal).map(markdownWords) ?? "–"
        return error + (row.isPartial ? "\\*" : "")
    }

    /// What the users of one kind of SDK ask, folded away.
    func question(_ page: inout MarkdownText, _ question: QuestionTable) {
        page.beginDetails("\(question.title) (\(htmlCode(result.sources[question.source].id)))")
        page.table(
            [""] + question.columns, texts: 1,
            question.rows.map { row in
                [markdownCode(row.name)] + row.cells.map { $0.map(markdownWords) ?? "–" }
            })
        if question.more > 0 { page.paragraph("… and \(counted(question.more, "more row")).") }
        if let note = question.note { page.paragraph("<sub>\(markdownWords(note))</sub>") }
        page.endDetails()
    }

    /// What became of a log.
    func logDetails(_ page: inout MarkdownText, _ log: LogSummary) {
        page.beginDetails("Log \(htmlCode(log.path)): \(counted(log.rows, "row"))")
        let fates = logFates(log).filter { $0.count > 0 }.map { "\(grouped($0.count)) \($0.words)" }
        if let columns = log.columns { page.bullet("columns: " + markdownCode(columns, most: 2000)) }
        if !fates.isEmpty { page.bullet("rows: " + fates.joined(separator: ", ")) }
        if let ambiguity = ambiguityInWords(log) { page.bullet(ambiguity) }
        if let unbounded = unboundedInWords(log) { page.bullet(unbounded) }
        if let clock = clockInWords(log) { page.bullet("clock: " + clock) }
        if let redirects = redirectsInWords(log) { page.bullet(redirects) }
        page.bullet(unseenInWords(log, result, rows: index.totals(log)))
        let note = index.note(of: log)
        let formulas = index.formulas(of: log)
        if let formula = formulaInWords(log, formulas, note: note.isEmpty ? "" : markdownCode(note, most: 2000)) {
            page.bullet(formula)
        }
        for (kind, id, figures) in formulasInWords(formulas) {
            page.bullet("\(kind): \(markdownCode(id)), \(markdownWords(figures))")
        }
        for problem in log.problems {
            page.bullet("**problem:** \(markdownCode(problem.what, most: 400)) (\(placeInWords(problem)))")
        }
        page.endList()
        page.endDetails()
    }
}
