/// Holes in a stream: how long they are waited for, and what is done when they stay.
extension Connection {
    /// Gives up a hole that the other side acknowledged long enough ago, or that too many bytes wait for.
    mutating func giveUpStaleHoles(_ books: inout Books) {
        guard keyAwaitedSince == nil else { return checkAwaitedKey(at: lastTime, &books) }
        for side in 0..<2 where !sides[side].assembler.held.isEmpty {
            while let hole = sides[side].assembler.openHole(books.held), isStale(hole, side, books) {
                giveUp(hole, side, &books)
            }
            if sides[side].assembler.openHole(books.held) == nil, isCrowded(side, books) {
                drain(side, &books, isForced: true)
            }
        }
    }

    private func isStale(_ hole: Range<Int>, _ side: Int, _ books: borrowing Books) -> Bool {
        let waited = lastTime - books.held.firstTime(sides[side].assembler.held)
        let isAcknowledged = sides[side].acknowledged.value > hole.lowerBound
        if isAcknowledged, waited > books.options.reorderingWindow { return true }
        return isCrowded(side, books)
    }

    /// More waits for earlier bytes than may be held.
    func isCrowded(_ side: Int, _ books: borrowing Books) -> Bool {
        sides[side].assembler.held.byteCount > books.options.heldBytesLimit
            || sides[side].assembler.held.count > 8192
            || books.held.byteCount > books.options.totalHeldBytesLimit
    }

    /// Tells the reader of the hole, and goes on behind it.
    private mutating func giveUp(_ hole: Range<Int>, _ side: Int, _ books: inout Books) {
        let isAcknowledged = sides[side].acknowledged.value > hole.lowerBound
        books.findings.add(isAcknowledged ? .streamGap : .heldBytesLimit)
        skipHole(hole, side, &books)
        drain(side, &books, isForced: true)
        drainBoth(&books)
    }

    /// Delivers what each direction waited for the other with, in turns.
    mutating func drainBoth(_ books: inout Books) {
        var waiting = Int.max
        while sides[0].assembler.held.count + sides[1].assembler.held.count < waiting {
            waiting = sides[0].assembler.held.count + sides[1].assembler.held.count
            drain(0, &books)
            drain(1, &books)
        }
    }

    /// At the end of the connection nothing can fill a hole any more.
    mutating func giveUpAllHoles(_ books: inout Books) {
        while !sides[0].assembler.held.isEmpty || !sides[1].assembler.held.isEmpty {
            drainBoth(&books)
            // A direction without a hole may wait only for the other's.
            let holes = (0..<2).map { sides[$0].assembler.openHole(books.held) }
            for side in 0..<2 where !sides[side].assembler.held.isEmpty {
                if let hole = holes[side] {
                    books.findings.add(.streamGap)
                    skipHole(hole, side, &books)
                } else if holes[1 - side] != nil {
                    continue
                }
                drain(side, &books, isForced: true)
                break
            }
        }
    }

    /// Passes a hole to the reader in the parts that the message it lies in makes of it.
    private mutating func skipHole(_ hole: Range<Int>, _ side: Int, _ books: inout Books) {
        flags.insert(.gap)
        var position = hole.lowerBound
        while position < hole.upperBound {
            let count = hole.upperBound - position
            let claim = skip(count, at: StreamPosition(position), side, missing: .hole, &books)
            let owner = claim.owner
            if books.exchanges.isLive(owner) {
                books.exchanges.slots[Int(owner.index)].unseen += claim.count
                books.exchanges.slots[Int(owner.index)].flags.insert(.gap)
            }
            sides[side].layer?.owners.append(owner, upTo: StreamPosition(position + claim.count))
            sides[side].assembler.giveUp(
                Hole(
                    range: position..<position + claim.count, owner: owner.index, ownerSerial: owner.serial,
                    kind: claim.cause.rawValue))
            position += claim.count
        }
    }
}
