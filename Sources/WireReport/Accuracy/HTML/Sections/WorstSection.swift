import WireAccuracy
import WireEstimates
import WireLogs
import WireRecords

/// The APIs that a source is farthest off at, each with everything that is known of it.
struct WorstSection: PageSection {
    let page: AccuracyPage

    private static let most = 5

    func render() -> Markup {
        guard let primary, !index.isEmpty, figures(source: primary).calls > 0 else { return "" }
        let wrong = ranking(source: primary, by: \.absoluteError)
        let missed = ranking(source: primary, by: \.missed)
        var section: Markup = "<section id=\"worst\" aria-labelledby=\"worst-h\">\n<h2 id=\"worst-h\">Worst APIs</h2>\n"
        section +=
            wrong.isEmpty
            ? "<p>\(label(primary)) is exact for every call that it gives a figure for.</p>\n"
            : """
            <p>\(primaryNote)Sorted by the sum of the absolute errors of \(label(primary)), requests and responses together. \
            Open an API to see all sources.</p>
            \(list(wrong, \.absoluteError, "off", primary) { counted($0.calls, "call") })
            """
        if !missed.isEmpty {
            section += """
                <h3>Not recorded</h3>
                <details class="wide"><summary>Sorted by the message bytes of calls that \(label(primary)) did not record</summary>
                \(list(missed, \.missed, "not recorded", primary) { $0.lackingInWords ?? "" })</details>

                """
        }
        return section + "</section>\n"
    }

    /// Where nobody chose a source, whose APIs these are.
    private var primaryNote: String {
        options.hasChosenSources || sources.count < 2
            ? ""
            : "No SDK was chosen; this is the first of \(grouped(sources.count)) sources, the table below has all. "
    }

    private func list(
        _ ranking: [(api: Int, figures: PageFigures)], _ bytes: KeyPath<PageFigures, Int>, _ what: String,
        _ source: Int, calls: (PageFigures) -> String
    ) -> Markup {
        let largest = Double(max(ranking.first?.figures[keyPath: bytes] ?? 1, 1))
        let items = ranking.prefix(Self.most).map { api, figures -> Markup in
            let value = figures[keyPath: bytes]
            return """
                <details><summary>\(apiName(api))\
                <span class="worst-error"><b>\(sizeText(value))</b> \(what), \(calls(figures))</span>\
                <svg width="100%" height="6" aria-hidden="true"><rect class="bar-rest" width="100%" height="6" rx="2"/>\
                <rect class="bar-missing" width="\(placeText(Double(value) / largest))" height="6" rx="2"/></svg>\
                <span class="why">\(why(figures))</span></summary>
                \(apiDetails(api, source))</details>

                """
        }
        return "<div class=\"worst\">\n\(items.joined())</div>\n"
    }

    /// The error and its largest cause, and what lacks, in words.
    private func why(_ figures: PageFigures) -> Markup {
        var words: [String] = []
        if let lacking = figures.lackingInWords, let reason = figures.unseen.largestFirst().first {
            let calls = figures.recorded == 0 ? "no call recorded" : "\(lacking) not recorded"
            words.append("\(calls): \(reason.cause.inSentence)")
        }
        if figures.compared > 0 {
            var text = "\(bytesInWords(signed(figures.error))) (\(errorShare(figures.error, of: figures.message)))"
            if let chief = figures.causes.largestFirst(where: { !$0.isTransport })
                .first(where: { ($0.bytes < 0) == (figures.error < 0) })
            {
                let bytes = sizeText(Int(clamping: chief.bytes.magnitude))
                text += ", mostly \(chief.cause.inSentence): \(bytes) too \(chief.bytes < 0 ? "little" : "much")"
            }
            words.append(text)
        }
        return "\(words.joined(separator: "; "))"
    }

    /// All sources and both directions of one API, and the way from the estimate to the wire.
    private func apiDetails(_ api: Int, _ source: Int) -> Markup {
        let rows = sources.flatMap { source in
            Direction.allCases.compactMap { index.row(source, api, $0) }.map(detailRow)
        }.joined()
        let table: Markup = """
            <table class="detail-table"><thead><tr><th scope="col">Source</th><th scope="col">Direction</th>\
            <th scope="col" class="n">Calls</th><th scope="col" class="n">Messages</th>\
            <th scope="col" class="n">Estimate</th><th scope="col" class="n">Error</th><th scope="col" class="n">%</th>\
            <th scope="col" class="n">Mean error [95 %]</th><th scope="col" class="n">p50</th>\
            <th scope="col" class="n">p90</th><th scope="col" class="n">p99</th><th scope="col" class="n">Max</th>\
            <th scope="col" class="n">Wire</th><th scope="col" class="n">Against wire</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        let waterfall = CauseWaterfall(
            figures(source: source, api: api), estimateLabel: "Estimate of \(label(source))",
            caption: "From estimate to wire, requests and responses")
        return """
            <div class="detail">\(PageDocument.scrolling("All sources", table))\
            \(PageDocument.scrolling("Causes", waterfall.render()))</div>
            """
    }

    private func detailRow(_ row: AccuracyRow) -> Markup {
        let name: Markup = "\(mark(row.source).swatch) \(label(row.source))"
        let errors = row.message
        let head: Markup = """
            <tr><th scope="row">\(name)</th><td>\(row.direction.nouns)</td>\
            <td class="n">\(grouped(errors.count)) of \(grouped(row.coverage.calls))</td>
            """
        guard errors.count > 0 else { return head + "<td class=\"none\" colspan=\"11\">no figure</td></tr>\n" }
        let error = clampedDifference(errors.estimateTotal, errors.truthTotal)
        let wireError = clampedDifference(row.wire.estimateTotal, row.wire.truthTotal)
        let quantiles = [errors.p50, errors.p90, errors.p99, Double(errors.maximum)]
            .map { "<td class=\"n\">\(grouped(nearest($0)))</td>" as Markup }.joined()
        return head + """
            <td class="n">\(grouped(errors.truthTotal))</td><td class="n">\(typographic(grouped(errors.estimateTotal)))</td>\
            <td class="n\(errorClass(error))">\(signed(error))</td>\
            <td class="n">\(errorShare(error, of: errors.truthTotal))</td>\
            <td class="n">\(biasText(errors))</td>\(quantiles)<td class="n">\(grouped(row.wire.truthTotal))</td>\
            <td class="n">\(errorShare(wireError, of: row.wire.truthTotal))</td></tr>

            """
    }
}
