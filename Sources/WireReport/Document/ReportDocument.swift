/// A report before it has a form: its title, what it is about, and sections in the order of reading. The terminal, Markdown and
/// the page show the same sentences and cells.
public struct ReportDocument {
    /// What kind of report it is, in a word.
    var kind: String
    var title: String
    /// The heading of the page, where it is not the title.
    var heading: String?
    /// What the verdict is about; stands behind it, and in the head of the page.
    var facts: [ReportBlock] = []
    /// The first has the verdict.
    var sections: [ReportSection]
    var limits: RowLimits
}

/// How many rows of a table each form shows, and where the others are; nil for all.
struct RowLimits {
    var terminal: Int?
    var markdown: Int?
    var page: Int?
    var rest: String

    /// The user's choice, the same in all forms.
    init(top: Int?) { (terminal, markdown, page, rest) = (top, top, top, "--top all") }
    init(terminal: Int, page: Int, rest: String) {
        (self.terminal, markdown, self.page, self.rest) = (terminal, terminal, page, rest)
    }
}

/// One subject of a report. Sections without blocks are left out.
struct ReportSection {
    enum Place {
        case open
        /// Folded where a form can fold.
        case folded
        /// Folded, and on the page alone: more than a terminal has room for.
        case pageOnly
    }

    /// The anchor on the page.
    var id: String
    /// Empty for the verdict, which needs none.
    var title: ReportText
    /// A shorter name for the page's list of sections.
    var link: String?
    var place = Place.open
    var blocks: [ReportBlock]

    init(
        _ id: String, _ title: ReportText = "", link: String? = nil, _ place: Place = .open, blocks: [ReportBlock?]
    ) {
        (self.id, self.title, self.link, self.place) = (id, title, link, place)
        self.blocks = blocks.compactMap(\.self).filter { !$0.isEmpty }
    }
}

enum ReportBlock {
    case sentence(ReportText, Tone = .plain)
    case list([ReportItem], isNumbered: Bool = false)
    case table(ReportTable)

    var isEmpty: Bool {
        switch self {
        case .sentence(let text, _): text.isEmpty
        case .list(let items, _): items.isEmpty
        case .table(let table): table.rows.isEmpty
        }
    }
}

/// A line of a list, with what is said of it.
struct ReportItem: ExpressibleByStringInterpolation {
    var text: ReportText
    var tone = Tone.plain
    var details: [ReportText] = []

    init(_ text: ReportText, _ tone: Tone = .plain, details: [ReportText] = []) {
        (self.text, self.tone, self.details) = (text, tone, details)
    }
    init(stringLiteral value: String) { text = ReportText(value) }
    init(stringInterpolation: ReportText.StringInterpolation) {
        text = ReportText(stringInterpolation: stringInterpolation)
    }
}

/// What a sentence or a cell is for its reader; each form has its own way to show it.
enum Tone {
    case plain, verdict, faint
    /// What a reader must not overlook; the first has a mark of its own, the other's words say it.
    case warning, caution
    /// A bound that is kept, and one that is not.
    case good, bad
    /// Too many bytes, or more than before; too few, or fewer.
    case more, less
    /// A sum, or the row that matters.
    case strong
}
