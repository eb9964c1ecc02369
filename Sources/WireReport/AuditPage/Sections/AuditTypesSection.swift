import WireCore
import WireRecords

/// What the bodies were, by media type.
struct AuditTypesSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("types", "Content types")

    private static let most = 25

    func render() -> Markup {
        let rows = contentTypeRows(page.result, page.options)
        guard !rows.isEmpty else { return "" }
        let whole = rows.reduce(0) { $0 + $1.sum }
        let left = rows.count - Self.most
        let more: Markup =
            left > 0
            ? "<p>\(counted(left, "more type")) are not in this page; <code>--format json</code> has all.</p>\n" : ""
        let titles = ["Type", "Requests", "Responses", "Up", "Down", "Bytes", "Share"].enumerated().map {
            (title: $0.element, isNumber: $0.offset > 0)
        }
        return section(
            "Content types",
            """
            <p class="legend">Bytes of bodies as sent, without headers and framing.</p>
            \(more)\(PageDocument.table("Content types", "types", titles, rows.prefix(Self.most).map { cells($0, whole) }))
            """)
    }

    private func cells(_ row: ContentTypeSummary, _ whole: Int) -> [Markup] {
        let name: Markup = row.type.map { "\(PageDocument.shownName($0))" } ?? "(no type)"
        let figures = [row.bodies.up, row.bodies.down, row.bytes.up, row.bytes.down, row.sum]
        return [name] + figures.map { "\(grouped($0))" } + ["\(shareText(row.sum, of: whole) ?? "–")"]
    }
}
