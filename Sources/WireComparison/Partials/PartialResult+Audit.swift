import WireCore

/// From an audit to sums, and back.
extension PartialResult {
    /// Takes the audit of one session.
    public mutating func take(_ audit: AuditResult) {
        addCapture(audit)
        for file in audit.files {
            for link in file.linkTypes { add(.linkType, [String(link.rawValue)]) { $0["files"] = 1 } }
        }
        for finding in audit.findings where finding.count > 0 {
            add(.finding, [finding.code.code]) { row in
                row.set("count", finding.count)
                row["sessions"] = 1
            }
        }
        for api in audit.apis {
            add(.api, [api.api]) { row in
                row["encrypted"] = api.isEncrypted ? 1 : 0
                row.set("exchanges", api.exchanges)
                row.set("cost", api.costs)
            }
        }
        for host in audit.hosts { addHost(host) }
        for summary in audit.datagrams { add(.udp, [summary.endpoint ?? ""]) { $0.set(summary) } }
        for summary in audit.apps { if let app = summary.app { add(.app, [app]) { $0.set(summary) } } }
    }

    private mutating func addCapture(_ audit: AuditResult) {
        add(.capture) { row in
            let files = audit.files
            row["first"] = files.compactMap(\.first).min().map { Int128($0) }
            row["last"] = files.compactMap(\.last).max().map { Int128($0) }
            row.set("files", files.count)
            row.set("packets", files.reduce(0) { $0 + $1.packets })
            row.set("bytes", audit.ledger.bytes)
            row.set("captured_bytes", files.reduce(0) { $0 + $1.capturedBytes })
            row.set("dropped", files.contains { $0.dropped == nil } ? nil : files.reduce(0) { $0 + ($1.dropped ?? 0) })
            row.set("snapped", files.reduce(0) { $0 + $1.snapped })
            row.set("filtered", files.reduce(0) { $0 + $1.filtered })
            row.set("damaged", files.count { $0.damagedAt != nil })
            row.set("key_logs", audit.keyLogs.count)
            row.set("key_secrets", audit.keyLogs.reduce(0) { $0 + $1.secrets })
            row.set("key_malformed", audit.keyLogs.reduce(0) { $0 + $1.malformed })
            row.set("connections", audit.connections)
            row.set("quic_connections", audit.quicConnections)
            row.set("late_connections", audit.lateConnections)
            row.set("exchanges", audit.exchanges)
            row.set("unfinished_exchanges", audit.unfinishedExchanges)
            for (name, path) in PartialResult.layerPaths {
                row.set("layer." + name, audit.ledger.layers[keyPath: path])
            }
            for (name, path) in PartialResult.otherPaths { row.set("other." + name, audit.ledger.other[keyPath: path]) }
            row.set("cause", audit.ledger.causes)
            row.set("owned", audit.ledger.owned)
            row.set("unread_frames", audit.ledger.unreadFrames)
        }
    }

    private mutating func addHost(_ host: HostSummary) {
        add(.host, [host.host]) { row in
            row.set("connections", host.connections)
            row.set("exchanges", host.exchanges)
            row.set("without_exchange", host.connectionsWithoutExchange)
            for bit in 0..<8 where host.protocols.rawValue >> bit & 1 == 1 { row["protocol.\(bit)"] = 1 }
            row.set("cost", host.costs)
            row.set("unassigned", host.unassigned)
            for (name, path) in PartialResult.setupPaths { row.set(name, host.setup[keyPath: path]) }
        }
    }

    /// The audit of all sessions together. Its capture stands as one file, as that of a live capture does.
    public var audit: AuditResult {
        var audit = AuditResult()
        let capture = row(.capture)
        audit.files = [file(capture)]
        if let logs = capture.optionalInteger("key_logs"), logs > 0 {
            var summary = KeyLogSummary(path: logs == 1 ? "1 key log" : "\(logs) key logs")
            summary.secrets = capture.integer("key_secrets")
            summary.malformed = capture.integer("key_malformed")
            audit.keyLogs = [summary]
        }
        audit.ledger = ledger
        audit.connections = capture.integer("connections")
        audit.quicConnections = capture.integer("quic_connections")
        audit.lateConnections = capture.integer("late_connections")
        audit.exchanges = capture.integer("exchanges")
        audit.unfinishedExchanges = capture.integer("unfinished_exchanges")
        audit.apis = rows(.api).map { names, row in
            var api = APISummary(api: names.first ?? "")
            api.isEncrypted = row.integer("encrypted") == 1
            api.exchanges = row.integer("exchanges")
            api.costs = row.costs("cost")
            return api
        }
        audit.hosts = rows(.host).map { host($0.names.first ?? "", $0.row) }
        audit.datagrams = datagrams
        audit.apps = apps(of: audit.hostRows)
        audit.findings = FindingCode.allCases.compactMap { code in
            rows[PartialKey(.finding, [code.code])].map {
                FindingCount(code: code, count: $0.integer("count"), file: "", packet: 0)
            }
        }
        return audit
    }

