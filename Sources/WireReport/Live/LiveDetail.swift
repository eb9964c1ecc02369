import WireCore
import WireRecords

/// What was opened: its name, its figures, where its bytes went, and its calls or APIs.
struct LiveDetail {
    private typealias Fact = LiveGrid.Fact

    let item: LiveItem
    let state: LiveState
    let options: ReportOptions
    let style: TerminalStyle
    let rows: Int

    private struct Content {
        var title: String
        var facts: [Fact] = []
        var costs = Directions<CostVector>()
    }

    /// At most `height` lines, and how many of them the list at the end has.
    func lines(height: Int) -> (lines: [String], listed: Int) {
        guard let content else { return (gone(height), 0) }
        var lines = [style.paint(shortened(content.title, to: style.width, ellipsis: style.ellipsis), .heading)]
        lines += LiveGrid.lines(content.facts, height: height >= 16 ? 4 : height >= 9 ? 2 : 1, style)
        let gap = rows >= 20 ? [""] : []
        let ledger = ledger(content.costs, height - lines.count)
        if !ledger.isEmpty { lines += gap + ledger }
        let room = height - lines.count - gap.count
        guard room > 0 else { return (Array(lines.prefix(height)), 0) }
        return (lines + gap + list(room), room)
    }

    private func list(_ height: Int) -> [String] {
        if case .host(let host) = item {
            return LiveAPIs(state: state, options: options, style: style, host: host).lines(height: height)
        }
        let calls = LiveExchanges(state: state, options: options, style: style, isMain: true)
        if calls.count > 0 { return calls.lines(height: height) }
        let words = "No answered call of it is among the last ones."
        return [style.paint(shortened(words, to: style.width, ellipsis: style.ellipsis), .faint)]
    }

    private func ledger(_ costs: Directions<CostVector>, _ room: Int) -> [String] {
        var narrowed = style
        narrowed.width = min(style.width, LiveLayout.widestLedger)
        let ledger = LiveLedger(costs, options, style: narrowed)
        if room >= 24, style.width >= 60 { return ledger.waterfall() }
        guard room >= 10, style.width >= 40 else { return [] }
        let shape = LiveGrid(state: state, style: style).shape
        return ledger.bar(cellWidth: shape.width, cellsInLine: shape.cells)
    }

    private func gone(_ height: Int) -> [String] {
        let words =
            switch item {
            case .connection(let number):
                "Connection \(number) is not among those that are known any more: it ended, or others cost more."
            default: "There is nothing of it yet."
            }
        return Array(wrapped(words, width: style.width, indent: 0).prefix(height)).map { style.paint($0, .faint) }
    }

    // MARK: What it is

    private var content: Content? {
        switch item {
        case .api(let name): state.snapshot.apis.first { $0.api == name }.map(content)
        case .host(let name): state.snapshot.hosts.first { $0.host == name }.map(content)
        case .connection(let number):
            (state.ended.first { $0.connection == number }
                ?? state.snapshot.connectionRecords.first { $0.connection == number }).map(content)
        case .call: nil
        }
    }

    private func content(_ row: APISummary) -> Content {
        let figures = APIFigures(row, options)
        let rate = state.rates.wirePerSecond(api: row.api)
        let perCall = figures.calls.map { $0 > 0 ? (figures.wire + $0 / 2) / $0 : 0 }
        return Content(
            title: style.safe(row.api),
            facts: [
                bytes("wire", figures.wire), Fact(label: "now", value: rate > 0 ? rateInWords(rate) : style.dash),
                Fact(label: "calls", value: figures.calls.map { fittingCount($0, 11) } ?? style.dash),
                Fact(label: "per call", value: perCall.map { fittingBytes($0, 13) } ?? style.dash),
                Fact(label: "message", value: figures.message.map { fittingBytes($0, 13) } ?? style.dash),
                Fact(label: "overhead", value: style.plain(figures.overhead ?? style.dash)),
                bytes("up", options.wire(row.costs.up)), bytes("down", options.wire(row.costs.down)), share(row.costs),
                bytes("link, tunnel", row.costs.up.link + row.costs.down.link),
            ] + servers, costs: row.costs)
    }

