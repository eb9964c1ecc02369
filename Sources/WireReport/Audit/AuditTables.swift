import WireCore
import WireRecords

/// The tables of apps, APIs, hosts, content types and set-up of an audit. Columns of higher rank give way first.
struct AuditTables {
    let result: AuditResult
    let options: ReportOptions

    private func blocks(_ table: ReportTable, _ legend: String) -> [ReportBlock] {
        [.table(table)] + (options.explains && !table.rows.isEmpty ? [.sentence(ReportText(legend), .faint)] : [])
    }

    // MARK: Apps

    /// Who sent it, where the capture names more than one app, or one beside what is of none.
    var apps: [ReportBlock] {
        let rows = appRows(result, options)
        guard rows.count > 1 else { return [] }
        let table = ReportTable(
            columns: [
                .text("app"), .number("conn", rank: 2), .number("calls", rank: 2), .number("up", rank: 3),
                .number("down", rank: 3), .number("wire"), .number("share", rank: 1),
            ],
            rows: rows.map { row in
                [row.app.map { ReportCell(name: $0) } ?? ReportCell("(not named)", .faint)]
                    + [
                        row.connections, row.exchanges, options.wire(row.costs.up), options.wire(row.costs.down),
                        row.wire,
                    ]
                    .map { ReportCell(count: $0) } + [share(row.wire)]
            }, bytes: rows.map(\.wire), noun: "app")
        return blocks(
            table,
            """
            An app has its connections, with all calls in them, and its UDP. It is the effective process where the capture tells \
            one, since services of the system send for apps. (not named): what no packet names an app of, and what is of no \
            connection and no UDP, such as ICMP, which has no direction. --app NAME: the tables below of one app.
            """)
    }

    // MARK: Content types

    /// What the bodies were, where there is more than one type.
    var contentTypes: [ReportBlock] {
        let rows = contentTypeRows(result, options)
        guard rows.count > 1 else { return [] }
        let whole = rows.reduce(0) { $0 + $1.sum }
        let table = ReportTable(
            columns: [
                .text("type"), .number("bodies", rank: 2), .number("up", rank: 3), .number("down", rank: 3),
                .number("body bytes"), .number("share", rank: 1),
            ],
            rows: rows.map { row in
                [row.type.map { ReportCell(name: $0) } ?? ReportCell("(no type)", .faint)]
                    + [row.bodies.up + row.bodies.down, row.bytes.up, row.bytes.down, row.sum].map {
                        ReportCell(count: $0)
                    }
                    + [ReportCell(shareText(row.sum, of: whole))]
            }, bytes: rows.map(\.sum), noun: "type")
        return blocks(table, "Bytes of bodies as sent, without headers and framing; the share is of all bodies.")
    }

    // MARK: APIs

    var apis: [ReportBlock] {
        let rows = apiRows(result, options)
        guard !rows.isEmpty else {
            return options.selection.isEmpty ? [] : [.sentence("No API matches the selection.")]
        }
        let table = ReportTable(
            columns: [
                .api("API"), .number("calls", rank: 2), .number("up", rank: 10), .number("down", rank: 10),
                .number("headers", rank: 11), .number("message", rank: 3), .number("wire"), .number("share", rank: 1),
                .number("per call", rank: 1), .number("overhead", rank: 4), .number("TLS", rank: 12),
                .number("ACKs", rank: 12), .number("setup", rank: 5), .number("resent", rank: 5),
            ], rows: rows.map(apiCells), bytes: rows.map { options.wire($0.costs) }, noun: "API")
        let selected: ReportText = "Only the selected apps, APIs and hosts; the ledger covers the whole capture."
        return blocks(table, apiLegend) + (options.selection.isEmpty ? [] : [.sentence(selected, .faint)])
    }

    private func apiCells(_ row: APISummary) -> [ReportCell] {
        let figures = APIFigures(row, options)
        func sum(_ causes: [Cause]) -> Int { causes.reduce(0) { $0 + row.costs.up[$1] + row.costs.down[$1] } }
        return [
            ReportCell("\(name: row.api)", row.isEncrypted ? .faint : .plain), ReportCell(count: figures.calls),
            ReportCell(count: options.wire(row.costs.up)), ReportCell(count: options.wire(row.costs.down)),
            ReportCell(count: figures.message == nil ? nil : sum([.startLine, .headers])),
            ReportCell(count: figures.message), ReportCell(count: figures.wire), share(figures.wire),
            ReportCell(count: row.wirePerCall(options)), ReportCell(figures.overhead),
            ReportCell(count: sum([.tlsRecords, .setupTLS])), ReportCell(count: sum([.ack])),
            ReportCell(figures.setupShare), ReportCell(figures.resentShare),
        ]
    }

