import WireEstimates
import WireRecords

/// The way from an estimate to the messages and on to the wire, cause by cause. Every level is the sum of what stands
/// above it; what no cause explains is a line of its own, never left out.
struct CauseWaterfall {
    struct Line {
        enum Kind {
            /// A sum so far.
            case level
            /// Bytes that are added (the estimate lacks them) or taken off (it has too many).
            case step
        }

        var kind: Kind
        var label: String
        /// The cause's identifier; empty for levels.
        var cause = ""
        var bytes: Int
    }

    private(set) var lines: [Line] = []
    private let caption: String

    init(_ figures: PageFigures, estimateLabel: String, caption: String) {
        self.caption = caption
        lines.append(Line(kind: .level, label: estimateLabel, bytes: figures.estimate))
        addCauses(figures.causes, to: figures.message) { !$0.isTransport }
        let isComplete = figures.message == figures.allMessage
        level(isComplete ? "HTTP messages" : "HTTP messages of the compared calls", figures.message)
        if !isComplete {
            addCauses(figures.unseen, to: figures.allMessage, restLabel: "calls for which it gives no figure") { _ in
                true
            }
            level("HTTP messages of all calls", figures.allMessage)
        }
        let transport = clampedDifference(figures.wire, figures.message)
        let outside = clampedDifference(clampedDifference(figures.allWire, figures.allMessage), transport)
        addCauses(figures.causes, to: clampedSum(figures.allMessage, transport)) { $0.isTransport }
        step("transport of the calls that are not compared", outside)
        level("Wire bytes", figures.allWire)
    }

    private mutating func level(_ label: String, _ bytes: Int) {
        lines.append(Line(kind: .level, label: label, bytes: bytes))
    }

    private mutating func step(_ label: String, _ bytes: Int, cause: String = "") {
        guard bytes != 0 else { return }
        lines.append(Line(kind: .step, label: label, cause: cause, bytes: bytes))
    }

    /// Steps from the sum so far to `goal`. Causes are errors, estimate − truth: the way to the truth takes them off.
    private mutating func addCauses(
        _ causes: CauseBytes, to goal: Int, restLabel: String = "not booked to a cause",
        where included: (ErrorCause) -> Bool
    ) {
        var sum = lines.reduce(0) { $1.kind == .level ? $1.bytes : clampedSum($0, $1.bytes) }
        for (cause, bytes) in causes.largestFirst(where: included) {
            step(cause.meaning, clampedDifference(0, bytes), cause: cause.name)
            sum = clampedDifference(sum, bytes)
        }
        step(restLabel, clampedDifference(goal, sum))
    }

    // MARK: Drawing

    func render() -> Markup {
        var running = 0
        var rows = Markup()
        let axis = self.axis
        for line in lines {
            let start = line.kind == .level ? nil : running
            running = line.kind == .level ? line.bytes : clampedSum(running, line.bytes)
            rows += row(line, bar(line, from: start, to: running, axis))
        }
        let note: Markup = axis.low > 0 ? " <small>Bars begin at \(grouped(nearest(axis.low))) bytes.</small>" : ""
        return """
            <table class="waterfall"><caption>\(caption)\(note)</caption>
            <thead><tr><th scope="col">Cause</th><th scope="col" class="n">Bytes</th>\
            <th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
    }

    /// The axis begins at zero, or, where the levels would dwarf all steps, shortly before the lowest level.
    private var axis: (low: Double, high: Double) {
        var running = 0
        var (low, high) = (Double.infinity, 1.0)
        for line in lines {
            running = line.kind == .level ? line.bytes : clampedSum(running, line.bytes)
            low = min(low, Double(running))
            high = max(high, Double(running))
        }
        guard low > 0.7 * high else { return (min(low, 0), high) }
        return (max(low - max(high - low, high / 1000) * 0.4, 0), high)
    }

    private func row(_ line: Line, _ bar: Markup) -> Markup {
        let code: Markup = line.cause.isEmpty ? "" : " <code>\(line.cause)</code>"
        let (style, number): (Markup, String) =
            line.kind == .level ? (" class=\"level\"", grouped(line.bytes)) : ("", signed(line.bytes))
        return """
            <tr\(style)><th scope="row">\(line.label)\(code)</th><td class="n">\(number)</td>\
            <td class="bar-cell">\(bar)</td></tr>

            """
    }

    /// A level's bar begins at the axis' beginning, with a break where that is not zero.
    private func bar(_ line: Line, from start: Int?, to end: Int, _ axis: (low: Double, high: Double)) -> Markup {
        func place(_ value: Double) -> Double { (value - axis.low) / (axis.high - axis.low) }
        let first = place(start.map { Double($0) } ?? max(axis.low, 0))
        let left = min(first, place(Double(end)), 0.997)
        let width = max(abs(place(Double(end)) - first), line.bytes == 0 ? 0 : 0.003)
        let style: Markup = line.kind == .level ? "bar-level" : line.bytes > 0 ? "bar-missing" : "bar-surplus"
        let gap: Markup =
            line.kind == .level && axis.low > 0 ? "<rect class=\"break\" x=\"2.5%\" width=\"3\" height=\"12\"/>" : ""
        return """
            <svg width="100%" height="12" aria-hidden="true"><rect class="\(style)" x="\(placeText(left))" \
            width="\(placeText(width))" height="12" rx="1"/>\(gap)</svg>
            """
    }
}
