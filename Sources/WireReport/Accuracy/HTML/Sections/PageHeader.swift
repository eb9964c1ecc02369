import WireAccuracy
import WireCore

/// The top of the page: what was captured, and the ways to its sections.
struct PageHeader: PageSection {
    let page: AccuracyPage
    /// Identifiers of sections that the page may lack and has.
    let present: Set<String>

    func render() -> Markup {
        page.title.header("estimate accuracy", exchanges: result.exchanges, sections: sections)
    }

    /// The sections that the page has.
    private var sections: [(id: String, name: String)] {
        let all: [(id: String, name: String, isThere: Bool)] = [
            ("sources", "Sources", index.hasFigures), ("coverage", "Coverage", !index.isEmpty),
            ("hosts", "Hosts", !index.hostComparisons(options).isEmpty),
            ("worst", "Worst APIs", present.contains("worst")), ("charts", "Charts", present.contains("charts")),
            ("apis", "All APIs", present.contains("apis")), ("method", "Method", true),
        ]
        return all.filter(\.isThere).map { ($0.id, $0.name) }
    }
}
