import WireCore

/// The tables of the terminal's audit.
struct AuditTables {
    let result: AuditResult
    let options: ReportOptions
    let style: TerminalStyle

    // MARK: APIs

    func apis() -> [String] {
        let rows = apiRows(result, options)
        guard !rows.isEmpty else { return options.selection.isEmpty ? [] : ["No API matches the selection."] }
        let shown = options.top.map { rows.prefix($0) } ?? rows[...]
        var table = TextTable(
            text: "APIs BY WIRE BYTES", numbers: ["calls", "message", "wire", "overhead", "setup", "resent"])
        for row in shown {
            table.add(cells(row), paints: row.isEncrypted ? Array(repeating: .faint, count: 7) : [])
        }
        var lines = table.lines(style)
        let left = rows.dropFirst(shown.count)
        if !left.isEmpty {
            let bytes = left.reduce(0) { $0 + options.wire($1.costs) }
            lines.append(
                "\(style.ellipsis) and \(counted(left.count, "more API")), \(counted(bytes, "byte")) (--top all)")
        }
        return lines + legend.map { style.paint($0, .faint) }
    }

    private func cells(_ row: APISummary) -> [String] {
        let figures = APIFigures(row, options)
        let shares = [figures.overhead, figures.setupShare, figures.resentShare]
        return [style.safe(row.api)] + [figures.calls, figures.message].map { $0.map(grouped) ?? style.dash }
            + [grouped(figures.wire)] + shares.map { style.plain($0 ?? style.dash) }
    }

    /// A newcomer's key to the columns.
    private var legend: [String] {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        var text =
            "message: start line, headers, body. wire: all \(layer) of its calls. overhead: wire minus message, in % "
            + "of message. setup, resent: share of wire spent on opening connections, or on retransmissions."
        if result.apis.contains(where: \.isEncrypted) {
            text += " (encrypted): TLS of a host that was not decrypted; its calls are unknown."
        }
        if !options.selection.isEmpty {
            text += " Only the selected APIs and hosts; the ledger covers the whole capture."
        }
        return wrapped(text, width: style.width, indent: 0)
    }

    // MARK: Hosts

    /// Hosts with bytes that no API row has, most of such bytes first.
    func hosts() -> [String] {
        let unassigned = sorted(hostRows(result, options).filter { options.wire($0.unassigned) > 0 }) {
            (options.wire($0.unassigned), $0.host)
        }
        guard !unassigned.isEmpty else { return [] }
        let shown = options.top.map { unassigned.prefix($0) } ?? unassigned[...]
        var table = TextTable(
            text: "HOSTS: BYTES OF NO API", numbers: ["connections", "no calls", "up", "down", "wire"])
        for row in shown {
            table.add([
                style.safe(row.host), grouped(row.connections), grouped(row.connectionsWithoutExchange),
                grouped(options.wire(row.unassigned.up)), grouped(options.wire(row.unassigned.down)),
                grouped(options.wire(row.unassigned)),
            ])
        }
        var lines = table.lines(style)
        let left = unassigned.dropFirst(shown.count)
        if !left.isEmpty {
            let bytes = left.reduce(0) { $0 + options.wire($1.unassigned) }
            lines.append(
                "\(style.ellipsis) and \(counted(left.count, "more host")), \(counted(bytes, "byte")) (--top all)")
        }
        return lines
    }
}
