import WireComparison
import WireCore
import WireRecords
import WireStatistics

/// The audit as one line of JSON, schema `wireaudit.audit/1`, with what estimators make of each API where it is given.
public func auditJSON(
    _ result: AuditResult, options: ReportOptions, _ additions: AuditAdditions = AuditAdditions()
) -> OutputBuffer {
    var json = JSONFields()
    json.head("wireaudit.audit/1", result, options)
    json.end()
    json.ledger(result.ledger, options)
    json.beginArray("apis")
    for row in apiRows(result, options) { json.api(row, options, additions.estimates) }
    json.endArray()
    json.beginArray("hosts")
    for row in hostRows(result, options) { json.host(row, options) }
    json.endArray()
    json.beginArray("apps")
    for row in appRows(result, options) { json.app(row, options) }
    json.endArray()
    json.beginArray("content_types")
    for row in contentTypeRows(result, options) { json.contentType(row) }
    json.endArray()
    json.beginArray("counted_at")
    for point in result.countedPoints { json.countedPoint(point) }
    json.endArray()
    json.estimators(additions.estimates)
    json.opportunities(additions.opportunities, options)
    json.headerFields(additions.headerFields)
    json.beginArray("warnings")
    for warning in warnings(of: result) { json.warning(warning) }
    json.endArray()
    json.end()
    json.endLine()
    return json.finished()
}

extension JSONFields {
    /// What every report of a capture begins with. The object `capture` stays open, for what a report has to add.
    mutating func head(_ schema: StaticString, _ result: AuditResult, _ options: ReportOptions) {
        beginElement()
        constant("schema", schema)
        text("version", toolVersion)
        self.options(options) { $0.words("files", options.files) }
        merged(options.merged)
        begin("capture")
        beginArray("files")
        for file in result.files { self.file(file) }
        endArray()
        beginArray("interfaces")
        for interface in result.interfaces { self.interface(interface) }
        endArray()
        beginArray("key_logs")
        for log in result.keyLogs { keyLog(log) }
        endArray()
    }

    /// The choices that a report repeats to its reader, and those of this kind of report behind them.
    mutating func options(_ options: ReportOptions, _ others: (inout JSONFields) -> Void) {
        begin("options")
        text("layer", options.layer.rawValue)
        text("setup", options.setup.rawValue)
        text("filter", options.filter)
        text("at", options.countedInterface)
        boolean("undo_offload", options.undoesOffload)
        words("hosts", options.selection.hosts)
        words("apis", options.selection.apis)
        words("apps", options.selection.apps)
        words("templates", options.templates)
        words("rpc", options.operations.words)
        words("name_by", options.operations.named)
        others(&self)
        end()
    }

    /// How the report came about where it is of several sessions.
    private mutating func merged(_ merged: MergedSessions?) {
        guard begin("merged", isKnown: merged != nil), let merged else { return }
        integer("sessions", merged.sessions)
        integer("failed_sessions", merged.failedSessions)
        integer("files", merged.files)
        integer("damaged_files", merged.damagedFiles)
        integer("doubted_logs", merged.doubtedLogs)
        constant("quantiles", "buckets")
        integer("replicates", MergedSessions.replicates)
        integer("fewest_sessions", MergedSessions.fewestSessions)
        end()
    }

    private mutating func file(_ file: CaptureFileSummary) {
        beginElement()
        text("path", file.path)
        text("format", file.format)
        text("compression", file.compression)
        words("link_types", file.linkTypes.map(\.name))
        integer("packets", file.packets)
        integer("bytes", file.bytes)
        integer("captured_bytes", file.capturedBytes)
        seconds("first", file.first)
        seconds("last", file.last)
        integer("dropped", file.dropped)
        integer("snapped", file.snapped)
        integer("filtered", file.filtered)
        integer("damaged_at", file.damagedAt)
        text("fault", file.fault)
        end()
    }

    /// What came and was lost on one interface of a live capture.
    private mutating func interface(_ interface: CaptureInterfaceSummary) {
        beginElement()
        text("name", interface.name)
        text("description", interface.description)
        text("link_type", interface.linkType.name)
        integer("snapshot_length", interface.snapshotLength)
        integer("packets", interface.packets)
        integer("bytes", interface.bytes)
        integer("received", interface.received)
        integer("dropped_by_kernel", interface.droppedByKernel)
        integer("dropped_by_interface", interface.droppedByInterface)
        text("fault", interface.fault)
        end()
    }

    /// Of secrets only the number leaves the program.
    private mutating func keyLog(_ log: KeyLogSummary) {
        beginElement()
        text("path", log.path)
        integer("secrets", log.secrets)
        integer("malformed", log.malformed)
        text("fault", log.fault)
        end()
    }

    fileprivate mutating func ledger(_ ledger: LedgerSummary, _ options: ReportOptions) {
        begin("ledger")
        boolean("balanced", ledger.balanced)
        integer("bytes", ledger.bytes)
        integer("unread_frames", ledger.unreadFrames)
        begin("layers")
        integer("pseudo", ledger.layers.pseudo)
        integer("link", ledger.layers.link)
        integer("tunnel", ledger.layers.tunnel)
        integer("network", ledger.layers.network)
        integer("transport", ledger.layers.transport)
        integer("payload", ledger.layers.payload)
        integer("non_ip", ledger.layers.nonIP)
        integer("duplicate", ledger.layers.duplicate)
        end()
        begin("causes")
        directions(ledger.causes, options)
        end()
        begin("other")
        integer("dns", ledger.other.dns)
        integer("quic", ledger.other.quic)
        integer("wireguard", ledger.other.wireGuard)
        integer("udp", ledger.other.udp)
        integer("icmp", ledger.other.icmp)
        integer("other_ip", ledger.other.otherIP)
        end()
        end()
    }

