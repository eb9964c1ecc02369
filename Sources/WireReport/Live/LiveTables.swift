import WireCore
import WireRecords

/// The hosts, with the columns that the report has.
struct LiveHosts {
    private static let widths = [
        "protocol": 8, "conn": 5, "calls": 7, "up": 10, "down": 11, "wire": 11, "set-up": 7, "resent": 7, "unread": 9,
        "no API": 7,
    ]

    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle

    var wantedHeight: Int { max(hostRanking(state, options).count, 1) + 1 }

    func lines(height: Int) -> [String] {
        let ranking = hostRanking(state, options)
        let rows = state.snapshot.hosts
        let form = TerminalForm(style: style, limits: RowLimits(top: nil))
        let columns = HostColumns(options: options).all.map { own in
            AdaptiveTable<HostSummary>.Column(own.column.title, rank: own.column.rank) { form.cell(own.cell($0)) }
        }
        var list = LiveList<HostSummary>(
            noun: "host", title: style.width < 34 ? "HOSTS" : "HOSTS BY \(state.place.order.title)",
            columns: columns, widths: Self.widths)
        list.isFiltered = ranking.count < rows.count
        list.text = { $0.host }
        list.wire = { options.wire($0.costs) }
        list.reasonForNone = rows.isEmpty ? "No host has been seen yet." : "No host matches the selection."
        return list.lines(
            ranking, of: rows.count, height: height, state: state, style: style, row: { rows[$0.index] },
            item: { .host(rows[$0.index].host) })
    }
}

/// The connections that are known.
struct LiveConnections {
    private static let widths = [
        "conn": 7, "time UTC": 8, "http": 4, "TLS": 3, "calls": 7, "up": 11, "down": 11, "wire": 11, "state": 6,
        "app": 10,
    ]
    /// Columns of an app's name.
    private static let widestApp = 16

    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle
    private let rows: ConnectionRows

    init(state: LiveState, options: ReportOptions, style: TerminalStyle) {
        self.state = state
        self.options = options
        self.style = style
        rows = ConnectionRows(state: state, options: options)
    }

    var wantedHeight: Int { max(rows.ranking.count, 1) + 1 }

    func lines(height: Int) -> [String] {
        var list = LiveList<ConnectionRecord>(
            noun: "connection",
            title: style.width < 60 ? "CONNECTIONS" : "CONNECTIONS BY \(state.place.order.title)", columns: columns,
            widths: Self.widths)
        // Those that are not known any more are not shown.
        list.isFiltered = rows.isSelected || rows.records.count < state.snapshot.connections
        list.text = { ConnectionWords(record: $0, style: style).endpoints(width: style.width) }
        list.wire = { options.wire($0.costs) }
        list.isFaint = { $0.close != .open }
        list.reasonForNone =
            rows.records.isEmpty ? "No connection has been seen yet." : "No connection matches the selection."
        return list.lines(
            rows.ranking, of: max(rows.records.count, state.snapshot.connections), height: height, state: state,
            style: style, row: { rows.records[$0.index] }, item: { .connection($0.number) })
    }

    private var columns: [AdaptiveTable<ConnectionRecord>.Column] {
        let app = AdaptiveTable<ConnectionRecord>.Column("app", rank: 3) { record in
            record.process.map { shortened(style.safe($0.app), to: Self.widestApp, ellipsis: style.ellipsis) }
                ?? style.dash
        }
        return (rows.nameApps ? [app] : []) + [
            .init("conn", rank: 3) { String($0.connection) },
            .init("time UTC", rank: 5) { String(CalendarTime(nanoseconds: $0.time).time.prefix(8)) },
            .init("http", rank: 4) {
                shortened(style.safe(RecordTable.httpVersion($0, style)), to: 4, ellipsis: style.ellipsis)
            },
            .init("TLS", rank: 4) { RecordTable.tlsVersion($0, style) },
            .init("calls", rank: 1) { RecordTable.calls($0, style) },
            .init("up", rank: 6) { grouped(options.wire($0.costs.up)) },
            .init("down", rank: 6) { grouped(options.wire($0.costs.down)) },
            .init("wire", rank: 0) { grouped(options.wire($0.costs)) },
            .init("state", rank: 2) { $0.close.name },
        ]
    }
}

