import WireAccuracy
import WireCore

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
    buffer.markup(page.head(hasTable: !table.isEmpty))
    buffer.markup(PageHeader(page: page, present: present).render())
    buffer.markup("<main>\n")
    let sections: [any PageSection] = [
        AnswerSection(page: page), SourcesSection(page: page), AdviceSection(page: page), CoverageSection(page: page),
        QuestionsSection(page: page), HostsSection(page: page),
    ]
    for section in sections { buffer.markup(section.render()) }
    for markup in [worst, charts, table, MethodSection(page: page).render()] { buffer.markup(markup) }
    buffer.markup("</main>\n\(page.footer)")
    buffer.literal("<script type=\"application/json\" id=\"data\">")
    PageData(page: page).write(to: &buffer)
    buffer.literal("</script>\n<script>")
    buffer.literal(pageScript)
    buffer.literal(pageScriptTable)
    buffer.literal("</script>\n</body>\n</html>\n")
    return buffer
}

extension OutputBuffer {
    mutating func markup(_ markup: Markup) { string(markup.source) }
}

extension AccuracyPage {
    func head(hasTable: Bool) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'sha256-\(Markup(constant: pageStyleHash))'; \
        script-src 'sha256-\(Markup(constant: pageScriptHash))'; base-uri 'none'; form-action 'none'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="referrer" content="no-referrer">
        <meta name="color-scheme" content="light dark">
        <meta name="generator" content="wireaudit \(toolVersion)">
        <title>Estimate accuracy: \(captureName)</title>
        <style>\(Markup(constant: pageStyle))</style>
        </head>
        <body>
        \(hasTable ? "<a class=\"skip\" href=\"#apis\">To the table of all APIs</a>\n" : "" as Markup)

        """
    }

    /// The capture's file names without their folders; not more than three of them.
    /// Names of the captures, without their folders where that leaves them different.
    private var captureNames: [String] {
        let paths = audit.files.isEmpty ? options.files : audit.files.map(\.path)
        let names = paths.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        return (Set(names).count == names.count ? names : paths).map {
            shortened(displayText($0), to: 60, ellipsis: "…")
        }
    }

    /// The capture's name, or how many there are.
    var captureName: String {
        let names = captureNames
        return names.count > 1 ? counted(names.count, "capture") : names.first ?? "capture"
    }

    /// Of several captures the first names; nil for one.
    var captureList: String? {
        let names = captureNames
        guard names.count > 1 else { return nil }
        return names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and \(names.count - 6) more" : "")
    }

    var footer: Markup {
        """
        <footer><p>Made by wireaudit \(toolVersion) from \(captureName). This file loads nothing and sends nothing.</p>\
        </footer>

        """
    }

    /// A table that scrolls in a box of its own where the page is narrower, by keyboard too.
    static func scrolling(_ label: String, _ content: Markup) -> Markup {
        "<div class=\"scroll\" role=\"region\" aria-label=\"\(label)\" tabindex=\"0\">\n\(content)</div>\n"
    }

    /// Says of every figure where it comes from: a log that was read, or a formula that was applied to the capture.
    func badge(_ source: Int) -> Markup {
        result.sources[source].isMeasured
            ? "<span class=\"badge measured\">measured</span>" : "<span class=\"badge\">simulated</span>"
    }

    /// A name of an API: method and host stand back behind the path.
    func apiName(_ api: Int) -> Markup {
        let parts = names[api].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return "<span class=\"api\">\(names[api])</span>" }
        return """
            <span class="api"><span class="method">\(parts[0])</span> <span class="host">\(parts[1])</span> \
            <span class="path">\(parts[2])</span></span>
            """
    }
}
