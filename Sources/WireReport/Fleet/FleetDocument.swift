import WireComparison
import WireRecords
import WireStatistics

extension ReportDocument {
    /// A fleet: the verdict, cost, what changed, outliers, failures, groups and APIs.
    public init(_ report: FleetReport) {
        let tables = FleetTables(report: report)
        let notes =
            report.losses.map { ReportBlock.sentence(ReportText($0)) }
            + ((report.options.merged.map(mergedInWords) ?? []) + [report.hiddenSources].compactMap(\.self))
            .map { .sentence(ReportText($0), .faint) }
        self.init(
            kind: "fleet", title: "Traffic of a fleet", heading: counted(report.fleet.rows.count, "capture session"),
            sections: [
                ReportSection("answer", blocks: [.sentence(ReportText(report.verdict), .verdict)] + notes),
                ReportSection("costs", "Cost", blocks: [.table(tables.costs)]),
                ReportSection("apps", "Apps", blocks: [.table(tables.apps)]),
                ReportSection("changes", "Beyond chance", blocks: [.table(tables.changes)]),
                ReportSection(
                    "outliers", "Sessions far from their like", link: "Outliers", blocks: [.table(tables.outliers)]),
                ReportSection("failures", "Not audited", blocks: [.table(tables.failures)]),
                ReportSection("groups", "Errors by group", blocks: tables.groups.map { .table($0) }),
                ReportSection("apis", "APIs", .pageOnly, blocks: [.table(tables.apis)]),
                ReportSection("method", "Method", .pageOnly, blocks: [.sentence(ReportText(FleetReport.method))]),
            ],
            limits: RowLimits(terminal: 20, page: 500, rest: "fleet.json has all"))
    }
}

extension FleetReport {
    fileprivate static let method = """
        Each group is compared with the first of its label. Chance is measured by sessions, since the calls of one session are \
        not independent: a difference is listed only where it would occur in one fleet of a thousand without any change, all \
        comparisons taken together. Days are not compared, only shown. Nine sessions in ten have an error of at most the value \
        under p90 session.
        """
}

private struct FleetTables {
    let report: FleetReport

    var costs: ReportTable {
        let costs = report.costs
        let most = costs.compactMap(\.cost.wirePerExchange).max() ?? 0
        return ReportTable(
            columns: [
                .text("group"), .picture(""), .number("wire B/call"), .number("calls read"),
                .number("sessions"), .number("B/session"), .number("encrypted"), .number("hosts not read"),
            ],
            rows: costs.map { group, cost in
                [
                    name(group.label, group.value),
                    ReportCell(share: most > 0 ? (cost.wirePerExchange ?? 0) / most : 0),
                    decimal(cost.wirePerExchange), ReportCell(count: cost.exchanges), ReportCell(count: cost.sessions),
                    decimal(cost.bytesPerSession, places: 0), ReportCell(shareText(cost.encrypted, of: cost.bytes)),
                    ReportCell(count: cost.unreadHosts),
                ]
            }, noun: "group")
    }

    var apps: ReportTable {
        let rows = report.apps
        let whole = rows.reduce(0) { $0 + $1.wire }
        return ReportTable(
            columns: [.text("app"), .number("connections"), .number("calls"), .number("wire B"), .number("share")],
            rows: rows.count < 2
                ? []
                : rows.map { row in
                    [
                        row.app.map { ReportCell(name: $0) } ?? ReportCell("(not named)", .faint),
                        ReportCell(count: row.connections), ReportCell(count: row.exchanges),
                        ReportCell(count: row.wire),
                        ReportCell(shareText(row.wire, of: whole)),
                    ]
                }, bytes: rows.map(\.wire), noun: "app")
    }

    var changes: ReportTable {
        let rows = report.significant
        let most = rows.map { max(abs($0.interval?.low ?? 0), abs($0.interval?.high ?? 0)) }.max() ?? 0
        return ReportTable(
            unit: "B/call",
            columns: [
                .text("figure"), .text("group"), .picture("less · more"),
                .number("difference (95 %)"), .number("before"), .number("now"), .text("compared with"),
            ],
            rows: rows.map { change in
                let interval = change.interval.flatMap { most > 0 ? $0.low / most...max($0.low, $0.high) / most : nil }
                return [
                    ReportCell("\(name: report.subject(change))"), name(change.label, change.value),
                    ReportCell(range: interval), ReportCell(report.difference(change)),
                    decimal(change.before), decimal(change.after), ReportCell(name: change.reference),
                ]
            }, noun: "figure")
    }

    var outliers: ReportTable {
        ReportTable(
            columns: [
                .text("session"), .text("source"), .text("direction"), .text("compared with"), .number("error"),
                .number("their median"),
            ],
            rows: report.outliers.map { outlier in
                [
                    ReportCell(name: outlier.session), ReportCell(name: outlier.source),
                    ReportCell(outlier.direction.rawValue),
                    ReportCell(name: outlier.group.isEmpty ? "all sessions" : outlier.group.joined(separator: ", ")),
                    ReportCell(report.share(outlier.error)), ReportCell(report.share(outlier.median)),
                ]
            }, noun: "session")
    }

    var failures: ReportTable {
        ReportTable(
            columns: [.text("session"), .remark("reason")],
            rows: report.failed.map { [ReportCell(name: $0.session.name), ReportCell(name: $0.failure ?? "")] },
            noun: "session")
    }

    /// A table for each label with more than one group.
    var groups: [ReportTable] {
        report.fleet.labels.compactMap { label -> ReportTable? in
            let groups = report.groups(label)
            guard groups.count > 1 else { return nil }
            return ReportTable(
                title: label == FleetResult.day ? "Trend by day" : "By \(name: label)",
                columns: [.text("group")] + FleetTables.columns,
                rows: groups.flatMap { group, totals in
                    totals.map { [ReportCell(name: group.value)] + cells($0) }
                }, isFolded: true)
        }
    }

    /// Errors of single APIs, in each group of each label but the day.
    var apis: ReportTable {
        let groups = report.fleet.groups.filter { $0.label != FleetResult.day }
            .map { (name: name($0.label, $0.value), totals: $0.part.totalsByAPI()) }
        let rows = report.accuracy.apis.flatMap { api in
            groups.flatMap { group in
                report.shown(group.totals[Array(api.utf8)] ?? []).map { total in
                    [ReportCell(name: api), group.name] + cells(total)
                }
            }
        }
        return ReportTable(
            columns: [.api("API"), .text("group")] + FleetTables.columns, rows: rows)
    }

    // MARK: Cells

    private static let columns: [ReportTable.Column] = [
        .text("source"), .text("direction"), .number("sessions"), .number("calls"), .number("error"),
        .number("95 % interval"), .number("p90 session"), .number("message B/call"), .number("wire B/call"),
    ]

    private func cells(_ total: FleetTotal) -> [ReportCell] {
        let p90 = total.quantiles.flatMap { decimalText($0.p90.value * 100, places: 2) }.map { $0 + " %" }
        return [
            ReportCell(name: total.source), ReportCell(total.direction.rawValue), ReportCell(count: total.sessions),
            ReportCell(count: total.calls), ReportCell(total.error.map(report.share)),
            ReportCell(total.interval.map { "\(report.share($0.low)) to \(report.share($0.high))" }), ReportCell(p90),
            decimal(total.message), decimal(total.wire),
        ]
    }

    private func name(_ label: String, _ value: String) -> ReportCell { ReportCell("\(name: "\(label) \(value)")") }

    private func decimal(_ value: Double?, places: Int = 1) -> ReportCell {
        ReportCell(value.flatMap { decimalText($0, places: places) })
    }
}
