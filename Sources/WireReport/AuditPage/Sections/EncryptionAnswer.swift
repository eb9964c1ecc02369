import WireCore
import WireRecords

/// How much of the traffic is encrypted, and how much of that was read: a paragraph, or nothing without connections.
struct EncryptionAnswer {
    let page: AuditPage

    private var result: AuditResult { page.result }

    func render() -> Markup {
        let all = sum(\.tlsConnections)
        guard all > 0 else { return withoutTLS }
        let (unread, partly) = (sum(\.unreadConnections), sum(\.partlyReadConnections))
        let idle = sum(\.failedHandshakes) &+ sum(\.silentConnections)
        var sentences = [
            "\(grouped(all)) of \(counted(result.connections, "connection")) \(all == 1 ? "uses" : "use") TLS"
        ]
        let parts = [
            (all &- unread &- partly &- idle, "decrypted"), (partly, "decrypted in part"), (unread, "not read"),
            (idle, "without data (or the handshake failed)"),
        ]
        sentences.append(parts.filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", "))
        if result.ledger.other.quic > 0 { sentences.append("\(sizeText(result.ledger.other.quic)) are QUIC") }
        let hint: Markup = unread > 0 && result.keyLogs.isEmpty ? " Give <code>--keys FILE</code> to see the rest." : ""
        return "<p>\(sentences.joined(separator: "; ")).\(hint)</p>"
    }

    /// What was not read may be encrypted all the same.
    private var withoutTLS: Markup {
        guard result.connections > 0 else { return "" }
        let unread = page.trust.unread.bytes
        let rest: Markup =
            unread > 0 ? " What the other \(sizeText(unread)) are, which were not read, is not known." : ""
        return "<p>No connection uses TLS: whoever carries these packets can read the calls.\(rest)</p>"
    }

    private func sum(_ path: KeyPath<SetupSummary, Int>) -> Int {
        result.hosts.reduce(0) { $0 &+ $1.setup[keyPath: path] }
    }
}
