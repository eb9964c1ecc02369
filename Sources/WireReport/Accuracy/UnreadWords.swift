import WireAccuracy
import WireCore
import WireRecords

/// What the capture holds of TLS that is in no figure of calls. Every sentence is whole.
struct UnreadTLS {
    let connections: Int
    let unread: Int
    let hasKeys: Bool
    let failures: [FailedHandshakes]

    init(_ audit: AuditResult, _ result: AccuracyResult) {
        connections = audit.hosts.reduce(0) { $0 &+ $1.setup.tlsConnections }
        unread = audit.hosts.reduce(0) { $0 &+ $1.setup.unreadConnections }
        hasKeys = !audit.keyLogs.isEmpty
        failures = result.failedHandshakes
    }

    /// Nil where all TLS was read.
    var unreadSentence: String? {
        guard unread > 0 else { return nil }
        let subject = "\(grouped(unread)) of \(counted(connections, "TLS connection"))"
        let calls =
            "\(unread == 1 ? "was" : "were") not decrypted: calls on \(unread == 1 ? "it" : "them") are not counted"
        return "\(subject) \(calls)\(hasKeys ? "." : "; decrypt TLS with --keys FILE.")"
    }

    /// The hosts whose handshakes failed, in a sentence; nil where none did.
    var failureSentence: ReportText? {
        guard !failures.isEmpty else { return nil }
        let all = failures.reduce(0) { clampedSum($0, $1.connections) }
        let alerts = failures.reduce(0) { clampedSum($0, $1.alerts) }
        let hosts = failures.map { host -> ReportText in
            failures.count == 1 ? "\(name: host.host)" : "\(name: host.host) (\(grouped(host.connections)))"
        }
        let wire = failures.reduce(0) { clampedSum($0, $1.wire) }
        var kinds: [String] = []
        if alerts > 0 { kinds.append(alerts == all ? "by an alert" : "\(grouped(alerts)) by an alert") }
        let closed = clampedDifference(all, alerts)
        if closed > 0 {
            kinds.append((alerts == 0 ? "" : "\(grouped(closed)) ") + "closed before any application data")
        }
        return """
            \(counted(all, "TLS handshake")) with \(listed(hosts, most: 5)) failed (\(kinds.joined(separator: ", "))): \
            \(counted(wire, "byte")) on the wire, no call.
            """
    }
}
