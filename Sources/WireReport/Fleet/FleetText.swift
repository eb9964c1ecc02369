import WireComparison
import WireRecords

/// A fleet for a person at a terminal: the verdict, what changed, groups, outliers, failures.
public func fleetText(_ report: FleetReport, style: TerminalStyle) -> OutputBuffer {
    let text = FleetText(report: report, style: style)
    return textBuffer([text.head, text.costs, text.changes] + text.groups + [text.outliers, text.failures], style)
}

private struct FleetText {
    let report: FleetReport
    let style: TerminalStyle

    /// Rows of each table.
    private static let most = 20

    var head: [String] {
        var lines = wrapped(report.verdict, width: style.width, indent: 0).map { style.paint($0, .heading) }
        for sentence in report.losses + (report.options.merged.map(mergedInWords) ?? []) {
            lines += wrapped(style.plain(sentence), width: style.width, indent: 2)
        }
        if let hidden = report.hiddenSources { lines += wrapped(style.plain(hidden), width: style.width, indent: 2) }
        return lines
    }

    var changes: [String] {
        let rows = report.significant
        guard !rows.isEmpty else { return [] }
        var table = TextTable(text: "BEYOND CHANCE (B/CALL)", numbers: ["group", "first", "now", "difference (95 %)"])
        for row in rows.prefix(FleetText.most) {
            table.add([
                style.safe(report.subject(row)), style.safe("\(row.label) \(row.value)"),
                decimalText(row.before, places: 1) ?? "?", decimalText(row.after, places: 1) ?? "?",
                style.plain(report.difference(row)),
            ])
        }
        return table.lines(style) + more(rows.count)
    }

    var costs: [String] {
        let costs = report.costs
        guard !costs.isEmpty else { return [] }
        var table = TextTable(
            text: "COST", numbers: ["sessions", "B/session", "calls", "wire B/call", "encrypted", "hosts not read"])
        for (group, cost) in costs {
            table.add([
                style.safe("\(group.label) \(group.value)"), grouped(cost.sessions),
                cost.bytesPerSession.flatMap { decimalText($0, places: 0) } ?? style.dash, grouped(cost.exchanges),
                cost.wirePerExchange.flatMap { decimalText($0, places: 1) } ?? style.dash,
                shareText(cost.encrypted, of: cost.bytes).map(style.plain) ?? style.dash, grouped(cost.unreadHosts),
            ])
        }
        return table.lines(style)
    }

    var groups: [[String]] {
        report.fleet.labels.map { label in
            let groups = report.groups(label)
            guard groups.count > 1 else { return [] }
            var table = TextTable(
                text: style.safe(label.uppercased()),
                numbers: ["source", "", "sessions", "calls", "error", "95 %", "p90 session", "message", "wire"])
            for (group, totals) in groups {
                for total in totals { table.add(cells(group, total)) }
            }
            return table.lines(style)
        }
    }

    private func cells(_ group: FleetGroup, _ total: FleetTotal) -> [String] {
        let interval = total.interval.map { "\(report.share($0.low)) to \(report.share($0.high))" } ?? style.dash
        return [
            style.safe(group.value), style.safe(total.source), total.direction.rawValue, grouped(total.sessions),
            grouped(total.calls), style.plain(report.share(total.error)), style.plain(interval),
            style.plain(
                total.quantiles.flatMap { decimalText($0.p90.value * 100, places: 2) }.map { $0 + " %" } ?? "?"),
            total.message.flatMap { decimalText($0, places: 1) } ?? "?",
            total.wire.flatMap { decimalText($0, places: 1) } ?? "?",
        ]
    }

    var outliers: [String] {
        guard !report.outliers.isEmpty else { return [] }
        var table = TextTable(text: "SESSIONS FAR FROM THEIR LIKE", numbers: ["source", "", "error", "median", "of"])
        for outlier in report.outliers.prefix(FleetText.most) {
            table.add([
                style.safe(outlier.session), style.safe(outlier.source), outlier.direction.rawValue,
                style.plain(report.share(outlier.error)), style.plain(report.share(outlier.median)),
                style.safe(outlier.group.isEmpty ? "all" : outlier.group.joined(separator: ", ")),
            ])
        }
        return table.lines(style) + more(report.outliers.count)
    }

    var failures: [String] {
        guard !report.failed.isEmpty else { return [] }
        let count = counted(report.failed.count, "session")
        return [style.paint("! \(count) could not be audited; sessions.ndjson says why", .warning)]
    }

    private func more(_ count: Int) -> [String] {
        count > FleetText.most ? ["and \(grouped(count - FleetText.most)) more (fleet.json has all)"] : []
    }
}
