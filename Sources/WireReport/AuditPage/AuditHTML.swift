import WireCore
import WireRecords

/// The audit for a person with a browser: one file that loads nothing. First the verdict and what it rests on, then what
/// to do, the ledger as a picture, and tables of APIs, hosts and connections.
///
/// It is complete without script, as far as tables of the largest rows are complete; the page's one script sorts, searches,
/// opens and zooms.
public func auditHTML(_ result: AuditResult, options: ReportOptions, _ input: AuditPageInput) -> OutputBuffer {
    let page = AuditPage(result, options, input)
    let sections: [any AuditSection] = [
        AuditAnswerSection(page: page), OpportunitySection(page: page), LedgerSection(page: page),
        AuditAppsSection(page: page), AuditAPISection(page: page), AuditHostsSection(page: page),
        AuditTypesSection(page: page), ConnectionsSection(page: page),
        HeaderFieldsSection(page: page), AuditMethodSection(page: page),
    ]
    let rendered = sections.map { (section: $0, markup: $0.render()) }
    let document = PageDocument(title: "Audit: \(page.title.name)", files: .audit)
    var buffer = OutputBuffer(capacity: 1 << 20)
    let links = rendered.filter { !$0.markup.isEmpty }.compactMap(\.section.link)
    buffer.markup(document.head(skip: page.apis.isEmpty ? nil : (id: "apis", name: "To the table of APIs")))
    buffer.markup(page.title.header("audit", exchanges: result.exchanges, sections: links))
    buffer.markup("<main>\n")
    for part in rendered { buffer.markup(part.markup) }
    buffer.markup("</main>\n\(PageDocument.footer(page.title.name))")
    document.end(&buffer) { AuditData(page: page).write(to: &$0) }
    return buffer
}

/// A section of the page. Empty where it has nothing to say.
protocol AuditSection {
    var page: AuditPage { get }
    /// The way to it from the top of the page; nil where there is none.
    var link: (id: String, name: String)? { get }
    func render() -> Markup
}

extension AuditSection {
    var result: AuditResult { page.result }
    var options: ReportOptions { page.options }

    /// The section's frame, with its heading.
    func section(_ heading: String, _ content: Markup) -> Markup {
        guard let link else { return content }
        return """
            <section id="\(link.id)" aria-labelledby="\(link.id)-h">
            <h2 id="\(link.id)-h">\(heading)</h2>
            \(content)</section>

            """
    }
}
