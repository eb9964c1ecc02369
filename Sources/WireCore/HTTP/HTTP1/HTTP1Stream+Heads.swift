/// Start lines and header sections, and the bodies they announce.
extension HTTP1Stream {
    mutating func receiveHead(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) -> Int {
        let kept = directions[direction].reader.buffer.count
        let step = directions[direction].reader.readHead(
            run, offset, role: tracker.role(direction), limit: context.options.headerSectionLimit,
            mayKeep: !context.isCrowdedWithHeads)
        if case .partial = step {
            context.buffered.heads += directions[direction].reader.buffer.count - kept
        } else {
            context.buffered.heads -= kept
        }
        switch step {
        case .partial(let startLine, let headers):
            claimHead(startLine, headers, run, direction, &tracker, &context)
            return startLine + headers
        case .complete(let startLine, let headers):
            claimHead(startLine, headers, run, direction, &tracker, &context)
            keepHead(run, offset, startLine + headers, direction, tracker, &context)
            completeHead(run, at: position + startLine + headers, direction, &tracker, &context)
            return startLine + headers
        case .malformed(let claimedBefore):
            directions[direction].reader.forgetHead()
            if answersSimply(direction, tracker, context) {
                beginSimpleBody(claimedBefore, at: position, direction, &tracker, &context)
                return 0
            }
            return dropMessage(run, offset, claimedBefore, direction, &tracker, &context)
        case .tooLong(let startLine, let headers):
            claim(.startLine, startLine, direction, &context)
            claim(.headers, headers, direction, &context)
            context.findings.add(.headerSectionLimit)
            directions[direction].reader.forgetHead()
            breakMessage(direction, .malformed, &tracker, &context)
            return startLine + headers
        }
    }

    @inline(__always)
    private func claimHead(
        _ startLine: Int, _ headers: Int, _ run: RawSpan, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        claim(.startLine, startLine, direction, &context)
        claim(.headers, headers, direction, &context)
        noteStartLine(run, direction, &tracker, &context)
    }

    @inline(__always)
    private mutating func completeHead(
        _ run: RawSpan, at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        recordContent(run, direction, tracker.role(direction), &context)
        if direction == tracker.requester {
            completeRequestHead(run, at: position, direction, &tracker, &context)
        } else {
            completeResponseHead(at: position, direction, &tracker, &context)
        }
        directions[direction].reader.forgetHead()
    }

    /// Records the type of a body, and what the head of a request says of its operation.
    private func recordContent(
        _ run: RawSpan, _ direction: Direction, _ role: MessageRole, _ context: inout StreamContext
    ) {
        guard let type = directions[direction].reader.section.map(\.contentType), type != nil || role == .request
        else { return }
        let index = Int(context.attribution.connection[direction].latest)
        let fields = directions[direction].reader.startLineLength
        if directions[direction].reader.headIsBuffered {
            let head = directions[direction].reader.buffer
            unsafe context.recordHead(head.span.bytes, fields: fields, type, of: index, role)
        } else {
            context.recordHead(run, fields: directions[direction].reader.headOffset + fields, type, of: index, role)
        }
    }

    /// What answers a request of HTTP/0.9 has no head, though it may begin as one.
    private func answersSimply(
        _ direction: Direction, _ tracker: borrowing ExchangeTracker, _ context: borrowing StreamContext
    ) -> Bool {
        direction != tracker.requester
            && context.exchanges[Int(context.attribution.connection[direction].latest)].request.version == .http09
    }

    private mutating func beginSimpleBody(
        _ claimedBefore: Int, at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        context.attribution.reclassify(index, claimedBefore, from: .startLine, to: .body, direction)
        context.exchanges[index].response.version = .http09
        startBody(BodyLength(framing: .close), nil, at: position, direction, &tracker, &context)
        guard claimedBefore > 0 else { return }
        directions[direction].body.addUnexamined(claimedBefore)
        directions[direction].body.abandon(keepsSize: true, context)
    }

    /// The stream ends inside a head: releases the part that was kept.
    func abandonHead(_ direction: Direction, _ context: inout StreamContext) {
        guard case .head = directions[direction].reader.state else { return }
        context.buffered.heads -= directions[direction].reader.buffer.count
        directions[direction].reader.forgetHead()
    }

