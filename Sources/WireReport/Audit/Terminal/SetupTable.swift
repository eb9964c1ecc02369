import WireCore
import WireRecords

/// What the connections to each host cost before and after the messages, and what fewer of them would have saved.
struct SetupTable {
    let result: AuditResult
    let options: ReportOptions
    let style: TerminalStyle

    /// Empty where no connection of the selected hosts was opened.
    func lines() -> [String] {
        let rows = sorted(hostRows(result, options).filter { $0.setup.setupBytes > 0 }) {
            ($0.setup.setupBytes, $0.host)
        }
        guard !rows.isEmpty else { return [] }
        let shown = options.top.map { rows.prefix($0) } ?? rows[...]
        let table = AdaptiveTable(
            title: "SET-UP BY HOST", columns: columns(hasTLS: rows.contains { $0.setup.tlsConnections > 0 })
        ) { style.safe($0.host) }
        var (lines, titles) = table.lines(Array(shown), style)
        let left = rows.dropFirst(shown.count)
        if !left.isEmpty {
            let bytes = left.reduce(0) { $0 + $1.setup.setupBytes }
            lines.append(
                "\(style.ellipsis) and \(counted(left.count, "more host")), \(counted(bytes, "byte")) (--top all)")
        }
        lines += reuseLines(result, options, style)
        guard options.explains else { return lines }
        let hidesSetup = shown.contains { $0.setup.unreadConnections > 0 }
        return lines + legend(titles, hidesSetup: hidesSetup).map { style.paint($0, .faint) }
    }

    private func columns(hasTLS: Bool) -> [AdaptiveTable<HostSummary>.Column] {
        let all: [AdaptiveTable<HostSummary>.Column] = [
            .init("conn", rank: 1) { grouped($0.connections) },
            .init("full", rank: 3) { grouped($0.setup.fullHandshakes) },
            .init("resumed", rank: 3) { grouped($0.setup.resumedHandshakes) },
            .init("certs", rank: 4) {
                $0.setup.certificateBytes > 0 ? grouped($0.setup.certificateBytes) : style.dash
            },
            .init("set-up", rank: 0) { grouped($0.setup.setupBytes) },
            .init("per call", rank: 2) { perCall($0.setup) },
            .init("closing", rank: 5) { grouped($0.setup.teardownBytes) },
            .init("saving", rank: 1) { grouped($0.setup.reuseSaving) },
        ]
        return hasTLS ? all : all.filter { !["full", "resumed", "certs"].contains($0.title) }
    }

    private func perCall(_ setup: SetupSummary) -> String {
        guard setup.exchanges > 0 else { return style.dash }
        let (whole, rest) = setup.setupBytes.quotientAndRemainder(dividingBy: setup.exchanges)
        return grouped(rest >= setup.exchanges - rest ? whole + 1 : whole)
    }

    private func legend(_ titles: Set<String>, hidesSetup: Bool) -> [String] {
        var text =
            "set-up: IP bytes of DNS lookups, handshakes of TCP, TLS and QUIC, and HTTP control; "
            + "per call: mean of calls seen."
        if titles.contains("resumed") { text += " full, resumed: TLS handshakes." }
        if titles.contains("certs") { text += " certs: certificate bytes that could be read." }
        text += " saving: bytes of set-up and closing of connections that would not have been needed if"
        text += " \(SetupSummary.supposition); computed from the ledger, not measured."
        if hidesSetup { text += " TLS that was not decrypted may hide more set-up, so these figures are lower bounds." }
        return wrapped(text, width: style.width, indent: 0)
    }
}

extension SetupSummary {
    /// What `reuseSaving` supposes.
    static let supposition = "client and server had kept idle connections open for \(mostIdleSeconds) s"
}
