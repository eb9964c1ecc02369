import WireCore
import WireRecords

/// The tables of apps, APIs and hosts of the terminal's audit.
struct AuditTables {
    let result: AuditResult
    let options: ReportOptions
    let style: TerminalStyle

    // MARK: Apps

    /// Who sent it, where the capture names more than one app, or one beside what is of none.
    func apps() -> [String] {
        let rows = appRows(result, options)
        guard rows.count > 1 else { return [] }
        let named = rows.count { $0.app != nil }
        let left = rows.prefix(named).dropFirst(options.top ?? named)
        let shown = rows.prefix(named - left.count) + rows.dropFirst(named)
        var table = AdaptiveTable(title: "APPS BY WIRE BYTES", columns: appColumns) { row in
            row.app.map(style.safe) ?? "(not named)"
        }
        table.paint = { $0.app == nil ? .faint : nil }
        var lines = table.lines(Array(shown), style).lines
        lines += rest(left.count, "more app", left.reduce(0) { $0 + $1.wire })
        return lines + (options.explains ? faint(appLegend) : [])
    }

    private var appColumns: [AdaptiveTable<AppRow>.Column] {
        [
            .init("conn", rank: 2) { grouped($0.connections) },
            .init("calls", rank: 2) { grouped($0.exchanges) },
            .init("up", rank: 3) { grouped(options.wire($0.costs.up)) },
            .init("down", rank: 3) { grouped(options.wire($0.costs.down)) },
            .init("wire", rank: 0) { grouped($0.wire) },
            .init("share", rank: 1) { share(shareText($0.wire, of: options.whole(result.ledger))) },
        ]
    }

    private var appLegend: String {
        "An app has its connections, with all calls in them, and its UDP. It is the effective process where the capture tells one, "
            + "since services of the system send for apps. (not named): what no packet names an app of, and what is of no "
            + "connection and no UDP, such as ICMP, which has no direction. --app NAME: the tables below of one app."
    }

    // MARK: Content types

    /// What the bodies were, where there is more than one type.
    func contentTypes() -> [String] {
        let rows = contentTypeRows(result, options)
        guard rows.count > 1 else { return [] }
        let whole = rows.reduce(0) { $0 + $1.sum }
        let shown = rows.prefix(options.top ?? rows.count)
        let columns: [AdaptiveTable<ContentTypeSummary>.Column] = [
            .init("bodies", rank: 2) { grouped($0.bodies.up + $0.bodies.down) },
            .init("up", rank: 3) { grouped($0.bytes.up) },
            .init("down", rank: 3) { grouped($0.bytes.down) },
            .init("body bytes", rank: 0) { grouped($0.sum) },
            .init("share", rank: 1) { share(shareText($0.sum, of: whole)) },
        ]
        var table = AdaptiveTable(title: "BODIES BY CONTENT TYPE", columns: columns) { row in
            row.type.map(style.safe) ?? "(no type)"
        }
        table.paint = { $0.type == nil ? .faint : nil }
        var lines = table.lines(Array(shown), style).lines
        lines += rest(rows.count - shown.count, "more type", rows.dropFirst(shown.count).reduce(0) { $0 + $1.sum })
        let legend = "Bytes of bodies as sent, without headers and framing; the share is of all bodies."
        return lines + (options.explains ? faint(legend) : [])
    }

    // MARK: APIs

    func apis() -> [String] {
        let rows = apiRows(result, options)
        guard !rows.isEmpty else { return options.selection.isEmpty ? [] : ["No API matches the selection."] }
        let shown = options.top.map { rows.prefix($0) } ?? rows[...]
        var table = AdaptiveTable(title: "APIs BY WIRE BYTES", columns: apiColumns) { style.safe($0.api) }
        table.paint = { $0.isEncrypted ? .faint : nil }
        table.namesAPIs = true
        table.leastText = 32
        let left = rows.dropFirst(shown.count)
        var lines = table.lines(Array(shown), style).lines
        lines += rest(left.count, "more API", left.reduce(0) { $0 + options.wire($1.costs) })
        if !options.selection.isEmpty {
            lines += faint("Only the selected apps, APIs and hosts; the ledger covers the whole capture.")
        }
        return lines + (options.explains ? faint(apiLegend) : [])
    }

