/// What an estimate is held against.
public enum Truth: String, Sendable, CaseIterable {
    /// HTTP messages: start line, headers, framing, body.
    case message
    /// All IP bytes that the exchange cost.
    case wire
}
