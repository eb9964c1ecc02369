/// What a reader claimed of bytes that are not there to be looked at.
struct SkipClaim {
    var owner: Owner
    /// At least 1 of the bytes that were skipped; the rest is to be skipped again.
    var count: Int
    var cause: Cause
}

/// Reads the bytes of both directions of a connection.
///
/// Whoever delivers ordered bytes (TCP reassembly, the record layer of TLS) speaks to whoever reads them in these words
/// only. Positions are those of the TCP stream that carries the bytes. Within a direction they ascend, and what is
/// received or skipped is neither received nor skipped again.
protocol StreamReader {
    /// Takes new bytes, and claims each for its owner.
    mutating func receive(
        _ bytes: RawSpan, at position: StreamPosition, _ direction: Direction, _ context: inout StreamContext)

    /// Passes bytes that nobody will ever see. The caller posts what is claimed.
    mutating func skip(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ context: inout StreamContext
    ) -> SkipClaim

    /// Passes an unknown number of bytes: the reader has to find its place again.
    mutating func lose(_ direction: Direction, _ reason: SkipReason, _ context: inout StreamContext)

    /// What was lost reaches up to there.
    mutating func extendLoss(_ direction: Direction, upTo position: StreamPosition)

    /// Messages may have been in bytes that went by unread, though the reader is in step still. `position`: where the first
    /// of them began, if nothing was received before.
    mutating func miss(at position: StreamPosition?, _ direction: Direction, _ reason: SkipReason)

    /// No more bytes come. `isOrderly`: the sender said so.
    mutating func finish(_ direction: Direction, isOrderly: Bool, _ context: inout StreamContext)
}
