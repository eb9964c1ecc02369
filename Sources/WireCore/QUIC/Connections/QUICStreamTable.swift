/// The streams of a connection that were seen, and those that are over and were forgotten.
struct QUICStreamTable {
    private var streams: [UInt64: QUICStream] = [:]
    /// Numbers of streams, by their two lowest bits, that were forgotten.
    private var forgotten: InlineArray<4, QUICRanges> = [QUICRanges(), QUICRanges(), QUICRanges(), QUICRanges()]
    /// Streams that both directions have ended, the oldest first.
    private var closed: [UInt64] = []
    /// A stream was added since those that are open were flagged last.
    private var hasUnflagged = false

    var count: Int { streams.count }
    var isEmpty: Bool { streams.isEmpty }
    /// In order.
    var ids: [UInt64] { streams.keys.sorted() }

    subscript(id: UInt64) -> QUICStream? { streams[id] }

    mutating func add(_ stream: QUICStream, _ id: UInt64) {
        streams[id] = stream
        hasUnflagged = true
    }

    /// Both directions of a stream have ended.
    mutating func close(_ id: UInt64) { closed.append(id) }

    func isForgotten(_ id: UInt64) -> Bool { forgotten[Int(id & 3)].contains(id >> 2) }

    /// Lets go of the oldest half of the streams that are over: what comes of them is repeated.
    mutating func forgetClosed() {
        let count = (closed.count + 1) / 2
        for id in closed.prefix(count) {
            streams[id] = nil
            forgotten[Int(id & 3)].add(id >> 2..<(id >> 2) + 1) { _ in }
        }
        closed.removeFirst(count)
    }

    /// What could not be read of a packet may have been of any call that goes on: data, its end, its acknowledgment.
    mutating func flagUnread(_ context: inout StreamContext) {
        // Those that were flagged before need not be looked at again.
        guard hasUnflagged else { return }
        hasUnflagged = false
        for stream in streams.values where context.attribution.isOpen(stream.owner) {
            context.exchanges[Int(stream.owner.index)].flags.insert(.gap)
        }
    }
}
