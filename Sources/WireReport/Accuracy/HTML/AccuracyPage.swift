import WireAccuracy
import WireCore
import WireLogs
import WireRecords

/// The result with everything that the sections look up.
struct AccuracyPage {
    let result: AccuracyResult
    let audit: AuditResult
    let options: ReportOptions
    let index: AccuracyIndex
    /// Names of APIs as they are shown. Longer ones give way in the middle.
    let names: [String]
    /// The source that the page tells of first: the first log that recorded something, else the first source.
    let primary: Int?
    private let uniqueTitles: Set<String>
    /// Places of sources on the page, by their index in the result.
    private let places: [Int]

    init(result: AccuracyResult, audit: AuditResult, options: ReportOptions) {
        self.result = result
        self.audit = audit
        self.options = options
        let index = AccuracyIndex(result, options)
        self.index = index
        names = result.apis.map { PageDocument.shownName($0) }
        primary =
            index.sources.first { source in
                Direction.allCases.contains { (index.total(source, $0)?.coverage.recordedCalls ?? 0) > 0 }
            } ?? index.sources.first
        var places = Array(repeating: 0, count: result.sources.count)
        for (place, source) in index.sources.enumerated() { places[source] = place }
        self.places = places
        let titles = Dictionary(grouping: result.sources, by: \.title)
        uniqueTitles = Set(titles.filter { $0.value.count == 1 }.keys)
    }

    /// Sources in the order of the page: logs first.
    var sources: [Int] { index.sources }

    /// A log's name, a formula's title: with its identifier where others have the same title.
    func label(_ source: Int) -> String {
        let own = result.sources[source]
        // A log's title is its path; its name is enough beside figures.
        let text = own.isMeasured ? own.id : uniqueTitles.contains(own.title) ? own.title : "\(own.title) (\(own.id))"
        return shortened(displayText(text), to: 120, ellipsis: "…")
    }

    func mark(_ source: Int) -> Mark { Mark(place: places[source]) }

    func calls(api: Int) -> Int { result.apiCalls.indices.contains(api) ? result.apiCalls[api] : 0 }

    func figures(source: Int, api: Int) -> PageFigures {
        PageFigures(index.row(source, api, .up), index.row(source, api, .down))
    }

    func figures(source: Int) -> PageFigures {
        PageFigures(index.total(source, .up), index.total(source, .down))
    }

    /// All exchanges that count and their bytes, as the source that leaves out least has them.
    var allFigures: PageFigures {
        sources.map { figures(source: $0) }.max { $0.allMessage < $1.allMessage } ?? PageFigures()
    }

    /// APIs by a figure of theirs, largest first, ties by name. Only those where it is more than nothing.
    func ranking(source: Int, by bytes: KeyPath<PageFigures, Int>) -> [(api: Int, figures: PageFigures)] {
        index.apis.map { ($0, figures(source: source, api: $0)) }
            .filter { $0.1[keyPath: bytes] > 0 }
            .sorted { ($0.1[keyPath: bytes], names[$1.0]) > ($1.1[keyPath: bytes], names[$0.0]) }
    }
}
