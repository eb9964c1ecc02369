import WireAccuracy
import WireRecords
import WireStatistics

/// Every source in one line, then what it gets wrong in words.
struct SourcesSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        guard index.hasFigures else { return "" }
        let rows = sources.map(sourceRow).joined()
        let table: Markup = """
            <table class="sources"><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">Requests</th><th scope="col" class="n">on the wire</th>\
            <th scope="col" class="n">Responses</th><th scope="col" class="n">on the wire</th>\
            <th scope="col" class="n">Error</th><th scope="col" class="n">Off per call</th>\
            <th scope="col" class="n">Recorded</th><th scope="col" class="bar-cell">Counted of the messages</th>\
            </tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        return """
            <section id="sources" aria-labelledby="sources-h">
            <h2 id="sources-h">Sources</h2>
            <p>Error is estimate − message bytes, over the calls that the source has a figure for. \
            On the wire: the same estimate compared with all IP bytes of the calls. Off per call: mean absolute error. The bar ends at 200 %; the line marks the correct value.</p>
            \(PageDocument.scrolling("Sources", table))
            <h3>In words</h3>
            \(verdicts)</section>

            """
    }

    private func sourceRow(_ source: Int) -> Markup {
        let sum = figures(source: source)
        return """
            <tr><th scope="row">\(mark(source).swatch) \(label(source)) \(badge(source))</th>\
            \(shareCells(index.total(source, .up)))\(shareCells(index.total(source, .down)))\
            <td class="n">\(sum.compared == 0 ? "–" : signed(sum.error))</td>\
            <td class="n">\(meanText(sum.absoluteError, of: sum.compared) ?? "–")</td>\
            \(recordedCell(source))\
            <td class="bar-cell">\(ratioBar(sum))</td></tr>

            """
    }

    /// The error of a direction against the messages and against the wire.
    private func shareCells(_ row: AccuracyRow?) -> Markup {
        guard let row, row.message.count > 0 else {
            let none: Markup = "<td class=\"n none\" title=\"no figure\">–</td>"
            return none + none
        }
        return shareCell(row.message) + shareCell(row.wire)
    }

    private func shareCell(_ errors: ErrorStatistics) -> Markup {
        let error = clampedDifference(errors.estimateTotal, errors.truthTotal)
        return "<td class=\"n\(errorClass(error))\">\(errorShare(error, of: errors.truthTotal))</td>"
    }

    private func recordedCell(_ source: Int) -> Markup {
        let isWhole = figures(source: source).lackingInWords == nil
        return "<td class=\"n\(isWhole ? " whole" : "" as Markup)\">\(recorded(source))</td>"
    }

    /// One share where both directions have the same, else both.
    private func recorded(_ source: Int) -> String {
        let shares = index.totals(source).map {
            ($0.direction, portion($0.coverage.recordedCalls, of: $0.coverage.calls))
        }
        guard let first = shares.first else { return "–" }
        if shares.allSatisfy({ $0.1 == first.1 }) { return first.1 }
        return shares.map { ($0.0 == .up ? "↑ " : "↓ ") + $0.1 }.joined(separator: " ")
    }

    private func ratioBar(_ sum: PageFigures) -> Markup {
        guard sum.message > 0 else { return "" }
        let ratio = min(max(Double(sum.estimate) / Double(sum.message), 0), 2)
        let style: Markup = sum.estimate < sum.message ? "bar-missing" : "bar-surplus"
        return """
            <svg width="100%" height="12" aria-hidden="true">\
            <rect class="bar-level" x="0%" width="\(placeText(min(ratio, 1) / 2))" y="2" height="8"/>\
            <rect class="\(style)" x="\(placeText(min(ratio, 1) / 2))" width="\(placeText(abs(ratio - 1) / 2))" y="2" \
            height="8"/><line class="zero" x1="50%" x2="50%" y1="0" y2="12"/></svg>
            """
    }

    /// Logs and the first source in full, the other simulations on demand.
    private var verdicts: Markup {
        let all = accuracyVerdicts(result)
        func list(_ sources: [Int]) -> Markup {
            let items = sources.map { source -> Markup in
                let sentences = all.filter { $0.source == source }.map { verdict -> Markup in
                    let range = APIRange(index, source, verdict.direction).map {
                        " \($0.sentence(result))" as ReportText
                    }
                    return "<p>\(PageForm.text("\(verdict.text)\(range ?? "")"))</p>"
                }.joined()
                return "<dt>\(mark(source).swatch) \(label(source)) \(badge(source))</dt><dd>\(sentences)</dd>\n"
            }
            return "<dl class=\"verdicts\">\n\(items.joined())</dl>\n"
        }
        let silent = sources.filter { index.isSilent($0) }
        let none: Markup =
            silent.isEmpty
            ? "" : "<p>No figure for any call: \(listed(silent.map(label), most: silent.count)).</p>\n"
        let sources = sources.filter { !silent.contains($0) }
        let first = sources.filter { ($0 == primary && options.hasChosenSources) || result.sources[$0].isMeasured }
        let rest = sources.filter { !first.contains($0) }
        guard !rest.isEmpty else { return (first.isEmpty ? "" : list(first)) + none }
        let others = first.isEmpty ? "" : "other "
        return (first.isEmpty ? "" : list(first)) + """
            <details><summary>The \(grouped(rest.count)) \(others)simulated sources in words</summary>
            \(list(rest))</details>
            \(none)
            """
    }
}
