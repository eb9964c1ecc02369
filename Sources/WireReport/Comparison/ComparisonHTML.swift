import WireComparison
import WireCore
import WireRecords

/// The comparison for a person with a browser: one file that loads nothing, without script.
public func comparisonHTML(_ comparison: CostComparison, top: Int?) -> OutputBuffer {
    let page = ComparisonHTML(comparison: comparison, top: top)
    var buffer = OutputBuffer(capacity: 1 << 18)
    buffer.markup(page.render())
    return buffer
}

private struct ComparisonHTML {
    let comparison: CostComparison
    let top: Int?
    private let words: ComparisonWords

    init(comparison: CostComparison, top: Int?) {
        (self.comparison, self.top) = (comparison, top)
        words = ComparisonWords(comparison: comparison) { shortened(displayText($0), to: 240, ellipsis: "…") }
    }

    func render() -> Markup {
        """
        \(document.head(skip: nil))<header>
        <p class="kicker">wireaudit · comparison</p>
        <h1>Before and after</h1>
        <p class="facts">before: \(words.side(comparison.before))</p>
        <p class="facts">after: \(words.side(comparison.after))</p>
        </header>
        <main>
        \(answer)\(changed)\(oneSided)\(fewCalls)\(causes)\(hosts)\(method)</main>
        <footer><p>Made by wireaudit \(toolVersion). This file loads nothing and sends nothing.</p></footer>
        </body>
        </html>

        """
    }

    private var document: PageDocument {
        PageDocument(
            title: "Traffic before and after", style: comparisonStyle, styleHash: comparisonStyleHash, scripts: [],
            scriptHash: nil)
    }

    private func section(_ id: Markup, _ title: Markup, _ content: Markup) -> Markup {
        PageDocument.section(id, title, content)
    }

    private func table(_ label: String, _ titles: [String], texts: Int, _ rows: [[Markup]]) -> Markup {
        PageDocument.table(label, "comparison", titles, texts: texts, rows)
    }

    private func shown<Row>(_ rows: [Row]) -> ArraySlice<Row> { top.map { rows.prefix($0) } ?? rows[...] }

    private func more(_ rows: Int, _ noun: String) -> Markup {
        guard let top, rows > top else { return "" }
        return "<p>and \(counted(rows - top, "more \(noun)")) (--top all)</p>\n"
    }

    // MARK: Sections

    private var answer: Markup {
        var text: Markup = "<p class=\"lead\">\(words.verdict)</p>\n"
        if let verdict = words.boundVerdict {
            let lines = words.violations.map { "<li>\($0)</li>\n" as Markup }.joined()
            text += lines.isEmpty ? "<p>\(verdict)</p>\n" : "<p class=\"warning\">\(verdict)</p>\n<ul>\n\(lines)</ul>\n"
        }
        if let counts = words.counts { text += "<p>\(counts)</p>\n" }
        if let doubts = words.doubts { text += "<p class=\"warning\">\(doubts)</p>\n" }
        return "<section id=\"answer\" aria-label=\"Verdict\">\n\(text)</section>\n"
    }

    private var changed: Markup {
        let rows = words.changed
        guard !rows.isEmpty else { return "" }
        let cells = shown(rows).map { row -> [Markup] in
            let wire = row.wire ?? CostChange()
            return [
                name(row.api), "\(words.causeWords(row, most: 4))",
                "\(grouped(row.before?.calls ?? 0))/\(grouped(row.after?.calls ?? 0))", "\(words.bytes(wire.before))",
                "\(words.bytes(wire.after))", change(wire),
                "\(words.percent(wire.percent))", noise(wire),
            ]
        }
        let titles = ["API", "because of", "calls", "before", "after", "change", "%", "chance"]
        return section(
            "apis", "APIs that changed",
            "<p>Wire bytes per call.\(comparison.knowsNoise ? colours : "")</p>\n"
                + table("APIs that changed", titles, texts: 2, cells)
                + more(rows.count, "API"))
    }

    private let colours: Markup = " Coloured: more than chance. In the others single causes are."

