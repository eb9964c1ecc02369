/// TLS records in a stream: each is counted or opened as a whole (RFC 8446 §5), and its bytes have their causes.
extension Connection {
    /// Most whole units that wait behind bytes without an owner, in one direction.
    private static let laterLimit = 4096

    mutating func deliverRecords(
        _ run: RawSpan, at start: StreamPosition, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        var offset = 0
        while offset < run.byteCount {
            let position = start + offset
            switch layer.stage {
            case .header: offset += beginRecord(run, offset, at: position, side, layer, &books)
            case .whole(let header):
                offset += collect(run, offset, header.recordLength, at: position, side, layer, &books)
            case .versionTwo(let length): offset += collect(run, offset, length, at: position, side, layer, &books)
            case .awaitingKey:
                keep(run, offset..<run.byteCount, at: position, side, layer, &books)
                offset = run.byteCount
            case .counted(let record): offset += pass(run.byteCount - offset, record, at: position, side, layer, &books)
            case .lost:
                let count = seekRecord(run, offset, side, layer)
                layer.lostBytes += count
                sides[side].own[.opaque] += count
                if count > 0 { settleWhole(count, [], .connection, at: position, side, layer, &books) }
                offset += count
            }
        }
    }

    // MARK: Headers

    private mutating func beginRecord(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ layer: StreamLayer,
        _ books: inout Books
    ) -> Int {
        if tls == nil { tls = TLSConnection(keys: books.keys) }
        if layer.buffer.isEmpty, position == layer.origin, run.u8(offset) & 0x80 != 0 {
            return beginVersionTwo(run, offset, at: position, side, layer, &books)
        }
        guard layer.buffer.isEmpty, run.byteCount - offset >= RecordHeader.length else {
            let count = min(RecordHeader.length - layer.buffer.count, run.byteCount - offset)
            keep(run, offset..<offset + count, at: position, side, layer, &books)
            if layer.buffer.count == RecordHeader.length {
                if awaitKey(RecordHeader(unsafe layer.buffer.span.bytes, at: 0), side, layer, &books) { return count }
                planRecord(RecordHeader(unsafe layer.buffer.span.bytes, at: 0), side, layer, &books)
            }
            return count
        }
        let header = RecordHeader(run, at: offset)
        if awaitKey(header, side, layer, &books) { return 0 }
        guard let header, run.byteCount - offset >= header.recordLength, isWanted(header, side) else {
            layer.bufferStart = position
            planRecord(header, side, layer, &books)
            return 0
        }
        let end = offset + header.recordLength
        openRecord(run.extracting(offset..<end), [], at: position, side, layer, &books)
        return header.recordLength
    }

    private func isWanted(_ header: RecordHeader, _ side: Int) -> Bool {
        if case .whole? = tls?.plan(header, side) { return true }
        return false
    }

    /// The two bytes of header of an SSL 2.0 hello hold its length (RFC 5246 §E.2).
    private mutating func beginVersionTwo(
        _ run: RawSpan, _ offset: Int, at position: StreamPosition, _ side: Int, _ layer: StreamLayer,
        _ books: inout Books
    ) -> Int {
        guard run.byteCount - offset >= 2 else {
            // The probe saw more than this; only a replay of single bytes comes here.
            keep(run, offset..<run.byteCount, at: position, side, layer, &books)
            layer.stage = .versionTwo(2)
            return run.byteCount - offset
        }
        layer.stage = .versionTwo(2 + Int(run.be16(offset) & 0x7FFF))
        return 0
    }

    /// A header is known: what becomes of its record. The header's bytes may have been kept.
    private mutating func planRecord(
        _ header: RecordHeader?, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        guard let header, let tls else {
            if layer.isSeeking {
                // What looked like a record was none.
                let kept = layer.buffer.count
                dropKept(side, layer, &books)
                layer.lostBytes = kept
                layer.stage = .lost
                return
            }
            books.findings.add(.recordMalformed)
            loseRecords(side, layer, .unsupported, &books)
            return
        }
        switch tls.plan(header, side) {
        case .whole where books.recordBytes <= books.options.part(of: books.options.totalRecordBytesLimit):
            layer.stage = .whole(header)
        case .whole:
            books.findings.add(.recordLimit)
            loseOpened(header, side, layer, &books)
            count(header, isMissing: true, side, layer, &books)
        case .counted: count(header, isMissing: false, side, layer, &books)
        }
        noteFindings(&books)
    }

