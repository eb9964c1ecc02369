/// The ends of HTTP/2 streams, orderly or not, and of their exchanges.
extension Connection {
    /// A frame is whole: what follows from it.
    mutating func endFrame(
        at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let direction = http2[side] else { return }
        let frame = direction.reader.frame
        if direction.reader.isMalformed { books.findings.add(.frameMalformed) }
        noteRange(direction.owner, at: position, side, http2, &books)
        if frame.type == FrameType.pushPromise { direction.block?.promised = direction.reader.promisedStreamID }
        var endsStream = frame.type == FrameType.data && frame.endsStream
        if frame.endsFieldBlock {
            endsStream = direction.block?.endsStream == true
            endBlock(at: position, side, http2, &books)
        }
        if endsStream { endStreamMessage(frame.stream, at: position, side, http2, &books) }
        if frame.type == FrameType.resetStream { resetStream(frame.stream, at: position, side, http2, &books) }
    }

    private func noteRange(
        _ owner: Owner, at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard books.exchanges.isLive(owner), let start = http2[side]?.frameStart else { return }
        let index = Int(owner.index)
        if !books.exchanges.slots[index].ranges[side].isPresent {
            books.exchanges.slots[index].ranges[side].start = start
        }
        if books.exchanges.slots[index].ranges[side].end != .never {
            books.exchanges.slots[index].ranges[side].end = position
        }
    }

    private mutating func endStreamMessage(
        _ id: Int, at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let stream = http2.streams[id], books.exchanges.isLive(stream.owner), !stream[side].isEnded else {
            return
        }
        let index = Int(stream.owner.index)
        let message = stream[side]
        checkLength(message, index, side, &books)
        let decoded = endStreamBody(message, index, side, isWhole: true, &books)
        http2.streams[id]?[side].isEnded = true
        http2.streams[id]?[side].examined = nil
        books.exchanges.slots[index].ranges[side].end = position
        if side == requestSide {
            books.exchanges.slots[index].requestEndTime = books.moment.time
            books.exchanges.slots[index].request.finish(decoded)
        } else {
            books.exchanges.slots[index].responseEndTime = books.moment.time
            books.exchanges.slots[index].response.finish(decoded)
            books.answeredCount += 1
        }
        if http2.streams[id]?[1 - side].isEnded == true { closeStream(id, http2) }
    }

    /// A Content-Length that is not the length of the content makes a message malformed (RFC 9113 §8.1.1).
    private func checkLength(
        _ message: HTTP2Connection.StreamMessage, _ index: Int, _ side: Int, _ books: inout Books
    ) {
        guard let length = message.contentLength, length != message.bodyBytes else { return }
        let exchange = (
            status: books.exchanges.slots[index].status, method: books.exchanges.slots[index].methodKind
        )
        let hasNoBody = side != requestSide && (exchange.method == .head || [204, 304].contains(exchange.status))
        let isBroken =
            side == requestSide
            ? books.exchanges.slots[index].request.isBroken : books.exchanges.slots[index].response.isBroken
        noteMalformed(!hasNoBody && !isBroken, index, &books)
    }

    private func endStreamBody(
        _ message: HTTP2Connection.StreamMessage, _ index: Int, _ side: Int, isWhole: Bool, _ books: inout Books
    ) -> Int? {
        guard let body = message.examined, let examiner = books.examiner else {
            return message.isIdentity ? message.bodyBytes : nil
        }
        examiner.end(body, isWhole: isWhole)
        if side == requestSide {
            books.exchanges.slots[index].request.examined = body
        } else {
            books.exchanges.slots[index].response.examined = body
        }
        guard examiner.isImmediate else { return message.isIdentity ? message.bodyBytes : nil }
        let facts = body.facts
        if facts.decoded == nil, isWhole { books.findings.add(facts.limitReached ? .decodeLimit : .decodeFailed) }
        return facts.decoded
    }

    private func closeStream(_ id: Int, _ http2: HTTP2Connection) {
        guard let stream = http2.streams[id], !stream.isClosed else { return }
        http2.streams[id]?.isClosed = true
        http2.closed.append((id, stream.owner))
    }

    /// RST_STREAM ends a stream at once, for both sides (RFC 9113 §6.4).
    private mutating func resetStream(
        _ id: Int, at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let stream = http2.streams[id], books.exchanges.isLive(stream.owner) else { return }
        cutStream(id, stream, http2, [.aborted, .reset], &books)
        closeStream(id, http2)
    }

    /// What of the stream's messages has not ended will not come.
    private func cutStream(
        _ id: Int, _ stream: HTTP2Connection.Stream, _ http2: HTTP2Connection, _ reasons: RecordFlags,
        _ books: inout Books
    ) {
        let index = Int(stream.owner.index)
        for side in 0..<2 where !stream[side].isEnded {
            _ = endStreamBody(stream[side], index, side, isWhole: false, &books)
            http2.streams[id]?[side].isEnded = true
            http2.streams[id]?[side].examined = nil
            books.exchanges.slots[index].setBroken(side == requestSide)
            books.exchanges.slots[index].flags.formUnion(reasons)
            if side == requestSide {
                books.exchanges.slots[index].request.isFinished = true
            } else {
                books.exchanges.slots[index].response.isFinished = true
                books.answeredCount += 1
            }
            if books.exchanges.slots[index].ranges[side].isPresent {
                books.exchanges.slots[index].ranges[side].end = sides[side].assembler.next
            }
        }
    }

    /// No more bytes come in the direction: its open messages end as they are.
    mutating func endStreams(_ side: Int, isOrderly: Bool, _ books: inout Books) {
        guard let http2 else { return }
        forgetInflater(side, http2, &books)
        let reason: RecordFlags = close == .open && !isOrderly ? .noEnd : .aborted
        for id in http2.streams.keys.sorted() {
            guard let stream = http2.streams[id], !stream[side].isEnded, books.exchanges.isLive(stream.owner) else {
                continue
            }
            let index = Int(stream.owner.index)
            _ = endStreamBody(stream[side], index, side, isWhole: false, &books)
            http2.streams[id]?[side].isEnded = true
            http2.streams[id]?[side].examined = nil
            books.exchanges.slots[index].setBroken(side == requestSide)
            books.exchanges.slots[index].flags.insert(reason)
        }
    }

    /// Lets go of the exchanges of closed streams where there are too many.
    mutating func retireClosed(_ http2: HTTP2Connection, _ books: inout Books) {
        while http2.closedHead < http2.closed.count {
            let owner = http2.closed[http2.closedHead].owner
            if books.exchanges.isLive(owner), !isKept(owner.index, books) {
                guard liveExchangeCount > books.options.exchangeLimit, isAnswered(Int(owner.index), books) else {
                    break
                }
                retire(Int(owner.index), &books)
            }
            http2.closedHead += 1
        }
        if http2.closedHead > 1024, http2.closedHead * 2 > http2.closed.count {
            http2.closed.removeFirst(http2.closedHead)
            http2.closedHead = 0
        }
    }
}
