/// Records that do not come whole, and those that nobody can open: what of the messages is missing with them.
extension TLSRecordLayer {
    /// Where the next record begins is not known: what comes is only counted.
    func lose<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, _ reason: TLSBlindness, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        retractOpen(direction, stream)
        tls?.lose(direction, reason)
        addFindings(&context)
        dropKept(direction, stream, &reader, &context)
        stream.stage = .lost
    }

    /// A record that does not come whole is none.
    private func retractOpen(_ direction: Direction, _ stream: RecordStream) {
        guard case .counted(let record) = stream.stage, record.remaining > 0 else { return }
        tls?.directions[direction].count.retract(record.header)
    }

    /// The boundary of records lies in a gap. It is looked for in what comes.
    private func loseBoundary<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let tls, tls.survivesGap(direction) else { return lose(direction, stream, .gap, &reader, &context) }
        dropKept(direction, stream, &reader, &context)
        stream.stage = .lost
        stream.isSeeking = true
    }

    /// Passes bytes before the next record, as far as one can be found.
    func passLost<Reader: StreamReader>(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction, _ stream: RecordStream,
        _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        let count = seek(run, offset, direction, stream)
        stream.lostBytes += count
        guard count > 0 else { return 0 }
        context.attribution.postUnattributed(.opaque, count, at: position, direction)
        attribute(count, [], .connection, at: position, direction, stream, &reader, &context)
        reader.extendLoss(direction, upTo: position + count)
        return count
    }

    /// Looks for a record in a run behind a gap. Returns how many bytes are before it; all, where there is none.
    private func seek(_ run: RawSpan, _ start: Int, _ direction: Direction, _ stream: RecordStream) -> Int {
        guard stream.isSeeking, let tls else { return run.byteCount - start }
        var offset = start
        while let candidate = run.firstByte(RecordType.applicationData, from: offset) {
            offset = candidate + 1
            guard let header = RecordHeader(run, at: candidate), header.version == 0x0303, header.fragmentLength >= 17
            else { continue }
            let next = candidate + header.recordLength
            let isProved = next + RecordHeader.length <= run.byteCount && RecordHeader(run, at: next) != nil
            // Where a key can prove it later, or a segment begins with it, less is enough.
            let mayBe =
                next >= run.byteCount && (candidate == 0 || next == run.byteCount || tls.isReady(direction))
            guard isProved || mayBe else { continue }
            // No record holds more than 2¹⁴ bytes, with 256 of overhead (RFC 5246 §6.2.3).
            let least = (stream.lostBytes + candidate - start) / (RecordHeader.length + (1 << 14) + 256)
            if tls.isReady(direction) { tls.seekNumber(direction, atLeast: least) }
            stream.stage = .header
            stream.lostBytes = 0
            return candidate - start
        }
        return run.byteCount - start
    }

    /// Kept bytes turn out to be part of nothing that can be read.
    func dropKept<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        let kept = stream.buffer.count
        guard kept > 0 else { return }
        let start = stream.bufferStart
        let isHandshake = stream.buffer[0] == RecordType.handshake
        context.attribution.postUnattributed(isHandshake ? .setupTLS : .opaque, kept, at: start, direction)
        attribute(
            kept, stream.takePieces(&context), isHandshake ? .handshake : .connection, at: start, direction, stream,
            &reader, &context)
    }

    /// A record cannot be opened though it came whole: its content is missing from what the messages lie in.
    func loseOpened<Reader: StreamReader>(
        _ header: RecordHeader, _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        guard stream.contentStart != nil, let overhead = tls?.directions[direction].count.overhead(header) else {
            return
        }
        let length = max(0, header.recordLength - overhead.lead - overhead.trail)
        loseContent(
            tls?.contentLengthIsExact == true ? length : nil, at: stream.bufferStart, direction, .unread, &reader,
            &context)
    }

    /// Bytes of records that no packet held, or of which nothing was captured. No record waits for its key.
    func skip<Reader: StreamReader>(
        _ count: Int, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ reader: inout Reader, _ context: inout StreamContext
    ) -> SkipClaim {
        guard let stream = self[direction] else {
            return SkipClaim(owner: .connection, count: count, cause: .opaque)
        }
        if case .whole(let header) = stream.stage {
            loseRecord(header, at: position, direction, reason, stream, &reader, &context)
        }
        switch stream.stage {
        case .counted(let record): return skip(count, of: record, stream)
        case .header, .versionTwo:
            loseContent(nil, at: position, direction, reason, &reader, &context)
            loseBoundary(direction, stream, &reader, &context)
            stream.lostBytes = count
        case .lost:
            stream.lostBytes += count
            reader.extendLoss(direction, upTo: position + count)
        case .whole, .awaitingKey: break
        }
        return SkipClaim(owner: .connection, count: count, cause: .opaque)
    }

    private func skip(_ count: Int, of record: RecordStream.CountedRecord, _ stream: RecordStream) -> SkipClaim {
        var record = record
        let all = record.remaining
        let claimed = min(count, all)
        record.content = all - claimed
        record.lead = 0
        record.trail = 0
        record.contentCause = record.owner == .handshake ? .setupTLS : .opaque
        stream.stage = all > claimed ? .counted(record) : .header
        return SkipClaim(owner: record.owner, count: claimed, cause: record.contentCause)
    }

    /// Some of a record is missing: it cannot be opened, but the next one begins where its length says.
    private func loseRecord<Reader: StreamReader>(
        _ header: RecordHeader, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let content = tls?.count(header, direction, isMissing: true) else { return }
        let kept = stream.buffer.count
        let isSetUp = if case .handshake = content { true } else { false }
        if case .encrypted(let lead, let trail) = content {
            // Whether the first record behind the handshake held data nobody knows.
            let isExact = tls?.contentLengthIsExact == true && stream.contentStart != nil
            let length = max(0, header.recordLength - lead - trail)
            loseContent(isExact ? length : nil, at: position, direction, reason, &reader, &context)
        }
        var record = RecordStream.CountedRecord(
            header: header, lead: 0, content: header.recordLength - kept, trail: 0)
        record.contentCause = isSetUp ? .setupTLS : .opaque
        record.owner = isSetUp ? .handshake : .connection
        context.attribution.postUnattributed(record.contentCause, kept, at: stream.bufferStart, direction)
        if kept > 0 {
            let start = stream.bufferStart
            attribute(
                kept, stream.takePieces(&context), record.owner, at: start, direction, stream, &reader, &context)
        }
        stream.stage = .counted(record)
        addFindings(&context)
    }

    /// So many bytes of the application's are missing; nil: nobody knows how many.
    func loseContent<Reader: StreamReader>(
        _ count: Int?, at position: StreamPosition, _ direction: Direction, _ reason: SkipReason,
        _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let count else { return reader.lose(direction, reason, &context) }
        var left = count
        while left > 0 {
            let claim = reader.skip(
                left, at: position, direction, SkipReason(flag: reason.flag, isCounted: false), &context)
            if context.attribution.isOpen(claim.owner) {
                context.exchanges[Int(claim.owner.index)].flags.insert(reason.flag)
            }
            left -= max(claim.count, 1)
        }
    }

    /// Nothing more will come in this direction: what waits for the rest of its record waits no longer.
    func finish<Reader: StreamReader>(
        _ direction: Direction, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let stream = self[direction] else { return }
        context.attribution.abandonUnresolved(direction)
        resolveEarly(direction, stream, isAccepted: false, &reader, &context)
        retractOpen(direction, stream)
        dropKept(direction, stream, &reader, &context)
        stream.stage = .lost
        addFindings(&context)
    }
}
