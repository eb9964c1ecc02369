/// Start lines and header sections, and the bodies they announce.
extension Connection {
    mutating func claimHead(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        let role: MessageRole = side == requestSide ? .request : .response
        let isCrowded = books.headBytes > books.options.part(of: books.options.totalHeadBytesLimit)
        let kept = sides[side].reader.buffer.count
        let step = sides[side].reader.readHead(
            run, offset, role: role, limit: books.options.headerSectionLimit, mayKeep: !isCrowded)
        if case .partial = step {
            books.headBytes += sides[side].reader.buffer.count - kept
        } else {
            books.headBytes -= kept
        }
        return claimHead(step, run, offset, at: position, side, &books)
    }

    private mutating func claimHead(
        _ step: MessageReader.HeadStep, _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int,
        _ books: inout Books
    ) -> Int {
        switch step {
        case .partial(let startLine, let headers):
            take(.startLine, startLine, side, &books)
            take(.headers, headers, side, &books)
            noteStartLine(run, side, &books)
            return startLine + headers
        case .complete(let startLine, let headers):
            take(.startLine, startLine, side, &books)
            take(.headers, headers, side, &books)
            noteStartLine(run, side, &books)
            let end = position + startLine + headers
            keepHead(run, offset, startLine + headers, side, &books)
            if side == requestSide {
                requestHeadCompleted(run, at: end, side, &books)
            } else {
                responseHeadCompleted(at: end, side, &books)
            }
            sides[side].reader.forgetHead()
            return startLine + headers
        case .malformed(let claimedBefore):
            sides[side].reader.forgetHead()
            if answersSimply(side, books) {
                beginSimpleBody(claimedBefore, at: position, side, &books)
                return 0
            }
            return dropMessage(run, offset, claimedBefore, side, &books)
        case .tooLong(let startLine, let headers):
            take(.startLine, startLine, side, &books)
            take(.headers, headers, side, &books)
            books.findings.add(.headerSectionLimit)
            sides[side].reader.forgetHead()
            breakMessage(side, [.malformed], &books)
            return startLine + headers
        }
    }

    /// What answers a request of HTTP/0.9 has no head, though it may begin as one.
    private func answersSimply(_ side: Int, _ books: borrowing Books) -> Bool {
        side != requestSide && books.exchanges.slots[Int(sides[side].current)].request.version == .http09
    }

    private mutating func beginSimpleBody(
        _ claimedBefore: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        let index = Int(sides[side].current)
        books.exchanges.slots[index].costs.add(.startLine, -claimedBefore, side)
        books.exchanges.slots[index].costs.add(.body, claimedBefore, side)
        books.exchanges.slots[index].response.version = .http09
        startBody(BodyLength(framing: .close), nil, at: position, side, &books)
        guard claimedBefore > 0, let body = sides[side].examined else { return }
        books.examiner?.abandon(body)
        sides[side].examined = nil
    }

    /// A head ends where it does not end: what was kept of it goes.
    mutating func abandonHead(_ side: Int, _ books: inout Books) {
        guard case .head = sides[side].reader.state else { return }
        books.headBytes -= sides[side].reader.buffer.count
        sides[side].reader.forgetHead()
    }

    /// Keeps what the start line says, once it is there.
    private mutating func noteStartLine(_ run: RawSpan, _ side: Int, _ books: inout Books) {
        guard let line = sides[side].reader.startLine else { return }
        let index = Int(sides[side].current)
        guard side == requestSide else {
            books.exchanges.slots[index].response.version = line.version
            books.exchanges.slots[index].status = line.status
            if line.version.rawValue > httpVersion.rawValue { httpVersion = line.version }
            return
        }
        guard books.exchanges.slots[index].request.version == .none else { return }
        books.exchanges.slots[index].request.version = line.version
        books.exchanges.slots[index].methodKind = line.methodKind
        if httpVersion == .none { httpVersion = line.version }
        if sides[side].reader.headIsBuffered {
            let head = sides[side].reader.buffer
            unsafe books.exchanges.slots[index].keepStartLine(head.span.bytes, line, limit: books.targetLimit)
        } else {
            books.exchanges.slots[index].keepStartLine(run, line, limit: books.targetLimit)
        }
    }

