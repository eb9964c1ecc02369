import WireCore

/// The books of an audit as sorted lines, one owner and direction each, zeros left out: small changes of the books make
/// small differences of the text. Paths are left out, so that the text does not depend on where the file lies.
struct LedgerText {
    private var lines: [String] = []

    var text: String { lines.sorted().joined(separator: "\n") + "\n" }

    init(_ audit: RecordedAudit) {
        let result = audit.result
        let ledger = result.ledger
        let files = result.files
        add("capture", [("packets", files.reduce(0) { $0 + $1.packets }), ("bytes", ledger.bytes)])
        let layers = ledger.layers
        add(
            "layers",
            [
                ("pseudo", layers.pseudo), ("link", layers.link), ("tunnel", layers.tunnel),
                ("network", layers.network), ("transport", layers.transport), ("payload", layers.payload),
                ("non_ip", layers.nonIP), ("duplicate", layers.duplicate),
            ])
        let other = ledger.other
        add(
            "other",
            [
                ("dns", other.dns), ("quic", other.quic), ("udp", other.udp), ("icmp", other.icmp),
                ("other_ip", other.otherIP),
            ])
        add("causes", ledger.causes)
        for row in result.apis { add("api \(row.api) calls \(row.exchanges)", row.costs) }
        for row in result.hosts {
            add("host \(row.host) connections \(row.connections) exchanges \(row.exchanges)", row.costs)
            add("host \(row.host) unassigned", row.unassigned)
        }
        for row in result.datagrams {
            for (way, counts) in [("up", row.counts.up), ("down", row.counts.down)] {
                add(
                    "udp \(row.name) \(way)",
                    [
                        ("packets", counts.packets), ("ip", counts.internet), ("payload", counts.payload),
                        ("link", counts.link),
                    ])
            }
        }
        for finding in result.findings { add("finding \(finding.code.code)", [("count", finding.count)]) }
        for record in audit.connections { add(record) }
        for record in audit.exchanges { add(record) }
    }

    private mutating func add(_ record: ConnectionRecord) {
        let name = "connection \(padded(record.connection)) \(record.client.port)-\(record.server.port)"
        let proxied = record.proxiedClient.map { ["for \($0)"] } ?? []
        line(name, [record.close.name] + record.flags.names + proxied)
        if let tls = record.tls { add(name + " tls", tls) }
        add(name + " counts up", counts(record.counts.up))
        add(name + " counts down", counts(record.counts.down))
        add(name, record.costs)
    }

    private mutating func add(_ name: String, _ tls: TLSFacts) {
        let words = [
            tls.version?.rawValue ?? "-", tls.cipher ?? "-",
            tls.applicationProtocol.map { String(decoding: $0, as: UTF8.self) } ?? "-",
            tls.resumption?.rawValue ?? "-", tls.isDecrypted ? "read" : "unread", tls.blindness?.rawValue ?? "-",
            tls.earlyData?.rawValue ?? "-", "certificates \(tls.certificateBytes ?? -1)", "tickets \(tls.tickets)",
        ]
        line(name, words)
        for (way, facts) in [("up", tls.directions.up), ("down", tls.directions.down)] {
            add(
                name + " " + way,
                [
                    ("records", facts.records), ("handshake", facts.handshake), ("data", facts.applicationData),
                    ("alert", facts.alert), ("change", facts.changeCipherSpec), ("other", facts.other),
                ] + facts.messages.map { ("message \($0.type) x \($0.count)", $0.bytes) })
        }
    }

    private mutating func add(_ record: ExchangeRecord) {
        let name = "exchange \(padded(record.connection)).\(padded(record.exchange))"
        let method = record.method.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        let target = record.target.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        let status = record.status.map { "\($0)" } ?? "-"
        line(name, [method, target, status] + record.flags.names)
        add(name, [("unseen", record.unseenBytes)])
        if let stream = record.stream { line(name + " stream \(stream)", [record.tlsVersion ?? "clear"]) }
        add(name + " decoded", [("up", record.decodedBody.up ?? 0), ("down", record.decodedBody.down ?? 0)])
        add(name, record.costs)
    }

    private mutating func add(_ name: String, _ costs: Directions<CostVector>) {
        add(name + " up", values(costs.up))
        add(name + " down", values(costs.down))
    }

    private mutating func add(_ name: String, _ values: [(String, Int)]) {
        let parts = values.filter { $0.1 != 0 }.map { "\($0.0)=\($0.1)" }
        if !parts.isEmpty { lines.append("\(name): \(parts.joined(separator: " "))") }
    }

    private mutating func line(_ name: String, _ words: [String]) {
        lines.append(([name] + words).joined(separator: " "))
    }

    private func values(_ costs: CostVector) -> [(String, Int)] {
        Cause.allCases.map { ($0.name, costs[$0]) } + [("link", costs.link), ("offload_hidden", costs.offloadHidden)]
    }

    private func counts(_ counts: DirectionCounts) -> [(String, Int)] {
        [
            ("packets", counts.packets), ("frames", counts.frames), ("ip", counts.internet),
            ("payload", counts.payload), ("new", counts.payloadNew), ("repeated", counts.payloadRepeated),
            ("refused", counts.payloadRefused), ("unseen", counts.unseen), ("syn", counts.syn), ("fin", counts.fin),
            ("rst", counts.rst), ("retransmitted_segments", counts.retransmittedSegments),
            ("out_of_order_segments", counts.outOfOrderSegments),
        ]
    }

    /// So that text order is number order.
    private func padded(_ number: Int) -> String {
        String(repeating: "0", count: max(0, 3 - "\(number)".count)) + "\(number)"
    }
}
