import WireEstimates
import WireRecords

/// What to change in the SDK whose log was read, what that repairs, and what it leaves.
struct AdviceSection: PageSection {
    let page: AccuracyPage

    func render() -> Markup {
        let all = index.advice
        guard !all.isEmpty else { return "" }
        let blocks = all.map(adviceBlock).joined()
        return """
            <section id="advice" aria-labelledby="advice-h">
            <h2 id="advice-h">What to change in the SDK</h2>
            \(blocks)<p>\(adviceLegend)</p></section>

            """
    }

    private func adviceBlock(_ advice: SDKAdvice) -> Markup {
        let rows = advice.shown.map { change -> Markup in
            let effects = change.effects.map { effect -> Markup in "<div>\(withMinusSigns(effect))</div>" }.joined()
            return """
                <tr><td>\(change.advice) <code>\(change.causeNames)</code></td><td>\(effects)</td></tr>

                """
        }.joined()
        let table: Markup = """
            <table class="advice"><thead><tr><th scope="col">Change</th><th scope="col">Effect</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        let left = advice.changes.count - advice.shown.count
        let more: Markup = left > 0 ? "<p>… and \(counted(left, "smaller change")) (in the JSON report).</p>\n" : ""
        let remainder: Markup = advice.remainder.map { text -> Markup in "<p>\(withMinusSigns(text))</p>\n" } ?? ""
        return """
            <h3>\(mark(advice.source).swatch) \(label(advice.source))</h3>
            \(PageDocument.scrolling("What to change", table))\(more)\(remainder)\(adviceAllowances(advice))
            """
    }

    private func adviceAllowances(_ advice: SDKAdvice) -> Markup {
        guard !advice.allowances.isEmpty else { return "" }
        let items = advice.allowances.map { allowance -> Markup in
            let causes = allowance.causes.map { cause -> Markup in "\(cause.meaning) <code>\(cause.name)</code>" }
            return "<li>\(causes.joined(", ")): \(allowance.advice)</li>"
        }.joined()
        return "<p>No code in an app can count these bytes:</p>\n<ul>\(items)</ul>\n"
    }
}