    /// Keeps what the start line says, once it is there.
    private func noteStartLine(
        _ run: RawSpan, _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard let line = directions[direction].reader.startLine else { return }
        let index = Int(context.attribution.connection[direction].latest)
        guard direction == tracker.requester else {
            context.exchanges[index].response.version = line.version
            context.exchanges[index].status = line.status
            if line.version.rawValue > tracker.httpVersion.rawValue { tracker.httpVersion = line.version }
            return
        }
        guard context.exchanges[index].request.version == .none else { return }
        context.exchanges[index].request.version = line.version
        context.exchanges[index].methodKind = line.methodKind
        if tracker.httpVersion == .none { tracker.httpVersion = line.version }
        let limit = context.targetLimit
        if directions[direction].reader.headIsBuffered {
            let head = directions[direction].reader.buffer
            unsafe context.exchanges[index].keepStartLine(head.span.bytes, line, limit: limit)
        } else {
            context.exchanges[index].keepStartLine(run, line, limit: limit)
        }
        // "EAD" may be the rest of "HEAD". No method of common use is the end of another one.
        if directions[direction].beganBehindLoss, !context.exchanges[index].hasCommonMethod {
            context.exchanges[index].flags.insert(.gap)
        }
    }

    /// Keeps what is there of a head whose end is missing.
    func recordCutHead(
        _ direction: Direction, _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        guard case .head = directions[direction].reader.state else { return }
        guard directions[direction].reader.startLine == nil else { return recordCutHost(direction, tracker, &context) }
        let head = directions[direction].reader.buffer
        let bytes = unsafe head.span.bytes
        let index = Int(context.attribution.connection[direction].latest)
        if direction == tracker.requester {
            guard context.exchanges[index].methodLength == 0, let (line, isCut) = StartLine.cutRequest(bytes) else {
                return
            }
            context.exchanges[index].methodKind = line.methodKind
            context.exchanges[index].keepStartLine(bytes, line, limit: context.targetLimit)
            if isCut { context.exchanges[index].noteCutTarget() }
        } else if let line = StartLine.status(bytes, 0..<bytes.byteCount), line.status == 101 || line.status >= 200 {
            context.exchanges[index].response.version = line.version
            context.exchanges[index].status = line.status
            if line.version.rawValue > tracker.httpVersion.rawValue { tracker.httpVersion = line.version }
        }
    }

    /// Keeps the host of a request whose header section has no end, if its line is whole.
    @inline(never)
    func recordCutHost(
        _ direction: Direction, _ tracker: borrowing ExchangeTracker, _ context: inout StreamContext
    ) {
        // The reader is large: it is looked at in its place.
        guard direction == tracker.requester, case .head = directions[direction].reader.state,
            directions[direction].reader.startLine != nil, directions[direction].reader.headIsBuffered
        else { return }
        let (head, start) = (directions[direction].reader.buffer, directions[direction].reader.startLineLength)
        let bytes = unsafe head.span.bytes
        guard let host = HeaderSection.readLines(bytes, from: start).host else { return }
        context.exchanges[Int(context.attribution.connection[direction].latest)].keepHost(bytes, host)
    }

    private mutating func completeRequestHead(
        _ run: RawSpan, at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        guard let section = directions[direction].reader.section else {
            // A simple request of HTTP/0.9 is its line alone.
            startBody(BodyLength(), nil, at: position, direction, &tracker, &context)
            return
        }
        if let host = section.host {
            if directions[direction].reader.headIsBuffered {
                let head = directions[direction].reader.buffer
                unsafe context.exchanges[index].keepHost(head.span.bytes, host)
            } else {
                context.exchanges[index].keepHost(run, host)
            }
        }
        let body = BodyLength.request(section)
        noteFraming(body, section, context.exchanges[index].request.version, index, direction, &context)
        if directions[direction].reader.startLine?.mayNameHost == true, context.exchanges[index].hasTwoHosts {
            context.findings.add(.framingAmbiguous)
        }
        startBody(body, section, at: position, direction, &tracker, &context)
    }

    /// HTTP/1.0 knows no transfer codings: who sends one there may be misunderstood (RFC 9112 §6.1).
    private func noteFraming(
        _ body: BodyLength, _ section: HeaderSection, _ version: HTTPVersion, _ index: Int,
        _ direction: Direction, _ context: inout StreamContext
    ) {
        let isAnachronistic = section.hasTransferEncoding && version == .http10
        let isAmbiguous = directions[direction].reader.startLine?.isAmbiguous == true
        if directions[direction].reader.startLine?.isShoutcast == true {
            context.exchanges[index].flags.insert(.malformed)
            context.findings.add(.shoutcast)
        }
        guard body.isMalformed || section.isMalformed || isAnachronistic || isAmbiguous else { return }
        context.exchanges[index].flags.insert(.malformed)
        context.findings.add(.framingAmbiguous)
    }

