/// Which bytes an error or a row speaks of.
public enum Direction: String, Sendable, CaseIterable {
    case up, down
}

/// What an estimate is held against.
public enum Truth: String, Sendable, CaseIterable {
    /// HTTP messages: start line, headers, framing, body.
    case message
    /// All IP bytes that the exchange cost.
    case wire
}
