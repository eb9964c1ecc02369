import WireNative

extension ExchangeRecord {
    /// Who sent the request.
    public var requester: Endpoint { isReversed ? server : client }
    /// Who answers it.
    public var responder: Endpoint { isReversed ? client : server }

    /// The port of the server as the request names it; where it names none, that of the connection.
    public var serverPort: UInt16 { Authority(host).port ?? responder.port }

    /// The target as a proxy gets it names a scheme (RFC 9112 §3.2.2); nil elsewhere.
    private var namedScheme: [UInt8]? {
        guard let target, target.first != 0x2F, let colon = target.prefix(9).firstIndex(of: 0x3A),
            target[colon...].starts(with: Array("://".utf8))
        else { return nil }
        let scheme = target[..<colon].map { $0 | 0x20 }
        return ["http", "https"].contains { scheme.elementsEqual($0.utf8) } ? scheme : nil
    }

    /// The request's URI (RFC 9112 §3.3). Nil where the request or its target is not known. That of CONNECT and of
    /// `OPTIONS *` has no path. Credentials in front of the host are left out.
    ///
    /// - Parameter withFragment: a fragment that was sent, which no request should have, stays.
    public func url(withFragment: Bool = false) -> [UInt8]? {
        guard method != nil, let path, target?.isEmpty == false else { return nil }
        let authority = Authority(host)
        guard !authority.host.isEmpty else { return nil }
        let isSecure = tlsVersion != nil || transport == .quic
        let scheme = namedScheme ?? Array((isSecure ? "https" : "http").utf8)
        var url = scheme + "://".utf8 + authority.hostInURL
        // A proxy's port is none of the URI.
        if let port = authority.port ?? (namedScheme == nil ? responder.port : nil) {
            let isUsual = port == (scheme.count == 5 ? 443 : 80)
            if !isUsual || authority.port != nil { url += ":\(port)".utf8 }
        }
        if path.isEmpty && query == nil || path == [0x2A] { return url }
        let target = path + (query.map { [0x3F] + $0 } ?? [])
        url += URLText.target(target)
        if withFragment { url += URLText.encoded(target.drop { $0 != 0x23 }) }
        return url
    }
}
