import WireCore

/// What the connections to each host cost before and after the messages, and what fewer of them would have saved.
struct SetupTable {
    let result: AuditResult
    let options: ReportOptions
    let style: TerminalStyle

    /// Empty where no connection of the selected hosts was opened.
    func lines() -> [String] {
        let rows = sorted(hostRows(result, options).filter { $0.setup.setupBytes > 0 }) {
            ($0.setup.setupBytes, $0.host)
        }
        guard !rows.isEmpty else { return [] }
        let shown = options.top.map { rows.prefix($0) } ?? rows[...]
        let (table, columns) = fitting(Array(shown), hasTLS: rows.contains { $0.setup.tlsConnections > 0 })
        var lines = table.lines(style)
        let left = rows.dropFirst(shown.count)
        if !left.isEmpty {
            let bytes = left.reduce(0) { $0 + $1.setup.setupBytes }
            lines.append(
                "\(style.ellipsis) and \(counted(left.count, "more host")), \(counted(bytes, "byte")) (--top all)")
        }
        let hidesSetup = shown.contains { $0.setup.unreadConnections > 0 }
        return lines + legend(columns, hidesSetup: hidesSetup).map { style.paint($0, .faint) }
    }

    // MARK: Columns

    private enum Column: CaseIterable {
        case connections, full, resumed, certificates, setup, perCall, closing, saving

        var title: String {
            switch self {
            case .connections: "conn"
            case .full: "full"
            case .resumed: "resumed"
            case .certificates: "certs"
            case .setup: "set-up"
            case .perCall: "per call"
            case .closing: "closing"
            case .saving: "saving"
            }
        }

        var isOfTLS: Bool {
            switch self {
            case .full, .resumed, .certificates: true
            default: false
            }
        }
    }

    /// Where the terminal is too narrow, columns go in this order.
    private static let dispensable: [Set<Column>] = [[.closing], [.certificates], [.full, .resumed]]

    private func fitting(_ rows: [HostSummary], hasTLS: Bool) -> (table: TextTable, columns: [Column]) {
        var columns = Column.allCases.filter { hasTLS || !$0.isOfTLS }
        var dispensable = SetupTable.dispensable[...]
        while true {
            var table = TextTable(text: "SET-UP BY HOST", numbers: columns.map(\.title))
            for row in rows { table.add([style.safe(row.host)] + columns.map { cell($0, row) }) }
            guard table.width(withText: 20) > style.width, let next = dispensable.popFirst() else {
                return (table, columns)
            }
            columns.removeAll(where: next.contains)
        }
    }

    private func cell(_ column: Column, _ row: HostSummary) -> String {
        let setup = row.setup
        switch column {
        case .connections: return grouped(row.connections)
        case .full: return grouped(setup.fullHandshakes)
        case .resumed: return grouped(setup.resumedHandshakes)
        case .certificates: return setup.certificateBytes > 0 ? grouped(setup.certificateBytes) : style.dash
        case .setup: return grouped(setup.setupBytes)
        case .perCall:
            guard setup.exchanges > 0 else { return style.dash }
            let (whole, rest) = setup.setupBytes.quotientAndRemainder(dividingBy: setup.exchanges)
            return grouped(rest >= setup.exchanges - rest ? whole + 1 : whole)
        case .closing: return grouped(setup.teardownBytes)
        case .saving: return grouped(setup.reuseSaving)
        }
    }

    private func legend(_ columns: [Column], hidesSetup: Bool) -> [String] {
        var text =
            "set-up: IP bytes of DNS lookups, TCP and TLS handshakes and HTTP/2 control frames; "
            + "per call: mean of calls seen."
        if columns.contains(.resumed) { text += " full, resumed: TLS handshakes." }
        if columns.contains(.certificates) { text += " certs: certificate bytes that could be read." }
        text += " saving: bytes of set-up and closing that would have been avoided if \(SetupSummary.supposition);"
        text += " computed from the ledger, not measured."
        if hidesSetup { text += " TLS that was not decrypted may hide more set-up, so these figures are lower bounds." }
        return wrapped(text, width: style.width, indent: 0)
    }
}

extension SetupSummary {
    /// What `reuseSaving` supposes.
    static let supposition = "each client had kept one connection per host"
}
