import WireCore
import WireRecords

/// Hosts with their totals, and for each whether connections are reused.
struct AuditHostsSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("hosts", "Hosts")

    private static let most = 25

    func render() -> Markup {
        guard !page.hosts.isEmpty else { return "" }
        let shown = page.hosts.prefix(Self.most)
        let rows = shown.map { AuditHostRow($0, page).markup }.joined()
        let table: Markup = "<table id=\"hosttable\" class=\"listing\">\n\(columns)\n<tbody>\n\(rows)</tbody></table>\n"
        let left: Markup =
            page.leftHosts > 0
            ? "<p>\(counted(page.leftHosts, "more host")) are not in this page; <code>--format json</code> has all.</p>\n"
            : ""
        return section(
            "Hosts",
            """
            <p id="hoststatus" class="status" role="status">The \(counted(shown.count, "host")) with most bytes, of \
            \(grouped(page.hosts.count)).</p>
            \(left)\(PageDocument.scrolling("Hosts", table))
            <p id="hostmore" class="more" hidden></p>

            """)
    }

    private var columns: Markup {
        let columns: [(key: String, name: String, note: String)] = [
            ("wire", "Wire", "all bytes to and from the host"), ("up", "Up", "sent by clients"),
            ("down", "Down", "sent by the host"),
            ("opening", "Set-up", "bytes of looking up and opening connections"),
            ("resent", "Resent", "retransmitted bytes; – where nobody can know"),
            ("unread", "Not read", "payload of connections that was not read"),
            ("connections", "Connections", "connections over TCP and QUIC; other UDP has none"),
            ("tls", "TLS", "those of them with TLS"),
            ("calls", "Calls", "HTTP exchanges that were read; – where nobody can know"),
        ]
        let heads = PageDocument.sortableHeads(columns, sorted: "wire")
        return """
            <thead><tr><th scope="col" data-key="name">Host</th>\(heads)<th scope="col">Connection reuse</th></tr></thead>
            """
    }
}

/// What the table, and the script, tell of a host.
struct AuditHostRow {
    let name: String
    /// In the order of the columns; −1 where nobody can know.
    let figures: [Int]
    let protocols: String
    let verdict: String

    init(_ row: HostSummary, _ page: AuditPage) {
        let groups = CostGroups(row.costs, page.options)
        name = PageDocument.shownName(row.host)
        figures = [
            page.options.wire(row.costs), page.options.wire(row.costs.up), page.options.wire(row.costs.down),
            row.costs.up.setup + row.costs.down.setup, row.retransmissionsAreUnknown ? -1 : groups[.resent],
            row.datagrams == nil ? groups[.unread] : 0,
            row.connections,
            row.setup.tlsConnections, row.callsAreUnknown ? -1 : row.exchanges,
        ]
        protocols = page.protocols(row)
        verdict = page.reuse(row)?.verdict(of: page.wholeInternet) ?? "–"
    }

    var markup: Markup {
        let cells = figures.map { "<td class=\"n\">\($0 < 0 ? "–" : grouped($0))</td>" as Markup }.joined()
        return """
            <tr><th scope="row">\(name) <small>\(protocols)</small></th>\(cells)<td class="verdict">\(verdict)</td></tr>

            """
    }
}
