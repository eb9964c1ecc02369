import WireAccuracy
import WireCore
import WireRecords

/// The accuracy report for a person with a browser: one file that loads nothing, with drawings and a table of all APIs.
///
/// It is complete without script; the page's one script sorts, searches and opens what the file already holds. The
/// content security policy allows that script and the style sheet by their hashes and nothing else.
public func accuracyHTML(_ result: AccuracyResult, audit: AuditResult, options: ReportOptions) -> OutputBuffer {
    let page = AccuracyPage(result: result, audit: audit, options: options)
    var buffer = OutputBuffer(capacity: 1 << 20)
    let worst = WorstSection(page: page).render()
    let charts = ChartsSection(page: page).render()
    let table = TableSection(page: page).render()
    let optional = [("worst", worst), ("charts", charts), ("apis", table)]
    let present = Set(optional.filter { !$0.1.isEmpty }.map(\.0))
    buffer.markup(page.document.head(skip: table.isEmpty ? nil : (id: "apis", name: "To the table of all APIs")))
    buffer.markup(PageHeader(page: page, present: present).render())
    buffer.markup("<main>\n")
    let sections: [any PageSection] = [
        AnswerSection(page: page), SourcesSection(page: page), AdviceSection(page: page), CoverageSection(page: page),
        QuestionsSection(page: page), HostsSection(page: page),
    ]
    for section in sections { buffer.markup(section.render()) }
    for markup in [worst, charts, table, MethodSection(page: page).render()] { buffer.markup(markup) }
    buffer.markup("</main>\n\(PageDocument.footer(page.title.name))")
    page.document.end(&buffer) { AccuracyData(page: page).write(to: &$0) }
    return buffer
}

extension AccuracyPage {
    var title: CaptureTitle { CaptureTitle(audit, options) }

    var document: PageDocument {
        PageDocument(title: "Estimate accuracy: \(title.name)", files: .accuracy)
    }

    /// Says of every figure where it comes from: a log that was read, or a formula that was applied to the capture.
    func badge(_ source: Int) -> Markup {
        result.sources[source].isMeasured
            ? "<span class=\"badge measured\">measured</span>" : "<span class=\"badge\">simulated</span>"
    }

    /// A name of an API: method and host stand back behind the path.
    func apiName(_ api: Int) -> Markup { PageDocument.apiName(names[api]) }
}