    private func content(_ row: HostSummary) -> Content {
        Content(
            title: style.safe(row.host),
            facts: [
                bytes("wire", options.wire(row.costs)),
                connections(row),
                Fact(label: "calls", value: row.callText ?? style.dash),
                Fact(label: "protocol", value: row.protocolText ?? style.dash), share(row.costs),
                bytes("no API", options.wire(row.unassigned)), bytes("up", options.wire(row.costs.up)),
                bytes("down", options.wire(row.costs.down)),
                bytes("link, tunnel", row.costs.up.link + row.costs.down.link),
            ], costs: row.costs)
    }

    private func connections(_ row: HostSummary) -> Fact {
        guard let counts = row.datagrams?.counts else {
            return Fact(label: "connections", value: fittingCount(row.connections, 9))
        }
        return Fact(label: "packets", value: fittingCount(counts.up.packets + counts.down.packets, 11))
    }

    private func content(_ record: ConnectionRecord) -> Content {
        let words = ConnectionWords(record: record, style: style)
        let counts = record.counts
        let ip = counts.up.internet + counts.down.internet
        let payload = counts.up.payload + counts.down.payload
        let flags = record.flags.names.joined(separator: ", ")
        return Content(
            title: "connection \(record.connection)  " + words.endpoints(width: .max),
            facts: [
                bytes("wire", options.wire(record.costs)),
                Fact(label: "calls", value: RecordTable.calls(record, style)),
                Fact(label: "state", value: record.close.name),
                Fact(label: "began", value: CalendarTime(nanoseconds: record.time).time),
                Fact(label: "lasted", value: durationInWords(record.duration.magnitude)),
                Fact(label: "protocol", value: style.safe(record.applicationProtocol ?? style.dash)),
                Fact(label: "TLS", value: RecordTable.tlsVersion(record, style)),
                Fact(label: "packets", value: fittingCount(counts.up.packets + counts.down.packets, 11)),
                bytes("frames", counts.up.frames + counts.down.frames), bytes("headers", ip - payload),
                bytes("payload", payload), share(record.costs),
                Fact(label: "server", value: record.server.description),
                Fact(label: "client", value: record.client.description),
            ] + process(record.process) + [
                Fact(label: "flags", value: flags.isEmpty ? style.dash : flags, paint: flags.isEmpty ? nil : .warning)
            ] + lookup(record.lookup), costs: record.costs)
    }

    /// Where the server's address comes from, where that is known.
    private func lookup(_ link: LookupLink?) -> [Fact] {
        guard let link else { return [] }
        let call = link.exchange.map { ", call \($0)" } ?? ""
        return [Fact(label: "look-up", value: "connection \(link.connection)\(call)")]
    }

    /// Who sent it, where packets name that: the app, and the process where another one sent for it.
    private func process(_ process: CaptureProcess?) -> [Fact] {
        guard let process else { return [] }
        let name = process.name.flatMap { $0 == process.app ? nil : Fact(label: "process", value: style.safe($0)) }
        let pid = process.pid.map { Fact(label: "pid", value: String($0)) }
        return [Fact(label: "app", value: style.safe(process.app))] + [name, pid].compactMap(\.self)
    }

    private func bytes(_ label: String, _ value: Int) -> Fact { Fact(label: label, value: fittingBytes(value, 15)) }

    private func share(_ costs: Directions<CostVector>) -> Fact {
        let share = percent(options.wire(costs), of: options.wireBytes(of: state.snapshot.ledger))
        return Fact(label: "share of all", value: style.plain(share ?? style.dash))
    }

    /// Where its last calls went.
    private var servers: [Fact] {
        let calls = CallRows(state: state, options: options).ranking.entries
        var servers: [String] = []
        for call in calls where servers.count < 3 {
            let server = call.record.server.description
            if !servers.contains(server) { servers.append(server) }
        }
        return servers.map { Fact(label: "server", value: $0) }
    }
}

extension ReportOptions {
    /// Of all frames, by the chosen layer.
    func wireBytes(of ledger: LedgerSummary) -> Int {
        ledger.layers.internet + (layer == .link ? ledger.layers.link + ledger.layers.tunnel : 0)
    }
}
