import WireAccuracy
import WireCore
import WireRecords

/// A section of the page: a type of its own, which looks up what it says in the page. Empty where it has nothing to say.
protocol PageSection {
    var page: AccuracyPage { get }
    func render() -> Markup
}

/// What the sections look up most.
extension PageSection {
    var result: AccuracyResult { page.result }
    var audit: AuditResult { page.audit }
    var options: ReportOptions { page.options }
    var index: AccuracyIndex { page.index }
    var names: [String] { page.names }
    var primary: Int? { page.primary }
    var sources: [Int] { page.sources }

    func label(_ source: Int) -> String { page.label(source) }
    func mark(_ source: Int) -> Mark { page.mark(source) }
    func badge(_ source: Int) -> Markup { page.badge(source) }
    func figures(source: Int) -> PageFigures { page.figures(source: source) }
    func figures(source: Int, api: Int) -> PageFigures { page.figures(source: source, api: api) }
    func ranking(source: Int, by bytes: KeyPath<PageFigures, Int>) -> [(api: Int, figures: PageFigures)] {
        page.ranking(source: source, by: bytes)
    }
    func apiName(_ api: Int) -> Markup { page.apiName(api) }

    /// Colour of a figure that is too small or too large; its sign says the same.
    func errorClass(_ error: Int) -> Markup { error < 0 ? " low" : error > 0 ? " high" : "" }
}
