/// Messages that turned out to be none: what was begun has no start line.
extension Connection {
    /// What was begun as a message cannot be one: its bytes, of which `claimedBefore` were posted with earlier runs, and
    /// the rest of its line are opaque after all.
    mutating func dropMessage(
        _ run: RawSpan, _ offset: Int, _ claimedBefore: Int, _ side: Int, _ books: inout Books
    ) -> Int {
        let isFirst = exchangeCount == 1 && side == requestSide
        withdrawMessage(side, claimed: claimedBefore, &books)
        sides[side].reader.state = .searching
        if exchangeCount == 0 {
            requestSide = nil
            sides[1 - side].reader.state = .searching
        }
        if !isFirst { books.findings.add(.messageMalformed) }
        noteUncertain(.unreadable, side, &books)
        let end = run.firstLineFeed(from: offset).map { $0 + 1 } ?? run.byteCount
        takeUnowned(end - offset, side, &books)
        return end - offset
    }

    /// Takes back the message that the direction is in, of which only `claimed` bytes of a start line were posted. An
    /// exchange that has nothing else goes with it.
    mutating func withdrawMessage(_ side: Int, claimed: Int, _ books: inout Books) {
        let index = Int(sides[side].current)
        let isRequest = side == requestSide
        guard hasOther(index, isRequest: isRequest, books) else {
            dissolve(index, &books)
            return
        }
        books.exchanges.slots[index].costs.add(.startLine, -claimed, side)
        books.exchanges.slots[index].costs.add(.opaque, claimed, side)
        books.exchanges.slots[index].flags.insert(.malformed)
        if isRequest {
            books.exchanges.slots[index].request = MessageState()
        } else {
            books.exchanges.slots[index].response = MessageState()
            books.exchanges.slots[index].responseStartTime = nil
        }
        guard books.exchanges.slots[index].interim == 0 || isRequest else { return }
        books.exchanges.slots[index].ranges[side] = MessageRange()
        sides[side].current = previousCurrent(index, side, books)
    }

    /// The message that the direction is in is an exchange of its own, and has no whole start line yet: it may turn out to be
    /// none, and then the exchanges behind it move up. So none of them may leave before.
    func mayDissolve(_ side: Int, before number: Int, _ books: borrowing Books) -> Bool {
        guard case .head = sides[side].reader.state, sides[side].reader.startLine == nil, sides[side].current >= 0
        else { return false }
        let unread = Int(sides[side].current)
        return !hasOther(unread, isRequest: side == requestSide, books)
            && books.exchanges.slots[unread].number < number
    }

    private func hasOther(_ index: Int, isRequest: Bool, _ books: borrowing Books) -> Bool {
        let isOtherPresent =
            isRequest
            ? books.exchanges.slots[index].response.isPresent : books.exchanges.slots[index].request.isPresent
        return isOtherPresent || books.exchanges.slots[index].interim > 0
    }

    /// The start line that the direction is in is not waited for any more.
    mutating func withdrawUnread(_ side: Int, _ books: inout Books) {
        let index = Int(sides[side].current)
        abandonHead(side, &books)
        sides[side].reader.state = .searching
        noteUncertain(.unreadable, side, &books)
        withdrawMessage(side, claimed: books.exchanges.slots[index].costs.bytes(.startLine, side), &books)
    }

    /// The latest exchange before `index` that has a message in the direction.
    func previousCurrent(_ index: Int, _ side: Int, _ books: borrowing Books) -> Int32 {
        var cursor = books.exchanges.slots[index].previous
        while cursor >= 0, !books.exchanges.slots[Int(cursor)].ranges[side].isPresent {
            cursor = books.exchanges.slots[Int(cursor)].previous
        }
        return cursor
    }

    /// Takes an exchange out of the books; the connection pays what it had cost.
    private mutating func dissolve(_ index: Int, _ books: inout Books) {
        for side in 0..<2 {
            var costs = books.exchanges.slots[index].costs[side]
            costs[.opaque] += costs.message
            for cause in [Cause.startLine, .headers, .framing, .body] { costs[cause] = 0 }
            sides[side].own += costs
            if sides[side].current == Int32(index) { sides[side].current = previousCurrent(index, side, books) }
        }
        if nextToAnswer == Int32(index) { nextToAnswer = unanswered(behind: index, books) }
        if nextToAsk == Int32(index) { nextToAsk = -1 }
        closeNumbers(behind: books.exchanges.slots[index].number, &books)
        unlink(index, &books)
        books.exchanges.release(Int32(index))
    }

    /// Exchanges are numbered without a gap: those behind one that goes move up.
    private mutating func closeNumbers(behind number: Int, _ books: inout Books) {
        exchangeCount -= 1
        var cursor = number == exchangeCount ? -1 : lastExchange
        while cursor >= 0 {
            if books.exchanges.slots[Int(cursor)].number > number { books.exchanges.slots[Int(cursor)].number -= 1 }
            cursor = books.exchanges.slots[Int(cursor)].previous
        }
    }
}
