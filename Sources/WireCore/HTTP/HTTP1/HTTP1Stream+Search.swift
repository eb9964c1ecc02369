/// Finding the place again: after a gap, after garbage, at the start of an unknown connection.
extension HTTP1Stream {
    /// Looks for a start line, at the beginning of the run, and on a connection known to carry HTTP anywhere in it.
    mutating func search(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        if let role = plausibleRole(run, offset, at: position, direction, tracker) {
            tracker.requester = role == .request ? direction : direction.opposite
            if role == .request {
                beginRequest(at: position, direction, &tracker, &context)
            } else {
                beginResponse(run, offset, at: position, direction, &tracker, &context)
            }
            return 0
        }
        // Empty lines may stand before a start line (RFC 9112 §2.2).
        var end = offset
        while end < run.byteCount, run.u8(end) == 0x0D || run.u8(end) == 0x0A { end += 1 }
        if end == offset {
            end = run.byteCount
            if let requester = tracker.requester {
                end = StartLinePlausibility.next(run, offset + 1, direction == requester ? .request : .response) ?? end
            }
            tracker.noteUncertain(tracker.unreadReason(direction), direction, &context)
        }
        context.attribution.claimUnread(searchOwner(direction, context), .opaque, end - offset, direction)
        return end - offset
    }

    private func plausibleRole(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: borrowing ExchangeTracker
    ) -> MessageRole? {
        let client = tracker.connection.client
        let mayRequest = (tracker.requester ?? client ?? direction) == direction
        let mayRespond = tracker.requester.map { $0 != direction } ?? (client.map { $0 != direction } ?? true)
        let isFirst = directions[direction].isFirstContent(position, streams[direction])
        switch StartLinePlausibility.probe(run, at: offset, isFirst: isFirst) {
        case .no: return nil
        case .request: return mayRequest || mayAsk(run, offset, tracker) ? .request : nil
        case .response: return mayRespond ? .response : nil
        case .maybe:
            let looksLikeStatus =
                run.hasBytes("HT", at: offset) || (run.byteCount - offset == 1 && run.u8(offset) == 0x48)
            if looksLikeStatus, mayRespond { return .response }
            return mayRequest && !run.hasBytes("HT", at: offset) ? .request : nil
        }
    }

    /// Whether a whole request line is one though its sender accepted the connection, as behind a reversed tunnel: while
    /// nobody else asked, and if it names a version.
    private func mayAsk(_ run: RawSpan, _ offset: Int, _ tracker: borrowing ExchangeTracker) -> Bool {
        guard tracker.requester == nil, let lineFeed = run.firstLineFeed(from: offset) else { return false }
        let end = lineFeed > offset && run.u8(lineFeed - 1) == 0x0D ? lineFeed - 1 : lineFeed
        guard let line = StartLine.request(run, offset..<end) else { return false }
        return line.version != .http09
    }
}
