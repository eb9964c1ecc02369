import WireNative

/// A client's first Initial: it opens with keys that are made of its own connection ID.
struct QUICFirstInitial {
    let secret: QUICInitialSecret
    let keys: QUICKeys
    let packet: QUICOpenedPacket
    /// Its frames, and more behind them.
    let plain: [UInt8]

    /// Nil where the packet is none.
    ///
    /// - Parameter payload: what was captured of the datagram.
    init?(_ packet: QUICPacket, _ payload: RawSpan, _ derivation: QUICInitialDerivation) {
        guard packet.kind == .initial, packet.numberOffset >= 0, packet.range.upperBound <= payload.byteCount,
            let version = QUICVersion(packet.version),
            let secret = QUICInitialSecret(QUICConnectionID(payload, packet.destination), version, derivation),
            var keys = QUICKeys(secret, isClient: true, derivation)
        else { return nil }
        var plain: [UInt8] = []
        let opened = keys.open(
            payload.extracting(packet.range), numberOffset: packet.numberOffset - packet.range.lowerBound,
            largest: nil, isShort: false, into: &plain)
        guard let opened else { return nil }
        (self.secret, self.keys, self.packet, self.plain) = (secret, keys, opened, plain)
    }
}
