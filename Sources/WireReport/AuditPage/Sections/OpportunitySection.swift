import WireOpportunities
import WireRecords

/// Bytes that need not have been spent, with what to do.
struct OpportunitySection: AuditSection {
    let page: AuditPage
    let link: (id: String, name: String)? = ("opportunities", "Opportunities")

    func render() -> Markup {
        guard let report = page.opportunities, report.wire > 0 else { return "" }
        guard !report.shown.isEmpty else {
            let found: Markup = page.selectsNothing ? "Nothing matches the selection." : "None found."
            return section("Opportunities", "<p>\(found) \(unread(report))</p>\n")
        }
        let most = report.shown.first?.bytes ?? 1
        let rows = report.shown.map { row($0, report, most) }.joined()
        let table: Markup = """
            <table class="opportunities"><thead><tr><th scope="col">What to do</th><th scope="col" class="n">Bytes</th>\
            <th scope="col" class="n">Of all IP bytes</th><th scope="col" class="n">Calls or connections</th>\
            <th scope="col">Where</th></tr></thead>
            <tbody>\(rows)</tbody></table>

            """
        let further: Markup = report.furtherKinds.map { "<p>\($0)</p>\n" } ?? ""
        return section(
            "Opportunities", "<p>\(total(report))</p>\n" + PageDocument.scrolling("Opportunities", table) + further)
    }

    private func row(_ item: Opportunity, _ report: OpportunityReport, _ most: Int) -> Markup {
        let badge: Markup =
            item.isComputed
            ? "<span class=\"badge measured\">computed</span>" : "<span class=\"badge\">estimate</span>"
        let subjects = item.subjects.prefix(3).map { subject -> Markup in
            "<li>\(PageDocument.shownName(subject.name)): \(grouped(subject.bytes))</li>"
        }
        let further = item.furtherSubjects + max(item.subjects.count - 3, 0)
        let more: Markup = further > 0 ? "<li>and \(grouped(further)) more</li>" : ""
        let width = placeText(Double(item.bytes) / Double(max(most, 1)))
        return """
            <tr><th scope="row"><strong>\(item.kind.title)</strong> \(badge)\
            <svg width="100%" height="8" aria-hidden="true"><rect class="\(item.isComputed ? "saving" : "guess" as Markup)" \
            width="\(width)" height="8"/></svg><small>\(item.explanation)</small></th>\
            <td class="n">\(grouped(item.bytes))</td><td class="n">\(portion(item.bytes, of: page.wholeInternet))\
            <span class="narrow"> of all IP bytes</span></td>\
            <td class="n">\(counted(item.count, item.kind.noun))</td>\
            <td><ul class="plain">\(subjects.joined())\(more)</ul>\(parts(item))</td></tr>

            """
    }

    /// The calls or connections behind it; the script leads from each to its row.
    private func parts(_ item: Opportunity) -> Markup {
        let shown = item.parts.prefix(Opportunity.mostOnPage)
        let further = item.further(behind: shown.count)
        guard !shown.isEmpty else { return "" }
        let all = counted(item.count, item.kind.noun)
        let count = further.count > 0 ? "\(grouped(item.count - further.count)) of \(all)" : all
        let rest: Markup =
            further.count > 0 ? "<li>and \(grouped(further.count)) more: \(grouped(further.bytes))</li>" : ""
        return """
            <details class="parts"><summary>\(count)</summary><ol class="plain">\(shown.map(part).joined())\(rest)</ol></details>
            """
    }

    private func part(_ part: Opportunity.Part) -> Markup {
        // A page has no queries.
        let path = part.exchange == nil ? [] : options.redacted(path: part.path) ?? []
        let name = PageDocument.shownName(String(decoding: part.host + path, as: UTF8.self))
        let exchange = part.exchange.map { ", exchange \(grouped($0))" } ?? ""
        let time = durationInWords(UInt64(max(page.place(part.time), 0)) * 1000)
        let connection = page.connectionPlaces[part.connection].map { " data-connection=\"\($0)\"" as Markup } ?? ""
        let call = part.exchange.flatMap { page.callPlaces[CallNumber(connection: part.connection, exchange: $0)] }
        return """
            <li\(connection)\(call.map { " data-call=\"\($0)\"" as Markup } ?? "")><span class="api">\(name)</span>: \
            \(grouped(part.bytes)) <small>connection \(grouped(part.connection))\(exchange), at \(time)</small></li>
            """
    }

    private func total(_ report: OpportunityReport) -> Markup {
        guard report.computedTotal > 0 else {
            return "Only estimates were found, and estimates are not summed. \(unread(report))"
        }
        return """
            Applied together, the computed ones save <strong>\(sizeText(report.computedTotal))</strong>, \
            \(portion(report.computedTotal, of: page.wholeInternet)) of all IP bytes. Estimates rest on suppositions and are in no \
            sum. Packets that only acknowledge are not counted.\(report.surplus.map { " " + $0 } ?? "") \(unread(report))
            """
    }

    private func unread(_ report: OpportunityReport) -> String {
        report.unreadCalls > 0
            ? "\(counted(report.unreadCalls, "call")) could not be looked at whole: parts of their messages were not read."
            : ""
    }
}
