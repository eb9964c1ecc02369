import WireAccuracy
import WireEstimates

/// What sources saw of the capture, and what became of the rows of logs.
extension AccuracyPage {
    var coverageSection: Markup {
        guard !result.sources.isEmpty else { return "" }
        let rows = sources.map(coverageRow).joined()
        let table: Markup = """
            <table class="coverage"><thead><tr><th scope="col">Source</th><th scope="col" class="bar-cell">Calls \
            recorded: requests, responses</th><th scope="col" class="n">Calls without a record</th>\
            <th scope="col" class="n">Their message bytes</th><th scope="col">Reason</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        return """
            <section id="coverage" aria-labelledby="coverage-h">
            <h2 id="coverage-h">Coverage</h2>
            <p>Exchanges that a source has no record of are in no error figure: they stand here.</p>
            \(AccuracyPage.scrolling("Coverage", table))\(logTable)\(logProblems)</section>

            """
    }

    private func coverageRow(_ source: Int) -> Markup {
        let sum = figures(source: source)
        let missing = max(clampedDifference(sum.calls, sum.recorded), 0)
        return """
            <tr><th scope="row">\(mark(source).swatch) \(label(source)) \(badge(source))</th>\
            <td class="bar-cell">\(coverageBars(source))</td><td class="n">\(grouped(missing))</td>\
            <td class="n">\(sizeText(Int(clamping: sum.unseen.sum.magnitude)))</td>\
            <td class="reasons">\(reasons(source, sum))</td></tr>

            """
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
        return reasons.isEmpty ? "" : "<ul>\(reasons.joined())</ul>"
    }

    // MARK: Logs

    private var logTable: Markup {
        guard !result.logs.isEmpty else { return "" }
        let rows = result.logs.map(logRow).joined()
        let table: Markup = """
            <table><thead><tr><th scope="col">Log</th><th scope="col" class="n">Rows</th>\
            <th scope="col" class="n">Matched</th><th scope="col" class="n">Ambiguous</th>\
            <th scope="col" class="n">Duplicate</th><th scope="col" class="n">By host</th>\
            <th scope="col" class="n">No exchange</th><th scope="col" class="n">Other host</th>\
            <th scope="col" class="n">Other time</th><th scope="col" class="n">Not chosen</th>\
            <th scope="col" class="n">Unusable</th><th scope="col" class="n">Exchanges unseen</th>\
            <th scope="col" class="n">Explained</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        return """
            <h3>Logs against the capture</h3>
            <p>By host: rows of hosts that TLS hides, compared in total only. No exchange: the capture has the row’s host, but not its exchange. Other host and other time: nothing \
            of this capture. Unseen: exchanges of the capture without a row. Explained: matched figures that the log’s \
            formula gives to the byte.</p>
            \(AccuracyPage.scrolling("Logs", table))
            """
    }

    private func logRow(_ log: LogSummary) -> Markup {
        let counts = ([log.rows] + logFates(log).map(\.count)).map { "<td class=\"n\">\(grouped($0))</td>" as Markup }
            .joined()
        let explained = log.comparedFigures == 0 ? "–" : portion(log.explainedFigures, of: log.comparedFigures)
        return """
            <tr><th scope="row">\(shortened(displayText(log.path), to: 200, ellipsis: "…")) \
            <code>\(log.format.rawValue)</code><small>Clock: \(clockInWords(log.clock)).</small></th>\(counts)\
            <td class="n">\(grouped(log.exchangesUnseen)) of \(grouped(log.exchangesTotal))</td>\
            <td class="n">\(explained)</td></tr>

            """
    }

    private var logProblems: Markup {
        let items = result.logs.flatMap { log in
            log.problems.map { problem -> Markup in
                let path = shortened(displayText(log.path), to: 200, ellipsis: "…")
                return "<li>\(path): \(problem.what) (\(placeInWords(problem)))</li>\n"
            }
        }
        return items.isEmpty ? "" : "<h3>Problems in logs</h3>\n<ul class=\"problems\">\(items.joined())</ul>\n"
    }
}
