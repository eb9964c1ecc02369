/// Messages and exchanges: where they begin and end.
extension Connection {
    /// Not in step: looks for a start line, at the beginning of the run, and on a connection known to carry HTTP
    /// anywhere in it.
    mutating func search(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        if beginLayer(run, offset, at: position, side) { return 0 }
        if http2 != nil {
            takeNoFrames(run.byteCount - offset, at: position, side, &books)
            return run.byteCount - offset
        }
        if let role = plausibleRole(run, offset, at: position, side) {
            requestSide = role == .request ? side : 1 - side
            if role == .request {
                beginRequest(at: position, side, &books)
            } else {
                beginResponse(run, offset, at: position, side, &books)
            }
            return 0
        }
        // Empty lines may stand before a start line (RFC 9112 §2.2).
        var end = offset
        while end < run.byteCount, run.u8(end) == 0x0D || run.u8(end) == 0x0A { end += 1 }
        if end == offset {
            end = run.byteCount
            if requestSide != nil, let found = nextPlausible(run, offset + 1, side) { end = found }
            noteUncertain(.unreadable, side, &books)
        }
        let owner = searchOwner(side, books)
        post(owner, side, .opaque, end - offset, &books)
        books.shares.add(owner, end - offset)
        return end - offset
    }

    /// Bytes after a message that was lost belong to its exchange until another message begins.
    func searchOwner(_ side: Int, _ books: borrowing Books) -> Owner {
        let index = sides[side].current
        guard index >= 0, books.exchanges.slots[Int(index)].ranges[side].end == .never else { return .connection }
        return books.exchanges.owner(index)
    }

    private func plausibleRole(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int
    ) -> MessageRole? {
        let mayRequest = (requestSide ?? clientSide ?? side) == side
        let mayRespond = requestSide.map { $0 != side } ?? (clientSide.map { $0 != side } ?? true)
        let isFirst = isFirstContent(position, side)
        switch StartLinePlausibility.judge(run, at: offset, isFirst: isFirst) {
        case .no: return nil
        case .request: return mayRequest ? .request : nil
        case .response: return mayRespond ? .response : nil
        case .maybe:
            let looksLikeStatus =
                run.hasBytes("HT", at: offset) || (run.byteCount - offset == 1 && run.u8(offset) == 0x48)
            if looksLikeStatus, mayRespond { return .response }
            return mayRequest && !run.hasBytes("HT", at: offset) ? .request : nil
        }
    }

    private func nextPlausible(_ run: RawSpan, _ start: Int, _ side: Int) -> Int? {
        var offset = start
        if side == requestSide {
            while let lineFeed = run.firstLineFeed(from: offset) {
                if StartLinePlausibility.judge(run, at: lineFeed + 1) == .request { return lineFeed + 1 }
                offset = lineFeed + 1
            }
            return nil
        }
        while let candidate = run.firstByte(0x48, from: offset) {
            if StartLinePlausibility.judge(run, at: candidate) == .response { return candidate }
            offset = candidate + 1
        }
        return nil
    }

    mutating func beginRequest(at position: StreamPosition, _ side: Int, _ books: inout Books) {
        finishBroken(side, at: position, &books)
        retireBeyondLimit(&books)
        let index: Int
        if nextToAsk >= 0, position < askedBefore {
            // The server spoke first; its client takes that for the answer to its first request. Or the capture shows
            // the two the wrong way round.
            index = Int(nextToAsk)
        } else {
            if nextToAsk >= 0 { books.exchanges.slots[Int(nextToAsk)].flags.insert(.gap) }
            if nextToAnswer >= 0, answerIsStillDue(side, books) { hasPipelined = true }
            index = appendExchange(before: -1, &books)
            if nextToAnswer < 0 { nextToAnswer = Int32(index) }
        }
        nextToAsk = -1
        askedWith = books.moment.acknowledged
        books.exchanges.slots[index].request.isPresent = true
        books.exchanges.slots[index].isSecure = sides[side].layer?.kind == .tls
        books.exchanges.slots[index].ranges[side].start = position
        sides[side].current = Int32(index)
        sides[side].reader.beginHead()
        sides[side].isLost = false
        // The other direction may answer with the first byte it sends, even without a status line.
        // In TLS it will answer with a hello first.
        let isAlike = sides[side].layer == nil || sides[1 - side].layer != nil
        if case .searching = sides[1 - side].reader.state, hasNoContentYet(1 - side), isAlike {
            sides[1 - side].reader.state = .idle
        }
    }

    /// Adds an exchange to the connection's chain. Returns its slot.
    mutating func appendExchange(before following: Int32, _ books: inout Books) -> Int {
        let owner = books.exchanges.insert()
        let index = Int(owner.index)
        let previous = following < 0 ? lastExchange : books.exchanges.slots[Int(following)].previous
        books.exchanges.slots[index].number = exchangeCount
        books.exchanges.slots[index].firstTime = books.moment.time
        books.exchanges.slots[index].lastTime = books.moment.time
        books.exchanges.slots[index].previous = previous
        books.exchanges.slots[index].following = following
        if previous >= 0 {
            books.exchanges.slots[Int(previous)].following = owner.index
        } else {
            firstExchange = owner.index
        }
        if following >= 0 {
            books.exchanges.slots[Int(following)].previous = owner.index
        } else {
            lastExchange = owner.index
        }
        exchangeCount += 1
        liveExchangeCount += 1
        books.due.add(
            DueWheel.Entry(place: place, number: number, owner: owner), at: books.moment.time + Connection.retention)
        return index
    }

