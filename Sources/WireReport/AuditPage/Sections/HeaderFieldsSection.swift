import WireOpportunities
import WireRecords

/// What header fields cost, by name: a table for each host, those with most bytes first.
struct HeaderFieldsSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("fields", "Header fields")

    private static let mostHosts = 10
    private static let mostFields = 12

    func render() -> Markup {
        let hosts = HeaderFieldHost.all(page.headerFields)
        guard !hosts.isEmpty else { return "" }
        let shown = hosts.prefix(Self.mostHosts)
        let left: Markup =
            hosts.count > shown.count
            ? "<p>\(counted(hosts.count - shown.count, "more host")): <code>wireaudit --headers --format json</code>.</p>\n"
            : ""
        return section(
            "Header fields",
            """
            <p>Bytes of the fields' lines as text: name, value and four more. <em>Sent</em> is what the heads really cost: in \
            HTTP/2 and HTTP/3 they are compressed.</p>
            \(shown.enumerated().map { details($0.element, isOpen: $0.offset == 0) }.joined())\(left)
            """)
    }

    private func details(_ host: HeaderFieldHost, isOpen: Bool) -> Markup {
        let all = host.text.up + host.text.down
        let sent = host.sent.up + host.sent.down
        return """
            <details\(isOpen ? " class=\"wide\"" as Markup : "")><summary>\(PageDocument.shownName(host.name)): \(sizeText(all)) as text, \
            \(sizeText(sent)) sent</summary>
            \(PageDocument.scrolling("Header fields", table(host, all)))</details>

            """
    }

    private func table(_ host: HeaderFieldHost, _ all: Int) -> Markup {
        let shown = host.fields.prefix(Self.mostFields)
        let hidden = host.fields.dropFirst(shown.count)
        var rows = shown.map { field in
            row(PageDocument.shownName(field.name), [field.requests, field.up, field.responses, field.down], all)
        }
        if !hidden.isEmpty {
            let (up, down) = (hidden.reduce(0) { $0 + $1.up }, hidden.reduce(0) { $0 + $1.down })
            rows.append(row("\(counted(hidden.count, "more name"))", [nil, up, nil, down], all))
        }
        rows.append(row("start lines, empty lines", [nil, host.other.up, nil, host.other.down], all))
        return """
            <table class="fields"><thead><tr><th scope="col">Field</th><th scope="col" class="n">Requests</th>\
            <th scope="col" class="n">Up</th><th scope="col" class="n">Responses</th><th scope="col" class="n">Down</th>\
            <th scope="col" class="n">Share</th><th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows.joined())</tbody></table>

            """
    }

    /// `figures`: requests, bytes up, responses, bytes down.
    private func row(_ name: String, _ figures: [Int?], _ all: Int) -> Markup {
        let cells = figures.map { "<td class=\"n\">\($0.map(grouped) ?? "")</td>" as Markup }.joined()
        let bytes = (figures[1] ?? 0) + (figures[3] ?? 0)
        let width = placeText(Double(bytes) / Double(max(all, 1)))
        return """
            <tr><th scope="row">\(name)</th>\(cells)<td class="n">\(portion(bytes, of: all))</td><td class="bar-cell">\
            <svg width="100%" height="12" aria-hidden="true"><rect class="layer" width="\(width)" height="12"/></svg></td></tr>

            """
    }
}