    private mutating func requestHeadCompleted(
        _ run: RawSpan, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        let index = Int(sides[side].current)
        guard let section = sides[side].reader.section else {
            // A simple request of HTTP/0.9 is its line alone.
            startBody(BodyLength(), nil, at: position, side, &books)
            return
        }
        if let host = section.host {
            if sides[side].reader.headIsBuffered {
                let head = sides[side].reader.buffer
                unsafe books.exchanges.slots[index].keepHost(head.span.bytes, host)
            } else {
                books.exchanges.slots[index].keepHost(run, host)
            }
        }
        let body = BodyLength.request(section)
        noteFraming(body, section, books.exchanges.slots[index].request.version, index, &books)
        if sides[side].reader.startLine?.mayNameHost == true, books.exchanges.slots[index].hasTwoHosts {
            books.findings.add(.framingAmbiguous)
        }
        startBody(body, section, at: position, side, &books)
    }

    /// HTTP/1.0 knows no transfer codings: who sends one there may be misunderstood (RFC 9112 §6.1).
    private mutating func noteFraming(
        _ body: BodyLength, _ section: HeaderSection, _ version: HTTPVersion, _ index: Int, _ books: inout Books
    ) {
        let isAnachronistic = section.hasTransferEncoding && version == .http10
        guard body.isMalformed || section.isMalformed || isAnachronistic else { return }
        books.exchanges.slots[index].flags.insert(.malformed)
        books.findings.add(.framingAmbiguous)
    }

    private mutating func responseHeadCompleted(at position: StreamPosition, _ side: Int, _ books: inout Books) {
        let index = Int(sides[side].current)
        guard let section = sides[side].reader.section else { return }
        let status = books.exchanges.slots[index].status
        let body = BodyLength.response(section, status: status, to: books.exchanges.slots[index].methodKind)
        noteFraming(body, section, books.exchanges.slots[index].response.version, index, &books)
        if (100..<200).contains(status), status != 101 {
            endInterim(index, side, section, &books)
        } else if body.framing == .tunnel {
            beginTunnel(index, side, isUpgrade: status == 101, at: position, &books)
        } else {
            startBody(body, section, at: position, side, &books)
        }
    }

    /// A 1xx response belongs to the exchange whose final response follows; all of it counts as headers.
    private mutating func endInterim(_ index: Int, _ side: Int, _ section: HeaderSection, _ books: inout Books) {
        let startLine = sides[side].reader.startLineLength
        let length =
            sides[side].reader.headIsBuffered
            ? sides[side].reader.buffer.count : section.end - sides[side].reader.headOffset
        books.exchanges.slots[index].costs.add(.startLine, -startLine, side)
        books.exchanges.slots[index].costs.add(.headers, startLine, side)
        books.exchanges.slots[index].interim += length
        books.exchanges.slots[index].awaitsFinalResponse = true
        books.exchanges.slots[index].status = 0
        books.exchanges.slots[index].response = MessageState()
        sides[side].reader.state = .idle
    }

    private mutating func beginTunnel(
        _ index: Int, _ side: Int, isUpgrade: Bool, at position: StreamPosition, _ books: inout Books
    ) {
        books.exchanges.slots[index].response.framing = .tunnel
        books.exchanges.slots[index].flags.insert(isUpgrade ? .upgraded : .tunnel)
        sides[side].bodyIsIdentity = true
        endMessage(side, at: position, &books)
        books.exchanges.slots[index].ranges[side].end = .never
        sides[side].reader.state = .tunnelStart
        let other = 1 - side
        guard sides[other].current == Int32(index) else { return }
        switch sides[other].reader.state {
        case .idle, .tunnel, .tunnelStart:
            books.exchanges.slots[index].ranges[other].end = .never
            if case .idle = sides[other].reader.state { sides[other].reader.state = .tunnelStart }
        default: break
        }
    }

