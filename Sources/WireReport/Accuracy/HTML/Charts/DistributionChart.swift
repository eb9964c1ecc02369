import WireAccuracy

/// How errors spread: one strip for each source and direction on one symmetric logarithmic axis.
struct DistributionChart {
    let page: AccuracyPage
    private let rows: [AccuracyRow]
    private let scale: SignedLogScale

    init(page: AccuracyPage) {
        self.page = page
        var rows: [AccuracyRow] = []
        for source in page.sources {
            rows += Direction.allCases.compactMap { page.index.total(source, $0) }.filter { $0.message.count > 0 }
        }
        self.rows = rows
        scale = SignedLogScale(
            limit: rows.reduce(1) { max($0, Double($1.message.maximum), abs($1.message.biasLow)) })
    }

    var isEmpty: Bool { rows.isEmpty }

    func render() -> Markup {
        var drawing: Markup = "<div class=\"strips\">\n\(axis)"
        var last: Int?
        for row in rows {
            if row.source != last { drawing += heading(row.source) }
            last = row.source
            drawing += strip(row)
        }
        return drawing + "</div>\n"
    }

    private var axis: Markup {
        let labels = scale.ticks(perSide: 3).map { tick -> Markup in
            let anchor: Markup = tick.place < 0.01 ? "start" : tick.place > 0.99 ? "end" : "middle"
            let distance = abs(tick.place - 0.5)
            let style: Markup = distance > 0 && distance < 0.35 ? "tick fine" : "tick"
            return """
                <text class="\(style)" x="\(placeText(tick.place))" y="14" text-anchor="\(anchor)">\(tick.label)</text>
                """
        }
        return """
            <div class="strip-row strip-axis" aria-hidden="true"><span>error, bytes</span>\
            <svg width="100%" height="18">\(labels.joined())</svg><span class="numbers">\
            <span>half</span><span>90 %</span><span>99 %</span><span>all</span><span>mean [95 %]</span></span></div>

            """
    }

    private func heading(_ source: Int) -> Markup {
        "<h4>\(page.mark(source).swatch) \(page.label(source))</h4>\n"
    }

    private func strip(_ row: AccuracyRow) -> Markup {
        let key: Markup = "strip-\(row.source)-\(row.direction.rawValue)"
        let name = page.label(row.source)
        return """
            <div class="strip-row"><span>\(row.direction.nouns)</span>\
            <svg width="100%" height="30" role="img" aria-labelledby="\(key)-t \(key)-d">\
            <title id="\(key)-t">Errors of \(name), \(row.direction.nouns)</title>\
            <desc id="\(key)-d">\(summary(row.message))</desc>\(grid)\(bands(row))</svg>\
            <span class="numbers">\(numbers(row.message))</span></div>

            """
    }

    private var grid: Markup {
        scale.ticks(perSide: 4).map { tick -> Markup in
            let x = placeText(tick.place)
            return "<line class=\"\(tick.label == "0" ? "zero" : "grid")\" x1=\"\(x)\" x2=\"\(x)\" y1=\"0\" y2=\"30\"/>"
        }.joined()
    }

    /// Bands hold half, 90 % and 99 % of the calls; the thin line reaches the largest error.
    private func bands(_ row: AccuracyRow) -> Markup {
        let errors = row.message
        let color = page.mark(row.source).colorClass
        var drawing = band(Double(errors.maximum), height: 2, "\(color) band-all")
        drawing += band(errors.p99, height: 8, "\(color) band-99")
        drawing += band(errors.p90, height: 14, "\(color) band-90")
        drawing += band(errors.p50, height: 20, "\(color) band-50")
        let (low, high) = (placeText(scale.place(errors.biasLow)), placeText(scale.place(errors.biasHigh)))
        return drawing + """
            <line class="interval" x1="\(low)" x2="\(high)" y1="15" y2="15"/>\
            <svg class="free" x="\(placeText(scale.place(errors.bias)))" y="15" width="1" height="1">\
            <path class="bias" d="M0-6l5 6l-5 6l-5-6z"/></svg>
            """
    }

    private func band(_ limit: Double, height: Int, _ style: Markup) -> Markup {
        guard limit > 0 else { return "" }
        let (start, end) = (scale.place(-limit), scale.place(limit))
        return """
            <rect class="\(style)" x="\(placeText(start))" width="\(placeText(end - start))" y="\((30 - height) / 2)" \
            height="\(height)"/>
            """
    }

    private func numbers(_ errors: ErrorStatistics) -> Markup {
        """
        <span>±\(grouped(nearest(errors.p50)))</span><span>±\(grouped(nearest(errors.p90)))</span>\
        <span>±\(grouped(nearest(errors.p99)))</span><span>±\(grouped(errors.maximum))</span>\
        <span>\(biasText(errors))</span>
        """
    }

    private func summary(_ errors: ErrorStatistics) -> String {
        "Half of \(counted(errors.count, "call")) are within ±\(grouped(nearest(errors.p50))) bytes of the truth, 90 % "
            + "within ±\(grouped(nearest(errors.p90))), 99 % within ±\(grouped(nearest(errors.p99))), all within "
            + "±\(grouped(errors.maximum)). The mean error is \(signed(nearest(errors.bias))) bytes, with 95 % "
            + "confidence between \(signed(nearest(errors.biasLow))) and \(signed(nearest(errors.biasHigh)))."
    }
}

/// Mean error with its interval: `−105 [−120 … −90]`.
func biasText(_ errors: ErrorStatistics) -> String {
    "\(signed(nearest(errors.bias))) [\(signed(nearest(errors.biasLow))) … \(signed(nearest(errors.biasHigh)))]"
}