    fileprivate mutating func api(_ row: APISummary, _ options: ReportOptions, _ estimates: AuditEstimates?) {
        beginElement()
        api(row, options)
        self.estimates(estimates, api: row.api)
        end()
    }

    fileprivate mutating func countedPoint(_ point: CountedPoint) {
        beginElement()
        text("file", point.file)
        integer("interface", point.interface)
        text("name", point.name)
        integer("connections", point.connections)
        end()
    }

    fileprivate mutating func host(_ row: HostSummary, _ options: ReportOptions) {
        beginElement()
        text("host", row.host)
        text("host_unicode", unicodeHost(Array(row.host.utf8)))
        words("protocols", row.protocolNames)
        datagrams(row.datagrams)
        integer("connections", row.connections)
        integer("exchanges", row.exchanges)
        integer("connections_without_exchange", row.connectionsWithoutExchange)
        directions(row.costs, options)
        integer("wire", options.wire(row.costs))
        begin("unassigned")
        directions(row.unassigned, options)
        end()
        setup(row)
        end()
    }

    fileprivate mutating func app(_ row: AppRow, _ options: ReportOptions) {
        beginElement()
        text("app", row.app)
        integer("connections", row.connections)
        integer("exchanges", row.exchanges)
        directions(row.costs, options)
        integer("wire", row.wire)
        end()
    }

    fileprivate mutating func contentType(_ row: ContentTypeSummary) {
        beginElement()
        text("type", row.type)
        integer("requests", row.bodies.up)
        integer("responses", row.bodies.down)
        integer("up", row.bytes.up)
        integer("down", row.bytes.down)
        integer("bytes", row.sum)
        end()
    }

    /// Packets of UDP; null where the row is of connections.
    private mutating func datagrams(_ row: DatagramSummary?) {
        guard begin("datagrams", isKnown: row != nil), let row else { return }
        integer("up", row.counts.up.packets)
        integer("down", row.counts.down.packets)
        end()
    }

    /// Bytes of the IP layer. `reuse_saving` says itself that it supposes something.
    private mutating func setup(_ row: HostSummary) {
        let setup = row.setup
        begin("setup")
        integer("tls_connections", setup.tlsConnections)
        integer("unread_connections", setup.unreadConnections)
        integer("cut_connections", setup.cutConnections)
        integer("unnamed_calls", setup.unnamedCalls)
        integer("partly_read_connections", setup.partlyReadConnections)
        integer("silent_connections", setup.silentConnections)
        integer("failed_handshakes", setup.failedHandshakes)
        integer("full_handshakes", setup.fullHandshakes)
        integer("resumed_handshakes", setup.resumedHandshakes)
        integer("certificate_bytes", setup.certificateBytes)
        integer("bytes", setup.setupBytes)
        integer("exchanges", setup.exchanges)
        let mean = setup.exchanges > 0 ? Double(setup.setupBytes) / Double(setup.exchanges) : nil
        decimal("bytes_per_exchange", mean, places: 3)
        integer("teardown", setup.teardownBytes)
        begin("reuse_saving")
        integer("bytes", setup.reuseSaving)
        text("computed_from", "ledger")
        text("supposing", SetupSummary.supposition)
        end()
        end()
    }

    mutating func warning(_ warning: AuditWarning) {
        beginElement()
        text("code", warning.code)
        text("severity", warning.severity.rawValue)
        integer("count", warning.count)
        text("file", warning.file)
        integer("packet", warning.packet)
        text("message", warning.message)
        end()
    }
}

extension FieldVisitor where Self: ~Copyable {
    /// Both directions with every cause, and beside them what offload hid.
    fileprivate mutating func directions(_ costs: Directions<CostVector>, _ options: ReportOptions) {
        begin("up")
        self.costs(costs.up, options)
        integer("offload_hidden", costs.up.offloadHidden)
        end()
        begin("down")
        self.costs(costs.down, options)
        integer("offload_hidden", costs.down.offloadHidden)
        end()
    }

    fileprivate mutating func api(_ row: APISummary, _ options: ReportOptions) {
        text("api", row.api)
        boolean("encrypted", row.isEncrypted)
        integer("exchanges", row.exchanges)
        directions(row.costs, options)
        integer("wire", options.wire(row.costs))
        integer("message", row.costs.up.message + row.costs.down.message)
    }
}

/// The APIs of an audit, a line for each, with the fields that `apis` of the JSON has (RFC 4180, with a header line).
public func auditCSV(_ result: AuditResult, options: ReportOptions) -> OutputBuffer {
    var csv = CSVFields(isRaw: options.isRawCSV)
    csv.buffer.string(FieldNames.columns { $0.api(APISummary(api: ""), options) }.joined(separator: ","))
    csv.endLine()
    for row in apiRows(result, options) {
        csv.api(row, options)
        csv.endLine()
    }
    return csv.finished()
}
