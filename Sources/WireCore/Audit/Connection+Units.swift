/// Units that did not come in one packet: what carried their bytes waits for its owners.
extension Connection {
    /// Keeps bytes of a run that belong to a unit which is not whole.
    mutating func keep(
        _ run: RawSpan, _ range: Range<Int>, at start: StreamPosition, _ side: Int, _ layer: StreamLayer,
        _ books: inout Books
    ) {
        guard !range.isEmpty else { return }
        if layer.buffer.isEmpty { layer.bufferStart = start }
        run.append(range, to: &layer.buffer)
        books.recordBytes += range.count
        layer.pieces.append(
            UnitPiece(debt: carrierDebt(&books), start: start, count: range.count, moment: books.moment))
    }

    /// Lets go of what was kept. Its pieces are the caller's.
    func forgetKept(_ layer: StreamLayer, _ books: inout Books) -> [UnitPiece] {
        books.recordBytes -= layer.buffer.count
        layer.buffer.removeAll(keepingCapacity: true)
        let pieces = layer.pieces
        layer.pieces.removeAll(keepingCapacity: true)
        return pieces
    }

    /// The debt of what carries the bytes being delivered, which now waits for one piece more.
    func carrierDebt(_ books: inout Books) -> Int32 {
        if books.carrier.debt < 0 {
            if let record = books.carrier.record, record.pieces.isEmpty {
                let piece = UnitPiece(
                    debt: packetDebt(&books), start: record.start, count: record.end - record.start,
                    moment: books.moment)
                books.carrier.record?.pieces = [piece]
            }
            books.carrier.debt = books.debts.insert(books.carrier.cost, outstanding: 1)
            books.debts.slots[Int(books.carrier.debt)].record = books.carrier.record
        }
        books.debts.slots[Int(books.carrier.debt)].outstanding += 1
        return books.carrier.debt
    }

    private func packetDebt(_ books: inout Books) -> Int32 {
        if books.packetCarrier.debt < 0 {
            books.packetCarrier.debt = books.debts.insert(books.packetCarrier.cost, outstanding: 1)
        }
        books.debts.slots[Int(books.packetCarrier.debt)].outstanding += 1
        return books.packetCarrier.debt
    }

    /// All bytes of the carrier were delivered: what it shared so far goes into its debt, which may be paid with that.
    mutating func leaveDebt(_ side: Int, _ books: inout Books) {
        let debt = books.carrier.debt
        swap(&books.shares, &books.debts.slots[Int(debt)].shares)
        books.carrier.debt = -1
        release(debt, side, &books)
    }

    /// One piece of the debt has its owner.
    mutating func release(_ debt: Int32, _ side: Int, _ books: inout Books) {
        books.debts.slots[Int(debt)].outstanding -= 1
        if books.debts.slots[Int(debt)].outstanding == 0 { payDebt(debt, side, &books) }
    }

    mutating func payDebt(_ debt: Int32, _ side: Int, _ books: inout Books) {
        let slot = books.debts.slots[Int(debt)]
        books.debts.release(debt)
        if let record = slot.record {
            settleRecord(record, slot.shares, side, &books)
        } else {
            settleHeaders(slot.cost, slot.shares, side, &books)
        }
    }

    /// Adds a share to a carrier, which may be the one that is being delivered.
    func share(_ debt: Int32, _ owner: Owner, _ count: Int, _ books: inout Books) {
        if debt == books.carrier.debt {
            books.shares.add(owner, count)
        } else if debt == books.packetCarrier.debt {
            books.packetShares.add(owner, count)
        } else {
            books.debts.slots[Int(debt)].shares.add(owner, count)
        }
    }

    /// All bytes of a unit belong to one owner.
    mutating func settleUnit(
        _ pieces: [UnitPiece], upTo end: StreamPosition, owner: Owner, _ side: Int, _ layer: StreamLayer,
        _ books: inout Books
    ) {
        layer.owners.append(owner, upTo: end)
        for piece in pieces {
            share(piece.debt, owner, piece.count, &books)
            release(piece.debt, side, &books)
        }
    }

    /// Shares out a record whose content has its owners: its overhead among them, its bytes among its packets.
    mutating func settleRecord(_ record: RecordUnit, _ shares: ShareList, _ side: Int, _ books: inout Books) {
        guard let layer = sides[side].layer else { return }
        postOverhead(record, shares.merged(), side, &books)
        let first = shares.isEmpty ? Owner.connection : shares[0].owner
        let last = shares.isEmpty ? Owner.connection : shares[shares.count - 1].owner
        var position = record.start + record.lead
        layer.owners.append(first, upTo: position)
        for index in 0..<shares.count {
            position = position + shares[index].bytes
            layer.owners.append(shares[index].owner, upTo: position)
        }
        layer.owners.append(last, upTo: record.end)
        guard !record.pieces.isEmpty else {
            // It lies in the packet that is being delivered.
            books.packetShares.add(first, record.lead)
            for index in 0..<shares.count { books.packetShares.add(shares[index].owner, shares[index].bytes) }
            books.packetShares.add(last, record.trail)
            return
        }
        for piece in record.pieces {
            var position = piece.start
            while position < piece.end {
                let run = layer.owners.find(position)
                let end = min(run.end, piece.end)
                share(piece.debt, run.owner, end - position, &books)
                position = end
            }
            release(piece.debt, side, &books)
        }
    }

    private mutating func postOverhead(
        _ record: RecordUnit, _ shares: ShareList, _ side: Int, _ books: inout Books
    ) {
        let overhead = record.lead + record.trail
        guard shares.count > 1 else {
            post(shares.isEmpty ? .connection : shares[0].owner, side, .tlsRecords, overhead, &books)
            return
        }
        for (index, part) in books.divide(overhead, among: shares).enumerated() {
            post(shares[index].owner, side, .tlsRecords, part, &books)
        }
    }
}
