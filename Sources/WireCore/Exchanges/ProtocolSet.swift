/// What the connections to a host carried.
public struct ProtocolSet: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let http1 = ProtocolSet(rawValue: 1)
    public static let http2 = ProtocolSet(rawValue: 2)
    /// TLS that was not read: HTTP or anything else.
    public static let hidden = ProtocolSet(rawValue: 4)
    /// TCP that is neither HTTP nor TLS, or of which nothing was sent.
    public static let other = ProtocolSet(rawValue: 8)
    public static let http3 = ProtocolSet(rawValue: 16)
    /// QUIC that was not read: HTTP/3 or anything else.
    public static let hiddenQUIC = ProtocolSet(rawValue: 32)

    /// What one connection carried.
    init(_ tracker: borrowing ExchangeTracker) {
        let isQUIC = tracker.connection.transport == .quic
        if tracker.hiddenProtocol != nil {
            self = isQUIC ? .hiddenQUIC : .hidden
        } else if tracker.multiplexed != nil {
            self = isQUIC ? .http3 : .http2
        } else {
            self = isQUIC ? [] : tracker.count > 0 ? .http1 : .other
        }
    }

    /// What carried one exchange.
    /// - Parameter stream: below 0 for HTTP/1.
    init(stream: Int, _ transport: ConnectionTransport) {
        self = stream < 0 ? .http1 : transport == .quic ? .http3 : .http2
    }

    /// Their names in outputs. What is neither has none.
    public var names: [String] {
        [
            (ProtocolSet.http1, "HTTP/1"), (.http2, "HTTP/2"), (.http3, "HTTP/3"), (.hidden, "TLS"),
            (.hiddenQUIC, "QUIC"),
        ].filter { contains($0.0) }.map(\.1)
    }
}
