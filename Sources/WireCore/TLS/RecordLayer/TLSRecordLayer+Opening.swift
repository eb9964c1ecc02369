/// Records that are collected and opened.
extension TLSRecordLayer {
    /// Takes bytes into the buffer until so many are there. Returns how many it took.
    private func fill(
        _ run: RawSpan, _ offset: Int, upTo length: Int, at position: StreamPosition, _ stream: RecordStream,
        _ context: inout StreamContext
    ) -> Int {
        let count = min(length - stream.buffer.count, run.byteCount - offset)
        stream.keep(run, offset..<offset + count, at: position, &context)
        return count
    }

    func collect<Reader: StreamReader>(
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

    func collectVersionTwo<Reader: StreamReader>(
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
        context.attribution.postUnattributed(.setupTLS, record.count, at: start, direction)
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
    func open<Reader: StreamReader>(
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
        var overhead = (lead: 0, trail: 0)
        switch tls.open(record, direction, into: &plaintext) {
        case .handshake: (cause, owner) = (.setupTLS, .handshake)
        case .closeNotify:
            context.attribution.noteClosingRecord(record.byteCount, direction)
            cause = .teardown
        case .alert: cause = .tlsRecords
        case .encrypted(let lead, let trail):
            let certain = min(lead + trail, record.byteCount)
            overhead = (min(lead, record.byteCount), certain - min(lead, record.byteCount))
            tls.unnamed.stop(record.byteCount - certain, direction)
            tls.keepHidden(record.byteCount, content: record.byteCount - certain, direction, &context)
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
            if tls.isEarly(direction), tls.handshake.known.earlyData != .accepted {
                holdEarly(unit, bytes, direction, stream, &reader, &context)
            } else {
                read(unit, bytes, direction, stream, &reader, &context)
            }
        } else {
            let end = record.byteCount - overhead.trail
            context.attribution.postUnattributed(.tlsRecords, overhead.lead, at: start, direction)
            context.attribution.postUnattributed(
                cause, end - overhead.lead, at: start + overhead.lead, direction)
            context.attribution.postUnattributed(.tlsRecords, overhead.trail, at: start + end, direction)
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
}
