/// Who pays: posting to exchanges or the connection, and settling what waited.
extension Connection {
    @inline(__always)
    mutating func post(_ owner: Owner, _ side: Int, _ cause: Cause, _ bytes: Int, _ books: inout Books) {
        if books.exchanges.isLive(owner) {
            books.exchanges.slots[Int(owner.index)].costs.add(cause, bytes, side)
        } else {
            sides[side].own[cause] += bytes
        }
    }

    @inline(__always)
    mutating func postLink(_ owner: Owner, _ side: Int, _ bytes: Int, _ books: inout Books) {
        if books.exchanges.isLive(owner) {
            books.exchanges.slots[Int(owner.index)].costs.addLink(bytes, side)
        } else {
            sides[side].own.link += bytes
        }
    }

    private mutating func postHidden(_ owner: Owner, _ side: Int, _ bytes: Int, _ books: inout Books) {
        if books.exchanges.isLive(owner) {
            books.exchanges.slots[Int(owner.index)].costs[side].offloadHidden += bytes
        } else {
            sides[side].own.offloadHidden += bytes
        }
    }

    /// Shares a packet's headers among the owners of its new payload.
    mutating func settleHeaders(_ cost: HeaderCost?, _ shares: ShareList, _ side: Int, _ books: inout Books) {
        guard let cost else { return }
        if shares.count == 1, shares[0].owner == .handshake {
            addOverhead(.setupTLS, side, cost.internet, cost.link)
            sides[side].own.handshakeHeaders += cost.internet
            if cost.hidden > 0 { postHidden(.connection, side, cost.hidden, &books) }
            return
        }
        if shares.count < 2 {
            postShared(.tcpip, cost, shares, side, &books)
        } else {
            postShared(.tcpip, cost, shares.merged(), side, &books)
        }
    }

    private mutating func postShared(
        _ cause: Cause, _ cost: HeaderCost, _ shares: ShareList, _ side: Int, _ books: inout Books
    ) {
        guard shares.count > 1 else {
            let owner = shares.isEmpty ? Owner.connection : shares[0].owner
            post(owner, side, cause, cost.internet, &books)
            postLink(owner, side, cost.link, &books)
            if cost.hidden > 0 { postHidden(owner, side, cost.hidden, &books) }
            return
        }
        for (index, part) in books.divide(cost.internet, among: shares).enumerated() {
            post(shares[index].owner, side, cause, part, &books)
        }
        for (index, part) in books.divide(cost.link, among: shares).enumerated() {
            postLink(shares[index].owner, side, part, &books)
        }
        guard cost.hidden > 0 else { return }
        for (index, part) in books.divide(cost.hidden, among: shares).enumerated() {
            postHidden(shares[index].owner, side, part, &books)
        }
    }

    /// The owner of a byte that was delivered. Inlined, because lending out the books copies them.
    @inline(__always)
    mutating func owner(at position: StreamPosition, _ side: Int, _ books: borrowing Books) -> Owner {
        ownerRun(at: position, side, books).owner
    }

    /// The owner of a byte, and the position up to which it owns all bytes.
    @inline(__always)
    private mutating func ownerRun(
        at position: StreamPosition, _ side: Int, _ books: borrowing Books
    ) -> (owner: Owner, end: StreamPosition) {
        var later = StreamPosition.never
        if sides[side].layer != nil, let layer = sides[side].layer {
            if position >= layer.origin { return layer.owners.find(position) }
            later = layer.origin
        }
        var index = searchStart(position, side, books)
        while index >= 0 {
            let range = books.exchanges.slots[Int(index)].ranges[side]
            if range.isPresent {
                if range.start <= position {
                    sides[side].ownerHint = index
                    return position < range.end
                        ? (books.exchanges.owner(index), min(range.end, later)) : (.connection, later)
                }
                later = range.start
            }
            index = books.exchanges.slots[Int(index)].previous
        }
        return (.connection, later)
    }

    /// An exchange from which the owner is found by going back: the latest one that can have it, or one near the place
    /// looked at last, so that going through a stream does not take a walk for each byte.
    @inline(__always)
    private func searchStart(_ position: StreamPosition, _ side: Int, _ books: borrowing Books) -> Int32 {
        let current = sides[side].current
        guard sides[side].ownerHint >= 0, current >= 0,
            books.exchanges.slots[Int(current)].ranges[side].start > position
        else { return current }
        var index = sides[side].ownerHint
        while index != current, index >= 0 {
            let range = books.exchanges.slots[Int(index)].ranges[side]
            if range.isPresent, range.start > position { return index }
            index = books.exchanges.slots[Int(index)].following
        }
        return current
    }

    /// Books a charge to the owners of its range. A final one takes what is known: its range may never have come.
    mutating func settle(_ charge: PendingCharge, on side: Int, isFinal: Bool, _ books: inout Books) {
        if charge.cause == .ack {
            var position = charge.start
            let highest = sides[side].assembler.highest
            if isFinal, position >= sides[side].known { position = highest - 1 }
            let owner = owner(at: position, side, books)
            post(owner, charge.payer, .ack, charge.cost.internet, &books)
            postLink(owner, charge.payer, charge.cost.link, &books)
            return
        }
        var shares = ShareList()
        var position = charge.start
        while position < charge.end {
            let run = ownerRun(at: position, side, books)
            let end = min(run.end, charge.end)
            shares.add(run.owner, end - position)
            post(run.owner, side, .retransmission, end - position, &books)
            position = end
        }
        postShared(.retransmission, charge.cost, shares.merged(), side, &books)
    }

    /// Settles the charges whose bytes have been delivered since.
    mutating func settleCharges(_ books: inout Books) {
        for side in 0..<2 {
            for charge in books.charges.takeAll(
                endingBy: sides[side].known, from: &sides[side].charges)
            {
                settle(charge, on: side, isFinal: false, &books)
            }
        }
    }

    mutating func settleAllCharges(_ books: inout Books) {
        for side in 0..<2 {
            for charge in books.charges.takeAll(endingBy: .never, from: &sides[side].charges) {
                settle(charge, on: side, isFinal: true, &books)
            }
        }
    }
}
