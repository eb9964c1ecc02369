import WireNative

/// HTTP/2 frames in a direction: who pays for each, part by part (ledger §4).
extension Connection {
    /// The direction carries HTTP/2 from here on. `isStart`: from the connection's first byte of it on.
    mutating func beginFrames(_ side: Int, isStart: Bool) {
        let http2 = self.http2 ?? HTTP2Connection()
        self.http2 = http2
        if requestSide == nil { requestSide = clientSide ?? tls?.clientSide ?? resolvedClientSide }
        if !isStart { http2.isLate = true }
        let direction = HTTP2Connection.Direction(joinsLate: !isStart)
        if isStart, side == requestSide { direction.prefaceRemaining = HTTP2Probe.prefaceLength }
        http2[side] = direction
        httpVersion = .http2
        sides[side].reader.state = .frames
    }

    /// Inside TLS, or where frames were lost: whether HTTP/2 begins, or goes on, with this run.
    mutating func enterFramesInside(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ layer: StreamLayer
    ) -> Bool {
        let isStart = layer.kind == .tls && layer.contentStart == position && http2?[side] == nil
        let isAgreed = http2 != nil || tls?.negotiatedProtocol == Array("h2".utf8)
        if isStart {
            let isClient = (requestSide ?? clientSide ?? tls?.clientSide ?? side) == side
            if !isAgreed {
                guard requestSide == nil, tls?.negotiatedProtocol == nil else { return false }
                let isPreface = isClient && HTTP2Probe.judgePreface(run, at: offset) == .yes
                let isFirstFrame = !isClient && HTTP2Probe.judgeFrames(run, at: offset, isFirst: true) == .yes
                guard isPreface || isFirstFrame else { return false }
            }
            if requestSide == nil { requestSide = isClient ? side : 1 - side }
        } else {
            guard isAgreed, HTTP2Probe.judgeFrames(run, at: offset, isFirst: false) == .yes else { return false }
        }
        beginFrames(side, isStart: isStart)
        return true
    }

    /// Bytes on an HTTP/2 connection that cannot be told to be frames.
    mutating func takeNoFrames(_ count: Int, at position: StreamPosition, _ side: Int, _ books: inout Books) {
        takeUnowned(count, side, &books)
        if let http2 { breakStreams(side, http2, &books) }
        if let layer = sides[side].layer, layer.kind == .frames {
            layer.owners.append(.connection, upTo: position + count)
        }
    }

    // MARK: Claims

    mutating func claimFrames(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) -> Int {
        guard let http2, let remaining = http2[side]?.prefaceRemaining else {
            takeNoFrames(run.byteCount - offset, at: position, side, &books)
            return run.byteCount - offset
        }
        if remaining > 0 { return claimPreface(run, offset, remaining, at: position, side, http2, &books) }
        guard let step = http2[side]?.reader.next(run, offset) else { return run.byteCount - offset }
        switch step {
        case .incompleteHeader(let count):
            if sides[side].layer?.unresolved.isEmpty == true { http2[side]?.frameStart = position }
            let debt = carrierDebt(&books)
            sides[side].layer?.unresolved.append(
                UnitPiece(debt: debt, start: position, count: count, moment: books.moment))
            return count
        case .header(let count):
            beginFrame(count, at: position, side, http2, &books)
            return count
        case .bytes(let part, let count):
            claimPart(part, run, offset, count, at: position, side, http2, &books)
            return count
        }
    }

    private mutating func claimPreface(
        _ run: RawSpan, _ offset: Int, _ remaining: Int, at position: StreamPosition, _ side: Int,
        _ http2: HTTP2Connection, _ books: inout Books
    ) -> Int {
        if remaining == HTTP2Probe.prefaceLength, HTTP2Probe.judgePreface(run, at: offset) == .no {
            books.findings.add(.frameMalformed)
            http2[side] = nil
            takeNoFrames(run.byteCount - offset, at: position, side, &books)
            return run.byteCount - offset
        }
        let count = min(remaining, run.byteCount - offset)
        http2[side]?.prefaceRemaining -= count
        takeFrame(.connection, .setupHTTP, count, at: position, side, &books)
        return count
    }

