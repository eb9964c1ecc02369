import WireComparison
import WireRecords
import WireStatistics

/// A fleet for a person with a browser: one file that loads nothing, without script.
public func fleetHTML(_ report: FleetReport) -> OutputBuffer {
    var buffer = OutputBuffer(capacity: 1 << 18)
    buffer.markup(FleetPage(report: report).render())
    return buffer
}

private struct FleetPage {
    let report: FleetReport

    /// Rows of each table; fleet.json has all.
    private static let most = 500

    func render() -> Markup {
        """
        \(document.head(skip: nil))<header>
        <p class="kicker">wireaudit · fleet</p>
        <h1>\(counted(report.fleet.rows.count, "capture session"))</h1>
        <nav aria-label="Sections">\(links)</nav>
        </header>
        <main>
        \(answer)\(sections.map(\.content).joined())</main>
        <footer><p>Made by wireaudit \(toolVersion). This file loads nothing and sends nothing.</p></footer>
        </body>
        </html>

        """
    }

    /// What a reader acts on comes first; what takes more than a screen is folded.
    private var sections: [(id: Markup, name: String, content: Markup)] {
        [
            ("costs", "Cost", costs), ("changes", "Beyond chance", changes), ("outliers", "Outliers", outliers),
            ("failures", "Not audited", failures), ("groups", "Errors by group", groups), ("apis", "APIs", apis),
            ("method", "Method", method),
        ].filter { !$0.content.isEmpty }
    }

    private var links: Markup { sections.map { "<a href=\"#\($0.id)\">\($0.name)</a>" as Markup }.joined(" ") }

    private func folded(_ summary: String, _ content: Markup) -> Markup {
        content.isEmpty ? "" : "<details><summary>\(summary)</summary>\n\(content)</details>\n"
    }

    private var document: PageDocument {
        PageDocument(
            title: "Traffic of a fleet", style: comparisonStyle, styleHash: comparisonStyleHash, scripts: [],
            scriptHash: nil)
    }

    private func section(_ id: Markup, _ title: String, _ content: Markup) -> Markup {
        PageDocument.section(id, "\(title)", content)
    }

    private func table(_ label: String, _ titles: [String], texts: Int, _ rows: [[Markup]]) -> Markup {
        guard !rows.isEmpty else { return "" }
        let more: Markup =
            rows.count > FleetPage.most ? "<p>and \(grouped(rows.count - FleetPage.most)) more in fleet.json</p>\n" : ""
        return PageDocument.table(label, "comparison", titles, texts: texts, Array(rows.prefix(FleetPage.most))) + more
    }

    private func cell(_ text: String) -> Markup { "\(shortened(displayText(text), to: 240, ellipsis: "…"))" }

    private func bytes(_ value: Double?) -> Markup { "\(value.flatMap { decimalText($0, places: 1) } ?? "–")" }

    // MARK: Sections

    private var answer: Markup {
        let losses = report.losses.map { "<p>\($0)</p>\n" as Markup }.joined()
        return
            "<section id=\"answer\" aria-label=\"Verdict\">\n<p class=\"lead\">\(report.verdict)</p>\n\(losses)</section>\n"
    }

    private var costs: Markup {
        let costs = report.costs
        let most = costs.compactMap(\.cost.wirePerExchange).max() ?? 0
        let rows = costs.map { group, cost -> [Markup] in
            [
                cell("\(group.label) \(group.value)"), bar(cost.wirePerExchange ?? 0, of: most),
                bytes(cost.wirePerExchange), "\(grouped(cost.exchanges))", "\(grouped(cost.sessions))",
                "\(cost.bytesPerSession.flatMap { decimalText($0, places: 0) } ?? "–")",
                cell(shareText(cost.encrypted, of: cost.bytes) ?? "–"), "\(grouped(cost.unreadHosts))",
            ]
        }
        let titles = [
            "group", "", "wire B/call", "calls read", "sessions", "B/session", "encrypted", "hosts not read",
        ]
        return section("costs", "Cost", table("Cost by group", titles, texts: 2, rows))
    }

    private func bar(_ value: Double, of most: Double) -> Markup {
        let width = decimalText(most > 0 ? value / most * 100 : 0, places: 1) ?? "0"
        return """
            <svg width="100%" height="12" aria-hidden="true"><rect class="bar-rest" width="100%" height="12" rx="2"/>\
            <rect class="bar-value" width="\(width)%" height="12" rx="2"/></svg>
            """
    }

