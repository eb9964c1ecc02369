import WireAccuracy
import WireCore

/// The top of the page: what was captured, and the ways to its sections.
struct PageHeader: PageSection {
    let page: AccuracyPage
    /// Identifiers of sections that the page may lack and has.
    let present: Set<String>

    func render() -> Markup {
        """
        <header>
        <p class="kicker">wireaudit · estimate accuracy</p>
        <h1>\(page.captureName)</h1>
        \(page.captureList.map { "<p class=\"facts\">\($0)</p>\n" as Markup } ?? "")\
        <p class="facts">\(captureFacts)</p>
        <nav aria-label="Sections">\(links)</nav>
        </header>

        """
    }

    /// The ways to the sections that the page has.
    private var links: Markup {
        let sections: [(id: String, name: String, isThere: Bool)] = [
            ("sources", "Sources", index.hasFigures), ("coverage", "Coverage", !index.isEmpty),
            ("hosts", "Hosts", !index.hostComparisons(options).isEmpty),
            ("worst", "Worst APIs", present.contains("worst")), ("charts", "Charts", present.contains("charts")),
            ("apis", "All APIs", present.contains("apis")), ("method", "Method", true),
        ]
        return sections.filter(\.isThere).map { "<a href=\"#\($0.id)\">\($0.name)</a>" as Markup }.joined(" ")
    }

    private var captureFacts: String {
        var facts = [
            counted(audit.files.reduce(0) { clampedSum($0, $1.packets) }, "packet"), sizeText(audit.ledger.bytes),
            counted(audit.connections, "connection"), counted(result.exchanges, "exchange"),
        ]
        if let first = audit.files.compactMap(\.first).min(), let last = audit.files.compactMap(\.last).max() {
            let moment = CalendarTime(nanoseconds: first)
            facts.append("\(durationInWords(UInt64(bitPattern: last &- first))) from \(moment.date) \(moment.time) UTC")
        }
        return facts.joined(separator: " · ")
    }
}
