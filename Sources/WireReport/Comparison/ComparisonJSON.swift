import WireComparison
import WireCore
import WireRecords

/// The comparison as one line of JSON, schema `wireaudit.compare/1`.
public func comparisonJSON(_ comparison: CostComparison, options: ReportOptions) -> OutputBuffer {
    var json = JSONFields()
    let words = ComparisonWords(comparison: comparison) { $0 }
    json.beginElement()
    json.constant("schema", "wireaudit.compare/1")
    json.text("version", toolVersion)
    json.options(options) { $0.decimal("max_growth", comparison.maximumGrowth, places: 3) }
    json.side("before", comparison.before, comparison.measure)
    json.side("after", comparison.after, comparison.measure)
    json.text("verdict", words.verdict)
    json.boolean("identical", comparison.isIdentical)
    json.boolean("noise_known", comparison.knowsNoise)
    let isJudged = comparison.maximumGrowth != nil && !comparison.isUnjudged
    json.boolean("exceeded", isJudged && !comparison.isUnjudgedInPart ? comparison.isExceeded : nil)
    json.boolean("total_exceeded", isJudged ? comparison.totalIsExceeded : nil)
    json.change("total", comparison.total)
    json.cells(comparison.cells, words)
    json.beginArray("apis")
    for row in comparison.apis { json.api(row, comparison, words) }
    json.endArray()
    json.beginArray("hosts")
    for row in comparison.hosts { json.host(row, comparison.measure) }
    json.endArray()
    json.end()
    json.endLine()
    return json.finished()
}

extension JSONFields {
    fileprivate mutating func side(_ name: StaticString, _ side: ComparedSide, _ measure: CostMeasure) {
        begin(name)
        words("captures", side.captures)
        words("audits", side.audits)
        integer("packets", side.packets)
        integer("bytes", side.bytes)
        integer("calls", side.knownCalls)
        integer("wire", side.wire(measure))
        words("doubts", side.allDoubts.sorted())
        end()
    }

    fileprivate mutating func change(_ name: StaticString, _ change: CostChange?) {
        guard begin(name, isKnown: change != nil), let change else { return }
        figures(change)
        end()
    }

    private mutating func figures(_ change: CostChange) {
        decimal("before", change.before, places: 3)
        decimal("after", change.after, places: 3)
        decimal("change", change.change, places: 3)
        decimal("percent", change.percent, places: 3)
        decimal("noise", change.noise, places: 3)
        boolean("beyond_noise", change.isCertain)
    }

    /// Only kinds that a side has.
    fileprivate mutating func cells(_ cells: [CellChange], _ words: ComparisonWords) {
        beginArray("causes")
        for cell in cells where cell.change.before != 0 || cell.change.after != 0 {
            beginElement()
            text("direction", cell.cell.direction.rawValue)
            text("cause", cell.cell.id)
            figures(cell.change)
            end()
        }
        endArray()
    }

    fileprivate mutating func api(_ row: APIChange, _ comparison: CostComparison, _ words: ComparisonWords) {
        beginElement()
        text("api", row.api)
        text("verdict", row.verdict.rawValue)
        totals("before", row.before, comparison.measure)
        totals("after", row.after, comparison.measure)
        change("wire", row.wire)
        let isCause = [.larger, .smaller, .shifted].contains(row.verdict)
        text("main_cause", isCause ? words.mainCause(row) : nil)
        let isJudged = comparison.maximumGrowth != nil && row.wire != nil && row.verdict != .tooFewCalls
        boolean("exceeded", isJudged ? row.isExceeded : nil)
        cells(row.cells, words)
        end()
    }

    private mutating func totals(_ name: StaticString, _ side: ComparedAPI?, _ measure: CostMeasure) {
        guard begin(name, isKnown: side != nil), let side else { return }
        integer("calls", side.isEncrypted ? nil : side.calls)
        integer("up", measure.wire(side.costs.up))
        integer("down", measure.wire(side.costs.down))
        integer("wire", measure.wire(side.costs))
        end()
    }

    fileprivate mutating func host(_ row: HostChange, _ measure: CostMeasure) {
        beginElement()
        text("host", row.host)
        totals("before", row.before, measure)
        totals("after", row.after, measure)
        end()
    }

    private mutating func totals(_ name: StaticString, _ side: ComparedHost?, _ measure: CostMeasure) {
        guard begin(name, isKnown: side != nil), let side else { return }
        integer("connections", side.connections)
        integer("calls", side.knownCalls)
        integer("up", measure.wire(side.costs.up))
        integer("down", measure.wire(side.costs.down))
        integer("wire", measure.wire(side.costs))
        end()
    }
}

extension CostCell {
    /// Its name in outputs.
    var id: String {
        switch part {
        case .cause(let cause): cause.name
        case .link: "link"
        case .hidden: "offload"
        }
    }
}
