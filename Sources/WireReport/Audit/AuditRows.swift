import WireCore
import WireRecords

/// The selected APIs by wire bytes, largest first, ties by name.
func apiRows(_ result: AuditResult, _ options: ReportOptions) -> [APISummary] {
    sorted(result.apis.filter { options.selection.includes($0) }) {
        (options.wire($0.costs), $0.api)
    }
}

/// The selected hosts by wire bytes, with those of UDP, largest first, ties by name. A choice of APIs alone leaves all
/// hosts in.
func hostRows(_ result: AuditResult, _ options: ReportOptions) -> [HostSummary] {
    sorted(result.hostRows.filter { options.selection.includes(host: Array($0.host.utf8)) }) {
        (options.wire($0.costs), $0.host)
    }
}

/// What an app cost, or all that is of none.
struct AppRow {
    /// As `--app` takes it; nil of the rest of the capture.
    var app: String?
    var connections: Int
    var exchanges: Int
    var costs: Directions<CostVector>
    var wire: Int
}

/// The selected apps by wire bytes, largest first, ties by name. Without a choice of apps the rest of the capture stands
/// behind them: what no packet names an app of, and what is of no connection and no UDP. All together are the whole then.
func appRows(_ result: AuditResult, _ options: ReportOptions) -> [AppRow] {
    let named = result.apps.filter { $0.app != nil }
    guard !named.isEmpty else { return [] }
    var rest = AppSummary(app: nil)
    if let unnamed = result.apps.first(where: { $0.app == nil }) { rest = unnamed }
    let rows = sorted(named) { (options.wire($0.costs), $0.app ?? "") }.map { row in
        AppRow(
            app: row.app, connections: row.connections, exchanges: row.exchanges, costs: row.costs,
            wire: options.wire(row.costs))
    }
    guard options.selection.apps.isEmpty else { return rows.filter { options.selection.includes(app: $0.app) } }
    let wire = rows.reduce(options.whole(result.ledger)) { $0 - $1.wire }
    let isNothing = wire == 0 && rest.connections == 0
    return isNothing
        ? rows
        : rows + [
            AppRow(
                app: nil, connections: rest.connections, exchanges: rest.exchanges, costs: rest.costs, wire: wire)
        ]
}

/// The bodies by media type, largest first, those without type behind all others of their size. They are of the whole capture: a
/// choice of hosts or APIs leaves all out.
func contentTypeRows(_ result: AuditResult, _ options: ReportOptions) -> [ContentTypeSummary] {
    guard options.selection.hosts.isEmpty, options.selection.apis.isEmpty else { return [] }
    return sorted(result.contentTypes) { ($0.sum, $0.type ?? "~") }
}

/// Largest number first, then by the bytes of the name, whatever the order was before.
func sorted<Row>(_ rows: [Row], by key: (Row) -> (Int, String)) -> [Row] {
    rows.map { (row: $0, key: key($0)) }.sorted { left, right in
        left.key.0 != right.key.0
            ? left.key.0 > right.key.0
            : left.key.1.utf8.lexicographicallyPrecedes(right.key.1.utf8)
    }.map(\.row)
}
