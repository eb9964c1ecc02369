import WireNative

/// What the keys of Initial packets are made of, those of both endpoints (RFC 9001 §5.2).
struct QUICInitialSecret {
    let version: QUICVersion
    let id: QUICConnectionID
    let bytes: [UInt8]

    /// - Parameter id: the destination connection ID of the client's first Initial, or what Retry put in its place.
    init?(_ id: QUICConnectionID, _ version: QUICVersion) {
        let bytes = TLSKeySchedule.extract(salt: version.initialSalt, keyingMaterial: id.bytes)
        guard let bytes else { return nil }
        (self.version, self.id, self.bytes) = (version, id, bytes)
    }
}
