import WireCore

/// What a connection carried, in a few words.
func protocolName(of record: ConnectionRecord) -> String {
    let inner = record.applicationProtocol.map(spelled)
    guard let tls = record.tls else { return inner ?? "TCP" }
    let version = tls.version?.rawValue ?? "TLS"
    if let inner { return "\(inner) over \(version)" }
    guard let chosen = tls.applicationProtocol else { return version }
    return "\(version) (\(displayText(chosen)))"
}

private func spelled(_ name: String) -> String {
    switch name {
    case "h2", "h2c": "HTTP/2"
    default: name.uppercased()
    }
}
