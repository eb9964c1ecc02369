import WireCore

/// Records as rows for a person. Rows are written as they come, so the columns have fixed widths; a number that is too
/// long moves its row, it is never cut.
package struct RecordTable: ~Copyable {
    package var buffer = OutputBuffer()
    private let style: TerminalStyle
    private let options: ReportOptions
    private var hasFlagged = false
    private var hasStreams = false
    private var hasUnnamed = false
    /// Why connections could not be read.
    private var blindness: Set<TLSBlindness> = []

    package init(style: TerminalStyle, options: ReportOptions) {
        self.style = style
        self.options = options
    }

    package mutating func begin(_ kind: RecordKind) {
        switch kind {
        case .exchanges:
            line(
                exchangeCells(["time (UTC)", "conn", "TLS", "up", "down", "ms", "code"]), "request", [],
                paint: .heading)
        case .connections:
            line(
                connectionCells(["time (UTC)", "conn", "http", "TLS", "calls", "up", "down", "close"]), "server", [],
                paint: .heading)
        }
    }

    package mutating func row(_ record: ExchangeRecord) {
        if record.stream != nil { hasStreams = true }
        if record.unread != nil { hasUnnamed = true }
        let cells = exchangeCells([
            CalendarTime(nanoseconds: record.time).time,
            String(record.connection) + (record.stream.map { "/\($0)" } ?? ""),
            shortVersion(record.tlsVersion) ?? style.dash,
            grouped(options.wire(record.costs.up)), grouped(options.wire(record.costs.down)),
            record.knownDuration.map { milliseconds($0) } ?? style.dash, record.status.map { String($0) } ?? style.dash,
        ])
        line(cells, RecordTable.request(record, style), record.flags.names)
    }

    /// Method, host, path and query as they were sent.
    package static func request(_ record: ExchangeRecord, _ style: TerminalStyle) -> String {
        if record.unread != nil { return "(not read) " + style.safe(record.host) }
        let method = record.method.map { style.safe($0) } ?? "?"
        let path = record.path.map { style.safe($0) } ?? ""
        let query = record.query.map { "?" + style.safe($0) } ?? ""
        return "\(method) \(style.safe(record.host))\(path)\(query)"
    }

    package mutating func row(_ record: ConnectionRecord) {
        let reason = record.tls?.isDecrypted == false ? record.tls?.blindness : nil
        if let reason { blindness.insert(reason) }
        let cells = connectionCells([
            CalendarTime(nanoseconds: record.time).time, String(record.connection),
            RecordTable.httpVersion(record, style), RecordTable.tlsVersion(record, style),
            RecordTable.calls(record, style),
            grouped(options.wire(record.costs.up)), grouped(options.wire(record.costs.down)), record.close.name,
        ])
        line(cells, server(record), record.flags.names, paint: reason == nil ? nil : .faint)
    }

    /// "2" of "h2", "1.1" of "http/1.1".
    package static func httpVersion(_ record: ConnectionRecord, _ style: TerminalStyle) -> String {
        switch record.applicationProtocol {
        case "h2": "2"
        case let name?: name.hasPrefix("http/") ? String(name.dropFirst(5)) : name
        case nil: style.dash
        }
    }

    package static func tlsVersion(_ record: ConnectionRecord, _ style: TerminalStyle) -> String {
        record.tls.map { shortVersion($0.version?.rawValue) ?? "?" } ?? style.dash
    }

    /// Nobody knows how many calls TLS hides.
    package static func calls(_ record: ConnectionRecord, _ style: TerminalStyle) -> String {
        let isHidden = record.tls.map { !$0.isDecrypted && $0.blindness != nil } ?? false
        return isHidden && record.exchanges == 0 ? style.dash : grouped(record.exchanges)
    }

    /// Name and address, or the most of it that there is room for.
    private func server(_ record: ConnectionRecord) -> String {
        let address = record.server.description
        guard let name = record.serverName.map({ style.safe($0) }) else { return address }
        return ["\(name) \(address)", "\(name):\(record.server.port)"]
            .first { displayWidth($0) <= style.width - connectionWidth } ?? name
    }

    package mutating func finish(_ kind: RecordKind, count: Int, hasEstimates: Bool = false) {
        var text = counted(count, kind == .exchanges ? "exchange" : "connection") + "; up and down are wire bytes"
        if hasStreams { text += "; conn 3/15 is HTTP/2 stream 15 of connection 3" }
        if hasUnnamed {
            text += "; (not read): calls that only TLS record sizes and times tell apart; about so many"
        }
        if !blindness.isEmpty {
            text += "; TLS without http was not decrypted, "
            text += blindness.contains(.noKeys) ? "use --keys FILE" : "--format ndjson gives the reason"
        }
        if hasFlagged { text += "; ! marks flagged records, --format ndjson lists the flags" }
        if hasEstimates { text += "; --format ndjson or csv shows the estimates" }
        for line in wrapped(text, width: style.width, indent: 0) {
            buffer.string(style.paint(line, .faint))
            buffer.byte(0x0A)
        }
    }

    private func exchangeCells(_ cells: [String]) -> String { RecordTable.aligned(cells, [12, 6, 3, 7, 10, 7, 4]) }

    private func connectionCells(_ cells: [String]) -> String {
        RecordTable.aligned(cells, [12, 5, 4, 4, 5, 9, 11, 5])
    }

    /// Columns that cells and mark take.
    private let connectionWidth = 64

    package static func aligned(_ cells: [String], _ widths: [Int]) -> String {
        zip(cells, widths).map { padded($0, $1, right: true) }.joined(separator: " ")
    }

    /// The cells, a mark where there are flags, the text, and the flags themselves where they fit.
    private mutating func line(_ cells: String, _ text: String, _ flags: [String], paint: Paint? = nil) {
        if !flags.isEmpty { hasFlagged = true }
        let start = cells + (flags.isEmpty ? "  " : " !")
        let room = max(style.width - displayWidth(start), 12)
        let shown = RecordTable.fitted(text, flags, to: room, style)
        buffer.string(paint.map { style.paint(start + shown, $0) } ?? start + shown)
        buffer.byte(0x0A)
    }

    /// The text with its flags where there is room for both; else the text, shortened where it must be.
    package static func fitted(_ text: String, _ flags: [String], to room: Int, _ style: TerminalStyle) -> String {
        let suffix = flags.isEmpty ? "" : " [" + flags.joined(separator: ", ") + "]"
        if displayWidth(text) + displayWidth(suffix) <= room { return text + suffix }
        return shortened(text, to: room, ellipsis: style.ellipsis)
    }
}