    private var apiColumns: [AdaptiveTable<APISummary>.Column] {
        [
            .init("calls", rank: 2) { number(APIFigures($0, options).calls) },
            .init("up", rank: 10) { grouped(options.wire($0.costs.up)) },
            .init("down", rank: 10) { grouped(options.wire($0.costs.down)) },
            .init("headers", rank: 11) { known($0, [.startLine, .headers]) },
            .init("message", rank: 3) { number(APIFigures($0, options).message) },
            .init("wire", rank: 0) { grouped(options.wire($0.costs)) },
            .init("share", rank: 1) { share(shareText(options.wire($0.costs), of: options.whole(result.ledger))) },
            .init("per call", rank: 1) { number($0.wirePerCall(options)) },
            .init("overhead", rank: 4) { share(APIFigures($0, options).overhead) },
            .init("TLS", rank: 12) { sum($0.costs, [.tlsRecords, .setupTLS]) },
            .init("ACKs", rank: 12) { sum($0.costs, [.ack]) },
            .init("setup", rank: 5) { share(APIFigures($0, options).setupShare) },
            .init("resent", rank: 5) { share(APIFigures($0, options).resentShare) },
        ]
    }

    /// A newcomer's key to the columns.
    private var apiLegend: String {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        var text =
            "message: start line, headers, body. wire: all \(layer) of its calls. share: of all \(options.wholeNoun) bytes. "
            + "per call: wire of a call, the mean. overhead: wire minus message, in % "
            + "of message. setup, resent: share of wire spent on opening connections, or on retransmissions."
        if style.width >= AdaptiveTable<APISummary>.wide {
            text +=
                " up, down: wire by direction, up is what the client sent. headers: with start lines. TLS: records and "
                + "handshakes. ACKs: packets that only acknowledge."
        }
        if result.apis.contains(where: \.isEncrypted) {
            text += " calls \(style.dash): TLS of a host that was not decrypted; its calls are unknown."
        }
        return text
    }

    // MARK: Hosts

    /// All that went to and from each host.
    func hosts() -> [String] {
        let rows = hostRows(result, options)
        guard !rows.isEmpty else { return [] }
        let shown = options.top.map { rows.prefix($0) } ?? rows[...]
        var table = AdaptiveTable(title: "HOSTS BY WIRE BYTES", columns: hostColumns(rows)) { style.safe($0.host) }
        // Protocol and port are what tells rows of UDP apart.
        if shown.contains(where: { $0.datagrams != nil }) { table.leastText = 30 }
        let left = rows.dropFirst(shown.count)
        var lines = table.lines(Array(shown), style).lines
        lines += rest(left.count, "more host", left.reduce(0) { $0 + options.wire($1.costs) })
        return lines + (options.explains ? faint(hostLegend) : [])
    }

    private func hostColumns(_ rows: [HostSummary]) -> [AdaptiveTable<HostSummary>.Column] {
        HostColumns(options: options, style: style).all.filter { column in
            switch column.title {
            case HostColumns.unread:
                rows.contains { $0.datagrams == nil && $0.costs.up[.opaque] + $0.costs.down[.opaque] != 0 }
            case HostColumns.unassigned: rows.contains { options.wire($0.unassigned) > 0 }
            default: true
            }
        }
    }

    private var hostLegend: String {
        "conn: connections. calls ~41: about so many that were not read, as TLS records tell; +: and more in connections that "
            + "do not tell. up, down: IP bytes that the client sent and received. set-up: DNS lookups, handshakes "
            + "of TCP, TLS and QUIC, HTTP control. resent: retransmissions. unread: payload of connections that is no "
            + "HTTP, or that TLS hides. no API: bytes of connections without a call, or between calls, and of UDP that is no QUIC. Such "
            + "UDP stands by the protocol that its bytes prove, server and port."
    }

    // MARK: Cells

    private func number(_ value: Int?) -> String { value.map(grouped) ?? style.dash }
    private func share(_ text: String?) -> String { style.plain(text ?? style.dash) }

    private func sum(_ costs: Directions<CostVector>, _ causes: [Cause]) -> String {
        grouped(causes.reduce(0) { $0 + costs.up[$1] + costs.down[$1] })
    }

    private func known(_ row: APISummary, _ causes: [Cause]) -> String {
        APIFigures(row, options).message == nil ? style.dash : sum(row.costs, causes)
    }

    private func rest(_ count: Int, _ noun: String, _ bytes: Int) -> [String] {
        count == 0 ? [] : ["\(style.ellipsis) and \(counted(count, noun)), \(counted(bytes, "byte")) (--top all)"]
    }

    private func faint(_ text: String) -> [String] {
        wrapped(text, width: style.width, indent: 0).map { style.paint($0, .faint) }
    }
}
