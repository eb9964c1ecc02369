import WireLogs
import WireRecords

/// Drawings over all APIs. Each says in words, or in figures beside it, what it shows.
struct ChartsSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let drawings = scatterCharts + distribution + waterfalls
        guard !drawings.isEmpty else { return "" }
        return """
            <section id="charts" aria-labelledby="charts-h">
            <h2 id="charts-h">Charts</h2>
            \(drawings)</section>

            """
    }

    private var scatterCharts: Markup {
        guard !result.scatter.isEmpty else { return "" }
        let message = ScatterChart(page: page, truth: .message)
        let wire = ScatterChart(page: page, truth: .wire)
        return """
            <h3>Estimate against truth</h3>
            <details class="wide"><summary>Single calls against message bytes</summary>
            <p>\(scatterExtent) Hollow marks are requests, filled marks are responses. On the line the estimate is exact, below it too low, above it too high. \
            All charts have the same logarithmic axes; values of zero and below are drawn separately.</p>
            <div class="panels">
            \(message.render())</div></details>
            <details><summary>The same against wire bytes</summary><div class="panels">
            \(wire.render())</div></details>

            """
    }

    /// What the marks stand for: one for each figure, or for some of very many.
    private var scatterExtent: String {
        let figures = sources.flatMap { index.totals($0) }.reduce(0) { clampedSum($0, $1.message.count) }
        guard result.scatter.count < figures else { return "One mark for each call, direction and source." }
        return "One mark for each of \(counted(result.scatter.count, "sampled figure")), of \(grouped(figures)): a "
            + "figure is one call in one direction by one source."
    }

    /// The page's first source stands open, the others together behind it.
    ///
    /// - Parameter wide: the summary of the first source's drawing, where it is long: on a narrow screen it is folded.
    private func unfolded(_ sources: [Int], wide: String? = nil, _ draw: ([Int]) -> Markup) -> Markup {
        let first = sources.filter { $0 == primary }
        let others = sources.filter { $0 != primary }
        var markup = first.isEmpty ? "" : draw(first)
        if let wide, !first.isEmpty {
            let name = "\(wide): \(label(first[0]))"
            markup = "<details class=\"wide\"><summary>\(name)</summary>\n\(markup)</details>\n"
        }
        if !others.isEmpty {
            let name = first.isEmpty ? counted(others.count, "source") : counted(others.count, "other source")
            markup += "<details><summary>\(name)</summary>\n\(draw(others))</details>\n"
        }
        return markup
    }

    private var distribution: Markup {
        let sources = sources.filter { !DistributionChart(page: page, sources: [$0]).isEmpty }
        guard !sources.isEmpty else { return "" }
        return """
            <h3>How errors spread</h3>
            <p>Errors of single calls against their messages, with their signs. The bands hold half, 90 % and 99 % of \
            the calls, the thin line all of them. The diamond is the mean error; the line through it holds the mean with \
            95 % confidence. The axis is logarithmic to both sides.</p>
            \(unfolded(sources) { DistributionChart(page: page, sources: $0, scaledFor: sources).render() })
            """
    }

    private var waterfalls: Markup {
        let sources = sources.filter { figures(source: $0).compared > 0 }
        guard !sources.isEmpty else { return "" }
        return """
            <h3>From estimate to wire</h3>
            <p>What must be added to an estimate (+, the source counts too little) or taken off it (−, too much) to \
            come to the HTTP messages, and then to all IP bytes. The levels are exact sums.</p>
            <p class="legend"><span class="key key-level"></span>level <span class="key key-missing"></span>added \
            <span class="key key-surplus"></span>taken off</p>
            <div class="waterfalls">
            \(unfolded(sources, wide: "Cause by cause") { $0.map(waterfallPair).joined() })</div>

            """
    }

    private func waterfallPair(_ source: Int) -> Markup {
        """
        <h4>\(mark(source).swatch) \(label(source)) \(badge(source))</h4>
        <div class="pair">\(waterfall(source, .up))\(waterfall(source, .down))</div>

        """
    }

    private func waterfall(_ source: Int, _ direction: Direction) -> Markup {
        guard let row = index.total(source, direction) else { return "" }
        let nouns = direction == .up ? "Requests" : "Responses"
        guard row.message.count > 0 else { return "<p class=\"none\">\(nouns): no figures.</p>\n" }
        let chart = CauseWaterfall(PageFigures(row), estimateLabel: "Estimate", caption: nouns)
        return PageDocument.scrolling("\(nouns) of \(label(source)), cause by cause", chart.render())
    }
}
