/// The record layer of one TLS connection (RFC 8446 §5): each record is counted or opened as a whole, its bytes have their
/// causes, and what it held goes to the reader of the plaintext.
///
/// The opening of records is `RecordProtection`'s, handshake messages `TLSHandshake`'s.
final class TLSRecordLayer {
    /// Nil before the first record.
    var tls: RecordProtection?
    private var zero: RecordStream?
    private var one: RecordStream?

    /// The records of a direction; nil before they begin.
    subscript(direction: Direction) -> RecordStream? {
        get { direction.index == 0 ? zero : one }
        set { if direction.index == 0 { zero = newValue } else { one = newValue } }
    }

    /// That of a connection whose first record is met now.
    static func protection(_ context: borrowing StreamContext) -> RecordProtection {
        let protection = RecordProtection(
            keys: context.keys, certificates: context.options.certificates, ordinal: context.findings.ordinal)
        protection.lateKeys = context.lateKeys
        return protection
    }

    /// Takes bytes of a direction, which has records.
    func receive<Reader: StreamReader>(
        _ run: RawSpan, at start: StreamPosition, _ direction: Direction, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        guard let stream = self[direction] else { return }
        if tls == nil, stream.isAtHeader { tls = TLSRecordLayer.protection(context) }
        var offset = 0
        while offset < run.byteCount {
            let position = start + offset
            switch stream.stage {
            case .header: offset += beginRecord(run, offset, at: position, direction, stream, &reader, &context)
            case .whole(let header):
                offset += collect(run, offset, header, at: position, direction, stream, &reader, &context)
            case .versionTwo(let length):
                offset += collectVersionTwo(run, offset, length, at: position, direction, stream, &reader, &context)
            case .awaitingKey:
                stream.keep(run, offset..<run.byteCount, at: position, &context)
                offset = run.byteCount
            case .counted(let record):
                offset += pass(run.byteCount - offset, record, at: position, direction, stream, &reader, &context)
            case .lost:
                offset += passLost(run, offset, at: position, direction, stream, &reader, &context)
            }
        }
    }

    // MARK: Headers

    private func beginRecord<Reader: StreamReader>(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ direction: Direction, _ stream: RecordStream,
        _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        if stream.buffer.isEmpty, position == stream.origin, run.u8(offset) & 0x80 != 0 {
            return beginVersionTwo(run, offset, at: position, stream, &context)
        }
        guard stream.buffer.isEmpty, run.byteCount - offset >= RecordHeader.length else {
            let count = min(RecordHeader.length - stream.buffer.count, run.byteCount - offset)
            stream.keep(run, offset..<offset + count, at: position, &context)
            guard stream.buffer.count == RecordHeader.length else { return count }
            let kept = stream.buffer
            let header = RecordHeader(unsafe kept.span.bytes, at: 0)
            if !awaitsKey(header, direction, context) {
                plan(header, direction, stream, &reader, &context)
            } else {
                stream.stage = .awaitingKey
            }
            return count
        }
        let header = RecordHeader(run, at: offset)
        if awaitsKey(header, direction, context) {
            stream.stage = .awaitingKey
            return 0
        }
        guard let header, run.byteCount - offset >= header.recordLength, isOpened(header, direction) else {
            stream.bufferStart = position
            plan(header, direction, stream, &reader, &context)
            return 0
        }
        let end = offset + header.recordLength
        open(run.extracting(offset..<end), [], at: position, direction, stream, &reader, &context)
        return header.recordLength
    }

    private func isOpened(_ header: RecordHeader, _ direction: Direction) -> Bool {
        if case .whole? = tls?.plan(header, direction) { return true }
        return false
    }

    /// Whether a record must wait for its key. From here on all of the connection waits, so that requests stay in front
    /// of their answers.
    private func awaitsKey(
        _ header: RecordHeader?, _ direction: Direction, _ context: borrowing StreamContext
    ) -> Bool {
        guard context.keys.mayGrow, let header, let tls, tls.mayAwaitKeys else { return false }
        return tls.lacksKey(for: header, direction)
    }

    /// Whether records wait for a key that is not there yet.
    var lacksAnyKey: Bool {
        guard let tls else { return false }
        return Direction.both.contains { direction in
            guard let stream = self[direction], stream.awaitsKey else { return false }
            let kept = stream.buffer
            guard let header = RecordHeader(unsafe kept.span.bytes, at: 0) else { return false }
            return tls.lacksKey(for: header, direction)
        }
    }

    /// The two bytes of header of an SSL 2.0 hello hold its length (RFC 5246 §E.2).
    private func beginVersionTwo(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ stream: RecordStream,
        _ context: inout StreamContext
    ) -> Int {
        guard run.byteCount - offset >= 2 else {
            // The probe saw more than this; only a replay of single bytes comes here.
            stream.keep(run, offset..<run.byteCount, at: position, &context)
            stream.stage = .versionTwo(2)
            return run.byteCount - offset
        }
        stream.stage = .versionTwo(2 + Int(run.be16(offset) & 0x7FFF))
        return 0
    }

    /// A header is known: what becomes of its record. The header's bytes may have been kept.
    private func plan<Reader: StreamReader>(
        _ header: RecordHeader?, _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        guard let header, let tls else {
            if stream.isSeeking {
                // What looked like a record was none.
                let kept = stream.buffer.count
                dropKept(direction, stream, &reader, &context)
                stream.lostBytes = kept
                stream.stage = .lost
                return
            }
            context.findings.add(.recordMalformed)
            lose(direction, stream, .unsupported, &reader, &context)
            return
        }
        switch tls.plan(header, direction) {
        case .whole
        where context.buffered.records <= context.options.limitPerShard(of: context.options.totalRecordBytesLimit):
            stream.stage = .whole(header)
        case .whole:
            context.findings.add(.recordLimit)
            loseOpened(header, direction, stream, &reader, &context)
            count(header, isMissing: true, direction, stream, &reader, &context)
        case .counted: count(header, isMissing: false, direction, stream, &reader, &context)
        }
        addFindings(&context)
    }

    /// The bytes of a unit, whose cause is posted, have one owner.
    @inline(__always)
    func attribute<Reader: StreamReader>(
        _ count: Int, _ pieces: [UnitPiece], _ owner: Owner, at start: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let runs = context.attribution.connection[direction].runs else { return }
        if runs.deferredCount >= TLSRecordLayer.deferredLimit { unblock(direction, stream, &reader, &context) }
        context.attribution.attributeUnit(count, pieces, owner, at: start, runs, direction)
    }

    /// Most whole units that wait behind bytes without an owner, in one direction.
    private static let deferredLimit = 4096

    func addFindings(_ context: inout StreamContext) {
        guard let tls else { return }
        for code in tls.takeFindings() where code != .keyMissing || context.keys.hasAny {
            context.findings.add(code)
        }
    }
}
