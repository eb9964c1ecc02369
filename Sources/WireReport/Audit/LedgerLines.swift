import WireCore

/// One line of the waterfall.
struct LedgerLine {
    enum Role {
        case message, overhead, opening, loss, outside, total
    }

    var label: String
    var bytes: Int
    /// Bytes by direction, where all of them have one.
    var directions: (up: Int, down: Int)?
    var role: Role
    /// Nil for what is no cause, and for sums.
    var cause: Cause?
}

extension LedgerSummary {
    /// The lines that are not zero, in the order in which they add up: messages, what carried them, other IP traffic,
    /// and what is outside of IP. A total sums all lines above it.
    func lines() -> [LedgerLine] {
        var lines = Cause.messageLines.compactMap { line($0.label, $0.cause, .message) }
        let message = (up: causes.up.message, down: causes.down.message)
        if !lines.isEmpty {
            lines.append(
                LedgerLine(label: "= messages", bytes: message.up + message.down, directions: message, role: .total))
        }
        lines += Cause.overheadLines.compactMap { line($0.label, $0.cause, $0.role) }
        let others = otherLines
        lines += others
        let outside = outsideLines
        if layers.internet > 0 {
            lines.append(
                LedgerLine(
                    label: "= IP bytes", bytes: layers.internet,
                    directions: others.isEmpty ? (causes.up.internet, causes.down.internet) : nil, role: .total))
        }
        lines += outside
        lines.append(LedgerLine(label: "= bytes of all frames", bytes: bytes, directions: nil, role: .total))
        return lines
    }

    private func line(_ label: String, _ cause: Cause, _ role: LedgerLine.Role) -> LedgerLine? {
        let (up, down) = (causes.up[cause], causes.down[cause])
        guard up + down != 0 else { return nil }
        return LedgerLine(label: label, bytes: up + down, directions: (up, down), role: role, cause: cause)
    }

    private var otherLines: [LedgerLine] {
        undirected([
            ("other DNS", other.dns), ("other QUIC", other.quic), ("WireGuard", other.wireGuard),
            ("other UDP", other.udp),
            ("ICMP", other.icmp), ("other IP", other.otherIP),
        ])
    }

    private var outsideLines: [LedgerLine] {
        undirected([
            ("link headers", layers.link), ("tunnel headers", layers.tunnel), ("capture headers", layers.pseudo),
            ("frames without IP", layers.nonIP), ("frames seen again", layers.duplicate),
        ])
    }

    private func undirected(_ parts: [(String, Int)]) -> [LedgerLine] {
        parts.filter { $0.1 != 0 }.map { LedgerLine(label: $0.0, bytes: $0.1, directions: nil, role: .outside) }
    }
}

extension Cause {
    /// What a person calls it.
    var title: String { Cause.titles[rawValue] }

    private static let titles: [String] = {
        let known = messageLines.map { ($0.cause, $0.label) } + overheadLines.map { ($0.cause, $0.label) }
        let byCause = Dictionary(uniqueKeysWithValues: known)
        return allCases.map { byCause[$0] ?? $0.name }
    }()

    static let messageLines: [(label: String, cause: Cause)] = [
        ("start lines", .startLine), ("header fields", .headers), ("message framing", .framing), ("bodies", .body),
    ]

    static let overheadLines: [(label: String, cause: Cause, role: LedgerLine.Role)] = [
        ("TLS records", .tlsRecords, .overhead), ("packet headers", .tcpip, .overhead),
        ("QUIC headers", .quic, .overhead), ("acknowledgments", .ack, .overhead),
        ("retransmissions", .retransmission, .loss),
        ("DNS lookups", .setupDNS, .overhead), ("TCP handshakes", .setupTCP, .overhead),
        ("TLS handshakes", .setupTLS, .overhead), ("QUIC handshakes", .setupQUIC, .overhead),
        ("HTTP control", .setupHTTP, .overhead),
        ("closing (FIN, RST)", .teardown, .overhead), ("keep-alives", .keepalive, .overhead),
        ("undecoded payload", .opaque, .outside),
    ]
}
