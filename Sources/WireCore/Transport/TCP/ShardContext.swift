/// What the connections of a shard share: readers use `streams`, TCP the rest too. A connection changes itself and its
/// shard's context, nothing else.
struct ShardContext: ~Copyable {
    var streams: StreamContext
    var waiting = OutOfOrderSegments()
    var pieces = SegmentPieces()
    /// The earlier of the times of this frame and the one before. By it connections are called idle: some captures have
    /// single frames with times years ahead.
    var steadyTime = Int64.min
    /// What the connections add to the ledger of all.
    var ledger = LedgerSummary()
    /// The shard numbers its connections by itself, and says among the completed flows where each began.
    var numbersItself = false

    init(_ streams: consuming StreamContext) { self.streams = streams }

    /// Bytes kept of what cannot be read yet.
    var waitingBytes: Int { waiting.byteCount + streams.buffered.heads + streams.buffered.records }
}
