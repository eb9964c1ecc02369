import WireCore
import WireLogs
import WireRecords

/// The ledger as a picture: what bytes were spent on in both directions, every cause, and the layers.
struct LedgerSection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("ledger", "Ledger")

    func render() -> Markup {
        guard result.ledger.bytes > 0 else { return "" }
        let content = overview + "<div class=\"pair\">\n" + causes + layers + "</div>\n"
        return section("Where the bytes went", content)
    }

    // MARK: Both directions

    private var overview: Markup {
        let up = CostGroups(result.ledger.causes.up)
        let down = CostGroups(result.ledger.causes.down)
        let all = CostGroups(result.ledger)
        var rest = CostGroups()
        rest[.other] = all[.other]
        let whole = max(up.total, down.total, rest.total, 1)
        let sides = [("up", up), ("down", down), ("other, links", rest)].filter { $0.1.total > 0 }
        let rows = sides.map { name, groups -> Markup in
            """
            <tr><th scope="row">\(name)</th><td class="n">\(grouped(groups.total))</td>\
            <td class="n">\(portion(groups.total, of: result.ledger.bytes))</td>\
            <td class="bar-cell">\(StackBar(groups: groups, whole: whole).render())</td></tr>

            """
        }
        return """
            <p class="legend">\(StackBar.legend(all))</p>
            <table class="stacks"><thead><tr><th scope="col">Direction</th><th scope="col" class="n">Bytes</th>\
            <th scope="col" class="n">Share</th><th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows.joined())</tbody></table>

            """
    }

    // MARK: Causes

    private var causes: Markup {
        let lines = result.ledger.lines()
        let most = lines.filter { $0.role != .total }.map(\.bytes).max() ?? 1
        let rows = lines.map { line -> Markup in
            let style: Markup = line.role == .total ? " class=\"level\"" : ""
            let directions = line.directions.map { [grouped($0.up), grouped($0.down)] } ?? ["", ""]
            let cells = directions.map { "<td class=\"n\">\($0)</td>" as Markup }.joined()
            let label = line.label.hasPrefix("= ") ? String(line.label.dropFirst(2)) : line.label
            return """
                <tr\(style)><th scope="row">\(label)</th><td class="n">\(grouped(line.bytes))</td>\
                <td class="n">\(portion(line.bytes, of: result.ledger.bytes))</td>\(cells)\
                <td class="bar-cell">\(line.role == .total ? "" : bar(line, most))</td></tr>

                """
        }
        let table: Markup = """
            <table class="causes"><caption>By cause</caption><thead><tr><th scope="col">Cause</th><th scope="col" class="n">Bytes</th>\
            <th scope="col" class="n">Share</th><th scope="col" class="n">Up</th><th scope="col" class="n">Down</th>\
            <th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows.joined())</tbody></table>

            """
        return PageDocument.scrolling("Bytes by cause", table)
    }

    private func bar(_ line: LedgerLine, _ most: Int) -> Markup {
        let group: CostGroup =
            switch line.role {
            case .message: .messages
            case .overhead: .carrying
            case .opening: .opening
            case .loss: .resent
            case .outside, .total: .other
            }
        var groups = CostGroups()
        groups[line.cause.map { CostGroup($0) } ?? group] = line.bytes
        return StackBar(groups: groups, whole: most).render()
    }

    // MARK: Layers

    private var layers: Markup {
        let layers = result.ledger.layers
        let lines = [
            ("payload of TCP and UDP", layers.payload), ("TCP and UDP headers", layers.transport),
            ("IP headers", layers.network), ("tunnel headers", layers.tunnel), ("link headers", layers.link),
            ("capture headers", layers.pseudo), ("frames without IP", layers.nonIP),
            ("frames seen again", layers.duplicate),
        ].filter { $0.1 > 0 }
        let most = lines.map(\.1).max() ?? 1
        let rows = lines.map { name, bytes -> Markup in
            let width = placeText(Double(bytes) / Double(most))
            return """
                <tr><th scope="row">\(name)</th><td class="n">\(grouped(bytes))</td>\
                <td class="n">\(portion(bytes, of: result.ledger.bytes))</td><td class="bar-cell">\
                <svg width="100%" height="12" aria-hidden="true"><rect class="layer" width="\(width)" height="12"/></svg></td></tr>

                """
        }
        let table: Markup = """
            <table class="layers"><caption>By layer</caption><thead><tr><th scope="col">Layer</th><th scope="col" class="n">Bytes</th>\
            <th scope="col" class="n">Share</th><th scope="col" class="bar-cell"><span class="hidden">Bar</span></th></tr></thead>
            <tbody>\(rows.joined())</tbody></table>

            """
        return PageDocument.scrolling("Bytes by layer", table)
    }
}