    /// From here on the record is followed by length. Kept bytes are its first.
    private mutating func count(
        _ header: RecordHeader, isMissing: Bool, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        guard let content = tls?.count(header, side, isMissing: isMissing) else { return }
        var record = StreamLayer.CountedRecord(header: header, lead: header.recordLength, content: 0, trail: 0)
        switch content {
        case .handshake:
            record.leadCause = .setupTLS
            record.owner = .handshake
        case .closeNotify:
            record.leadCause = .teardown
            sides[side].own.closingRecords += header.recordLength
        case .alert: break
        case .encrypted(let lead, let trail), .applicationData(_, let lead, let trail):
            let certain = min(lead + trail, header.recordLength)
            record.lead = min(lead, header.recordLength)
            record.trail = certain - record.lead
            record.content = header.recordLength - certain
        }
        let kept = layer.buffer.count
        let start = layer.bufferStart
        let pieces = forgetKept(layer, &books)
        layer.stage = .counted(record)
        guard kept > 0 else { return }
        advance(kept, &record, side)
        settleWhole(kept, pieces, record.owner, at: start, side, layer, &books)
        layer.stage = record.remaining > 0 ? .counted(record) : .header
    }

    // MARK: Records followed by length

    private mutating func pass(
        _ available: Int, _ record: StreamLayer.CountedRecord, at position: StreamPosition, _ side: Int,
        _ layer: StreamLayer, _ books: inout Books
    ) -> Int {
        var record = record
        let count = min(available, record.remaining)
        advance(count, &record, side)
        settleWhole(count, [], record.owner, at: position, side, layer, &books)
        layer.stage = record.remaining > 0 ? .counted(record) : .header
        return count
    }

    /// Posts the next `count` bytes of the record.
    private func advance(_ count: Int, _ record: inout StreamLayer.CountedRecord, _ side: Int) {
        let lead = min(count, record.lead)
        let content = min(count - lead, record.content)
        let trail = count - lead - content
        record.lead -= lead
        record.content -= content
        record.trail -= trail
        sides[side].own[record.leadCause] += lead + trail
        sides[side].own[record.contentCause] += content
    }

    // MARK: Records that are opened

    private mutating func collect(
        _ run: RawSpan, _ offset: Int, _ length: Int, at position: StreamPosition, _ side: Int,
        _ layer: StreamLayer, _ books: inout Books
    ) -> Int {
        let count = min(length - layer.buffer.count, run.byteCount - offset)
        keep(run, offset..<offset + count, at: position, side, layer, &books)
        guard layer.buffer.count >= length else { return count }
        if case .versionTwo = layer.stage, layer.buffer.count == 2 {
            let first = Int(layer.buffer[0] & 0x7F) << 8
            layer.stage = .versionTwo(2 + first + Int(layer.buffer[1]))
            return count
        }
        var record: [UInt8] = []
        swap(&record, &layer.buffer)
        let start = layer.bufferStart
        books.recordBytes -= record.count
        let pieces = forgetKept(layer, &books)
        if case .versionTwo = layer.stage {
            tls?.openVersion2Hello(unsafe record.span.bytes, side)
            layer.stage = .header
            sides[side].own[.setupTLS] += record.count
            settleWhole(record.count, pieces, .handshake, at: start, side, layer, &books)
        } else {
            layer.stage = .header
            openRecord(unsafe record.span.bytes, pieces, at: start, side, layer, &books)
        }
        if layer.buffer.isEmpty {
            record.removeAll(keepingCapacity: true)
            swap(&record, &layer.buffer)
        }
        return count
    }

