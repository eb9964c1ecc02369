import WireCore
import WireRecords

/// The columns of a table of hosts.
struct HostColumns {
    static let unread = "unread"
    static let unassigned = "no API"

    let options: ReportOptions
    let style: TerminalStyle

    var all: [AdaptiveTable<HostSummary>.Column] {
        [
            .init("protocol", rank: 3) { protocols($0) },
            .init("conn", rank: 1) { ofConnections($0, $0.connections) },
            .init("calls", rank: 2) { callCount($0) },
            .init("up", rank: 3) { grouped(options.wire($0.costs.up)) },
            .init("down", rank: 3) { grouped(options.wire($0.costs.down)) },
            .init("wire", rank: 0) { grouped(options.wire($0.costs)) },
            .init("set-up", rank: 4) { ofConnections($0, $0.costs.up.setup + $0.costs.down.setup) },
            .init("resent", rank: 5) { row in
                row.retransmissionsAreUnknown
                    ? style.dash : ofConnections(row, row.costs.up[.retransmission] + row.costs.down[.retransmission])
            },
            .init(HostColumns.unread, rank: 2) { ofConnections($0, $0.costs.up[.opaque] + $0.costs.down[.opaque]) },
            .init(HostColumns.unassigned, rank: 4) { grouped(options.wire($0.unassigned)) },
        ]
    }

    func protocols(_ row: HostSummary) -> String {
        let names = row.shownProtocols
        return names.isEmpty ? style.dash : names.joined(separator: ", ")
    }

    /// UDP has no such figure.
    private func ofConnections(_ row: HostSummary, _ figure: Int) -> String {
        row.datagrams == nil ? grouped(figure) : style.dash
    }

    /// Those that were read, and about those that were not.
    func callCount(_ row: HostSummary) -> String {
        guard let unnamed = row.unnamedCalls else { return row.callsAreUnknown ? style.dash : grouped(row.exchanges) }
        return row.exchanges > 0 ? grouped(row.exchanges) + " " + unnamed : unnamed
    }
}