    private mutating func completeResponseHead(
        at position: StreamPosition, _ direction: Direction, _ tracker: inout ExchangeTracker,
        _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        guard let section = directions[direction].reader.section else { return }
        let status = context.exchanges[index].status
        let body = BodyLength.response(section, status: status, to: context.exchanges[index].methodKind)
        noteFraming(body, section, context.exchanges[index].response.version, index, direction, &context)
        if (100..<200).contains(status), status != 101 {
            endInterim(index, direction, section, &context)
        } else if body.framing == .tunnel {
            switchProtocol(index, direction, isUpgrade: status == 101, at: position, &tracker, &context)
        } else {
            startBody(body, section, at: position, direction, &tracker, &context)
        }
    }

    /// A 1xx response belongs to the exchange whose final response follows; all of it counts as headers.
    private func endInterim(
        _ index: Int, _ direction: Direction, _ section: HeaderSection, _ context: inout StreamContext
    ) {
        let startLine = directions[direction].reader.startLineLength
        let length =
            directions[direction].reader.headIsBuffered
            ? directions[direction].reader.buffer.count : section.end - directions[direction].reader.headOffset
        context.attribution.reclassify(index, startLine, from: .startLine, to: .headers, direction)
        context.exchanges[index].interim += length
        context.exchanges[index].awaitsFinalResponse = true
        context.exchanges[index].status = 0
        context.exchanges[index].response = MessageState()
        directions[direction].reader.state = .idle
    }

    /// 101, or an answer to CONNECT: no HTTP/1 follows in either direction.
    private mutating func switchProtocol(
        _ index: Int, _ direction: Direction, isUpgrade: Bool, at position: StreamPosition,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        context.exchanges[index].response.framing = .tunnel
        context.exchanges[index].flags.insert(isUpgrade ? .upgraded : .tunnel)
        directions[direction].body.renew()
        directions[direction].body.begin(isIdentity: true, nil, &context)
        endMessage(direction, at: position, &tracker, &context)
        context.attribution.accounts[index].ranges[direction].end = .never
        directions[direction].reader.state = .switched
        let other = direction.opposite
        guard context.attribution.connection[other].latest == Int32(index) else { return }
        switch directions[other].reader.state {
        case .idle, .switched:
            context.attribution.accounts[index].ranges[other].end = .never
            directions[other].reader.state = .switched
        default: break
        }
    }

    mutating func startBody(
        _ length: BodyLength, _ section: HeaderSection?, at position: StreamPosition, _ direction: Direction,
        _ tracker: inout ExchangeTracker, _ context: inout StreamContext
    ) {
        let index = Int(context.attribution.connection[direction].latest)
        let isEmpty = length.framing == .none || (length.framing == .contentLength && length.length == 0)
        let codings = section?.codings ?? CodingList()
        let isIdentity = isEmpty || (codings.count == 0 && !codings.isUndecodable)
        let role = tracker.role(direction)
        context.exchanges[index, role].framing = length.framing
        context.exchanges[index, role].isCoded = !isIdentity
        directions[direction].body.renew()
        let use = isEmpty ? nil : context.use(ofBody: role, of: index, isIdentity: isIdentity)
        directions[direction].body.begin(
            isIdentity: isIdentity, for: use, isEmpty ? nil : BodyOutline(section, role), &context)
        if isEmpty {
            endMessage(direction, at: position, &tracker, &context)
            return
        }
        directions[direction].mayLackBody =
            role == .response ? !context.exchanges[index].request.isPresent : section?.expectsContinue == true
        switch length.framing {
        case .chunked:
            directions[direction].reader.chunks = ChunkedFraming()
            directions[direction].reader.state = .chunked
        case .contentLength: directions[direction].reader.state = .body(remaining: length.length)
        default: directions[direction].reader.state = .untilClose
        }
    }

    /// Copies a head that came whole into its exchange, if somebody wants it; of responses the final one's.
    private func keepHead(
        _ run: RawSpan, _ offset: Int, _ length: Int, _ direction: Direction, _ tracker: borrowing ExchangeTracker,
        _ context: inout StreamContext
    ) {
        guard context.options.keepsHeads else { return }
        let isBuffered = directions[direction].reader.headIsBuffered
        let bytes = isBuffered ? directions[direction].reader.buffer : run.array(offset..<offset + length)
        let head = MessageHead(bytes: bytes, startLine: directions[direction].reader.startLineLength)
        let index = Int(context.attribution.connection[direction].latest)
        context.exchanges[index, tracker.role(direction)].head = head
    }
}
