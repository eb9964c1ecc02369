import WireRecords

/// Rows of figures under titles, before they have a form.
struct ReportTable {
    struct Column {
        enum Kind {
            /// The name of an API, which is shortened where its parts differ least.
            case api
            case text
            /// Text that is broken into lines instead of shortened.
            case sentence
            case number
            /// Text that explains its row; a terminal shows it below.
            case remark
            /// A drawing, on the page, and in a terminal that has room for it.
            case picture
        }

        var title: String
        var kind: Kind
        /// Where a terminal has no room, columns with the highest rank are left out first; those of rank 0 never are.
        var rank = 0
        /// Columns with this rank or a higher one are for wide places.
        static let extraRank = 10

        static func api(_ title: String) -> Column { Column(title: title, kind: .api) }
        static func text(_ title: String) -> Column { Column(title: title, kind: .text) }
        static func sentence(_ title: String) -> Column { Column(title: title, kind: .sentence) }
        static func number(_ title: String, rank: Int = 0) -> Column { Column(title: title, kind: .number, rank: rank) }
        static func remark(_ title: String) -> Column { Column(title: title, kind: .remark) }
        static func picture(_ title: String) -> Column { Column(title: title, kind: .picture) }
    }

    /// Above the table in a terminal, and in its label on the page; empty: the section's title.
    var title: ReportText = ""
    /// What its figures are of: "B/call".
    var unit = ""
    var columns: [Column]
    var rows: [[ReportCell]]
    /// Sums below the rows, which no limit cuts off.
    var endRows: [[ReportCell]] = []
    /// Bytes of each row, where the sum of those that are not shown says something.
    var bytes: [Int] = []
    /// What a row is.
    var noun = "row"
    /// Its rows belong together: no limit cuts them off.
    var isWhole = false
    /// On the page in a part of its own that opens.
    var isFolded = false
    /// A terminal shows columns that do not fit in further tables; these first ones stand in each. Nil: see `Column.rank`.
    var pinned: Int?
    /// What its words mean.
    var note: ReportText = ""
}

struct ReportCell: ExpressibleByStringInterpolation {
    enum Content {
        case text(ReportText)
        /// Each in a line of its own.
        case lines([ReportText])
        /// A part of a line from 0 to 1; `zero` is marked where it is not the beginning.
        case bar(ClosedRange<Double>, zero: Double)
        /// Nobody knows it, or it does not exist.
        case unknown
    }

    var content: Content
    var tone = Tone.plain

    init(_ text: ReportText?, _ tone: Tone = .plain) {
        (content, self.tone) = (text.map(Content.text) ?? .unknown, tone)
    }
    init(_ words: String?, _ tone: Tone = .plain) { self.init(words.map { ReportText($0) }, tone) }
    init(name: String) { self.init("\(name: name)") }
    init(count: Int?) { self.init(count.map { grouped($0) }) }
    init(lines: [ReportText]) { content = .lines(lines) }

    static var unknown: ReportCell { ReportCell(count: nil) }

    /// A share of the largest of its column.
    init(share: Double) { content = .bar(0...max(0, min(1, share)), zero: 0) }
    /// A range around zero, which is in the middle; both ends between -1 and 1. Nil is not known.
    init(range: ClosedRange<Double>?) {
        content = range.map { .bar(0.5 + $0.lowerBound / 2...0.5 + $0.upperBound / 2, zero: 0.5) } ?? .unknown
    }
    init(bar: ClosedRange<Double>, _ tone: Tone) { (content, self.tone) = (.bar(bar, zero: 0), tone) }
    init(stringLiteral value: String) { self.init(ReportText(value)) }
    init(stringInterpolation: ReportText.StringInterpolation) {
        self.init(ReportText(stringInterpolation: stringInterpolation))
    }
}

extension ReportTable {
    /// The columns that a form shows, with the place of each in a row.
    func columns(where isShown: (Column.Kind) -> Bool) -> [(place: Int, column: Column)] {
        columns.enumerated().filter { isShown($0.element.kind) }.map { (place: $0.offset, column: $0.element) }
    }

    func shown(_ most: Int?) -> [[ReportCell]] { rows.prefix(isWhole ? rows.count : most ?? rows.count) + endRows }
    func hidden(_ most: Int?) -> Int { isWhole ? 0 : max(0, rows.count - (most ?? rows.count)) }

    /// `5 more APIs, 12,345 bytes`
    func hiddenInWords(_ most: Int?) -> String {
        let sum = bytes.suffix(hidden(most)).reduce(0) { clampedSum($0, $1) }
        return counted(hidden(most), "more \(noun)") + (bytes.isEmpty ? "" : ", " + counted(sum, "byte"))
    }
}
