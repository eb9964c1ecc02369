import WireOpportunities
import WireRecords

/// What header fields cost, by name: a table for each host, those with most bytes as sent first.
struct HeaderFieldsSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("fields", "Header fields")

    private static let mostHosts = 10
    private static let mostFields = 12

    func render() -> Markup {
        let hosts = page.headerFields.byHost
        guard !hosts.isEmpty else { return "" }
        let shown = hosts.prefix(Self.mostHosts)
        let left: Markup =
            hosts.count > shown.count
            ? "<p>\(counted(hosts.count - shown.count, "more host")): <code>wireaudit --headers --format json</code>.</p>\n"
            : ""
        return section(
            "Header fields",
            """
            <p>\(headerFieldNote)</p>
            \(shown.enumerated().map { details($0.element, isOpen: $0.offset == 0) }.joined())\(left)
            """)
    }

    private func details(_ host: HeaderFieldRow, isOpen: Bool) -> Markup {
        let advice = host.adviceSentences.map { "<li>\(PageForm.text($0))</li>\n" as Markup }
        return """
            <details\(isOpen ? " class=\"wide\"" as Markup : "")><summary>\(PageDocument.shownName(host.host)): \(sizeText(host.sent.sum)) sent, \
            \(sizeText(host.text.sum)) as text</summary>
            \(PageDocument.scrolling("Header fields", table(host)))\(advice.isEmpty ? "" : "<ul>\n\(advice.joined())</ul>\n")</details>

            """
    }

    private func table(_ host: HeaderFieldRow) -> Markup {
        let columns = HeaderFieldColumns(host)
        let shown = host.fields.prefix(Self.mostFields)
        let hidden = Array(host.fields.dropFirst(shown.count))
        var rows = shown.map { row("\(PageDocument.shownName($0.name))", columns.cells($0), $0.sent.sum, host) }
        if !hidden.isEmpty {
            let sent = hidden.reduce(0) { $0 + $1.sent.sum }
            rows.append(row("\(counted(hidden.count, "more name"))", columns.cells(hidden), sent, host))
        }
        rows.append(row("\(columns.restName)", columns.rest, host.otherSent.sum, host))
        let titles = columns.titles.map { "<th scope=\"col\" class=\"n\">\($0)</th>" as Markup }
        return """
            <table class="fields"><thead><tr><th scope="col">Field</th>\(titles.joined())\
            <th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows.joined())</tbody></table>

            """
    }

    private func row(_ name: Markup, _ cells: [String], _ sent: Int, _ host: HeaderFieldRow) -> Markup {
        let cells = cells.map { "<td class=\"n\">\($0)</td>" as Markup }.joined()
        let width = placeText(Double(sent) / Double(max(host.sent.sum, 1)))
        return """
            <tr><th scope="row">\(name)</th>\(cells)<td class="bar-cell">\
            <svg width="100%" height="12" aria-hidden="true"><rect class="layer" width="\(width)" height="12"/></svg></td></tr>

            """
    }
}