    /// Posts bytes of a frame, and notes whose they are.
    private mutating func takeFrame(
        _ owner: Owner, _ cause: Cause, _ count: Int, at position: StreamPosition, _ side: Int, _ books: inout Books
    ) {
        post(owner, side, cause, count, &books)
        books.shares.add(owner, count)
        if let layer = sides[side].layer, layer.kind == .frames { layer.owners.append(owner, upTo: position + count) }
        guard books.exchanges.isLive(owner) else { return }
        let slot = Int(owner.index)
        books.exchanges.slots[slot].lastTime = max(books.exchanges.slots[slot].lastTime, books.moment.time)
    }

    /// A frame header is whole: now it is known who pays for it.
    private mutating func beginFrame(
        _ count: Int, at position: StreamPosition, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let direction = http2[side] else { return }
        let frame = direction.reader.frame
        // Not what the reader says: a header may go on behind a FIN that ended the books of its beginning.
        let before = sides[side].layer?.unresolved.reduce(0) { $0 + $1.count } ?? 0
        if before == 0 { direction.frameStart = position }
        let (owner, cause) = chooseOwner(frame, side, http2, &books)
        direction.owner = owner
        direction.cause = cause
        post(owner, side, cause ?? .framing, before, &books)
        settleUnresolved(side, owner, &books)
        takeFrame(owner, cause ?? .framing, count, at: position, side, &books)
        countFrame(frame, owner, side, &books)
        if frame.carriesFragment { beginBlock(frame, side, http2, books) }
        if direction.reader.isFrameComplete { endFrame(at: position + count, side, http2, &books) }
    }

    private func countFrame(_ frame: FrameHeader, _ owner: Owner, _ side: Int, _ books: inout Books) {
        guard books.exchanges.isLive(owner) else { return }
        let index = Int(owner.index)
        switch frame.type {
        case FrameType.data:
            if side == requestSide {
                books.exchanges.slots[index].request.dataFrames += 1
            } else {
                books.exchanges.slots[index].response.dataFrames += 1
            }
        case FrameType.headers, FrameType.continuation:
            if side == requestSide {
                books.exchanges.slots[index].request.headerFrames += 1
            } else {
                books.exchanges.slots[index].response.headerFrames += 1
            }
        default: break
        }
    }

    private mutating func claimPart(
        _ part: FramePart, _ run: RawSpan, _ offset: Int, _ count: Int, at position: StreamPosition, _ side: Int,
        _ http2: HTTP2Connection, _ books: inout Books
    ) {
        guard let direction = http2[side] else { return }
        takeFrame(
            direction.owner, cause(of: part, direction, http2, books), count, at: position, side, &books)
        switch part {
        case .fragment: readFragment(run.extracting(offset..<offset + count), side, http2, &books)
        case .data: readData(run.extracting(offset..<offset + count), side, http2, &books)
        default: break
        }
        if http2[side]?.reader.isFrameComplete == true { endFrame(at: position + count, side, http2, &books) }
    }

    func cause(
        of part: FramePart, _ direction: HTTP2Connection.Direction, _ http2: HTTP2Connection,
        _ books: borrowing Books
    ) -> Cause {
        if let cause = direction.cause { return cause }
        switch part {
        case .data: return http2.streams[direction.reader.frame.stream]?.isTunnel == true ? .opaque : .body
        case .fragment: return !isPush(direction) ? .headers : .framing
        default: return .framing
        }
    }

    /// The fragment belongs to a PUSH_PROMISE, or goes on with one.
    private func isPush(_ direction: HTTP2Connection.Direction) -> Bool {
        direction.reader.frame.type == FrameType.pushPromise || direction.block?.isPush == true
    }

    /// Who pays for a frame, and the cause of all its bytes where it is not by its parts.
    private mutating func chooseOwner(
        _ frame: FrameHeader, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) -> (Owner, Cause?) {
        guard frame.stream != 0 else { return (.connection, .setupHTTP) }
        if let stream = http2.streams[frame.stream] {
            if frame.type == FrameType.data, !stream[side].hasHead, !stream[side].isJoinedLate {
                noteMissedHead(frame.stream, stream, side, http2, &books)
            }
            return books.exchanges.isLive(stream.owner) ? (stream.owner, nil) : (.connection, .setupHTTP)
        }
        if frame.stream <= http2.refusedUpTo, FrameType.isOfMessage(frame.type) { return (.connection, .opaque) }
        switch frame.type {
        case FrameType.headers: return openStream(frame.stream, side, http2, isRequest: side == requestSide, &books)
        case FrameType.data where http2.isLate || flags.contains(.gap):
            let opened = openStream(frame.stream, side, http2, &books)
            joinMessage(frame.stream, side, http2, &books)
            return opened
        case FrameType.data, FrameType.continuation:
            books.findings.add(.frameMalformed)
            return (.connection, .opaque)
        default: return (.connection, .setupHTTP)
        }
    }

