import WireCore
import WireRecords

/// The APIs with what they cost so far and now. Columns have fixed widths; where the terminal is narrow, the ones that
/// matter least are left out.
struct LiveAPIs {
    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle
    private let ranked: RankedAPIs
    /// A host whose APIs these are; nil for all.
    private let host: String?

    init(state: LiveState, options: ReportOptions, style: TerminalStyle, host: String? = nil) {
        self.state = state
        self.options = options
        self.style = style
        self.host = host
        ranked = RankedAPIs(state: state, options: options, host: host)
    }

    private func row(_ entry: RankedAPIs.Entry) -> APISummary { ranked.rows[entry.index] }

    // MARK: Columns

    private enum Column: CaseIterable {
        case calls, message, wire, rate, perCall, share, overhead, setup, resent

        var title: String {
            switch self {
            case .calls: "calls"
            case .message: "message"
            case .wire: "wire"
            case .rate: "now"
            case .perCall: "per call"
            case .share: "share"
            case .overhead: "overhead"
            case .setup: "set-up"
            case .resent: "resent"
            }
        }

        func width(isNarrow: Bool) -> Int {
            switch self {
            case .wire: isNarrow ? 7 : 13
            case .message: 13
            case .rate, .perCall, .overhead: 9
            case .calls, .share, .setup, .resent: 7
            }
        }
    }

    /// The most telling columns first.
    private static let byWeight: [Column] = [
        .wire, .rate, .calls, .perCall, .overhead, .share, .resent, .setup, .message,
    ]
    private static let widestBar = 24

    private var isNarrow: Bool { style.width < 60 }

    private var columns: [Column] {
        var room = style.width - min(max(style.width / 3, 10), 60)
        var chosen: Set<Column> = []
        for column in LiveAPIs.byWeight {
            room -= column.width(isNarrow: isNarrow) + 2
            guard room >= 0 else { break }
            chosen.insert(column)
        }
        return Column.allCases.filter(chosen.contains)
    }

    /// Columns of the bar, without the gap before it.
    private func barWidth(_ columns: [Column]) -> Int {
        let used = columns.reduce(0) { $0 + $1.width(isNarrow: isNarrow) + 2 }
        let room = style.width - used - min(max(style.width / 3, 10), 60) - 2
        return style.width >= 100 && room >= 8 ? min(room, LiveAPIs.widestBar) : 0
    }

    // MARK: Lines

    /// A heading and rows, at most `height` lines; what does not fit is summed in the last.
    func lines(height: Int) -> [String] {
        guard height > 0 else { return [] }
        let hasHeading = height >= 3 || height > ranked.count
        let hint = height >= 6 ? self.hint : []
        let room = height - (hasHeading ? 1 : 0) - hint.count
        let selected = state.place.selection
        let shown = ranked.ranking.window(
            around: selected?.rank ?? 0, height: ranked.count <= room ? ranked.count : max(room - 1, 1))
        let columns = self.columns
        let barWidth = self.barWidth(columns)
        var narrowed = style
        narrowed.width -= barWidth > 0 ? barWidth + 2 : 0
        var table = TextTable(
            text: title, numbers: columns.map { ($0.title, $0.width(isNarrow: isNarrow)) })
        table.namesAPIs = true
        let marked = shown.firstIndex { selected?.item == .api(row($0).api) }
        for (index, entry) in shown.enumerated() { add(entry, columns, isSelected: index == marked, to: &table) }
        if shown.count < ranked.count, room > 1 { add(sumWithout: shown, columns, to: &table) }
        var lines = table.lines(narrowed)
        if barWidth > 0 { addBars(shown, barWidth, to: &lines) }
        if let marked { lines[marked + 1] = style.highlighted(lines[marked + 1]) }
        if !hasHeading { lines.removeFirst() }
        if ranked.count == 0 { lines = [style.paint(title, .heading)] + reasonForNone.prefix(height - 1) }
        return Array((lines + hint).prefix(height))
    }

    /// Lines that all rows take.
    var wantedHeight: Int { max(ranked.count, 1) + 1 + hint.count }

    /// What would open what is closed.
    private var hint: [String] {
        guard ranked.hasEncrypted else { return [] }
        let subject = "calls \(style.dash): TLS "
        let texts =
            state.keySecrets == nil
            ? [
                subject + "without keys; decrypt it with --keys FILE, also while the file grows",
                subject + "without keys; use --keys FILE", "use --keys FILE for TLS",
            ]
            : [subject + "for which no key was received", "no key for TLS"]
        let text = texts.first { displayWidth($0) <= style.width }
        return text.map { [style.paint($0, .faint)] } ?? []
    }

