/// Early data of TLS 1.3 (RFC 8446 §2.3): the server may reject it, and then the client sends it again. Until that is known
/// it is no message of anybody's.
extension TLSRecordLayer {
    /// What a record that waits takes besides its content, bytes.
    private static let heldOverhead = 256

    func holdEarly<Reader: StreamReader>(
        _ unit: RecordUnit, _ content: RawSpan, _ direction: Direction, _ stream: RecordStream,
        _ reader: inout Reader, _ context: inout StreamContext
    ) {
        let held = content.byteCount + TLSRecordLayer.heldOverhead
        let limit = context.options.limitPerShard(of: context.options.totalEarlyDataLimit)
        guard context.buffered.records + held <= limit else {
            context.findings.add(.recordLimit)
            return giveUpEarly(unit, direction, stream, &reader, &context)
        }
        var unit = unit
        if unit.pieces.isEmpty { unit.pieces = [context.attribution.deferPiece(unit.start, unit.length)] }
        context.buffered.records += held
        stream.early.append(
            RecordStream.EarlyRecord(
                unit: unit, content: content.array(0..<content.byteCount), packet: context.attribution.packet))
        context.attribution.holdRecord(direction)
    }

    /// There is no room for one more record: what waits is taken for rejected, and so is this one.
    private func giveUpEarly<Reader: StreamReader>(
        _ unit: RecordUnit, _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        loseEarly(direction, stream, &reader, &context)
        if stream.contentStart == nil {
            stream.contentStart = unit.start + unit.lead
            reader.miss(at: stream.contentStart, direction, .unread)
        }
        postRejected(unit, direction, &context)
        attribute(
            unit.length, unit.pieces, .connection, at: unit.start, direction, stream, &reader, &context)
    }

    private func postRejected(_ unit: RecordUnit, _ direction: Direction, _ context: inout StreamContext) {
        let (content, end) = (unit.start + unit.lead, unit.end - unit.trail)
        context.attribution.postUnattributed(.tlsRecords, unit.lead, at: unit.start, direction)
        context.attribution.postUnattributed(.opaque, end - content, at: content, direction)
        context.attribution.postUnattributed(.tlsRecords, unit.trail, at: end, direction)
    }

    /// Messages may have been in it.
    private func loseEarly<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        var start: StreamPosition?
        if let first = stream.early.first, stream.contentStart == nil {
            start = first.unit.start + first.unit.lead
            stream.contentStart = start
        }
        reader.miss(at: start, direction, .unread)
        resolveEarly(direction, stream, isAccepted: false, &reader, &context)
    }

    /// Very many units wait for bytes without an owner: those are the connection's now.
    func unblock<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader, _ context: inout StreamContext
    ) {
        context.findings.add(.recordLimit)
        loseEarly(direction, stream, &reader, &context)
        context.attribution.abandonUnresolved(direction)
    }

    /// After each record: delivers held early data, or drops it, once the server has said which.
    func decideEarly<Reader: StreamReader>(_ reader: inout Reader, _ context: inout StreamContext) {
        guard let tls, !tls.earlyDataIsUndecided else { return }
        for direction in Direction.both {
            guard let stream = self[direction], !stream.early.isEmpty else { continue }
            resolveEarly(
                direction, stream, isAccepted: tls.handshake.known.earlyData == .accepted, &reader, &context)
        }
    }

    func resolveEarly<Reader: StreamReader>(
        _ direction: Direction, _ stream: RecordStream, isAccepted: Bool, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        let records = stream.early
        guard !records.isEmpty else { return }
        stream.early.removeAll()
        for record in records {
            context.attribution.attributeDeferred(before: record.unit.start, direction)
            context.buffered.records -= record.content.count + TLSRecordLayer.heldOverhead
            if isAccepted {
                readEarly(record, direction, stream, &reader, &context)
            } else {
                postRejected(record.unit, direction, &context)
                context.attribution.attribute(record.unit.pieces, upTo: record.unit.end, .connection, direction)
            }
        }
        // Not before: what waits behind the last of them comes behind all of them.
        context.attribution.releaseRecords(direction)
        context.attribution.attributeDeferred(direction)
    }

    /// Reads a record as if it came now, though at its own time.
    private func readEarly<Reader: StreamReader>(
        _ record: RecordStream.EarlyRecord, _ direction: Direction, _ stream: RecordStream, _ reader: inout Reader,
        _ context: inout StreamContext
    ) {
        let outer = context.attribution.packet
        context.attribution.packet = record.packet
        unsafe read(record.unit, record.content.span.bytes, direction, stream, &reader, &context)
        context.attribution.packet = outer
    }
}
