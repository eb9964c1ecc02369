import WireCore
import WireOpportunities
import WireRecords

/// The figures at the top of the page.
struct AuditTiles {
    let page: AuditPage

    private struct Tile {
        var name: String
        var value: String
        var note: String
    }

    private var result: AuditResult { page.result }
    private var options: ReportOptions { page.options }

    func render() -> Markup {
        let items = ([traffic] + shares + [unread, saving].compactMap(\.self)).map { tile -> Markup in
            "<div><dt>\(tile.name)</dt><dd>\(tile.value) <small>\(tile.note)</small></dd></div>\n"
        }
        return "<dl class=\"tiles\">\n\(items.joined())</dl>\n"
    }

    private var causes: Directions<CostVector> { result.ledger.causes }

    /// Bytes of no connection.
    private var outside: Int { page.whole &- options.wire(causes.up) &- options.wire(causes.down) }

    private var traffic: Tile {
        let elsewhere = outside > 0 ? ", \(sizeText(outside)) of no connection" : ""
        let sides = "\(sizeText(options.wire(causes.up))) up, \(sizeText(options.wire(causes.down))) down"
        return Tile(name: "\(page.wholeNoun) bytes", value: sizeText(page.whole), note: sides + elsewhere)
    }

    private var shares: [Tile] {
        let groups = page.groups
        let named: [(String, CostGroup)] = [
            ("HTTP messages", .messages), ("Set-up and closing", .opening), ("Sent again", .resent),
        ]
        return named.map { name, group in
            if group == .resent, result.hosts.contains(where: \.retransmissionsAreUnknown) {
                return Tile(name: name, value: "–", note: "\(sizeText(groups[group])) without QUIC that was not read")
            }
            return Tile(name: name, value: portion(groups[group], of: page.whole), note: sizeText(groups[group]))
        }
    }

    /// All that was counted and not read, as the sentence above has it.
    private var unread: Tile {
        let unread = page.trust.unread
        // The share has a base of its own where frames without IP were not read, or the page counts other bytes.
        let base = result.ledger.unreadFrames > 0 ? " of all frames" : " of all IP bytes"
        return Tile(
            name: "Not read", value: portion(unread.bytes, of: unread.whole),
            note: sizeText(unread.bytes) + (unread.whole == page.whole ? "" : base))
    }

    /// With a selection the report is of it, and these figures are not.
    private var saving: Tile? {
        guard let report = page.opportunities, options.selection.isEmpty, page.whole > outside else { return nil }
        let name = "Need not be spent"
        if let reason = blindness(report.computedTotal) { return Tile(name: name, value: "–", note: reason) }
        return Tile(
            name: name, value: portion(report.computedTotal, of: page.wholeInternet),
            note: "\(sizeText(report.computedTotal)), without estimates")
    }

    /// Why what was found does not tell the share: there was no call to look at, or less was read than not.
    private func blindness(_ found: Int) -> String? {
        let unread = page.trust.unread
        guard result.exchanges > 0 || found > 0 else { return "no call could be looked at" }
        guard unread.bytes > unread.whole / 2 else { return nil }
        let known = found > 0 ? "\(sizeText(found)) in what was read" : "not known"
        return "\(known): \(portion(unread.bytes, of: unread.whole)) could not be looked at"
    }
}
