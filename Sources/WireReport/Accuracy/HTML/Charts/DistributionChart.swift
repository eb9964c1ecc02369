import WireAccuracy
import WireRecords
import WireStatistics

/// How errors spread: one strip for each source and direction on one axis, logarithmic to both sides of zero.
struct DistributionChart {
    let page: AccuracyPage
    private let rows: [AccuracyRow]
    private let scale: SignedLogScale

    /// - Parameters:
    ///   - sources: those that are drawn.
    ///   - all: those that the axis has room for, so that drawings can be compared; nil: the drawn ones.
    init(page: AccuracyPage, sources: [Int], scaledFor all: [Int]? = nil) {
        self.page = page
        func rows(_ sources: [Int]) -> [AccuracyRow] {
            sources.flatMap { page.index.totals($0) }.filter { $0.message.count > 0 }
        }
        self.rows = rows(sources)
        scale = SignedLogScale(
            limit: rows(all ?? sources).reduce(1) { max($0, Double($1.message.maximum), abs($1.message.biasLow)) })
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
            <span>half</span><span>90 %</span><span>all</span><span>mean [95 %]</span></span></div>

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

    /// Bands hold half, 90 % and 99 % of the calls, as many beyond each side; the thin line holds all.
    private func bands(_ row: AccuracyRow) -> Markup {
        let (errors, signed) = (row.message, row.message.signed)
        let color = page.mark(row.source).colorClass
        var drawing = band(Double(signed.minimum), Double(signed.maximum), height: 2, "\(color) band-all")
        drawing += band(signed.low99, signed.high99, height: 8, "\(color) band-99")
        drawing += band(signed.low90, signed.high90, height: 14, "\(color) band-90")
        drawing += band(signed.low50, signed.high50, height: 20, "\(color) band-50")
        let (low, high) = (placeText(scale.place(errors.biasLow)), placeText(scale.place(errors.biasHigh)))
        return drawing + """
            <line class="interval" x1="\(low)" x2="\(high)" y1="15" y2="15"/>\
            <svg class="free" x="\(placeText(scale.place(errors.bias)))" y="15" width="1" height="1">\
            <path class="bias" d="M0-6l5 6l-5 6l-5-6z"/></svg>
            """
    }

    /// A band of calls that are all equally far off is still seen.
    private func band(_ low: Double, _ high: Double, height: Int, _ style: Markup) -> Markup {
        guard low <= high else { return "" }
        let (start, end) = (scale.place(low), scale.place(high))
        let width = max(end - start, 0.004)
        return """
            <rect class="\(style)" x="\(placeText(min(start, 1 - width)))" width="\(placeText(width))" \
            y="\((30 - height) / 2)" height="\(height)"/>
            """
    }

    private func numbers(_ errors: ErrorStatistics) -> Markup {
        """
        <span>\(range(errors.signed.low50, errors.signed.high50))</span>\
        <span>\(range(errors.signed.low90, errors.signed.high90))</span>\
        <span>\(range(Double(errors.signed.minimum), Double(errors.signed.maximum)))</span>\
        <span>\(biasText(errors))</span>
        """
    }

    /// `−120 … +35`, or one number where both ends are the same.
    private func range(_ low: Double, _ high: Double) -> String {
        let (first, last) = (signed(nearest(low)), signed(nearest(high)))
        return first == last ? first : "\(first) … \(last)"
    }

    private func summary(_ errors: ErrorStatistics) -> String {
        "Half of \(counted(errors.count, "call")) have an error from \(words(errors.signed.low50, errors.signed.high50)) "
            + "bytes, 90 % from \(words(errors.signed.low90, errors.signed.high90)), 99 % from "
            + "\(words(errors.signed.low99, errors.signed.high99)), all from "
            + "\(words(Double(errors.signed.minimum), Double(errors.signed.maximum))). The mean error is "
            + "\(signed(nearest(errors.bias))) bytes, with 95 % confidence between "
            + "\(signed(nearest(errors.biasLow))) and \(signed(nearest(errors.biasHigh)))."
    }

    private func words(_ low: Double, _ high: Double) -> String {
        "\(signed(nearest(low))) to \(signed(nearest(high)))"
    }
}

/// Mean error with its interval: `−105 [−120 … −90]`.
func biasText(_ errors: ErrorStatistics) -> String {
    "\(signed(nearest(errors.bias))) [\(signed(nearest(errors.biasLow))) … \(signed(nearest(errors.biasHigh)))]"
}
