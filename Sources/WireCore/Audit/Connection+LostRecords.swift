/// Records that do not come whole, and those that nobody can open: what of the messages is missing with them.
extension Connection {
    /// Where the next record begins is not known: what comes is only counted.
    mutating func loseRecords(
        _ side: Int, _ layer: StreamLayer, _ reason: TLSBlindness, _ books: inout Books
    ) {
        retractOpen(side, layer)
        tls?.lose(side, reason)
        noteFindings(&books)
        dropKept(side, layer, &books)
        layer.stage = .lost
    }

    /// A record that does not come whole is none.
    private func retractOpen(_ side: Int, _ layer: StreamLayer) {
        guard case .counted(let record) = layer.stage, record.remaining > 0 else { return }
        tls?.retract(record.header, side)
    }

    /// The boundary of records lies in a gap. It is looked for in what comes.
    private mutating func loseBoundary(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        guard let tls, tls.survivesGap(side) else { return loseRecords(side, layer, .gap, &books) }
        dropKept(side, layer, &books)
        layer.stage = .lost
        layer.isSeeking = true
    }

    /// Looks for a record in a run behind a gap. Returns how many bytes are before it; all, where there is none.
    func seekRecord(_ run: RawSpan, _ start: Int, _ side: Int, _ layer: StreamLayer) -> Int {
        guard layer.isSeeking, let tls else { return run.byteCount - start }
        var offset = start
        while let candidate = run.firstByte(RecordType.applicationData, from: offset) {
            offset = candidate + 1
            guard let header = RecordHeader(run, at: candidate), header.version == 0x0303, header.fragmentLength >= 17
            else { continue }
            let next = candidate + header.recordLength
            let isProved = next + RecordHeader.length <= run.byteCount && RecordHeader(run, at: next) != nil
            // Where a key can prove it later, or a segment begins with it, less is enough.
            let mayBe = next >= run.byteCount && (candidate == 0 || next == run.byteCount || tls.isReady(side))
            guard isProved || mayBe else { continue }
            // No record holds more than 2¹⁴ bytes, with 256 of overhead (RFC 5246 §6.2.3).
            let least = (layer.lostBytes + candidate - start) / (RecordHeader.length + (1 << 14) + 256)
            if tls.isReady(side) { tls.seekNumber(side, atLeast: least) }
            layer.stage = .header
            layer.lostBytes = 0
            return candidate - start
        }
        return run.byteCount - start
    }

    /// Kept bytes turn out to be part of nothing that can be read.
    mutating func dropKept(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        let kept = layer.buffer.count
        guard kept > 0 else { return }
        let end = layer.bufferStart + kept
        let isHandshake = layer.buffer[0] == 22
        sides[side].own[isHandshake ? .setupTLS : .opaque] += kept
        settleWhole(
            kept, forgetKept(layer, &books), isHandshake ? .handshake : .connection, at: end - kept, side, layer,
            &books)
    }

    /// A record cannot be opened though it came whole: its content is missing from what the messages lie in.
    mutating func loseOpened(
        _ header: RecordHeader, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        guard layer.contentStart != nil, let overhead = tls?.sides[side].count.overhead(header) else { return }
        let length = max(0, header.recordLength - overhead.lead - overhead.trail)
        loseContent(
            tls?.contentLengthIsExact == true ? length : nil, at: layer.bufferStart, side, missing: .unread, &books)
    }

    /// Bytes of records that no packet held, or of which nothing was captured.
    mutating func skipRecords(
        _ count: Int, at position: StreamPosition, _ side: Int, missing: Missing, _ layer: StreamLayer,
        _ books: inout Books
    ) -> SkipClaim {
        switch layer.stage {
        case .counted(var record):
            let claimed = min(count, record.remaining)
            let all = record.remaining
            record.content = all - claimed
            record.lead = 0
            record.trail = 0
            record.contentCause = record.owner == .handshake ? .setupTLS : .opaque
            let cause = record.contentCause
            layer.stage = all > claimed ? .counted(record) : .header
            return SkipClaim(owner: record.owner, count: claimed, cause: cause)
        case .whole(let header):
            loseRecord(header, at: position, side, missing: missing, layer, &books)
            return skipRecords(count, at: position, side, missing: missing, layer, &books)
        case .awaitingKey:
            giveUpKeys(&books)
            return skip(count, at: position, side, missing: missing, &books)
        case .header, .versionTwo:
            loseContent(nil, at: position, side, missing: missing, &books)
            loseBoundary(side, layer, &books)
            layer.lostBytes = count
        case .lost: layer.lostBytes += count
        }
        return SkipClaim(owner: .connection, count: count, cause: .opaque)
    }

