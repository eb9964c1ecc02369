/// Early data of TLS 1.3 (RFC 8446 §2.3): the server may reject it, and then the client sends it again. Until that is known
/// it is no message of anybody's.
extension Connection {
    /// What a record that waits takes besides its content, bytes.
    private static let heldOverhead = 256

    mutating func holdEarly(
        _ unit: RecordUnit, _ content: RawSpan, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        let held = content.byteCount + Connection.heldOverhead
        guard books.recordBytes + held <= books.options.part(of: books.options.totalEarlyDataLimit) else {
            books.findings.add(.recordLimit)
            return giveUpEarly(unit, side, layer, &books)
        }
        var unit = unit
        if unit.pieces.isEmpty {
            unit.pieces = [
                UnitPiece(
                    debt: carrierDebt(&books), start: unit.start, count: unit.end - unit.start, moment: books.moment)
            ]
        }
        books.recordBytes += held
        layer.early.append(
            StreamLayer.EarlyRecord(
                unit: unit, content: content.array(0..<content.byteCount), moment: books.moment))
    }

    /// There is no room for one more record: what waits is taken for rejected, and so is this one.
    private mutating func giveUpEarly(
        _ unit: RecordUnit, _ side: Int, _ layer: StreamLayer, _ books: inout Books
    ) {
        loseEarly(side, layer, &books)
        if layer.contentStart == nil { layer.contentStart = unit.start + unit.lead }
        let count = unit.end - unit.start
        sides[side].own[.tlsRecords] += unit.lead + unit.trail
        sides[side].own[.opaque] += count - unit.lead - unit.trail
        settleWhole(count, unit.pieces, .connection, at: unit.start, side, layer, &books)
    }

    /// Messages may have been in it.
    private mutating func loseEarly(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        if let first = layer.early.first, layer.contentStart == nil {
            layer.contentStart = first.unit.start + first.unit.lead
        }
        sides[side].losses.insert(.gap)
        sides[side].isLost = true
        settleEarly(side, layer, isAccepted: false, &books)
    }

    /// Very many units wait for bytes without an owner: those are the connection's now.
    mutating func unblock(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        books.findings.add(.recordLimit)
        loseEarly(side, layer, &books)
        settleUnresolved(side, layer, &books)
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
            books.recordBytes -= record.content.count + Connection.heldOverhead
            if isAccepted {
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
        while let unit = layer.takeLater(endingBy: position) {
            settleUnit(unit.pieces, upTo: unit.end, owner: unit.owner, side, layer, &books)
        }
    }

    /// Units behind bytes that had no owner get theirs.
    mutating func settleLater(_ side: Int, _ layer: StreamLayer, _ books: inout Books) {
        guard !layer.isBlocked else { return }
        while let unit = layer.takeLater(endingBy: .never) {
            settleUnit(unit.pieces, upTo: unit.end, owner: unit.owner, side, layer, &books)
        }
    }
}
