import WireCore

/// Records as rows for a person. Rows are written as they come, so the columns have fixed widths; a number that is too
/// long moves its row, it is never cut.
struct RecordTable: ~Copyable {
    var buffer = OutputBuffer()
    private let style: TerminalStyle
    private let options: ReportOptions
    private var hasFlagged = false

    init(style: TerminalStyle, options: ReportOptions) {
        self.style = style
        self.options = options
    }

    mutating func begin(_ kind: RecordKind) {
        switch kind {
        case .exchanges:
            line(exchangeCells(["time (UTC)", "conn", "up", "down", "ms", "code"]), "request", [], paint: .heading)
        case .connections:
            line(
                connectionCells(["time (UTC)", "conn", "calls", "up", "down", "close"]), "server", [], paint: .heading)
        }
    }

    mutating func row(_ record: ExchangeRecord) {
        let method = record.method.map { style.safe($0) } ?? "?"
        let path = record.path.map { style.safe($0) } ?? ""
        let query = record.query.map { "?" + style.safe($0) } ?? ""
        let cells = exchangeCells([
            CalendarTime(nanoseconds: record.time).time, String(record.connection),
            grouped(options.wire(record.costs.up)), grouped(options.wire(record.costs.down)),
            milliseconds(record.duration), record.status.map { String($0) } ?? style.dash,
        ])
        line(cells, "\(method) \(style.safe(record.host))\(path)\(query)", record.flags.names)
    }

    mutating func row(_ record: ConnectionRecord) {
        let name = record.serverName.map { style.safe($0) + " " } ?? ""
        let cells = connectionCells([
            CalendarTime(nanoseconds: record.time).time, String(record.connection), grouped(record.exchanges),
            grouped(options.wire(record.costs.up)), grouped(options.wire(record.costs.down)), record.close.name,
        ])
        line(cells, name + record.server.description, record.flags.names)
    }

    mutating func finish(_ kind: RecordKind, count: Int, hasEstimates: Bool = false) {
        var text = counted(count, kind == .exchanges ? "exchange" : "connection") + "; up and down are wire bytes"
        if hasFlagged { text += "; ! is flagged, --format ndjson tells why" }
        if hasEstimates { text += "; --format ndjson or csv shows the estimates" }
        buffer.string(style.paint(text, .faint))
        buffer.byte(0x0A)
    }

    private func exchangeCells(_ cells: [String]) -> String { aligned(cells, [12, 5, 7, 10, 7, 4]) }

    private func connectionCells(_ cells: [String]) -> String { aligned(cells, [12, 5, 5, 9, 11, 5]) }

    private func aligned(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).map { padded($0, $1, right: true) }.joined(separator: " ")
    }

    /// The cells, a mark where there are flags, the text, and the flags themselves where they fit.
    private mutating func line(_ cells: String, _ text: String, _ flags: [String], paint: Paint? = nil) {
        if !flags.isEmpty { hasFlagged = true }
        let start = cells + (flags.isEmpty ? "  " : " !")
        let room = max(style.width - displayWidth(start), 12)
        let suffix = flags.isEmpty ? "" : " [" + flags.joined(separator: ", ") + "]"
        let shown: String
        if displayWidth(text) + displayWidth(suffix) <= room {
            shown = text + suffix
        } else {
            shown = shortened(text, to: room, ellipsis: style.ellipsis)
        }
        buffer.string(paint.map { style.paint(start + shown, $0) } ?? start + shown)
        buffer.byte(0x0A)
    }
}