    private var changes: Markup {
        let significant = report.significant
        let most = significant.map { max(abs($0.interval?.low ?? 0), abs($0.interval?.high ?? 0)) }.max() ?? 0
        let rows = significant.map { change -> [Markup] in
            [
                cell(report.subject(change)), cell("\(change.label) \(change.value)"), interval(change, of: most),
                cell(report.difference(change)), bytes(change.before), bytes(change.after), cell(change.reference),
            ]
        }
        let titles = [
            "figure, bytes per call", "group", "less · more", "difference (95 % interval)", "there", "here", "against",
        ]
        return section("changes", "Beyond chance", table("Changes beyond chance", titles, texts: 3, rows))
    }

    /// The 95 % interval of a difference, from the middle, which is no difference.
    private func interval(_ change: FleetChange, of most: Double) -> Markup {
        guard let (low, high) = change.interval, most > 0 else { return "–" }
        func place(_ value: Double) -> String { decimalText(50 + value / most * 50, places: 2) ?? "50" }
        let width = decimalText(max(1, (high - low) / most * 50), places: 2) ?? "1"
        return """
            <svg width="100%" height="12" aria-hidden="true"><rect class="bar-rest" width="100%" height="12" rx="2"/>\
            <rect class="bar-value" x="\(place(low))%" y="3" width="\(width)%" height="6"/>\
            <rect class="bar-zero" x="50%" width="1" height="12"/></svg>
            """
    }

    private var groups: Markup {
        let tables = report.fleet.labels.map { label -> Markup in
            let groups = report.groups(label)
            guard groups.count > 1 else { return "" }
            let rows = groups.flatMap { group, totals in
                totals.map { row(group.value, $0) }
            }
            let title = label == FleetResult.day ? "Trend by day" : "By \(label)"
            return folded(title, table(title, FleetPage.titles, texts: 3, rows))
        }
        return section("groups", "Errors by group", tables.joined())
    }

    private static let titles = [
        "group", "source", "direction", "sessions", "calls", "error", "95 % interval", "p90 session", "message B/call",
        "wire B/call",
    ]

    private func row(_ name: String, _ total: FleetTotal) -> [Markup] {
        let interval = total.interval.map { "\(report.share($0.low)) to \(report.share($0.high))" } ?? "–"
        let p90 = total.quantiles.flatMap { decimalText($0.p90.value * 100, places: 2) }.map { $0 + " %" } ?? "–"
        return [
            cell(name), cell(total.source), cell(total.direction.rawValue), "\(grouped(total.sessions))",
            "\(grouped(total.calls))", cell(report.share(total.error)), cell(interval), cell(p90),
            bytes(total.message), bytes(total.wire),
        ]
    }

    /// Errors of single APIs, in each group of each label but the day.
    private var apis: Markup {
        let groups = report.fleet.groups.filter { $0.label != FleetResult.day }
            .map { (name: "\($0.label) \($0.value)", totals: $0.part.totalsByAPI()) }
        var rows: [[Markup]] = []
        for api in report.accuracy.apis {
            for group in groups {
                for total in report.shown(group.totals[Array(api.utf8)] ?? []) {
                    rows.append([cell(api)] + row(group.name, total))
                }
            }
        }
        let content = table("Errors by API and group", ["API"] + FleetPage.titles, texts: 4, rows)
        return section(
            "apis", "APIs", folded(counted(report.accuracy.apis.count, "API") + ", errors by group", content))
    }

    private var outliers: Markup {
        let rows = report.outliers.map { outlier -> [Markup] in
            [
                cell(outlier.session), cell(outlier.source), cell(outlier.direction.rawValue),
                cell(outlier.group.isEmpty ? "all sessions" : outlier.group.joined(separator: ", ")),
                cell(report.share(outlier.error)), cell(report.share(outlier.median)),
            ]
        }
        let titles = ["session", "source", "direction", "compared with", "error", "their median"]
        return section("outliers", "Sessions far from their like", table("Outliers", titles, texts: 4, rows))
    }

    private var failures: Markup {
        let rows = report.failed.map { [cell($0.session.name), cell($0.failure ?? "")] }
        return section("failures", "Not audited", table("Sessions that failed", ["session", "reason"], texts: 2, rows))
    }

    private var method: Markup {
        let hidden = report.hiddenSources.map { [$0] } ?? []
        let notes = ((report.options.merged.map(mergedInWords) ?? []) + hidden).map { "<li>\($0)</li>\n" as Markup }
            .joined()
        return section(
            "method", "Method",
            """
            <p>Each group is compared with the first of its label. Chance is measured by sessions, since the calls of one \
            session are not independent: a difference is listed only where it would occur in one fleet of a thousand \
            without any change, all comparisons taken together. Days are not compared, only shown. Nine sessions in ten have an \
            error of at most the value under p90 session.</p>
            <ul>
            \(notes)</ul>

            """)
    }
}
