/// Why a TLS handshake came to nothing.
public enum TLSHandshakeFailure: String, Sendable {
    /// An endpoint said so with an alert that could be read.
    case alert
    /// The connection was closed before any application data.
    case closed
}

extension TLSFacts {
    /// No record with the client's Finished of TLS 1.3 is shorter, and two alerts are (RFC 8446 §4.4.4 and §6): header
    /// 5, message 4 and 32, content type 1, tag 8 bytes.
    private static let leastFinished = 50

    /// How the handshake failed; nil where it did not or where the capture does not tell. A connection that was open
    /// when the capture ended may have gone on, and one whose handshake is not whole in the capture may have succeeded.
    public func handshakeFailure(close: ConnectionClose) -> TLSHandshakeFailure? {
        guard close == .fin || close == .reset, !isDecrypted, earlyData == nil, blindness != .gap,
            blindness != .noHandshake, directions.up.handshake > 0, !isComplete
        else { return nil }
        return alerts.contains { $0.level == 2 } ? .alert : .closed
    }

    /// Both endpoints can have sent their Finished. In TLS 1.3 the server's handshake messages look like application data,
    /// and so does the client's answer to them.
    private var isComplete: Bool {
        let (up, down) = (directions.up, directions.down)
        if version == .tls13 { return up.applicationData >= TLSFacts.leastFinished }
        return up.applicationData > 0 || down.applicationData > 0
            || (up.changeCipherSpec > 0 && down.changeCipherSpec > 0)
    }
}
