/// Early data of TLS 1.3 (RFC 8446 §2.3): the server may reject it, and then the client sends it again. Until that is known
/// it is no message of anybody's.
extension Connection {
    /// Early data that all connections may hold, bytes; what is beyond it is not read.
    private static let heldLimit = 16 << 20

    mutating func holdEarly(
        _ unit: RecordUnit, _ content: RawSpan, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        var unit = unit
        if unit.pieces.isEmpty {
            unit.pieces = [
                UnitPiece(
                    debt: carrierDebt(&books), start: unit.start, count: unit.end - unit.start, moment: books.moment)
            ]
        }
        let isKept = books.recordBytes + content.byteCount <= Connection.heldLimit
        if !isKept { books.findings.add(.recordLimit) }
        let bytes = isKept ? content.array(0..<content.byteCount) : []
        books.recordBytes += bytes.count
        layer.early.append(StreamLayer.EarlyRecord(unit: unit, content: bytes, moment: books.moment))
    }

    /// After each record: delivers held early data, or drops it, once the server has said which.
    mutating func decideEarly(_ books: inout Books) {
        guard let tls, !tls.earlyDataIsUndecided else { return }
        for side in 0..<2 {
            guard let layer = sides[side].layer, !layer.early.isEmpty else { continue }
            settleEarly(side, layer, isAccepted: tls.known.earlyData == .accepted, &books)
        }
    }

    mutating func settleEarly(
        _ side: Int, _ layer: StreamLayer, isAccepted: Bool, _ books: inout Books
    ) {
        let records = layer.early
        guard !records.isEmpty else { return }
        layer.early.removeAll()
        for record in records {
            settleLater(before: record.unit.start, side, layer, &books)
            books.recordBytes -= record.content.count
            if isAccepted, !record.content.isEmpty {
                deliverEarly(record, side, layer, &books)
            } else {
                let overhead = record.unit.lead + record.unit.trail
                sides[side].own[.tlsRecords] += overhead
                sides[side].own[.opaque] += record.unit.end - record.unit.start - overhead
                settleUnit(record.unit.pieces, upTo: record.unit.end, owner: .connection, side, layer, &books)
            }
        }
        settleLater(side, layer, &books)
    }

    /// Reads a record as if it came now, though at its own time.
    private mutating func deliverEarly(
        _ record: StreamLayer.EarlyRecord, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        let outer = (carrier: books.carrier, moment: books.moment)
        var shares = ShareList()
        swap(&books.shares, &shares)
        books.carrier = Carrier()
        books.moment = record.moment
        unsafe readRecord(record.unit, record.content.span.bytes, side, layer, &books)
        swap(&books.shares, &shares)
        books.carrier = outer.carrier
        books.moment = outer.moment
    }

    /// Units that lie before a place whose owner is to be noted next get theirs.
    mutating func settleLater(
        before position: StreamPosition, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        while let unit = layer.later.first, unit.end <= position {
            layer.later.removeFirst()
            settleUnit(unit.pieces, upTo: unit.end, owner: unit.owner, side, layer, &books)
        }
    }

    /// Units behind bytes that had no owner get theirs.
    mutating func settleLater(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        guard !layer.isBlocked, !layer.later.isEmpty else { return }
        let units = layer.later
        layer.later.removeAll(keepingCapacity: true)
        for unit in units {
            settleUnit(unit.pieces, upTo: unit.end, owner: unit.owner, side, layer, &books)
        }
    }
}
