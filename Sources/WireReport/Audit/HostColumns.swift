import WireCore
import WireRecords

/// The columns of a table of hosts, behind the name.
struct HostColumns {
    typealias Column = (column: ReportTable.Column, cell: (HostSummary) -> ReportCell)

    let options: ReportOptions

    var all: [Column] {
        [
            (.number("protocol", rank: 3), { ReportCell($0.protocolText) }),
            (.number("conn", rank: 1), { ofConnections($0, $0.connections) }),
            (.number("calls", rank: 2), { ReportCell($0.callText) }),
            (.number("up", rank: 3), { ReportCell(count: options.wire($0.costs.up)) }),
            (.number("down", rank: 3), { ReportCell(count: options.wire($0.costs.down)) }),
            (.number("wire"), { ReportCell(count: options.wire($0.costs)) }),
            (.number("set-up", rank: 4), { ofConnections($0, $0.costs.up.setup + $0.costs.down.setup) }),
            (
                .number("resent", rank: 5),
                { $0.retransmissionsAreUnknown ? .unknown : ofConnections($0, of: .retransmission) }
            ),
            (.number("unread", rank: 2), { ofConnections($0, of: .opaque) }),
            (.number("no API", rank: 4), { ReportCell(count: options.wire($0.unassigned)) }),
        ]
    }

    /// Without those that no row has anything for.
    func needed(_ rows: [HostSummary]) -> [Column] {
        let hasUnread = rows.contains { $0.datagrams == nil && $0.costs.up[.opaque] + $0.costs.down[.opaque] != 0 }
        let hasUnassigned = rows.contains { options.wire($0.unassigned) > 0 }
        return all.filter {
            ($0.column.title != "unread" || hasUnread) && ($0.column.title != "no API" || hasUnassigned)
        }
    }

    /// UDP has no such figure.
    private func ofConnections(_ row: HostSummary, _ figure: Int) -> ReportCell {
        ReportCell(count: row.datagrams == nil ? figure : nil)
    }

    private func ofConnections(_ row: HostSummary, of cause: Cause) -> ReportCell {
        ofConnections(row, row.costs.up[cause] + row.costs.down[cause])
    }
}

extension HostSummary {
    /// Nil where no protocol is known.
    var protocolText: String? { shownProtocols.isEmpty ? nil : shownProtocols.joined(separator: ", ") }

    /// Calls that were read, and about how many were not; nil where nobody knows.
    var callText: String? {
        guard let unnamed = unnamedCalls else { return callsAreUnknown ? nil : grouped(exchanges) }
        return exchanges > 0 ? grouped(exchanges) + " " + unnamed : unnamed
    }
}