    /// What stands for the format of the one file of merged results.
    public static let fileFormat = "merged"

    private func file(_ capture: PartialRow) -> CaptureFileSummary {
        let name = sessions.count == 1 ? "1 session" : "\(sessions.count) sessions"
        var file = CaptureFileSummary(path: name, format: PartialResult.fileFormat)
        file.linkTypes = rows(.linkType).compactMap { $0.names.first.flatMap { UInt32($0) } }.sorted()
            .map { LinkType(rawValue: $0) }
        file.packets = capture.integer("packets")
        file.bytes = capture.integer("bytes")
        file.capturedBytes = capture.integer("captured_bytes")
        file.first = capture["first"].map { Int64(clamping: $0) }
        file.last = capture["last"].map { Int64(clamping: $0) }
        file.dropped = capture.optionalInteger("dropped")
        file.snapped = capture.integer("snapped")
        file.filtered = capture.integer("filtered")
        return file
    }

    /// The ledger of all sessions together.
    public var ledger: LedgerSummary {
        let capture = row(.capture)
        var ledger = LedgerSummary()
        ledger.bytes = capture.integer("bytes")
        for (name, path) in PartialResult.layerPaths { ledger.layers[keyPath: path] = capture.integer("layer." + name) }
        for (name, path) in PartialResult.otherPaths { ledger.other[keyPath: path] = capture.integer("other." + name) }
        ledger.causes = capture.costs("cause")
        ledger.owned = capture.costs("owned")
        ledger.unreadFrames = capture.integer("unread_frames")
        ledger.datagrams = datagrams.reduce(0) { $0 + $1.counts.internet }
        return ledger
    }

    /// The rows of UDP of all sessions together.
    private var datagrams: [DatagramSummary] {
        rows(.udp).map { $0.row.datagrams(of: $0.names.first ?? "") }
    }

    private func host(_ name: String, _ row: PartialRow) -> HostSummary {
        var host = HostSummary(host: name)
        host.connections = row.integer("connections")
        host.exchanges = row.integer("exchanges")
        host.connectionsWithoutExchange = row.integer("without_exchange")
        for bit in 0..<8 where row.integer("protocol.\(bit)") > 0 {
            host.protocols.insert(ProtocolSet(rawValue: 1 << UInt8(bit)))
        }
        host.costs = row.costs("cost")
        host.unassigned = row.costs("unassigned")
        for (name, path) in PartialResult.setupPaths { host.setup[keyPath: path] = row.integer(name) }
        return host
    }

    private static var layerPaths: [(String, WritableKeyPath<LayerTotals, Int>)] {
        Array(
            zip(
                PartialKind.layers,
                [
                    \LayerTotals.pseudo, \.link, \.tunnel, \.network, \.transport, \.payload, \.nonIP, \.duplicate,
                ]))
    }

    private static var otherPaths: [(String, WritableKeyPath<OtherTotals, Int>)] {
        Array(
            zip(
                PartialKind.others, [\OtherTotals.dns, \.quic, \.wireGuard, \.udp, \.icmp, \.otherIP]))
    }

    private static var setupPaths: [(String, WritableKeyPath<SetupSummary, Int>)] {
        Array(
            zip(
                PartialKind.setup,
                [
                    \SetupSummary.tlsConnections, \.fullHandshakes, \.resumedHandshakes, \.unreadConnections,
                    \.partlyReadConnections, \.failedHandshakes, \.silentConnections, \.exchanges, \.certificateBytes,
                    \.setupBytes, \.teardownBytes, \.reuseSaving, \.cutConnections, \.unnamedCalls,
                    \.publicNames,
                ]))
    }
}
