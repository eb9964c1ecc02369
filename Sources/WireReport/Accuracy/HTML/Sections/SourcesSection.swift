import WireAccuracy

/// Every source in one line, then what it gets wrong in words.
extension AccuracyPage {
    var sourcesSection: Markup {
        guard !result.sources.isEmpty else { return "" }
        let rows = sources.map(sourceRow).joined()
        let table: Markup = """
            <table class="sources"><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">Requests</th><th scope="col" class="n">Responses</th>\
            <th scope="col" class="n">Error</th><th scope="col" class="n">Off per call</th>\
            <th scope="col" class="n">Calls recorded</th><th scope="col" class="bar-cell">Counted of the messages</th>\
            </tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        return """
            <section id="sources" aria-labelledby="sources-h">
            <h2 id="sources-h">Sources</h2>
            <p>Error is estimate − message bytes of the calls that the source speaks of: − is too little, + too much. \
            Off per call adds up errors without their signs. The bar ends at 200 %; its line is the truth.</p>
            \(AccuracyPage.scrolling("Sources", table))
            <h3>In words</h3>
            \(verdicts)</section>

            """
    }

    private func sourceRow(_ source: Int) -> Markup {
        let sum = figures(source: source)
        return """
            <tr><th scope="row">\(mark(source).swatch) \(label(source)) \(badge(source))</th>\
            \(shareCell(index.total(source, .up)))\(shareCell(index.total(source, .down)))\
            <td class="n">\(sum.compared == 0 ? "–" : signed(sum.error))</td>\
            <td class="n">\(meanText(sum.absoluteError, of: sum.compared) ?? "–")</td>\
            <td class="n">\(portion(sum.recorded, of: sum.calls))</td>\
            <td class="bar-cell">\(ratioBar(sum))</td></tr>

            """
    }

    private func shareCell(_ row: AccuracyRow?) -> Markup {
        guard let row, row.message.count > 0 else { return "<td class=\"n none\" title=\"no figure\">–</td>" }
        let error = clampedDifference(row.message.estimateTotal, row.message.truthTotal)
        let text = errorShare(error, of: row.message.truthTotal)
        return "<td class=\"n\(errorClass(error))\">\(text)</td>"
    }

    /// Colour of a figure that is too small or too large; its sign says the same.
    func errorClass(_ error: Int) -> Markup { error < 0 ? " low" : error > 0 ? " high" : "" }

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
                let sentences = all.filter { $0.source == source }.map { "<p>\($0.text)</p>" as Markup }.joined()
                return "<dt>\(mark(source).swatch) \(label(source)) \(badge(source))</dt><dd>\(sentences)</dd>\n"
            }
            return "<dl class=\"verdicts\">\n\(items.joined())</dl>\n"
        }
        let first = sources.filter { $0 == primary || result.sources[$0].isMeasured }
        let rest = sources.filter { !first.contains($0) }
        guard !rest.isEmpty else { return list(first) }
        let others = first.isEmpty ? "" : "other "
        return list(first) + """
            <details><summary>The \(grouped(rest.count)) \(others)simulated sources in words</summary>
            \(list(rest))</details>

            """
    }
}
