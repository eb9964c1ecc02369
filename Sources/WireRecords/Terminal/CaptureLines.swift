import WireCore

/// The first lines: what was captured, when, and how far it can be trusted.
package struct CaptureLines {
    package let result: AuditResult
    package let options: ReportOptions
    package let style: TerminalStyle

    package init(result: AuditResult, options: ReportOptions, style: TerminalStyle) {
        self.result = result
        self.options = options
        self.style = style
    }

    package func render() -> [String] {
        var lines: [String] = []
        lines +=
            result.files.count > CaptureLines.listedFiles
            ? manyFiles : result.files.map { titled($0.path, describe($0)) }
        if result.interfaces.count > 1 { lines += result.interfaces.map { titled($0.name, describe($0)) } }
        for line in [sizes, time, contents, encryption].compactMap(\.self) {
            lines += wrapped(line, width: style.width, indent: 2)
        }
        for filter in [options.filter].compactMap(\.self) {
            let left = result.files.reduce(0) { $0 + $1.filtered }
            // In a live capture the system leaves them out, and does not count them.
            let count = result.interfaces.isEmpty ? "; \(counted(left, "frame")) left out" : ""
            lines.append("only frames that match the filter '\(style.safe(filter))'" + count)
        }
        for sentence in options.merged.map(mergedInWords) ?? [] {
            lines += wrapped(style.plain(sentence), width: style.width, indent: 2)
        }
        return lines + lossLines
    }

    private func titled(_ name: String, _ facts: String) -> String {
        let facts = style.separator + facts
        let room = max(style.width - displayWidth(facts), 8)
        return style.paint(shortened(style.safe(name), to: room, ellipsis: style.ellipsis), .heading) + facts
    }

    /// More files than this are one line.
    private static let listedFiles = 8

    private var manyFiles: [String] {
        let formats = Set(result.files.map { $0.compression == nil ? $0.format : "\($0.format) in \($0.compression!)" })
        let links = Set(result.files.flatMap(\.linkTypes).map(\.commonName))
        let facts = (formats.sorted() + links.sorted()).map { style.separator + $0 }.joined()
        let names = "\(style.safe(result.files[0].path)) to \(style.safe(result.files[result.files.count - 1].path))"
        let text = counted(result.files.count, "capture") + facts
        return wrapped(text, width: style.width, indent: 2).map { style.paint($0, .heading) }
            + [style.paint(shortened(names, to: style.width, ellipsis: style.ellipsis), .faint)]
    }

    /// What one of several interfaces gave.
    private func describe(_ interface: CaptureInterfaceSummary) -> String {
        var words = [interface.linkType.commonName, counted(interface.packets, "packet")]
        words.append(counted(interface.bytes, "byte"))
        if interface.dropped > 0 { words.append("\(grouped(interface.dropped)) lost") }
        return words.joined(separator: style.separator)
    }

    private func describe(_ file: CaptureFileSummary) -> String {
        var words = [file.compression.map { "\(file.format) in \($0)" } ?? file.format]
        words += file.linkTypes.map(\.commonName)
        if result.files.count > 1 { words.append(counted(file.packets, "packet")) }
        return words.joined(separator: style.separator)
    }

    private var sizes: String {
        let bytes = result.ledger.bytes
        let words = sizeInWords(bytes).map { " (\($0))" } ?? ""
        let packets = result.files.reduce(0) { $0 + $1.packets }
        return counted(packets, "packet") + style.separator + counted(bytes, "byte") + words
    }

    private var time: String? {
        guard let first = result.files.compactMap(\.first).min(), let last = result.files.compactMap(\.last).max()
        else { return nil }
        let moment = CalendarTime(nanoseconds: first)
        let length = UInt64(bitPattern: last &- first)
        return style.plain(
            durationInWords(length) + " from \(moment.date) \(moment.time) UTC")
    }

    private var connections: String {
        let quic = result.quicConnections
        guard quic > 0 else { return counted(result.connections, "TCP connection") }
        let other = result.connections - quic
        let both = other > 0 ? [counted(other, "TCP connection")] : []
        return (both + [counted(quic, "QUIC connection")]).joined(separator: style.separator)
    }

    private var contents: String {
        let endpoints = result.datagrams.isEmpty ? [] : [counted(result.datagrams.count, "UDP endpoint")]
        let all = [
            connections, counted(result.exchanges, "HTTP exchange"),
            counted(result.apis.count { !$0.isEncrypted }, "API"), counted(result.hosts.count, "host"),
        ]
        return (all + endpoints).joined(separator: style.separator)
    }

    /// How much of TLS could be read, and what to do about the rest.
    private var encryption: String? {
        let all = result.hosts.reduce(0) { $0 + $1.setup.tlsConnections }
        guard all > 0 else { return nil }
        let unread = result.hosts.reduce(0) { $0 + $1.setup.unreadConnections }
        let subject = counted(all, "TLS connection") + ": "
        let part = result.hosts.reduce(0) { $0 + $1.setup.partlyReadConnections }
        let partly = part > 0 ? ", \(grouped(part)) of them in part" : ""
        let failed = result.hosts.reduce(0) { $0 + $1.setup.failedHandshakes }
        let silent = result.hosts.reduce(0) { $0 + $1.setup.silentConnections }
        guard failed == 0, silent == 0 else {
            return subject + encryption(all, unread: unread, failed: failed, silent: silent, partly: partly)
        }
        guard unread > 0 else {
            return subject + (all == 1 ? part > 0 ? "decrypted in part" : "decrypted" : "all decrypted" + partly)
        }
        if unread < all {
            return subject + "\(grouped(all - unread)) decrypted\(partly), \(grouped(unread)) not" + hint(unread)
        }
        return subject + (all == 1 ? "not decrypted" : "none decrypted") + hint(unread)
    }

    /// The same where handshakes failed or no data was sent: in those connections there was nothing to read.
    private func encryption(_ all: Int, unread: Int, failed: Int, silent: Int, partly: String) -> String {
        if failed == all { return all == 1 ? "its handshake failed" : "all failed in the handshake" }
        if silent == all { return all == 1 ? "without application data" : "all without application data" }
        let read = all - unread - failed - silent
        let parts = [
            read > 0 ? "\(grouped(read)) decrypted\(partly)" : nil,
            unread > 0 ? "\(grouped(unread)) not decrypted" + hint(unread) : nil,
            failed > 0 ? "\(grouped(failed)) failed in the handshake" : nil,
            silent > 0 ? "\(grouped(silent)) without application data" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func hint(_ unread: Int) -> String {
        let isHelped = result.keyLogs.isEmpty && result.apis.contains(where: \.isEncrypted)
        return isHelped ? " (decrypt \(unread == 1 ? "it" : "them") with --keys FILE)" : ""
    }

    /// Losses belong at the top: they say what no number below can hold.
    private var lossLines: [String] {
        var lines: [String] = []
        for file in result.files {
            let name = result.files.count > 1 ? style.safe(file.path) + ": " : ""
            if let dropped = file.dropped, dropped > 0 {
                lines.append(
                    "! \(name)\(counted(dropped, "packet")) lost by the capturing program; they are not counted")
            }
            if file.snapped > 0 {
                lines.append(
                    "! \(name)\(counted(file.snapped, "packet")) truncated; lengths exact, some content unknown")
            }
            if let offset = file.damagedAt {
                let what = file.fault.map { "reading failed (\(style.safe($0)))" } ?? "truncated or damaged"
                let packet = grouped(file.packets + file.filtered)
                lines.append(
                    "! \(name)\(what) at byte \(grouped(offset)), after packet \(packet); the rest was not audited")
            }
        }
        for interface in result.interfaces {
            guard let fault = interface.fault else { continue }
            lines.append("! \(style.safe(interface.name)): \(style.safe(fault)); what came before was audited")
        }
        return lines.flatMap { wrapped($0, width: style.width, indent: 2) }.map { style.paint($0, .warning) }
    }
}