    private var title: String {
        let title = style.width < 34 ? "APIs" : "APIs BY \(state.place.order.title)"
        guard ranked.isSelected, host == nil else { return title }
        return title + " (\(grouped(ranked.count)) of \(grouped(ranked.rows.count)))"
    }

    /// Why there is no row.
    private var reasonForNone: [String] {
        let text =
            if !ranked.rows.isEmpty {
                "No API matches the selection."
            } else if state.snapshot.packets == 0 {
                "No packet received yet."
            } else {
                "No HTTP message has been seen yet."
            }
        return [style.paint(text, .faint)]
    }

    private func addBars(_ shown: [RankedAPIs.Entry], _ width: Int, to lines: inout [String]) {
        for (index, entry) in shown.enumerated() where index + 1 < lines.count {
            lines[index + 1] +=
                "  "
                + CostGroups(row(entry).costs, options).bar(
                    of: ranked.largestWire, cells: width, style: style)
        }
    }

    // MARK: Cells

    private func add(
        _ entry: RankedAPIs.Entry, _ columns: [Column], isSelected: Bool, to table: inout TextTable
    ) {
        let row = self.row(entry)
        let figures = APIFigures(row, options)
        let rate = entry.rate
        let cells = columns.map { cell($0, figures, rate: rate) }
        let paints = columns.map { column -> Paint? in
            switch column {
            case .wire: return nil
            case .rate: return rate > 0 ? .message : .faint
            case _ where row.isEncrypted: return .faint
            case .resent: return figures.resent > 0 ? .loss : .faint
            default: return nil
            }
        }
        table.add(
            [style.marked(style.safe(row.api), isSelected)] + cells, paints: [row.isEncrypted ? .faint : nil] + paints)
    }

    private func add(
        sumWithout shown: [RankedAPIs.Entry], _ columns: [Column], to table: inout TextTable
    ) {
        let count = ranked.count - shown.count
        let wire = shown.reduce(ranked.sums.wire) { $0 - $1.wire }
        let calls = shown.reduce(ranked.sums.calls) { $0 - $1.calls }
        let rate = shown.reduce(ranked.sums.rate) { $0 &- $1.rate }
        let cells = columns.map { column in
            switch column {
            case .wire: bytes(wire, .wire)
            case .calls: fittingCount(calls, 7)
            case .rate: rate > 0 ? rateInWords(rate) : style.dash
            case .share: share(wire)
            default: ""
            }
        }
        let words = isNarrow ? "\(grouped(count)) more" : "and \(counted(count, "more API"))"
        let name = style.ellipsis + " " + words
        table.add([name] + cells, paints: Array(repeating: .faint, count: cells.count + 1))
    }

    private func cell(_ column: Column, _ figures: APIFigures, rate: Int) -> String {
        switch column {
        case .calls: return figures.calls.map { fittingCount($0, 7) } ?? style.dash
        case .message: return figures.message.map { bytes($0, .message) } ?? style.dash
        case .wire: return bytes(figures.wire, .wire)
        case .rate: return rate > 0 ? rateInWords(rate) : style.dash
        case .perCall:
            guard let calls = figures.calls, calls > 0 else { return style.dash }
            return bytes((figures.wire + calls / 2) / calls, .perCall)
        case .share: return share(figures.wire)
        case .overhead: return overhead(figures)
        case .setup: return style.plain(figures.setupShare ?? style.dash)
        case .resent:
            return figures.resent == 0 ? style.dash : style.plain(figures.resentShare ?? style.dash)
        }
    }

    private func bytes(_ value: Int, _ column: Column) -> String {
        fittingBytes(value, column.width(isNarrow: isNarrow))
    }

    /// Of the wire bytes of all frames.
    private func share(_ wire: Int) -> String {
        style.plain(percent(wire, of: options.wireBytes(of: state.snapshot.ledger)) ?? style.dash)
    }

    private func overhead(_ figures: APIFigures) -> String {
        guard let overhead = figures.overhead else { return style.dash }
        return displayWidth(overhead) <= Column.overhead.width(isNarrow: isNarrow)
            ? style.plain(overhead) : ">9,999 %"
    }
}