    /// Opens a whole record. `pieces` is empty when it lies in the packet that is being delivered.
    private mutating func openRecord(
        _ record: RawSpan, _ pieces: [UnitPiece], at start: StreamPosition, _ side: Int, _ layer: StreamLayer,
        _ books: inout Books
    ) {
        guard let tls else { return }
        var plaintext: [UInt8] = []
        swap(&plaintext, &books.plaintext)
        switch tls.open(record, side, into: &plaintext) {
        case .handshake: settleOpened(record, pieces, .setupTLS, .handshake, at: start, side, layer, &books)
        case .closeNotify:
            sides[side].own.closingRecords += record.byteCount
            settleOpened(record, pieces, .teardown, .connection, at: start, side, layer, &books)
        case .alert: settleOpened(record, pieces, .tlsRecords, .connection, at: start, side, layer, &books)
        case .encrypted(let lead, let trail):
            let certain = min(lead + trail, record.byteCount)
            sides[side].own[.tlsRecords] += certain
            sides[side].own[.opaque] -= certain
            if layer.contentStart != nil {
                let length = tls.contentLengthIsExact ? record.byteCount - certain : nil
                loseContent(length, at: start, side, missing: .unread, &books)
            }
            settleOpened(record, pieces, .opaque, .connection, at: start, side, layer, &books)
        case .applicationData(let content, let lead, let trail):
            let unit = RecordUnit(
                start: start, lead: lead, trail: trail, end: start + record.byteCount, pieces: pieces)
            if content.isEmpty {
                settleOpened(record, pieces, .tlsRecords, .connection, at: start, side, layer, &books)
            } else if tls.isEarly(side), tls.known.earlyData != .accepted {
                unsafe holdEarly(unit, plaintext.span.bytes.extracting(content), side, layer, &books)
            } else {
                unsafe readRecord(unit, plaintext.span.bytes.extracting(content), side, layer, &books)
            }
        }
        swap(&plaintext, &books.plaintext)
        noteFindings(&books)
        decideEarly(&books)
    }

    /// A record of one cause and owner.
    private mutating func settleOpened(
        _ record: RawSpan, _ pieces: [UnitPiece], _ cause: Cause, _ owner: Owner, at start: StreamPosition,
        _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        sides[side].own[cause] += record.byteCount
        settleWhole(record.byteCount, pieces, owner, at: start, side, layer, &books)
    }

    /// The bytes of a unit, whose cause is booked, have one owner.
    mutating func settleWhole(
        _ count: Int, _ pieces: [UnitPiece], _ owner: Owner, at start: StreamPosition, _ side: Int,
        _ layer: StreamLayer, _ books: inout Books
    ) {
        if layer.laterCount >= Connection.laterLimit { unblock(side, layer, &books) }
        guard layer.isBlocked else {
            if pieces.isEmpty { books.shares.add(owner, count) }
            settleUnit(pieces, upTo: start + count, owner: owner, side, layer, &books)
            return
        }
        var pieces = pieces
        if pieces.isEmpty {
            pieces = [UnitPiece(debt: carrierDebt(&books), start: start, count: count, moment: books.moment)]
        }
        layer.appendLater(StreamLayer.LaterUnit(pieces: pieces, end: start + count, owner: owner))
    }

    /// Hands the content of a record to the reader of messages, and shares out what the record cost beside it.
    mutating func readRecord(
        _ unit: RecordUnit, _ content: RawSpan, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        let start = unit.start + unit.lead
        if layer.contentStart == nil, content.byteCount > 0 { layer.contentStart = start }
        books.packetCarrier = books.carrier
        swap(&books.packetShares, &books.shares)
        books.carrier = Carrier(record: unit)
        deliverContent(content, at: start, side, &books)
        if books.carrier.debt < 0 {
            settleRecord(unit, books.shares, side, &books)
        } else {
            leaveDebt(side, &books)
        }
        books.shares.removeAll()
        swap(&books.packetShares, &books.shares)
        books.carrier = books.packetCarrier
        books.packetCarrier = Carrier()
    }

    func noteFindings(_ books: inout Books) {
        guard let tls else { return }
        for code in tls.takeFindings() where code != .keyMissing || books.keys.hasAny {
            books.findings.add(code)
        }
    }
}
