/// When exchanges leave the books: some time after their last byte, so that a long connection needs no more memory than
/// a short one, and whoever watches learns of them soon.
extension Connection {
    /// How long after its last byte an exchange stays, and a closed connection stays as it is: late retransmissions
    /// belong to them. Nanoseconds.
    static let retention: Int64 = 2_000_000_000
    /// How long an exchange that has not settled is left alone at least: nanoseconds.
    private static let patience: Int64 = 500_000_000

    /// When to look again at what was quiet since `last`: the longer that is, the later, so that what waits for long costs
    /// little. Where the clock was set back it is counted from the first look on.
    private static func nextLook(_ now: Int64, last: Int64, since: Int64) -> Int64 {
        now + max(patience, (now - (last <= now ? last : since)) / 4)
    }

    /// The exchange stays until the connection's end, because it pays for that: the first, or with equal shares all.
    func isKept(_ index: Int32, _ books: borrowing Books) -> Bool {
        switch books.options.setup {
        case .even: true
        case .first: index == firstExchange
        case .separate: false
        }
    }

    /// Nothing is to come of either message.
    func isAnswered(_ index: Int, _ books: borrowing Books) -> Bool {
        guard books.exchanges.slots[index].response.isFinished else { return false }
        // A response that no request was seen for gets none any more, but for the one that waits for it.
        let isOrphan = !books.exchanges.slots[index].request.isPresent && Int32(index) != nextToAsk
        guard isOrphan || books.exchanges.slots[index].request.isFinished else { return false }
        return !isOpen(index, 0, books) && !isOpen(index, 1, books)
    }

    /// The direction is in the exchange's message, or in what the exchange turned it into.
    private func isOpen(_ index: Int, _ side: Int, _ books: borrowing Books) -> Bool {
        guard sides[side].current == Int32(index) else { return false }
        switch sides[side].reader.state {
        case .idle, .searching, .frames: return books.exchanges.slots[index].ranges[side].end == .never
        default: return true
        }
    }

    /// Looks whether the exchange has settled by now, and lets go of it then. Returns when to look again; nil for never.
    /// `since`: when it was looked for first.
    mutating func settle(_ index: Int, at now: Int64, since: Int64, _ books: inout Books) -> Int64? {
        if isKept(Int32(index), books) { return nil }
        let last = books.exchanges.slots[index].lastTime
        let number = books.exchanges.slots[index].number
        guard isAnswered(index, books), !mayDissolve(0, before: number, books), !mayDissolve(1, before: number, books)
        else {
            return Connection.nextLook(now, last: last, since: since)
        }
        let rest = last + Connection.retention - now
        // Beyond that the clock was set back: the exchange is old.
        if rest >= 0, rest <= Connection.retention { return now + rest }
        for side in 0..<2 where books.exchanges.slots[index].ranges[side].isPresent {
            if sides[side].acknowledged < books.exchanges.slots[index].ranges[side].end {
                return Connection.nextLook(now, last: last, since: since)
            }
        }
        retire(index, &books)
        return nil
    }

    /// Concludes a closed connection that has been quiet. Returns when to look again; nil for never.
    mutating func settleClosed(at now: Int64, since: Int64, _ books: inout Books) -> Int64? {
        guard closedTime != nil, !isConcluded else { return nil }
        // What is missing before a FIN may still be sent again, and a key may still come.
        let isWhole = close == .reset || sides[0].isFinished && sides[1].isFinished
        guard isWhole, keyAwaitedSince == nil else {
            return Connection.nextLook(now, last: lastTime, since: since)
        }
        let rest = lastTime + Connection.retention - now
        if rest >= 0, rest <= Connection.retention { return now + rest }
        conclude(&books)
        return nil
    }

    /// Where there are very many exchanges, of this connection or of all, lets go of its oldest without waiting.
    mutating func retireBeyondLimit(_ books: inout Books) {
        let isCrowded = books.exchanges.liveCount > books.options.part(of: books.options.totalExchangeLimit)
        let openLimit = isCrowded ? 2 : books.options.unansweredLimit
        let limit = min(isCrowded ? 2 : books.options.exchangeLimit, openLimit)
        let isBeyondAll = liveExchangeCount > openLimit
        guard liveExchangeCount > limit, books.options.setup != .even || isBeyondAll else { return }
        for side in 0..<2 where mayDissolve(side, before: exchangeCount, books) { withdrawUnread(side, &books) }
        if books.options.setup != .even { retireAnswered(beyond: limit, &books) }
        guard liveExchangeCount > openLimit, firstExchange >= 0 else { return }
        let oldest = Int(books.exchanges.slots[Int(firstExchange)].following)
        guard oldest >= 0, Int32(oldest) != sides[0].current, Int32(oldest) != sides[1].current else { return }
        books.findings.add(.exchangeLimit)
        noteAbandoned(oldest, books)
        retire(oldest, &books)
    }

    private mutating func noteAbandoned(_ index: Int, _ books: borrowing Books) {
        guard books.exchanges.slots[index].stream < 0, books.exchanges.slots[index].request.isPresent,
            !books.exchanges.slots[index].response.isPresent
        else { return }
        let requests = abandoned ?? AbandonedRequests()
        abandoned = requests
        requests.append(
            number: books.exchanges.slots[index].number, method: books.exchanges.slots[index].methodKind)
    }

    private mutating func retireAnswered(beyond limit: Int, _ books: inout Books) {
        var index = firstExchange
        if index >= 0, isKept(index, books) { index = books.exchanges.slots[Int(index)].following }
        while index >= 0, liveExchangeCount > limit {
            let following = books.exchanges.slots[Int(index)].following
            // A response whose request may still come is stepped over.
            if index != nextToAsk {
                guard isAnswered(Int(index), books) else { return }
                retire(Int(index), &books)
            }
            index = following
        }
    }
}
