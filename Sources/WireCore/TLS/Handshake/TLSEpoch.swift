/// Which keys protect what one direction sends; QUIC calls it the encryption level (RFC 9001 §2.1).
enum TLSEpoch: UInt8, Sendable {
    case clear, early, handshake, application
}

/// What a handshake message changes for the bytes behind it.
enum KeyChange {
    /// The client may send early data from here on (RFC 8446 §4.2.10).
    case earlyDataBegins
    /// A HelloRetryRequest: the client sends no early data any more (RFC 8446 §4.1.4).
    case earlyDataIsRefused
    /// The client's early data ends (RFC 8446 §4.5).
    case endOfEarlyData
    /// The first ServerHello: version and cipher suite are agreed on.
    case serverHello
    /// The sender's last handshake message; TLS 1.3 goes on with the keys of application data.
    case finished
    /// The sender goes on with the next generation of its keys (RFC 8446 §4.6.3).
    case keyUpdate
}