    /// DATA without a head in front of it: the head was lost, or went by before.
    private func noteMissedHead(
        _ id: Int, _ stream: HTTP2Connection.Stream, _ side: Int, _ http2: HTTP2Connection, _ books: inout Books
    ) {
        joinMessage(id, side, http2, &books)
        guard books.exchanges.isLive(stream.owner) else { return }
        let index = Int(stream.owner.index)
        let reason = http2.lossReason[side]
        books.exchanges.slots[index].flags.insert(reason.isEmpty ? http2.isLate ? .noStart : .malformed : reason)
    }

    /// A header that came in several runs is whole: the bytes before belong to its owner as well.
    private mutating func settleUnresolved(_ side: Int, _ owner: Owner, _ books: inout Books) {
        guard let layer = sides[side].layer, !layer.unresolved.isEmpty else { return }
        let pieces = layer.unresolved
        layer.unresolved.removeAll(keepingCapacity: true)
        for piece in pieces {
            settleLater(before: piece.start, side, layer, &books)
            share(piece.debt, owner, piece.count, &books)
            if layer.kind == .frames { layer.owners.append(owner, upTo: piece.end) }
            release(piece.debt, side, &books)
        }
        settleLater(side, layer, &books)
    }

    /// A header that began will not be whole.
    mutating func settleUnresolved(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        let count = layer.unresolved.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        sides[side].own[.opaque] += count
        settleUnresolved(side, .connection, &books)
    }

    // MARK: Missing bytes

    mutating func skipFrames(
        _ count: Int, at position: StreamPosition, _ side: Int, missing: Missing, _ books: inout Books
    ) -> SkipClaim {
        let reason = missing.flag
        guard let http2, let direction = http2[side], direction.prefaceRemaining == 0,
            let skipped = http2[side]?.reader.skip(count)
        else {
            loseFrames(side, reason, &books)
            return SkipClaim(owner: .connection, count: count, cause: .opaque)
        }
        let cause = cause(of: skipped.part, direction, http2, books)
        if skipped.part == .fragment || direction.reader.frame.carriesFragment { breakBlock(side, http2) }
        if missing.isCounted, skipped.part == .data {
            http2.streams[direction.reader.frame.stream]?[side].bodyBytes += skipped.count
        }
        if books.exchanges.isLive(direction.owner) {
            books.exchanges.slots[Int(direction.owner.index)].flags.insert(reason)
            if !missing.isCounted || skipped.part != .data {
                books.exchanges.slots[Int(direction.owner.index)].setBroken(side == requestSide)
            }
            abandonStreamBody(
                direction.reader.frame.stream, side, http2, isHole: !missing.isCounted, &books)
        }
        if http2[side]?.reader.isFrameComplete == true {
            endFrame(at: position + skipped.count, side, http2, &books)
        }
        return SkipClaim(owner: direction.owner, count: skipped.count, cause: cause)
    }

    /// Where the next frame begins is not known: it is looked for in what comes.
    mutating func loseFrames(_ side: Int, _ reason: RecordFlags, _ books: inout Books) {
        if let layer = sides[side].layer { settleUnresolved(side, layer, &books) }
        sides[side].reader.state = .searching
        guard let http2 else { return }
        forgetInflater(side, http2, &books)
        http2[side] = nil
        http2.lossReason[side] = reason
        sides[side].losses.formUnion(reason)
        breakStreams(side, http2, &books)
    }

    /// Bytes of the side passed that nobody could read: what is open there may have lost some.
    private func breakStreams(_ side: Int, _ http2: HTTP2Connection, _ books: inout Books) {
        let reason = http2.lossReason[side]
        for id in http2.takeUnbroken(side) {
            guard let stream = http2.streams[id], !stream[side].isEnded, books.exchanges.isLive(stream.owner) else {
                continue
            }
            books.exchanges.slots[Int(stream.owner.index)].setBroken(side == requestSide)
            books.exchanges.slots[Int(stream.owner.index)].flags.insert(reason)
            abandonStreamBody(id, side, http2, isHole: true, &books)
        }
    }
}