/// What a connection is called.
struct ConnectionWords {
    let record: ConnectionRecord
    let style: TerminalStyle

    /// `10.0.0.2:51234 > api.example.com:443`; the client's address where there is room.
    func endpoints(width: Int) -> String {
        width < 100 ? server : "\(record.client) > \(server)"
    }

    var server: String {
        record.serverName.map { "\(style.safe($0)):\(record.server.port)" } ?? record.server.description
    }
}

/// A table of the screen: a heading, rows of which one may be selected, and a sum of those that have no room.
struct LiveList<Row> {
    let noun: String
    let title: String
    let columns: [AdaptiveTable<Row>.Column]
    let widths: [String: Int]
    /// Some rows are left out: the heading says how many there are.
    var isFiltered = false
    var text: (Row) -> String = { _ in "" }
    var wire: (Row) -> Int = { _ in 0 }
    var isFaint: (Row) -> Bool = { _ in false }
    var reasonForNone = ""

    init(noun: String, title: String, columns: [AdaptiveTable<Row>.Column], widths: [String: Int]) {
        (self.noun, self.title, self.columns, self.widths) = (noun, title, columns, widths)
    }

    func lines<Entry>(
        _ ranking: Ranking<Entry>, of count: Int, height: Int, state: LiveState, style: TerminalStyle,
        row: (Entry) -> Row, item: (Entry) -> LiveItem
    ) -> [String] {
        guard height > 0 else { return [] }
        let heading = isFiltered ? "\(title) (\(grouped(ranking.count)) of \(grouped(count)))" : title
        guard ranking.count > 0 else {
            return Array([style.paint(heading, .heading), style.paint(reasonForNone, .faint)].prefix(height))
        }
        let room = max(height - 1, 1)
        let isWhole = ranking.count <= room
        let shown = ranking.window(
            around: state.place.selection?.rank ?? 0, height: isWhole ? ranking.count : max(room - 1, 1))
        let marked = shown.firstIndex { state.place.selection?.item == item($0) }
        let rows = shown.map(row)
        var table = AdaptiveTable<(row: Row, isSelected: Bool)>(title: heading, columns: wrappedColumns) {
            style.marked(style.safe(text($0.row)), $0.isSelected)
        }
        table.paint = { isFaint($0.row) ? .faint : nil }
        table.leastText = max(min(max(style.width / 5, 12), 24), min(displayWidth(heading), style.width / 2))
        table.stillWidths = widths
        var lines = table.lines(rows.indices.map { (rows[$0], $0 == marked) }, style).lines
        if let marked { lines[marked + 1] = style.highlighted(lines[marked + 1]) }
        if !isWhole, room > 1 {
            lines.append(rest(ranking, shown: rows, row: row, style))
        }
        return Array(lines.prefix(height))
    }

    private var wrappedColumns: [AdaptiveTable<(row: Row, isSelected: Bool)>.Column] {
        columns.map { column in .init(column.title, rank: column.rank) { column.cell($0.row) } }
    }

    private func rest<Entry>(
        _ ranking: Ranking<Entry>, shown: [Row], row: (Entry) -> Row, _ style: TerminalStyle
    ) -> String {
        let left = ranking.count - shown.count
        let bytes = ranking.entries.reduce(0) { $0 &+ wire(row($1)) } &- shown.reduce(0) { $0 &+ wire($1) }
        let words = "\(style.ellipsis) and \(counted(left, "more \(noun)")), \(counted(bytes, "byte"))"
        return style.paint(shortened(words, to: style.width, ellipsis: style.ellipsis), .faint)
    }
}
