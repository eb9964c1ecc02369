import WireCore
import WireRecords

/// Draws the state of a live audit as lines for a terminal. What matters most stays longest when it is small: what was
/// lost, how much comes, totals, APIs, exchanges, the ledger.
public struct LiveScreen: Sendable {
    let options: ReportOptions
    let style: TerminalStyle

    public init(options: ReportOptions, style: TerminalStyle) {
        self.options = options
        self.style = style
    }

    /// At most `rows` lines without line ends, each at most `columns` cells wide. Nothing in them but text and colours
    /// acts on a terminal.
    public func lines(_ state: LiveState, columns: Int, rows: Int) -> [String] {
        picture(state, columns: columns, rows: rows).lines
    }

    /// The same, and about how many rows the list has that the selection moves in.
    public func picture(_ state: LiveState, columns: Int, rows: Int) -> (lines: [String], page: Int) {
        guard columns > 0, rows > 0 else { return ([], 1) }
        var style = style
        style.width = columns
        var layout = LiveLayout(state: state, options: options, style: style, rows: rows)
        let lines = layout.lines().prefix(rows).map { line -> String in
            // A selected row is reversed up to its end.
            let clipped = clipped(line, to: columns)
            return clipped.hasSuffix("\u{1B}[0m") ? clipped : withoutTrailingSpaces(clipped)
        }
        return (lines, max(layout.listed - 2, 1))
    }
}

/// Gives each part of the screen its lines.
struct LiveLayout {
    private static let ledgerWidths = 90...108
    static let widestLedger = ledgerWidths.upperBound
    /// Columns that the panel beside it should have, and between them.
    private static let panelWidth = 60
    private static let gutter = 4
    /// From here on the ledger does not take the whole width.
    private static let wide = 150
    private static let narrowestTable = 18

    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle
    let rows: Int
    /// Lines of the list that the selection moves in.
    private(set) var listed = 1

    init(state: LiveState, options: ReportOptions, style: TerminalStyle, rows: Int) {
        (self.state, self.options, self.style, self.rows) = (state, options, style, rows)
    }

    private var isAiry: Bool { rows >= 20 }
    private var showsHelp: Bool { state.showsHelp && rows >= 8 }
    private var ledgerWidth: Int {
        let (least, most) = (LiveLayout.ledgerWidths.lowerBound, LiveLayout.ledgerWidths.upperBound)
        return hasPanel ? min(max(style.width - LiveLayout.panelWidth - LiveLayout.gutter, least), most) : most
    }
    private var hasWaterfall: Bool { rows >= 36 && style.width >= 60 }
    private var hasPanel: Bool { style.width >= LiveLayout.wide && hasWaterfall }

    mutating func lines() -> [String] {
        let hasKeys = rows >= 8 || (state.isEditingFilter || state.showsHelp) && rows >= 2
        let room = rows - (hasKeys ? 1 : 0)
        var lines = top(room)
        let gap = isAiry ? [""] : []
        let height = room - lines.count - gap.count
        let body =
            showsHelp ? LiveHelp(state: state, options: options, style: style).lines(height: height) : self.body(height)
        if !body.isEmpty { lines += gap + body }
        guard hasKeys else { return lines }
        lines = Array(lines.prefix(room))
        lines += Array(repeating: "", count: room - lines.count)
        return lines + [LiveKeys(state: state, style: style).line()]
    }

    // MARK: Top

    private func top(_ room: Int) -> [String] {
        let alerts = LiveAlerts(state: state, style: style).lines(limit: max(min(rows / 4, room - 1), 0))
        let head = LiveHead(state: state, style: style, tellsLosses: alerts.isEmpty, hasSparkline: !hasPanel).line()
        guard !showsHelp else { return [head] + alerts }
        let grid = LiveGrid(state: state, style: style)
        let height = rows >= 20 ? 3 : rows >= 12 ? 2 : rows >= 4 ? 1 : 0
        let details = rows >= 16 ? [self.details].filter { !$0.isEmpty } : []
        return [head] + alerts + grid.lines(height: min(height, room - 1 - alerts.count)) + details
    }