    private var oneSided: Markup {
        let rows = words.apis(.new) + words.apis(.vanished) + words.apis(.encrypted)
        let cells = shown(rows).map { row -> [Markup] in
            [
                name(row.api), "\(row.verdict.rawValue)", row.knownCalls.map { "\(grouped($0))" } ?? "—",
                bytes(row.before?.costs), bytes(row.after?.costs),
            ]
        }
        guard !cells.isEmpty else { return "" }
        return section(
            "new", "New, vanished, encrypted",
            table("New and vanished APIs", ["API", "", "calls", "wire before", "wire after"], texts: 2, cells)
                + more(rows.count, "API"))
    }

    private var fewCalls: Markup {
        let rows = words.fewCalls
        guard !rows.isEmpty else { return "" }
        let cells = shown(rows).map { row -> [Markup] in
            let wire = row.wire ?? CostChange()
            return [
                name(row.api), "\(ComparisonWords.pair(row.before?.calls, row.after?.calls))",
                "\(words.bytes(wire.before))", "\(words.bytes(wire.after))", change(wire),
                "\(words.percent(wire.percent))",
            ]
        }
        let titles = ["API", "calls", "before", "after", "change", "%"]
        let content = table("APIs with too few calls", titles, texts: 1, cells) + more(rows.count, "API")
        return section(
            "few", "Too few calls to tell",
            "<details><summary>\(counted(rows.count, "API")), wire bytes per call</summary>\n\(content)</details>\n")
    }

    private var causes: Markup {
        guard let total = comparison.total, !comparison.isIdentical else { return "" }
        let kinds = comparison.cells.filter { $0.change.before != 0 || $0.change.after != 0 }
        let rows = kinds.map { (words.name($0.cell), $0.change) } + [("all wire bytes", total)]
        let cells = rows.map { name, change -> [Markup] in
            [
                change.isCertain == true && !change.isNothing ? "<b>\(name)</b>" : "\(name)",
                "\(words.bytes(change.before))", "\(words.bytes(change.after))",
                self.change(change), noise(change),
            ]
        }
        return section(
            "causes", "By cause",
            "<p>Bytes per call at the same mix of calls. Bold and coloured: more than chance.</p>\n"
                + table("Causes", ["cause", "before", "after", "change", "chance"], texts: 1, cells))
    }

    private var hosts: Markup {
        let rows = comparison.hosts.filter { $0.before?.costs != $0.after?.costs }
        let cells = shown(rows).map { row -> [Markup] in
            [
                "\(row.host)", "\(ComparisonWords.pair(row.before?.knownConnections, row.after?.knownConnections))",
                "\(ComparisonWords.pair(row.before?.knownCalls, row.after?.knownCalls))", bytes(row.before?.costs),
                bytes(row.after?.costs),
            ]
        }
        guard !cells.isEmpty else { return "" }
        return section(
            "hosts", "Hosts",
            table("Hosts", ["host", "connections", "calls", "wire before", "wire after"], texts: 1, cells)
                + more(rows.count, "host"))
    }

    private var method: Markup {
        section("method", "Method", words.method.map { "<p>\($0)</p>\n" as Markup }.joined())
    }

    // MARK: Cells

    private func name(_ api: String) -> Markup { PageDocument.apiName(PageDocument.shownName(api)) }

    private func bytes(_ costs: Directions<CostVector>?) -> Markup {
        costs.map { "\(grouped(comparison.measure.wire($0)))" } ?? "—"
    }

    private func noise(_ change: CostChange) -> Markup { change.noise.map { "±\(words.bytes($0))" } ?? "not known" }

    /// Coloured only where it is more than chance.
    private func change(_ change: CostChange) -> Markup {
        let text = words.signed(change.change)
        guard change.isCertain == true, !change.isNothing else { return "\(text)" }
        return "<span class=\"\(change.change > 0 ? "high" : "low" as Markup)\">\(text)</span>"
    }
}

/// Names of APIs stay readable on a narrow screen, where tables scroll.
let comparisonStyle: StaticString = """
     .comparison tbody th { min-width: 12rem; overflow-wrap: anywhere; }\
     @media (max-width: 44rem) { .comparison tbody th { min-width: 6rem; } }\
     .comparison svg { display: block; min-width: 8rem; margin-top: .25rem; }\
     .bar-rest { fill: var(--rest); } .bar-value { fill: var(--level); } .bar-zero { fill: var(--text); }
    """

/// SHA-256 of `pageStyle` and `comparisonStyle`, in Base64.
let comparisonStyleHash: StaticString = "AHETb4yQIL5K8RqjwnDQBS8ZX1pdrajV0FP1kg47ves="