    mutating func beginResponse(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        let current = Int(sides[side].current)
        let goesOn = current >= 0 && books.exchanges.slots[current].awaitsFinalResponse
        if !goesOn {
            finishBroken(side, at: position, &books)
            let count = exchangeCount
            let index = answeredExchange(side, &books)
            sides[side].current = Int32(index)
            if exchangeCount > count { retireBeyondLimit(&books) }
            books.exchanges.slots[index].isSecure = sides[side].layer?.kind == .tls
            books.exchanges.slots[index].ranges[side].start = position
        }
        let index = Int(sides[side].current)
        books.exchanges.slots[index].response.isPresent = true
        books.exchanges.slots[index].awaitsFinalResponse = false
        books.exchanges.slots[index].responseStartTime = books.moment.time
        sides[side].isLost = false
        if books.exchanges.slots[index].request.version == .http09, !StartLine.couldBegin(run, offset, .response) {
            books.exchanges.slots[index].response.version = .http09
            startBody(BodyLength(framing: .close), nil, at: position, side, &books)
        } else {
            sides[side].reader.beginHead()
        }
    }

    /// Ends the message that the direction is in at its proper end.
    mutating func endMessage(_ side: Int, at position: StreamPosition, _ books: inout Books) {
        let index = Int(sides[side].current)
        let decoded = endBody(side, isWhole: true, &books)
        sides[side].reader.state = .idle
        books.exchanges.slots[index].ranges[side].end = position
        if side == requestSide {
            books.exchanges.slots[index].requestEndTime = books.moment.time
            books.exchanges.slots[index].request.finish(decoded)
        } else {
            books.exchanges.slots[index].responseEndTime = books.moment.time
            answered(index, &books)
            books.exchanges.slots[index].response.finish(decoded)
        }
    }

    private mutating func answered(_ index: Int, _ books: inout Books) {
        // A tunnel ends once more.
        if !books.exchanges.slots[index].response.isFinished { books.answeredCount += 1 }
        if nextToAnswer == Int32(index) { nextToAnswer = unanswered(behind: index, books) }
    }

    /// The current message cannot be followed to its end. Its exchange keeps what comes until another one begins.
    mutating func breakMessage(_ side: Int, _ reasons: RecordFlags, _ books: inout Books) {
        abandonHead(side, &books)
        sides[side].reader.state = .searching
        if !reasons.contains(.malformed) { sides[side].isLost = true }
        abandonBody(side, &books)
        let index = Int(sides[side].current)
        guard index >= 0 else { return }
        books.exchanges.slots[index].setBroken(side == requestSide)
        books.exchanges.slots[index].flags.formUnion(reasons)
    }

    /// Before another message begins: what the last one did not get, it will never get.
    private mutating func finishBroken(_ side: Int, at position: StreamPosition, _ books: inout Books) {
        let index = Int(sides[side].current)
        guard index >= 0, books.exchanges.slots[index].ranges[side].end == .never else { return }
        books.exchanges.slots[index].ranges[side].end = position
        if side == requestSide {
            books.exchanges.slots[index].request.isFinished = true
        } else {
            answered(index, &books)
            books.exchanges.slots[index].response.isFinished = true
        }
    }

    /// No more bytes will come in this direction. An orderly end (FIN) completes a body that runs to the end.
    mutating func endDirection(_ side: Int, isOrderly: Bool, _ books: inout Books) {
        flushLayer(side, &books)
        let index = Int(sides[side].current)
        let end = sides[side].assembler.next
        abandonHead(side, &books)
        switch sides[side].reader.state {
        case .frames: endStreams(side, isOrderly: isOrderly, &books)
        case .untilClose where isOrderly: endMessage(side, at: end, &books)
        case .head where sides[side].reader.startLine == nil:
            sides[side].reader.state = .idle
            let claimed = books.exchanges.slots[index].costs.bytes(.startLine, side)
            books.exchanges.slots[index].flags.insert(close == .open && !isOrderly ? .noEnd : .aborted)
            withdrawMessage(side, claimed: claimed, &books)
        case .untilClose, .body, .chunked, .head:
            _ = endBody(side, isWhole: false, &books)
            sides[side].reader.state = .idle
            books.exchanges.slots[index].flags.insert(close == .open && !isOrderly ? .noEnd : .aborted)
            books.exchanges.slots[index].setBroken(side == requestSide)
            finishBroken(side, at: end, &books)
        case .tunnel, .tunnelStart, .idle, .searching: finishBroken(side, at: end, &books)
        }
    }
}
