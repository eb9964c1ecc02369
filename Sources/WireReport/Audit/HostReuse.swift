import WireCore
import WireRecords

/// How the connections to one host, or to several, were used, of all clients and addresses.
struct HostReuse: Equatable {
    /// Connections that carried calls, or content that could not be read.
    var connections = 0
    var calls = 0
    /// Connections whose calls could not be read.
    var unread = 0
    /// Connections that no idle one could have stood in for.
    var needed = 0
    /// Bytes of setting up and closing the others.
    var saving = 0

    init() {}

    init(_ setup: SetupSummary) {
        (connections, calls, unread) = (setup.usedConnections, setup.exchanges, setup.unreadConnections)
        (needed, saving) = (setup.neededConnections, setup.reuseSaving)
    }

    static func += (left: inout HostReuse, right: HostReuse) {
        left.connections += right.connections
        left.calls += right.calls
        left.unread += right.unread
        left.needed += right.needed
        left.saving += right.saving
    }

    /// All were used once, and not all had to be opened.
    private var isWithoutReuse: Bool { calls > 0 && calls <= connections && unread == 0 }

    /// What it came to, in words without bytes.
    fileprivate var summary: String {
        let connections = counted(connections, "connection")
        if calls == 0 { return "\(connections) whose calls were not read" }
        return "\(connections) for \(counted(calls, "call"))\(unread > 0 ? " and what was not read" : "")"
    }

    fileprivate var shortVerdict: String {
        if needed == connections {
            if connections == 1 { return calls > 1 ? "reused" : calls == 1 ? "used once" : "no other was opened" }
            return "every connection was needed"
        }
        return isWithoutReuse ? "no reuse" : "\(grouped(needed)) would have been enough"
    }
}

/// Whether connections were used again: one sentence under the table of set-up, of the selected hosts. It has the same
/// figures as the table's column.
func reuseInWords(_ result: AuditResult, _ options: ReportOptions) -> ReportText {
    let hosts = hostRows(result, options).filter { $0.setup.usedConnections > 0 }
    let isOneEach = hosts.count > 1 && hosts.allSatisfy { $0.setup.usedConnections == 1 }
    var sum = HostReuse()
    for host in hosts { sum += HostReuse(host.setup) }
    guard sum.connections > 0 else { return "" }
    var text: ReportText = "reuse: \(sum.summary)"
    let worst = sorted(hosts) { ($0.setup.reuseSaving, $0.host) }[0]
    if hosts.count == 1 || sum.saving == 0 {
        let place: ReportText = hosts.count == 1 ? " at \(name: worst.host)\(others(worst))" : ""
        text = "\(text)\(place): \(isOneEach ? "one to each host" : sum.shortVerdict)"
    } else {
        let most = HostReuse(worst.setup)
        text = """
            \(text); \(grouped(sum.needed)) would have been enough; most at \(name: worst.host)\(others(worst)): \(most.summary), \
            \(most.shortVerdict)
            """
    }
    return sum.saving > 0 ? "\(text); saving \(counted(sum.saving, "byte"))" : text
}

/// Said behind a host where its connections carried calls to others, too: connections that several names share, or a proxy.
private func others(_ host: HostSummary) -> String {
    host.setup.exchanges > host.exchanges ? " and other hosts" : ""
}
