/// What carries the messages of a direction.
enum StreamCarrier {
    /// The stream itself.
    case stream
    /// Not known yet: the first bytes could still be one thing or another.
    case undecided(UndecidedStart)
    /// A PROXY header up to there; then the stream itself.
    case proxyHeader(end: StreamPosition)
    /// Records of TLS.
    case records
    /// Frames of HTTP/2, in the clear.
    case frames
}

/// What reads the messages of a direction.
enum StreamProtocol: UInt8 {
    /// HTTP/1, or what is not known yet: its reader looks for a start line.
    case http1
    case http2
    /// Bytes that are not looked at.
    case tunnel
}

/// Which protocols a direction of a connection carries: a stack of at most two.
struct StreamDirection {
    var carrier = StreamCarrier.stream
    var messages = StreamProtocol.http1
    /// The first bytes were looked at: no carrier begins with them.
    var isProbed = false

    mutating func renew() {
        if case .stream = carrier {} else { carrier = .stream }
        messages = .http1
        isProbed = false
    }

    /// Messages lie in the stream one after another.
    @inline(__always)
    var isPlain: Bool { if case .stream = carrier { true } else { false } }
}

/// The first bytes of a stream or tunnel, which are kept until it is known what they are.
final class UndecidedStart {
    /// Longest beginning that is kept, bytes: the longest of those that are looked for.
    static let limit = ProxyHeader.longestLine

    let origin: StreamPosition
    var bytes: [UInt8] = []
    /// What carried them.
    var pieces: [UnitPiece] = []

    init(origin: StreamPosition) { self.origin = origin }
}
