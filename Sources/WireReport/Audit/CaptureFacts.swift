import WireCore
import WireRecords

/// What was captured, when, and how far it can be trusted: what every verdict on a capture is about.
func captureFacts(_ result: AuditResult, _ options: ReportOptions) -> [ReportBlock] {
    let facts = CaptureFacts(result: result, options: options)
    let lines = facts.files + facts.interfaces + [facts.sizes, facts.time, facts.contents, facts.encryption]
    return (lines + [facts.filter]).compactMap { $0.map { .sentence($0) } }
        + (options.merged.map(mergedInWords) ?? []).map { .sentence(ReportText($0)) }
        + facts.losses.map { .sentence($0, .warning) }
}

private struct CaptureFacts {
    let result: AuditResult
    let options: ReportOptions
    private static let separator = " · "
    /// More files than this are one line.
    private static let listedFiles = 8

    private func line(_ parts: [String]) -> ReportText { ReportText(parts.joined(separator: CaptureFacts.separator)) }

    var files: [ReportText?] {
        guard result.files.count > CaptureFacts.listedFiles, let last = result.files.last else {
            return result.files.map { "\(name: $0.path) · \(line(describe($0)))" }
        }
        let formats = Set(result.files.map { $0.compression == nil ? $0.format : "\($0.format) in \($0.compression!)" })
        let links = Set(result.files.flatMap(\.linkTypes).map(\.commonName))
        return [
            line([counted(result.files.count, "capture")] + formats.sorted() + links.sorted()),
            "\(name: result.files[0].path) to \(name: last.path)",
        ]
    }

    /// What each of several interfaces gave.
    var interfaces: [ReportText?] {
        guard result.interfaces.count > 1 else { return [] }
        return result.interfaces.map { interface in
            let counts = [counted(interface.packets, "packet"), counted(interface.bytes, "byte")]
            let lost = interface.dropped > 0 ? ["\(grouped(interface.dropped)) lost"] : []
            return "\(name: interface.name) · \(line([interface.linkType.commonName] + counts + lost))"
        }
    }

    private func describe(_ file: CaptureFileSummary) -> [String] {
        [file.compression.map { "\(file.format) in \($0)" } ?? file.format] + file.linkTypes.map(\.commonName)
            + (result.files.count > 1 ? [counted(file.packets, "packet")] : [])
    }

    var sizes: ReportText? {
        let bytes = result.ledger.bytes
        let words = sizeInWords(bytes).map { " (\($0))" } ?? ""
        return line([counted(result.files.reduce(0) { $0 + $1.packets }, "packet"), counted(bytes, "byte") + words])
    }

    var time: ReportText? {
        guard let first = result.files.compactMap(\.first).min(), let last = result.files.compactMap(\.last).max()
        else { return nil }
        let moment = CalendarTime(nanoseconds: first)
        let length = UInt64(bitPattern: last &- first)
        return "\(durationInWords(length)) from \(moment.date) \(moment.time) UTC"
    }

    private var connections: [String] {
        let quic = result.quicConnections
        let other = result.connections - quic
        return (other > 0 || quic == 0 ? [counted(other, "TCP connection")] : [])
            + (quic > 0 ? [counted(quic, "QUIC connection")] : [])
    }

    var contents: ReportText? {
        let endpoints = result.datagrams.isEmpty ? [] : [counted(result.datagrams.count, "UDP endpoint")]
        let apis = result.apis.count { !$0.isEncrypted }
        let isUnread = result.exchanges == 0 && apis == 0 && result.hosts.contains { $0.setup.unreadConnections > 0 }
        let named = isUnread ? [] : [counted(apis, "API")]
        return line(connections + [exchanges(isUnread)] + named + [counted(result.hosts.count, "host")] + endpoints)
    }

    /// Calls that were read, and about how many TLS hides, as far as records tell.
    ///
    /// - Parameter isUnread: none was read, which is not none.
    private func exchanges(_ isUnread: Bool) -> String {
        let calls = result.hosts.reduce(0) { $0 + $1.setup.unnamedCalls }
        let isPart = result.hosts.contains { $0.setup.cutConnections < $0.setup.unreadConnections }
        let about = calls == 0 ? "" : "; about \(counted(calls, "call"))\(isPart ? " or more" : "") not read"
        return (isUnread ? "no HTTP exchange could be read" : counted(result.exchanges, "HTTP exchange")) + about
    }

    /// How much of TLS could be read, and what to do about the rest.
    var encryption: ReportText? {
        func sum(_ path: KeyPath<HostSummary, Int>) -> Int { result.hosts.reduce(0) { $0 + $1[keyPath: path] } }
        let all = sum(\.setup.tlsConnections)
        guard all > 0 else { return nil }
        let unread = sum(\.setup.unreadConnections)
        let part = sum(\.setup.partlyReadConnections)
        let failed = sum(\.setup.failedHandshakes)
        let silent = sum(\.setup.silentConnections)
        let read = all - unread - failed - silent
        let states = [
            (read, all == 1 ? "decrypted" : "all decrypted", "decrypted"),
            (unread, all == 1 ? "not decrypted" : "none decrypted", "not decrypted"),
            (failed, all == 1 ? "its handshake failed" : "all failed in the handshake", "failed in the handshake"),
            (
                silent, all == 1 ? "without application data" : "all without application data",
                "without application data"
            ),
        ].filter { $0.0 > 0 }
        let words = states.map { count, alone, among in
            (states.count == 1 ? alone : "\(grouped(count)) \(among)")
                + (among == "decrypted" ? partly(part, of: all) : "")
                + (among == "not decrypted" ? hint(unread) : "")
        }
        return "\(counted(all, "TLS connection")): \(words.joined(separator: ", "))"
    }

    private func partly(_ part: Int, of all: Int) -> String {
        part == 0 ? "" : all == 1 ? " in part" : ", \(grouped(part)) of them in part"
    }

    private func hint(_ unread: Int) -> String {
        let isHelped = result.keyLogs.isEmpty && result.apis.contains(where: \.isEncrypted)
        return isHelped ? " (decrypt \(unread == 1 ? "it" : "them") with --keys FILE)" : ""
    }

    var filter: ReportText? {
        options.filter.map { filter in
            // In a live capture the system leaves frames out, and does not count them.
            let left = result.files.reduce(0) { $0 + $1.filtered }
            let count = result.interfaces.isEmpty ? "; \(counted(left, "frame")) left out" : ""
            return "only frames that match the filter '\(name: filter)'\(count)"
        }
    }

    /// What no number below can hold.
    var losses: [ReportText] {
        result.files.flatMap(losses)
            + result.interfaces.compactMap { interface in
                interface.fault.map { "\(name: interface.name): \(name: $0); what came before was audited" }
            }
    }

    private func losses(_ file: CaptureFileSummary) -> [ReportText] {
        let name: ReportText = result.files.count > 1 ? "\(name: file.path): " : ""
        var losses: [ReportText] = []
        if let dropped = file.dropped, dropped > 0 {
            losses.append("\(name)\(counted(dropped, "packet")) lost by the capturing program; they are not counted")
        }
        if file.snapped > 0 {
            losses.append("\(name)\(counted(file.snapped, "packet")) truncated; lengths exact, some content unknown")
        }
        if let offset = file.damagedAt {
            let what: ReportText = file.fault.map { "reading failed (\(name: $0))" } ?? "truncated or damaged"
            let packet = grouped(file.packets + file.filtered)
            losses.append("\(name)\(what) at byte \(grouped(offset)), after packet \(packet); the rest was not audited")
        }
        return losses
    }
}