    /// Some of a record is missing: it cannot be opened, but the next one begins where its length says.
    private mutating func loseRecord(
        _ header: RecordHeader, at position: StreamPosition, _ side: Int, missing: Missing, _ layer: StreamLayer,
        _ books: inout Books
    ) {
        guard let content = tls?.count(header, side, isMissing: true) else { return }
        let kept = layer.buffer.count
        let isSetUp = if case .handshake = content { true } else { false }
        if case .encrypted(let lead, let trail) = content {
            // Whether the first record behind the handshake held data nobody knows.
            let isExact = tls?.contentLengthIsExact == true && layer.contentStart != nil
            let length = max(0, header.recordLength - lead - trail)
            loseContent(isExact ? length : nil, at: position, side, missing: missing, &books)
        }
        var record = StreamLayer.CountedRecord(header: header, lead: 0, content: header.recordLength - kept, trail: 0)
        record.contentCause = isSetUp ? .setupTLS : .opaque
        record.owner = isSetUp ? .handshake : .connection
        sides[side].own[record.contentCause] += kept
        if kept > 0 {
            let start = layer.bufferStart
            settleWhole(kept, forgetKept(layer, &books), record.owner, at: start, side, layer, &books)
        }
        layer.stage = .counted(record)
        noteFindings(&books)
    }

    /// So many bytes of the application's are missing; nil: nobody knows how many.
    mutating func loseContent(
        _ count: Int?, at position: StreamPosition, _ side: Int, missing: Missing, _ books: inout Books
    ) {
        guard let count else {
            loseMessages(side, missing: missing, &books)
            return
        }
        var left = count
        while left > 0 {
            let claim = skipContent(
                left, at: position, side, missing: Missing(flag: missing.flag, isCounted: false), &books)
            if books.exchanges.isLive(claim.owner) {
                books.exchanges.slots[Int(claim.owner.index)].flags.insert(missing.flag)
            }
            left -= max(claim.count, 1)
        }
    }

    /// The direction's messages cannot be followed any more.
    private mutating func loseMessages(_ side: Int, missing: Missing, _ books: inout Books) {
        let reason = missing.flag
        switch sides[side].reader.state {
        case .frames: loseFrames(side, reason, &books)
        case .tunnel, .tunnelStart: break
        case .idle, .searching:
            noteUncertain(missing, side, &books)
            sides[side].reader.state = .searching
            sides[side].isLost = true
        case .head, .body, .chunked, .untilClose:
            noteUncertain(missing, side, &books)
            breakMessage(side, [reason], &books)
        }
    }

    mutating func skipLayered(
        _ count: Int, at position: StreamPosition, _ side: Int, missing: Missing, _ books: inout Books
    ) -> SkipClaim {
        flushUndecided(side, &books)
        guard let layer = sides[side].layer else {
            return skipContent(count, at: position, side, missing: missing, &books)
        }
        if layer.kind == .tls {
            return skipRecords(count, at: position, side, missing: missing, layer, &books)
        }
        return skipContent(count, at: position, side, missing: missing, &books)
    }

    /// Nothing more will come in this direction: what waits for the rest of its unit waits no longer.
    mutating func flushLayer(_ side: Int, _ books: inout Books) {
        flushUndecided(side, &books)
        guard let layer = sides[side].layer else { return }
        settleUnresolved(side, layer, &books)
        settleEarly(side, layer, isAccepted: false, &books)
        if layer.kind == .tls {
            retractOpen(side, layer)
            dropKept(side, layer, &books)
            layer.stage = .lost
        }
        noteFindings(&books)
    }
}
