/// Records that are followed by length, and counted.
extension TLSRecordLayer {
    /// From here on the record is followed by length. Kept bytes are its first.
    func count<Reader: StreamReader>(
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
            context.attribution.noteClosingRecord(header.recordLength, direction)
        case .alert: break
        case .encrypted(let lead, let trail), .applicationData(_, let lead, let trail):
            let certain = min(lead + trail, header.recordLength)
            record.lead = min(lead, header.recordLength)
            record.trail = certain - record.lead
            record.content = header.recordLength - certain
            record.hidden = record.content
            record.owner = tls?.ownerOfHidden(record.content, direction, &context) ?? .connection
        }
        let kept = stream.buffer.count
        let start = stream.bufferStart
        let pieces = stream.takePieces(&context)
        stream.stage = .counted(record)
        guard kept > 0 else { return }
        post(kept, &record, at: start, direction, &context)
        attribute(kept, pieces, record.owner, at: start, direction, stream, &reader, &context)
        proceed(record, direction, stream, &context)
    }

    /// Goes on within the record or, behind its last byte, to the next.
    private func proceed(
        _ record: RecordStream.CountedRecord, _ direction: Direction, _ stream: RecordStream,
        _ context: inout StreamContext
    ) {
        guard record.remaining == 0 else {
            stream.stage = .counted(record)
            return
        }
        stream.stage = .header
        if record.hidden > 0 {
            tls?.keepHidden(record.header.recordLength, content: record.hidden, direction, &context)
        }
    }

    func pass<Reader: StreamReader>(
        _ available: Int, _ record: RecordStream.CountedRecord, at position: StreamPosition, _ direction: Direction,
        _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) -> Int {
        var record = record
        let count = min(available, record.remaining)
        post(count, &record, at: position, direction, &context)
        attribute(count, [], record.owner, at: position, direction, stream, &reader, &context)
        proceed(record, direction, stream, &context)
        return count
    }

    /// Posts the next `count` bytes of the record.
    private func post(
        _ count: Int, _ record: inout RecordStream.CountedRecord, at start: StreamPosition, _ direction: Direction,
        _ context: inout StreamContext
    ) {
        let lead = min(count, record.lead)
        let content = min(count - lead, record.content)
        let trail = count - lead - content
        record.lead -= lead
        record.content -= content
        record.trail -= trail
        let owner = record.owner
        context.attribution.charge(owner, record.leadCause, lead, at: start, direction)
        context.attribution.charge(owner, record.contentCause, content, at: start + lead, direction)
        context.attribution.charge(owner, record.leadCause, trail, at: start + lead + content, direction)
    }
}
