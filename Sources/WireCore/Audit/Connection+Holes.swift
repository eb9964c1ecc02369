/// Holes in a stream: how long they are waited for, and what is done when they stay.
extension Connection {
    /// How long a hole is waited for where packets were dropped: nanoseconds. What is dropped is never filled, and what
    /// waits for it takes memory and time when there is least of both.
    private static let windowAmongDrops: Int64 = 10_000_000

    /// Gives up a hole that the other side acknowledged long enough ago, or that too many bytes wait for.
    mutating func giveUpStaleHoles(_ books: inout Books) {
        guard keyAwaitedSince == nil else { return checkAwaitedKey(at: lastTime, &books) }
        for side in 0..<2 where !sides[side].assembler.held.isEmpty {
            while let hole = sides[side].assembler.openHole(books.held), isStale(hole, side, books) {
                giveUp(hole, side, &books)
            }
            if sides[side].assembler.openHole(books.held) == nil, isCrowded(side, books) { relieve(side, &books) }
        }
    }

    private func isStale(_ hole: Range<Int>, _ side: Int, _ books: borrowing Books) -> Bool {
        let first = books.held.firstTime(sides[side].assembler.held)
        let isAcknowledged = sides[side].acknowledged.value > hole.lowerBound
        // Where the capturing program lost packets meanwhile, they are what is missing.
        let isDropped = books.drops.contains(first, through: lastTime)
        let usual = books.options.reorderingWindow
        let window = isDropped ? min(Connection.windowAmongDrops, usual) : usual
        if isAcknowledged, lastTime - first > window { return true }
        return isCrowded(side, books)
    }

    /// Too many bytes wait, though there is no hole before them: they wait for the other direction's.
    private mutating func relieve(_ side: Int, _ books: inout Books) {
        if let hole = sides[1 - side].assembler.openHole(books.held) {
            giveUp(hole, 1 - side, &books)
        } else {
            drain(side, &books, isForced: true)
        }
    }

    /// More waits for earlier bytes than may be held.
    func isCrowded(_ side: Int, _ books: borrowing Books) -> Bool {
        sides[side].assembler.held.byteCount > books.options.heldBytesLimit
            || sides[side].assembler.held.count > books.options.heldSegmentLimit
            || books.held.byteCount > books.options.part(of: books.options.totalHeldBytesLimit)
    }

    /// Tells the reader of the hole, and goes on behind it.
    private mutating func giveUp(_ hole: Range<Int>, _ side: Int, _ books: inout Books) {
        // At the end of a connection there are fewer than that.
        let isCrowded = isCrowded(0, books) || isCrowded(1, books)
        tell(of: hole, side, isCrowded: isCrowded, &books)
        // What comes now may have waited for the other direction's hole too. That is older in life, so it is given up
        // first: else answers would come before their questions.
        let acknowledged = books.held.firstAcknowledged(sides[side].assembler.held)
        if let other = sides[1 - side].assembler.openHole(books.held), acknowledged.value > other.lowerBound {
            tell(of: other, 1 - side, isCrowded: isCrowded, &books)
        }
        let waiting = sides[side].assembler.held.count
        drainBoth(&books)
        guard sides[side].assembler.held.count == waiting else { return }
        drain(side, &books, isForced: true)
        drainBoth(&books)
    }

    private mutating func tell(of hole: Range<Int>, _ side: Int, isCrowded: Bool, _ books: inout Books) {
        let isAcknowledged = sides[side].acknowledged.value > hole.lowerBound
        books.findings.add(isAcknowledged || !isCrowded ? .streamGap : .heldBytesLimit)
        skipHole(hole, side, &books)
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
            let holes = (0..<2).map { sides[$0].assembler.openHole(books.held) }
            // The one before what was captured first.
            let times = (0..<2).map { books.held.firstTime(sides[$0].assembler.held) }
            let order = times[1] < times[0] ? [1, 0] : [0, 1]
            if let side = order.first(where: { holes[$0] != nil }), let hole = holes[side] {
                giveUp(hole, side, &books)
            } else if let side = order.first(where: { !sides[$0].assembler.held.isEmpty }) {
                drain(side, &books, isForced: true)
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
