import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// What sources saw of the capture, and what became of the rows of logs.
struct CoverageSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        guard !result.sources.isEmpty, !index.isEmpty else { return "" }
        return """
            <section id="coverage" aria-labelledby="coverage-h">
            <h2 id="coverage-h">Coverage</h2>
            <p>Requests and responses that a source has no record of are in no error figure: they stand here.</p>
            \(coverageTable)\(logList)\(logProblems)</section>

            """
    }

    /// The sources that lack calls; the others in a sentence.
    private var coverageTable: Markup {
        let compared = sources.filter { !index.totals($0).isEmpty }
        let complete = compared.filter { source in
            figures(source: source).lackingInWords == nil && !result.sources[source].lacksFigures
        }
        let partial = compared.filter { !complete.contains($0) }
        var markup = Markup()
        if !partial.isEmpty {
            let table: Markup = """
                <table class="coverage"><thead><tr><th scope="col">Source</th><th scope="col" class="bar-cell">Recorded: \
                requests, responses</th><th scope="col" class="n">Without a record</th>\
                <th scope="col" class="n">Their message bytes</th><th scope="col">Reason</th></tr></thead>
                <tbody>\(partial.map(coverageRow).joined())</tbody></table>

                """
            markup += PageDocument.scrolling("Coverage", table)
        }
        if !complete.isEmpty {
            let names = partial.isEmpty && complete.count > 1 ? "All sources" : listed(complete.map(label), most: 12)
            markup += "<p>\(names) \(complete.count == 1 ? "records" : "record") every call.</p>\n"
        }
        return markup
    }

    private func coverageRow(_ source: Int) -> Markup {
        let sum = figures(source: source)
        return """
            <tr><th scope="row">\(mark(source).swatch) \(label(source)) \(badge(source))</th>\
            <td class="bar-cell">\(coverageBars(source))</td><td class="n">\(lackingCell(source))</td>\
            <td class="n">\(sizeText(Int(clamping: sum.unseen.sum.magnitude)))</td>\
            <td class="reasons">\(reasons(source, sum))</td></tr>

            """
    }

    /// By direction, as the bars beside it.
    private func lackingCell(_ source: Int) -> Markup {
        index.totals(source).map { row -> Markup in
            let missing = max(clampedDifference(row.coverage.calls, row.coverage.recordedCalls), 0)
            return "<span class=\"line\">\(row.direction == .up ? "↑" : "↓") \(grouped(missing))</span>"
        }.joined()
    }

    private func coverageBars(_ source: Int) -> Markup {
        Direction.allCases.compactMap { index.total(source, $0) }.map { row -> Markup in
            let coverage = row.coverage
            let part = coverage.calls > 0 ? Double(coverage.recordedCalls) / Double(coverage.calls) : 0
            let hasFigures = row.message.count > 0
            let words = hasFigures ? portion(coverage.recordedCalls, of: coverage.calls) : "no figures"
            return """
                <span class="coverage-bar"><svg width="100%" height="8" aria-hidden="true">\
                <rect class="bar-rest" x="0" width="100%" y="0" height="8"/>\
                <rect class="bar-level" x="0" width="\(placeText(hasFigures ? part : 0))" y="0" height="8"/></svg>\
                <span>\(row.direction == .up ? "↑" : "↓")<span class="hidden"> \(row.direction.nouns)</span> \
                \(words)</span></span>
                """
        }.joined()
    }

    private func reasons(_ source: Int, _ sum: PageFigures) -> Markup {
        var reasons = sum.unseen.largestFirst().map { cause, bytes -> Markup in
            "<li>\(cause.meaning) <code>\(cause.name)</code>, \(sizeText(Int(clamping: bytes.magnitude)))</li>"
        }
        let unknown = result.sources[source].unknown
        if unknown > 0 {
            reasons.append("<li>the capture lacks what its formula needs: \(counted(unknown, "call"))</li>")
        }
        let unstated = result.sources[source].unstated
        if unstated > 0 { reasons.append("<li>the SDK logs -1 as the size: \(counted(unstated, "response"))</li>") }
        let leftOut = index.totals(source).compactMap(result.leftOutInWords)
        if !result.sources[source].lacksFigures, let first = leftOut.first { reasons.append("<li>\(first)</li>") }
        return reasons.isEmpty ? "" : "<ul>\(reasons.joined())</ul>"
    }

    // MARK: Logs

    private var logList: Markup {
        guard !result.logs.isEmpty else { return "" }
        return """
            <h3>Logs against the capture</h3>
            <dl class="verdicts">
            \(result.logs.map(logItem).joined())</dl>

            """
    }

    private func logItem(_ log: LogSummary) -> Markup {
        let sentences = page.report.facts(log, isBrief: false).map { text -> Markup in
            "<p>\(PageForm.text("\(text.capitalized)."))</p>"
        }
        return """
            <dt>\(shortened(displayText(log.path), to: 200, ellipsis: "…")) <code>\(log.format.rawValue)</code></dt>\
            <dd>\(sentences.joined())</dd>

            """
    }

    private var logProblems: Markup {
        let items = result.logs.flatMap { log in
            log.problems.map { problem -> Markup in
                let path = shortened(displayText(log.path), to: 200, ellipsis: "…")
                return "<li>\(path): \(PageForm.text(page.report.words(problem)))</li>\n"
            }
        }
        return items.isEmpty ? "" : "<h3>Problems in logs</h3>\n<ul class=\"problems\">\(items.joined())</ul>\n"
    }
}
