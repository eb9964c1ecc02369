import WireAccuracy
import WireLogs
import WireRecords

/// Estimate against truth, one small drawing per source on the same logarithmic axes.
struct ScatterChart {
    let page: AccuracyPage
    let truth: Truth
    private let scale: LogScale
    private let points: [[ScatterPoint]]
    private let hasEmptyTruth: Bool

    private static let left = 44.0
    private static let top = 6.0
    private static let side = 210.0
    private static let width = 264.0
    private static let height = 262.0

    init(page: AccuracyPage, truth: Truth) {
        self.page = page
        self.truth = truth
        var points = [[ScatterPoint]](repeating: [], count: page.result.sources.count)
        for point in page.result.scatter where points.indices.contains(point.source) {
            points[point.source].append(point)
        }
        self.points = points
        hasEmptyTruth = page.result.scatter.contains { (truth == .message ? $0.message : $0.wire) <= 0 }
        scale = LogScale(
            page.result.scatter.lazy.flatMap { [$0.estimate, truth == .message ? $0.message : $0.wire] })
    }

    /// Sources that have points, in their order.
    var sources: [Int] { page.sources.filter { !points[$0].isEmpty } }

    func render() -> Markup {
        sources.map(panel).joined()
    }

    private func panel(_ source: Int) -> Markup {
        let key: Markup = "scatter-\(truth.rawValue)-\(source)"
        let (width, height) = (ScatterChart.width, ScatterChart.height)
        return """
            <figure class="panel"><figcaption>\(page.mark(source).swatch) \
            <span>\(page.label(source))</span></figcaption>
            <svg class="scatter" viewBox="0 0 \(coordinate(width)) \(coordinate(height))" role="img" \
            aria-labelledby="\(key)-t \(key)-d">
            <title id="\(key)-t">\(title(source))</title><desc id="\(key)-d">\(summary(source))</desc>
            \(axes)\(marks(source, .up))\(marks(source, .down))</svg></figure>

            """
    }

    private func title(_ source: Int) -> String {
        let name = truth == .message ? "message bytes" : "wire bytes"
        return "\(page.label(source)): estimate against \(name), one mark for each call and direction"
    }

    /// The picture in words.
    private func summary(_ source: Int) -> String {
        var sentences = Direction.allCases.compactMap { direction -> String? in
            let shown = points[source].filter { $0.direction == direction }
            guard !shown.isEmpty else { return nil }
            let low = shown.count { $0.estimate < size(of: $0) }
            let high = shown.count { $0.estimate > size(of: $0) }
            return "Of \(counted(shown.count, direction.noun)) shown, \(grouped(low)) lie below the line of equality, "
                + "\(grouped(high)) above it, \(grouped(shown.count - low - high)) on it."
        }
        sentences.append("Both axes are logarithmic, from \(powerOfTen(scale.low)) to \(powerOfTen(scale.high)) bytes.")
        return sentences.joined(separator: " ")
    }

    private func size(of point: ScatterPoint) -> Int { truth == .message ? point.message : point.wire }

    // MARK: Drawing

    private func horizontal(_ place: Double) -> Double { ScatterChart.left + place * ScatterChart.side }
    private func vertical(_ place: Double) -> Double { ScatterChart.top + (1 - place) * ScatterChart.side }

    private var axes: Markup {
        let bottom = coordinate(ScatterChart.top + ScatterChart.side)
        let start = scale.hasGutter ? LogScale.gutter : 0
        var drawing: Markup = """
            <rect class="plot" x="\(coordinate(ScatterChart.left))" y="\(coordinate(ScatterChart.top))" \
            width="\(coordinate(ScatterChart.side))" height="\(coordinate(ScatterChart.side))"/>
            """
        for tick in scale.ticks(atMost: 4) {
            drawing += column(tick.label, tick.place) + row(tick.label, tick.place)
        }
        if scale.hasGutter { drawing += row("≤ 0", scale.place(0)) }
        if hasEmptyTruth { drawing += column("≤ 0", scale.place(0)) }
        drawing += """
            <path class="identity" d="M\(coordinate(horizontal(start))) \(coordinate(vertical(start)))\
            L\(coordinate(horizontal(1))) \(coordinate(vertical(1)))"/>
            <text class="axis" x="\(coordinate(horizontal(1)))" y="\(bottom)" dy="32" text-anchor="end">\
            \(truth == .message ? "message" : "wire"), bytes</text>
            <text class="axis" x="\(coordinate(horizontal(0) + 5))" y="\(coordinate(vertical(1)))" dy="13">\
            estimate, bytes</text>

            """
        return drawing
    }

    private func column(_ label: String, _ place: Double) -> Markup {
        let (x, bottom) = (coordinate(horizontal(place)), coordinate(vertical(0)))
        return """
            <path class="grid" d="M\(x) \(bottom)V\(coordinate(vertical(1)))"/>\
            <text class="tick" x="\(x)" y="\(bottom)" dy="15" text-anchor="middle">\(label)</text>
            """
    }

    private func row(_ label: String, _ place: Double) -> Markup {
        let (y, left) = (coordinate(vertical(place)), coordinate(horizontal(0)))
        return """
            <path class="grid" d="M\(left) \(y)H\(coordinate(horizontal(1)))"/>\
            <text class="tick" x="\(left)" y="\(y)" dx="-6" dy="4" text-anchor="end">\(label)</text>
            """
    }

    /// Requests are hollow, responses full. Marks that would hide each other exactly are drawn once.
    private func marks(_ source: Int, _ direction: Direction) -> Markup {
        let mark = page.mark(source)
        var drawn: Set<[Int]> = []
        var path = ""
        for point in points[source] where point.direction == direction {
            let x = horizontal(scale.place(size(of: point)))
            let y = vertical(scale.place(point.estimate))
            guard drawn.insert([nearest(x * 2), nearest(y * 2)]).inserted else { continue }
            path += mark.outline(x: Double(nearest(x * 2)) / 2, y: Double(nearest(y * 2)) / 2, radius: 3)
        }
        guard !path.isEmpty else { return "" }
        return "<path class=\"\(mark.colorClass) \(direction == .up ? "hollow" : "full")\" d=\"\(path)\"/>\n"
    }
}