    /// A newcomer's key to the columns.
    private var apiLegend: String {
        let layer = options.layer == .link ? "IP, link and tunnel bytes" : "IP bytes"
        let encrypted =
            result.apis.contains(where: \.isEncrypted)
            ? " calls —: TLS of a host that was not decrypted; its calls are unknown." : ""
        return """
            message: start line, headers, body. wire: all \(layer) of its calls. share: of all \(options.wholeNoun) bytes. per \
            call: wire of a call, the mean. overhead: wire minus message, in % of message. setup, resent: share of wire spent on \
            opening connections, or on retransmissions. up, down: wire by direction, up is what the client sent. headers: with \
            start lines. TLS: records and handshakes. ACKs: packets that only acknowledge.\(encrypted)
            """
    }

    private func share(_ bytes: Int) -> ReportCell { ReportCell(shareText(bytes, of: options.whole(result.ledger))) }

    // MARK: Hosts

    /// All that went to and from each host.
    var hosts: [ReportBlock] {
        let rows = hostRows(result, options)
        let columns = HostColumns(options: options).needed(rows)
        let table = ReportTable(
            columns: [.text("host")] + columns.map(\.column),
            rows: rows.map { row in [ReportCell(name: row.host)] + columns.map { $0.cell(row) } },
            bytes: rows.map { options.wire($0.costs) }, noun: "host",
            note: publicNames(rows))
        return blocks(
            table,
            """
            conn: connections. calls ~41: about so many that were not read, as TLS records tell; +: and more in connections that \
            do not tell. up, down: IP bytes that the client sent and received. set-up: DNS lookups, handshakes of TCP, TLS and \
            QUIC, HTTP control. resent: retransmissions. unread: payload of connections that is no HTTP, or that TLS hides. no \
            API: bytes of connections without a call, or between calls, and of UDP that is no QUIC. Such UDP stands by the \
            protocol that its bytes prove, server and port.
            """)
    }

    /// Hosts whose names may stand for others.
    private func publicNames(_ rows: [HostSummary]) -> ReportText {
        let names = rows.filter { $0.setup.publicNames > 0 }.map { "\(name: $0.host)" as ReportText }
        guard !names.isEmpty else { return "" }
        let verb = names.count == 1 ? "is the name" : "are the names"
        return """
            \(listed(names, most: 3)) \(verb) that clients show in public: they offered Encrypted Client Hello, which may hide \
            that of another host
            """
    }

    // MARK: Set-up

    /// What the connections to each host cost before and after the messages, and what fewer of them would have saved. Empty
    /// where no connection of the selected hosts was opened.
    var setup: [ReportBlock] {
        let rows = sorted(hostRows(result, options).filter { $0.setup.setupBytes > 0 }) {
            ($0.setup.setupBytes, $0.host)
        }
        guard !rows.isEmpty else { return [] }
        let hasTLS = rows.contains { $0.setup.tlsConnections > 0 }
        let handshakes: [ReportTable.Column] = [
            .number("full", rank: 3), .number("resumed", rank: 3), .number("certs", rank: 4),
        ]
        let table = ReportTable(
            columns: [.text("host"), .number("conn", rank: 1)] + (hasTLS ? handshakes : [])
                + [
                    .number("set-up"), .number("per call", rank: 2), .number("closing", rank: 5),
                    .number("saving", rank: 1),
                ],
            rows: rows.map { setupCells($0, hasTLS: hasTLS) }, bytes: rows.map(\.setup.setupBytes), noun: "host")
        let hidden =
            rows.contains { $0.setup.unreadConnections > 0 }
            ? " TLS that was not decrypted may hide more set-up, so these figures are lower bounds." : ""
        let tls =
            hasTLS ? " full, resumed: TLS handshakes. certs: certificate bytes that could be read." : ""
        let legend = """
            set-up: IP bytes of DNS lookups, handshakes of TCP, TLS and QUIC, and HTTP control; per call: mean of calls \
            seen, to whatever host; a connection stands at the host of its first call that opens no tunnel.\(tls) saving: bytes of set-up and closing of connections that would not have been needed if \
            \(SetupSummary.supposition); computed from the ledger, not measured.\(hidden)
            """
        let reuse = reuseInWords(result, options)
        return [.table(table), .sentence(reuse)] + (options.explains ? [.sentence(ReportText(legend), .faint)] : [])
    }

    private func setupCells(_ row: HostSummary, hasTLS: Bool) -> [ReportCell] {
        let setup = row.setup
        let handshakes: [Int?] = [
            setup.fullHandshakes, setup.resumedHandshakes, setup.certificateBytes > 0 ? setup.certificateBytes : nil,
        ]
        let figures: [Int?] = [
            setup.setupBytes, setup.exchanges > 0 ? roundedMean(setup.setupBytes, setup.exchanges) : nil,
            setup.teardownBytes, setup.reuseSaving,
        ]
        return [ReportCell(name: row.host), ReportCell(count: row.connections)]
            + ((hasTLS ? handshakes : []) + figures).map { ReportCell(count: $0) }
    }
}

extension SetupSummary {
    /// What `reuseSaving` supposes.
    static let supposition = "client and server had kept idle connections open for \(mostIdleSeconds) s"
}
