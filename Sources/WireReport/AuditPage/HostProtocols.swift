import WireCore

/// The protocols that each host was spoken to with.
struct HostProtocols {
    private static let hostLimit = 16_384
    private static let most = 4

    private var hosts: [[UInt8]: [String]] = [:]

    mutating func add(_ record: ExchangeRecord) {
        let version = record.httpVersion ?? "HTTP"
        add(record.host, record.tlsVersion.map { "\(version) over \($0)" } ?? version)
    }

    mutating func add(_ record: ConnectionRecord) {
        if record.exchanges == 0 { add(record.hostName, HostProtocols.name(of: record)) }
    }

    private mutating func add(_ host: [UInt8], _ name: String) {
        guard let names = hosts[host] else {
            if hosts.count < HostProtocols.hostLimit { hosts[host] = [name] }
            return
        }
        if names.count < HostProtocols.most, !names.contains(name) { hosts[host]?.append(name) }
    }

    func names(_ host: String) -> [String] { hosts[Array(host.utf8)] ?? [] }

    /// What a connection carried, in a few words.
    static func name(of record: ConnectionRecord) -> String {
        let inner = record.applicationProtocol.map(spelled)
        guard let tls = record.tls else { return inner ?? "TCP" }
        let version = tls.version?.rawValue ?? "TLS"
        if let inner { return "\(inner) over \(version)" }
        guard let chosen = tls.applicationProtocol else { return version }
        return "\(version) (\(displayText(chosen)))"
    }

    private static func spelled(_ name: String) -> String {
        switch name {
        case "h2", "h2c": "HTTP/2"
        default: name.uppercased()
        }
    }
}
