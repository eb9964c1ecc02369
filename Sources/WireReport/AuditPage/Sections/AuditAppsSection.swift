import WireCore
import WireRecords

/// Who sent it: apps with their totals, where the capture names them.
struct AuditAppsSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("apps", "Apps")

    private static let most = 25

    func render() -> Markup {
        let rows = appRows(page.result, page.options)
        guard rows.count > 1 else { return "" }
        let named = rows.filter { $0.app != nil }
        let left = named.count - Self.most
        let shown = named.prefix(Self.most) + rows.dropFirst(named.count)
        let more: Markup =
            left > 0
            ? "<p>\(counted(left, "more app")) are not in this page; <code>--format json</code> has all.</p>\n" : ""
        let titles = ["App", "Connections", "Calls", "Up", "Down", "Wire", "Share"].enumerated().map {
            (title: $0.element, isNumber: $0.offset > 0)
        }
        return section(
            "Apps",
            """
            <p class="legend">By the effective process where the capture tells one. <code>--app NAME</code> restricts the tables \
            below to one app.</p>
            \(more)\(PageDocument.table("Apps", "apps", titles, shown.map(cells)))
            """)
    }

    private func cells(_ row: AppRow) -> [Markup] {
        let figures = [
            row.connections, row.exchanges, page.options.wire(row.costs.up), page.options.wire(row.costs.down),
            row.wire,
        ]
        let name: Markup = row.app.map { "\(PageDocument.shownName($0))" } ?? "(not named)"
        return [name] + figures.map { "\(grouped($0))" } + ["\(shareText(row.wire, of: page.whole) ?? "–")"]
    }
}
