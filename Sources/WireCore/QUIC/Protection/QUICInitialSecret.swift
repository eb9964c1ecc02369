import WireNative

/// The secrets of Initial packets, those of both endpoints (RFC 9001 §5.2).
struct QUICInitialSecret {
    let version: QUICVersion
    let id: QUICConnectionID
    private let secrets: (client: [UInt8], server: [UInt8])

    /// - Parameter id: the destination connection ID of the client's first Initial, or what Retry put in its place.
    init?(_ id: QUICConnectionID, _ version: QUICVersion, _ derivation: QUICInitialDerivation) {
        guard let secrets = derivation.secrets(salt: version.initialSalt, id: id.bytes) else { return nil }
        (self.version, self.id, self.secrets) = (version, id, secrets)
    }

    func bytes(isClient: Bool) -> [UInt8] { isClient ? secrets.client : secrets.server }
}
