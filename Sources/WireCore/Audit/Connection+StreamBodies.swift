/// Bodies of HTTP/2 messages: what their DATA frames hold (RFC 9113 §8.1).
extension Connection {
    func beginStreamBody(
        _ block: HTTP2Connection.FieldBlock, _ index: Int, _ side: Int, _ http2: HTTP2Connection,
        _ books: inout Books
    ) {
        http2.noteUnbroken(block.stream, side)
        let section = block.section
        let isTunnel = http2.streams[block.stream]?.isTunnel == true
        let framing: BodyFraming = isTunnel ? .tunnel : block.endsStream ? .none : .frames
        let isIdentity = section.codings.count == 0 && !section.codings.isUndecodable && !block.isBroken
        var message = http2.streams[block.stream]?[side] ?? HTTP2Connection.StreamMessage()
        message.isIdentity = isIdentity
        message.contentLength = section.contentLength
        if side == requestSide {
            books.exchanges.slots[index].request.framing = framing
            books.exchanges.slots[index].request.isCoded = !isIdentity
        } else {
            books.exchanges.slots[index].response.framing = framing
            books.exchanges.slots[index].response.isCoded = !isIdentity
        }
        if !block.endsStream, !isTunnel, !section.codings.isUndecodable, !block.isBroken, let examiner = books.examiner
        {
            let outline = BodyOutline(
                isRequest: side == requestSide, codings: section.codings.array,
                isLiterallyGzip: section.isLiterallyGzip, hasContentEncoding: section.hasContentEncoding)
            var limitReached = false
            message.examined = examiner.begin(outline, limitReached: &limitReached)
            if limitReached { books.findings.add(.decodeLimit) }
        }
        http2.streams[block.stream]?[side] = message
    }

    func readData(_ bytes: RawSpan, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        guard let id = http2[side]?.reader.frame.stream, let message = http2.streams[id]?[side] else { return }
        http2.streams[id]?[side].bodyBytes += bytes.byteCount
        guard let body = message.examined, let examiner = books.examiner else { return }
        if !examiner.take(body, bytes, captured: books.bytesSoFar) {
            books.findings.add(.decodeLimit)
            abandonStreamBody(id, side, http2, isHole: false, &books)
        }
    }

    /// The content of the stream's body is not whole. Its size is known all the same where nothing coded it, unless a
    /// hole lies in it.
    func abandonStreamBody(
        _ id: Int, _ side: Int, _ http2: HTTP2Connection, isHole: Bool, _ books: inout Books
    ) {
        guard let message = http2.streams[id]?[side] else { return }
        if isHole { http2.streams[id]?[side].isIdentity = false }
        guard let body = message.examined else { return }
        books.examiner?.abandon(body)
        http2.streams[id]?[side].examined = nil
        if message.isIdentity == false || isHole { http2.streams[id]?[side].isIdentity = false }
    }
}
