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

/// Largest number first, then by the bytes of the name, whatever the order was before.
func sorted<Row>(_ rows: [Row], by key: (Row) -> (Int, String)) -> [Row] {
    rows.map { (row: $0, key: key($0)) }.sorted { left, right in
        left.key.0 != right.key.0
            ? left.key.0 > right.key.0
            : left.key.1.utf8.lexicographicallyPrecedes(right.key.1.utf8)
    }.map(\.row)
}
