import WireCore
import WireRecords

extension AuditSnapshot {
    /// The ledger in few lines that add up to the bytes of all frames; those that are zero are left out. No label is
    /// longer than the last, so that numbers stay where they are when a line comes to them.
    func shortLines() -> [LedgerLine] {
        let other = ledger.layers.total - ledger.layers.internet
        let lines =
            ledger.causes.shortLines()
            + [
                LedgerLine(label: "not booked yet", bytes: max(undecided, 0), role: .outside),
                LedgerLine(label: "other IP traffic", bytes: ledger.other.total, role: .outside),
                LedgerLine(label: "outside of IP", bytes: other, role: .outside),
            ].filter { $0.bytes != 0 }
        return lines + [LedgerLine(label: "= bytes of all frames", bytes: ledger.bytes, role: .total)]
    }
}

extension Directions<CostVector> {
    /// The causes in few lines that add up to the IP bytes; those that are zero are left out.
    func shortLines() -> [LedgerLine] {
        [
            line("headers", .message, [.startLine, .headers]), line("bodies", .message, [.framing, .body]),
            line("TLS records", .overhead, [.tlsRecords]), line("packet headers", .overhead, [.tcpip, .quic]),
            line("acknowledgments", .overhead, [.ack]), line("resent", .loss, [.retransmission]),
            line("opening connections", .opening, [.setupDNS, .setupTCP, .setupTLS, .setupQUIC, .setupHTTP]),
            line("closing, keep-alive", .opening, [.teardown, .keepalive]),
            line("undecoded payload", .outside, [.opaque]),
        ].filter { $0.bytes != 0 }
    }

    private func line(_ label: String, _ role: LedgerLine.Role, _ causes: [Cause]) -> LedgerLine {
        let up = causes.reduce(0) { $0 + self.up[$1] }
        let down = causes.reduce(0) { $0 + self.down[$1] }
        return LedgerLine(label: label, bytes: up + down, directions: (up, down), role: role)
    }
}

/// Where the bytes went, as large as there is room for.
struct LiveLedger {
    private let ledger: LedgerSummary
    private let lines: [LedgerLine]
    private let groups: CostGroups
    private let style: TerminalStyle

    /// All bytes.
    init(snapshot: AuditSnapshot, style: TerminalStyle) {
        self.style = style
        ledger = snapshot.ledger
        lines = snapshot.shortLines()
        groups = CostGroups(ledger)
    }

    /// The wire bytes of an API, a host or a connection.
    init(_ costs: Directions<CostVector>, _ options: ReportOptions, style: TerminalStyle) {
        self.style = style
        var ledger = LedgerSummary()
        ledger.bytes = options.wire(costs)
        let link = ledger.bytes - costs.up.internet - costs.down.internet
        let others = [LedgerLine(label: "link, tunnel, offload", bytes: link, role: .outside)].filter { $0.bytes != 0 }
        // As long as the longest label of the other ledger.
        let total = LedgerLine(label: "= wire bytes         ", bytes: ledger.bytes, role: .total)
        lines = costs.shortLines() + others + [total]
        groups = CostGroups(costs, options)
        self.ledger = ledger
    }

    /// The waterfall: a heading and at most thirteen lines.
    func waterfall() -> [String] {
        Waterfall(
            ledger: ledger, lines: lines, style: style,
            leastWidth: style.width < 100 ? 11 : 14,
            showsDirections: style.width >= 90
        ).rows()
    }

    /// One bar of all bytes, and what its parts are, in cells of equal width.
    func bar(cellWidth: Int, cellsInLine: Int) -> [String] {
        let whole = ledger.bytes
        let cells = CostGroup.allCases.map { group in
            let share = style.plain(percent(groups[group], of: whole) ?? style.dash)
            let name = style.paint(String(group.mark(style)), group.paint) + " " + group.name
            return paddedPainted(name, cellWidth - displayWidth(share)) + share
        }
        let width = min(cellsInLine, cells.count) * (cellWidth + LiveGrid.gap.utf8.count) - LiveGrid.gap.utf8.count
        return [groups.bar(of: whole, cells: width, style: style)] + inLines(cells, cellsInLine)
    }
}

/// Cells side by side, so many in a line.
func inLines(_ cells: [String], _ count: Int) -> [String] {
    stride(from: 0, to: cells.count, by: max(count, 1)).map { start in
        cells[start..<min(start + max(count, 1), cells.count)].joined(separator: LiveGrid.gap)
    }
}
