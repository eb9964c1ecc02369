import WireCore
import WireRecords

/// The connections that are known: those in memory that cost most, and the last that left it.
struct ConnectionRows {
    struct Entry {
        var number: Int
        /// Place in `records`.
        var index: Int
        var wire: Int
        /// Time of its last packet.
        var latest: Int64
        var calls: Int
    }

    private(set) var records: [ConnectionRecord] = []
    private(set) var ranking: Ranking<Entry>
    /// Some may be left out.
    let isSelected: Bool
    /// Packets of some name an app.
    let nameApps: Bool

    init(state: LiveState, options: ReportOptions) {
        let selections = [options.selection, RankedAPIs.filter(state)].filter { !$0.isEmpty }
        isSelected = !selections.isEmpty
        // One may have ended since the snapshot was taken.
        let ended = Set(state.ended.map(\.connection))
        let known = state.ended + state.snapshot.connectionRecords.filter { !ended.contains($0.connection) }
        records = known
        nameApps = known.contains { $0.process != nil }
        ranking = Ranking(by: ConnectionRows.order(state.place.order, known))
        for (index, record) in known.enumerated() {
            let text = ConnectionRows.text(of: record)
            guard selections.allSatisfy({ $0.includes(host: record.serverName ?? text, api: text) }) else { continue }
            let latest = record.time.addingReportingOverflow(record.duration).partialValue
            ranking.add(
                Entry(
                    number: record.connection, index: index, wire: options.wire(record.costs), latest: latest,
                    calls: record.exchanges))
        }
    }

    private static func order(_ order: LiveOrder, _ records: [ConnectionRecord]) -> (Entry, Entry) -> Bool {
        let precedes = { (left: Entry, right: Entry) -> Bool in
            switch order.sort {
            case .latest where left.latest != right.latest: return left.latest > right.latest
            case .calls where left.calls != right.calls: return left.calls > right.calls
            case .name:
                let names = (text(of: records[left.index]), text(of: records[right.index]))
                if names.0 != names.1 { return names.0.lexicographicallyPrecedes(names.1) }
            case .latest, .calls, .wire, .rate, .connections:
                if left.wire != right.wire { return left.wire > right.wire }
            }
            return left.number < right.number
        }
        return order.isReversed ? { precedes($1, $0) } : precedes
    }

    /// Server, then client, then app.
    private static func text(of record: ConnectionRecord) -> [UInt8] {
        let app = record.process.map { " \($0.app)" } ?? ""
        return (record.serverName ?? []) + Array(" \(record.server) \(record.client)\(app)".utf8)
    }
}

/// The hosts that fit, by their places in the snapshot.
struct HostEntry {
    var index: Int
    var wire: Int
    var calls: Int
    var connections: Int
}

func hostRanking(_ state: LiveState, _ options: ReportOptions) -> Ranking<HostEntry> {
    let rows = state.snapshot.hosts
    let order = state.place.order
    let precedes = { (left: HostEntry, right: HostEntry) -> Bool in
        switch order.sort {
        case .calls where left.calls != right.calls: return left.calls > right.calls
        case .connections where left.connections != right.connections: return left.connections > right.connections
        case .name: break
        default: if left.wire != right.wire { return left.wire > right.wire }
        }
        return rows[left.index].host.utf8.lexicographicallyPrecedes(rows[right.index].host.utf8)
    }
    var ranking = Ranking<HostEntry>(by: order.isReversed ? { precedes($1, $0) } : precedes)
    let filter = Selection(hosts: state.filterText.isEmpty ? [] : [state.filterText])
    for (index, row) in rows.enumerated()
    where options.selection.includes(hostRow: row.host) && filter.includes(hostRow: row.host) {
        ranking.add(
            HostEntry(
                index: index, wire: options.wire(row.costs), calls: row.exchanges, connections: row.connections))
    }
    return ranking
}
