import WireCore
import WireRecords

/// What a connection carried, in a few words.
func protocolName(of record: ConnectionRecord) -> String {
    let inner = record.applicationProtocol.map(spelled)
    guard let tls = record.tls else { return inner ?? "TCP" }
    let version = record.transport == .quic && inner == nil ? "QUIC" : tls.version?.rawValue ?? "TLS"
    if let inner { return "\(inner) over \(version)" }
    guard let chosen = tls.applicationProtocol else { return version }
    return "\(version) (\(displayText(chosen)))"
}

/// How a connection ended, as a reader says it.
func closeWords(of record: ConnectionRecord) -> String {
    switch record.close {
    case .fin, .closed: "closed"
    case .reset: "reset"
    // QUIC tells of its end in packets that only keys open.
    case .open where record.isUnreadQUIC, .idle where record.isUnreadQUIC: "end not known"
    case .open: "still open"
    case .idle: "given up"
    }
}

extension ConnectionRecord {
    fileprivate var isUnreadQUIC: Bool {
        transport == .quic && exchanges == 0 && costs.up[.opaque] + costs.down[.opaque] > 0
    }
}

private func spelled(_ name: String) -> String {
    switch name {
    case "h2", "h2c": "HTTP/2"
    default: name.uppercased()
    }
}