    /// What is kept, decrypted and left out, in one line.
    private var details: String {
        var others: [String] = []
        if let secrets = state.keySecrets { others.append(counted(secrets, "TLS secret")) }
        if let filter = state.filter { others.append("filter '\(style.safe(filter))'") }
        let lines = evidence.map { ([$0].filter { !$0.isEmpty } + others).joined(separator: style.separator) }
        let line = lines.first { displayWidth($0) <= style.width } ?? lines.last ?? ""
        return style.paint(shortened(line, to: style.width, ellipsis: style.ellipsis), .faint)
    }

    /// The capture that is written, in words of falling length.
    private var evidence: [String] {
        guard let evidence = state.evidence else { return [""] }
        let verb = evidence.fault == nil ? "writes " : "wrote "
        let path = verb + style.safe(evidence.path)
        let size = path + ", " + (sizeInWords(evidence.bytes) ?? counted(evidence.bytes, "byte"))
        guard evidence.files > 1 else { return [size, path] }
        let files = size + " in \(counted(evidence.files, "file"))"
        guard evidence.deletedFiles > 0 else { return [files, size, path] }
        return [files + ", \(grouped(evidence.deletedFiles)) of them deleted", files, size, path]
    }

    // MARK: Body

    private mutating func body(_ room: Int) -> [String] {
        guard style.width >= LiveLayout.narrowestTable, room > 0 else { return [] }
        if let item = state.place.item {
            let detail = LiveDetail(item: item, state: state, options: options, style: style, rows: rows)
            let (lines, listed) = detail.lines(height: room)
            self.listed = listed
            return lines
        }
        let ledger = self.ledger(room)
        let gap = isAiry ? [""] : []
        var rest = room
        var lines: [String] = []
        if !ledger.isEmpty {
            lines += ledger + gap
            rest -= lines.count
        }
        let (wantedHeight, table) = self.table
        let exchanges = LiveExchanges(state: state, options: options, style: style)
        // Both get what they need where that is possible, else the table gets three fifths.
        let wanted = exchanges.count == 0 || rest < 7 ? 0 : exchanges.count + 1 + gap.count
        let ofExchanges = min(wanted, max(rest * 2 / 5, rest - wantedHeight))
        listed = rest - ofExchanges
        let first = table(listed)
        lines += first
        guard ofExchanges > gap.count else { return lines }
        return lines + gap + exchanges.lines(height: rest - first.count - gap.count)
    }

    /// The chosen table: how many lines it takes, and what gives it for so many.
    private var table: (wanted: Int, lines: (Int) -> [String]) {
        switch state.place.table {
        case .apis:
            let apis = LiveAPIs(state: state, options: options, style: style)
            return (apis.wantedHeight, { apis.lines(height: $0) })
        case .hosts:
            let hosts = LiveHosts(state: state, options: options, style: style)
            return (hosts.wantedHeight, { hosts.lines(height: $0) })
        case .connections:
            let connections = LiveConnections(state: state, options: options, style: style)
            return (connections.wantedHeight, { connections.lines(height: $0) })
        }
    }

    private func ledger(_ room: Int) -> [String] {
        guard state.snapshot.ledger.bytes > 0 else { return [] }
        var narrowed = style
        narrowed.width = min(style.width, ledgerWidth)
        let ledger = LiveLedger(snapshot: state.snapshot, style: narrowed)
        if hasWaterfall, room >= 24 {
            let lines = ledger.waterfall()
            return hasPanel ? besidePanel(lines, narrowed.width) : lines
        }
        guard room >= 14, style.width >= 40 else { return [] }
        let shape = LiveGrid(state: state, style: style).shape
        return ledger.bar(cellWidth: shape.width, cellsInLine: shape.cells)
    }

    private func besidePanel(_ lines: [String], _ width: Int) -> [String] {
        var narrowed = style
        narrowed.width = style.width - width - LiveLayout.gutter
        let panel = LivePanel(state: state, style: narrowed).lines(height: lines.count)
        return lines.indices.map { index in
            index < panel.count ? paddedPainted(lines[index], width + LiveLayout.gutter) + panel[index] : lines[index]
        }
    }
}
