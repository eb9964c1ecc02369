/// The record layer of one TLS connection (RFC 8446 §5): each record is counted or opened as a whole, its bytes have their
/// causes, and what it held goes to the reader of the plaintext.
///
/// Handshake messages, keys and the opening of records are `TLSConnection`'s.
final class TLSRecordLayer {
    /// Nil before the first record.
    var tls: TLSConnection?
    private var zero: RecordStream?
    private var one: RecordStream?

    /// The records of a direction; nil before they begin.
    subscript(direction: Direction) -> RecordStream? {
        get { direction.index == 0 ? zero : one }
        set { if direction.index == 0 { zero = newValue } else { one = newValue } }
    }

    /// Takes bytes of a direction, which has records.
    func receive<Reader: StreamReader>(
        _ run: RawSpan, at start: StreamPosition, _ direction: Direction, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        guard let stream = self[direction] else { return }
        if tls == nil, stream.isAtHeader { tls = TLSConnection(keys: context.keys) }
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
            let header = RecordHeader(unsafe stream.buffer.span.bytes, at: 0)
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
            guard let stream = self[direction], stream.awaitsKey, stream.buffer.count >= RecordHeader.length,
                let header = RecordHeader(unsafe stream.buffer.span.bytes, at: 0)
            else { return false }
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
        case .whole where context.buffered.records <= context.options.part(of: context.options.totalRecordBytesLimit):
            stream.stage = .whole(header)
        case .whole:
            context.findings.add(.recordLimit)
            loseOpened(header, direction, stream, &reader, &context)
            count(header, isMissing: true, direction, stream, &reader, &context)
        case .counted: count(header, isMissing: false, direction, stream, &reader, &context)
        }
        addFindings(&context)
    }

    // MARK: Records followed by length

    /// From here on the record is followed by length. Kept bytes are its first.
    private func count<Reader: StreamReader>(
        _ header: RecordHeader, isMissing: Bool, _ direction: Direction, _ stream: RecordStream,
        _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let content = tls?.count(header, direction, isMissing: isMissing) else { return }
        var record = RecordStream.CountedRecord(header: header, lead: header.recordLength, content: 0, trail: 0)
        switch content {
        case .handshake:
            record.leadCause = .setupTLS
            record.owner = .handshake
        case .closeNotify:
            record.leadCause = .teardown
            context.attribution.connection[direction].unattributed.closingRecords += header.recordLength
        case .alert: break
        case .encrypted(let lead, let trail), .applicationData(_, let lead, let trail):
            let certain = min(lead + trail, header.recordLength)
            record.lead = min(lead, header.recordLength)
            record.trail = certain - record.lead
            record.content = header.recordLength - certain
        }
        let kept = stream.buffer.count
        let start = stream.bufferStart
        let pieces = stream.takePieces(&context)
        stream.stage = .counted(record)
        guard kept > 0 else { return }
        post(kept, &record, direction, &context)
        attribute(kept, pieces, record.owner, at: start, direction, stream, &reader, &context)
        stream.stage = record.remaining > 0 ? .counted(record) : .header
    }

    private func pass<Reader: StreamReader>(
        _ available: Int, _ record: RecordStream.CountedRecord, at position: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        var record = record
        let count = min(available, record.remaining)
        post(count, &record, direction, &context)
        attribute(count, [], record.owner, at: position, direction, stream, &reader, &context)
        stream.stage = record.remaining > 0 ? .counted(record) : .header
        return count
    }

    /// Posts the next `count` bytes of the record.
    private func post(
        _ count: Int, _ record: inout RecordStream.CountedRecord, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        let lead = min(count, record.lead)
        let content = min(count - lead, record.content)
        let trail = count - lead - content
        record.lead -= lead
        record.content -= content
        record.trail -= trail
        context.attribution.connection[direction].unattributed[record.leadCause] += lead + trail
        context.attribution.connection[direction].unattributed[record.contentCause] += content
    }

    // MARK: Records that are opened

    /// Takes bytes into the buffer until so many are there. Nil: they are.
    private func fill(
        _ run: RawSpan, _ offset: Int, upTo length: Int, at position: StreamPosition, _ stream: RecordStream,
        _ context: inout StreamContext
    ) -> Int {
        let count = min(length - stream.buffer.count, run.byteCount - offset)
        stream.keep(run, offset..<offset + count, at: position, &context)
        return count
    }

    private func collect<Reader: StreamReader>(
        _ run: RawSpan, _ offset: Int, _ header: RecordHeader, at position: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        let count = fill(run, offset, upTo: header.recordLength, at: position, stream, &context)
        guard stream.buffer.count >= header.recordLength else { return count }
        var record = takeBuffer(stream, &context)
        let start = stream.bufferStart
        let pieces = stream.takePieces(&context)
        stream.stage = .header
        open(unsafe record.span.bytes, pieces, at: start, direction, stream, &reader, &context)
        giveBack(&record, stream)
        return count
    }

    private func collectVersionTwo<Reader: StreamReader>(
        _ run: RawSpan, _ offset: Int, _ length: Int, at position: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        let count = fill(run, offset, upTo: length, at: position, stream, &context)
        guard stream.buffer.count >= length else { return count }
        if stream.buffer.count == 2 {
            let first = Int(stream.buffer[0] & 0x7F) << 8
            stream.stage = .versionTwo(2 + first + Int(stream.buffer[1]))
            return count
        }
        var record = takeBuffer(stream, &context)
        let start = stream.bufferStart
        let pieces = stream.takePieces(&context)
        tls?.openVersion2Hello(unsafe record.span.bytes, direction)
        stream.stage = .header
        context.attribution.connection[direction].unattributed[.setupTLS] += record.count
        attribute(record.count, pieces, .handshake, at: start, direction, stream, &reader, &context)
        giveBack(&record, stream)
        return count
    }

    private func takeBuffer(_ stream: RecordStream, _ context: inout StreamContext) -> [UInt8] {
        var record: [UInt8] = []
        swap(&record, &stream.buffer)
        context.buffered.records -= record.count
        return record
    }

    private func giveBack(_ record: inout [UInt8], _ stream: RecordStream) {
        guard stream.buffer.isEmpty else { return }
        record.removeAll(keepingCapacity: true)
        swap(&record, &stream.buffer)
    }

    /// Opens a whole record. `pieces` is empty when it lies in the packet that is being delivered.
    private func open<Reader: StreamReader>(
        _ record: RawSpan, _ pieces: [UnitPiece], at start: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        guard let tls else { return }
        var plaintext: [UInt8] = []
        swap(&plaintext, &context.plaintext)
        var cause = Cause.opaque
        var owner = Owner.connection
        var unit: RecordUnit?
        var content = 0..<0
        switch tls.open(record, direction, into: &plaintext) {
        case .handshake: (cause, owner) = (.setupTLS, .handshake)
        case .closeNotify:
            context.attribution.connection[direction].unattributed.closingRecords += record.byteCount
            cause = .teardown
        case .alert: cause = .tlsRecords
        case .encrypted(let lead, let trail):
            let certain = min(lead + trail, record.byteCount)
            context.attribution.connection[direction].unattributed[.tlsRecords] += certain
            context.attribution.connection[direction].unattributed[.opaque] -= certain
            if stream.contentStart != nil {
                let length = tls.contentLengthIsExact ? record.byteCount - certain : nil
                loseContent(length, at: start, direction, .unread, &reader, &context)
            }
        case .applicationData(let range, let lead, let trail):
            content = range
            cause = .tlsRecords
            if !range.isEmpty {
                unit = RecordUnit(
                    start: start, lead: lead, trail: trail, end: start + record.byteCount, pieces: pieces)
            }
        }
        if let unit {
            let bytes = unsafe plaintext.span.bytes.extracting(content)
            if tls.isEarly(direction), tls.known.earlyData != .accepted {
                holdEarly(unit, bytes, direction, stream, &reader, &context)
            } else {
                read(unit, bytes, direction, stream, &reader, &context)
            }
        } else {
            context.attribution.connection[direction].unattributed[cause] += record.byteCount
            attribute(record.byteCount, pieces, owner, at: start, direction, stream, &reader, &context)
        }
        swap(&plaintext, &context.plaintext)
        addFindings(&context)
        decideEarly(&reader, &context)
    }

    /// Hands the content of a record to the reader, and shares out what the record cost beside it.
    func read<Reader: StreamReader>(
        _ unit: RecordUnit, _ content: RawSpan, _ direction: Direction, _ stream: RecordStream,
        _ reader: inout Reader, _ context: inout StreamContext
    ) {
        let start = unit.start + unit.lead
        if stream.contentStart == nil, content.byteCount > 0 { stream.contentStart = start }
        context.attribution.enter(record: unit)
        reader.receive(content, at: start, direction, &context)
        context.attribution.leave(direction)
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
