/// Bytes that one endpoint sent and nobody could read: a protected record of TLS, or a protected packet of QUIC.
public struct HiddenPiece: Sendable, Equatable {
    /// When the last of its bytes was there, behind all bytes before it: nanoseconds since the epoch.
    public var time: Int64
    /// The whole of it.
    public var bytes: UInt32
    /// Most bytes of it that can be the application's: less the header and what the cipher adds. Padding is not known.
    public var content: UInt32
    public var isFromClient: Bool

    public init(time: Int64, bytes: Int, content: Int, isFromClient: Bool) {
        self.time = time
        (self.bytes, self.content) = (UInt32(clamping: bytes), UInt32(clamping: content))
        self.isFromClient = isFromClient
    }
}

/// What nobody could read of a connection (`AuditOptions.keepsHiddenPieces`, `keepsUnnamedCalls`).
public struct HiddenTraffic: Sendable {
    /// In the order in which they were there; none where they are not kept.
    public var pieces: [HiddenPiece]
    /// Its calls; nil where records do not tell them apart.
    public var calls: [UnnamedCall]?
    /// The records and packets hold all content that was sent: nothing is missing from the capture, and nothing of it was beyond a limit.
    public var isComplete: Bool
    /// The lengths of records tell those of their content, but for padding in TLS 1.3.
    public var showsContentLength: Bool
}