    mutating func startBody(
        _ body: BodyLength, _ section: HeaderSection?, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        let index = Int(sides[side].current)
        let isEmpty = body.framing == .none || (body.framing == .contentLength && body.length == 0)
        let codings = section?.codings ?? CodingList()
        let isIdentity = isEmpty || (codings.count == 0 && !codings.isUndecodable)
        sides[side].bodyIsIdentity = isIdentity
        if side == requestSide {
            books.exchanges.slots[index].request.framing = body.framing
            books.exchanges.slots[index].request.isCoded = !isIdentity
        } else {
            books.exchanges.slots[index].response.framing = body.framing
            books.exchanges.slots[index].response.isCoded = !isIdentity
        }
        if isEmpty {
            endMessage(side, at: position, &books)
            return
        }
        if let examiner = books.examiner { examineBody(examiner, section, side, &books) }
        switch body.framing {
        case .chunked:
            sides[side].reader.chunks = ChunkedFraming()
            sides[side].reader.state = .chunked
        case .contentLength: sides[side].reader.state = .body(remaining: body.length)
        default: sides[side].reader.state = .untilClose
        }
    }

    private mutating func examineBody(
        _ examiner: any BodyExaminer, _ section: HeaderSection?, _ side: Int, _ books: inout Books
    ) {
        guard section?.codings.isUndecodable != true else { return }
        let outline = BodyOutline(
            isRequest: side == requestSide, codings: section?.codings.array ?? [],
            isLiterallyGzip: section?.isLiterallyGzip ?? false,
            hasContentEncoding: section?.hasContentEncoding ?? false)
        var limitReached = false
        sides[side].examined = examiner.begin(outline, limitReached: &limitReached)
        if limitReached { books.findings.add(.decodeLimit) }
    }

    /// The body ends here, or nothing more will come of it. Returns its decoded size, if that is known already.
    mutating func endBody(_ side: Int, isWhole: Bool, _ books: inout Books) -> Int? {
        let index = Int(sides[side].current)
        guard let body = sides[side].examined, let examiner = books.examiner else {
            return sides[side].bodyIsIdentity ? books.exchanges.slots[index].costs.bytes(.body, side) : nil
        }
        let isIdentity = sides[side].bodyIsIdentity
        sides[side].examined = nil
        sides[side].bodyIsIdentity = false
        examiner.end(body, isWhole: isWhole)
        if side == requestSide {
            books.exchanges.slots[index].request.examined = body
        } else {
            books.exchanges.slots[index].response.examined = body
        }
        guard examiner.isImmediate else {
            return isIdentity ? books.exchanges.slots[index].costs.bytes(.body, side) : nil
        }
        let facts = body.facts
        if facts.decoded == nil, isWhole { books.findings.add(facts.limitReached ? .decodeLimit : .decodeFailed) }
        return facts.decoded
    }

    /// The body's content cannot be followed any more.
    mutating func abandonBody(_ side: Int, _ books: inout Books) {
        sides[side].bodyIsIdentity = false
        guard let body = sides[side].examined else { return }
        books.examiner?.abandon(body)
        sides[side].examined = nil
    }

    /// Copies a head that came whole into its exchange, if somebody wants it; of responses the final one's.
    private mutating func keepHead(_ run: RawSpan, _ offset: Int, _ length: Int, _ side: Int, _ books: inout Books) {
        guard books.options.keepsHeads else { return }
        let isBuffered = sides[side].reader.headIsBuffered
        let bytes = isBuffered ? sides[side].reader.buffer : run.array(offset..<offset + length)
        let head = MessageHead(bytes: bytes, startLine: sides[side].reader.startLineLength)
        let index = Int(sides[side].current)
        if side == requestSide {
            books.exchanges.slots[index].request.head = head
        } else {
            books.exchanges.slots[index].response.head = head
        }
    }
}
