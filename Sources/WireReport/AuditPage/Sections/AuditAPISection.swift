import WireCore
import WireRecords

/// The table of APIs. Without script it holds the largest; the script puts every API of the page into it, and what a mean
/// call and the largest calls cost.
struct AuditAPISection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("apis", "APIs")

    /// Rows in the file itself, for readers without script.
    private static let most = 25

    func render() -> Markup {
        guard !page.apis.isEmpty else { return "" }
        let shown = page.apis.prefix(Self.most)
        let rows = shown.map(row).joined()
        var all = CostGroups()
        for row in page.apis { all.add(CostGroups(row.costs, options)) }
        let table: Markup = "<table id=\"table\" class=\"listing\">\n\(columns)\n<tbody>\n\(rows)</tbody></table>\n"
        return section(
            "APIs",
            """
            <div id="tools" class="tools" hidden>
            <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false" \
            placeholder="method, host or path"></label>
            </div>
            <p id="status" class="status" role="status">The \(counted(shown.count, "API")) with most bytes, of \
            \(grouped(page.apis.count)). With script, all of them stand here and can be opened.</p>
            \(left)<p class="legend">\(StackBar.legend(all))</p>
            \(PageDocument.scrolling("APIs", table))
            <p id="more" class="more" hidden></p>

            """)
    }

    private var left: Markup {
        guard page.leftAPIs > 0 else { return "" }
        let shown = page.apis.reduce(0) { clampedSum($0, page.wire($1)) }
        return """
            <p>\(counted(page.leftAPIs, "more API")) with \(sizeText(page.apiWire &- shown)) are not in this page; \
            <code>--format json</code> has all.</p>

            """
    }

    /// Keys are those of the script's columns.
    private var columns: Markup {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        let columns: [(key: String, name: String, note: String)] = [
            ("calls", "Calls", "requests with their responses; – where nobody can know"),
            ("wire", "Wire", "all \(layer) of its calls"), ("share", "Share", "of all \(page.wholeNoun) bytes"),
            ("up", "Up", "sent by the client"), ("down", "Down", "sent by the server"),
            ("each", "Per call", "wire bytes of a call, mean"),
            ("overhead", "Overhead", "wire minus messages, in % of messages; – where not all was read"),
            ("opening", "Set-up", "share of wire spent on opening connections; closing them is in the bar"),
            ("resent", "Resent", "share of wire spent on retransmissions; – where nobody can know"),
        ]
        let heads = PageDocument.sortableHeads(columns, sorted: "wire")
        return """
            <thead><tr><th scope="col" data-key="name">API</th>\(heads)<th scope="col" class="bar-cell">\
            What for</th></tr></thead>
            """
    }

    private func row(_ row: APISummary) -> Markup {
        let groups = CostGroups(row.costs, options)
        let wire = page.wire(row)
        let texts = [
            row.callsAreUnknown ? "–" : grouped(row.exchanges), grouped(wire), portion(wire, of: page.whole),
            grouped(options.wire(row.costs.up)), grouped(options.wire(row.costs.down)),
            row.wirePerCall(options).map(grouped) ?? "–",
            groups[.messages] > 0 && groups[.unread] == 0
                ? portion(wire - groups[.messages], of: groups[.messages]) : "–",
            portion(row.costs.up.setup + row.costs.down.setup, of: wire),
            row.retransmissionsAreUnknown ? "–" : portion(groups[.resent], of: wire),
        ]
        let cells = texts.map { "<td class=\"n\">\($0)</td>" as Markup }.joined()
        return """
            <tr><th scope="row">\(PageDocument.apiName(PageDocument.shownName(row.api)))</th>\(cells)\
            <td class="bar-cell">\(StackBar(groups: groups, whole: wire).render())</td></tr>

            """
    }
}
